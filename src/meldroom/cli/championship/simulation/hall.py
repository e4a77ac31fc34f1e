"""The staff of a simulated championship: who does what and when, from entrants to champion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from meldroom.championship import (
    Action,
    AddWord,
    AnnounceDraw,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    CloseStage,
    DecideTie,
    EnterResult,
    Format,
    Found,
    GameResult,
    LogEntry,
    Reveal,
    SeatSitting,
    SignSheet,
    final_ranking,
    standings,
)
from meldroom.championship.log.lines import LogFile
from meldroom.championship.log.lots import SeededSecrets
from meldroom.championship.roles import Role
from meldroom.championship.sittings import change_needed, needs_draw, prepare_draw
from meldroom.cli.championship.simulation.games import Games
from meldroom.i18n import Language, Value, message

STAFF: dict[Role, str] = {
    "organiser": "Olga",
    "director": "Dana",
    "referee": "Rita",
    "scorer": "Sam",
    "check_in": "Chris",
}


class HallClock:
    """The time in the hall: every action takes a moment."""

    def __init__(self, start: datetime) -> None:
        self.time = start

    def __call__(self) -> datetime:
        """A moment later."""
        self.time += timedelta(seconds=20)
        return self.time

    def later(self, minutes: int) -> None:
        """Time goes by."""
        self.time += timedelta(minutes=minutes)


class Hall:
    """A championship being run: the log and the diary, and the staff who write both."""

    def __init__(
        self, path: Path, found: Found, games: Games, random: Random, language: Language = "en"
    ) -> None:
        start = datetime.combine(found.date, datetime.min.time(), UTC) + timedelta(hours=8)
        self.path = path
        self.clock = HallClock(start)
        self.games = games
        self.random = random
        self.language = language
        self.diary: list[str] = []
        self.count = {"corrections": 0, "ties": 0}
        self._secrets = SeededSecrets(path, f"{random.getrandbits(256):064x}")
        self.log = ChampionshipLog(LogFile.create(path), self.clock, self._secrets)
        self.perform("organiser", found)

    @property
    def state(self) -> ChampionshipState:
        """What is known now."""
        return self.log.state

    @property
    def format(self) -> Format:
        """How the championship is played."""
        return self.state.format

    def perform(self, role: Role, action: Action, reason: str = "") -> LogEntry:
        """Somebody of the staff does something. Raises ChampionshipError."""
        return self.log.append(action, author=STAFF[role], role=role, reason=reason)

    def text(self, key: str, **values: Value) -> str:
        """A text of the simulation."""
        return message(f"simulation.{key}", self.language, **values)

    def note(self, key: str, **values: Value) -> None:
        """A line of the diary, with the time."""
        self.diary.append(f"{self.clock.time:%H:%M}  {self.text(key, **values)}")

    def refused(self, role: Role, action: Action) -> str:
        """Try something that must not pass; what the program answers."""
        try:
            self.perform(role, action)
        except ChampionshipError as error:
            return error.message(self.language)
        raise AssertionError(f"{action} should have been refused")

    def restart(self, torn: bytes = b"") -> None:
        """The program ends, a half-written line is left behind, and it starts again."""
        self.log.close()
        with self.path.open("ab") as file:
            file.write(torn)
        lines = LogFile.open(self.path)
        self.log = ChampionshipLog(lines, self.clock, self._secrets)
        lines.cut()

    def name_of_stage(self, stage: str) -> str:
        """A stage as people call it."""
        return self.format.stage(stage).name[self.language]

    def draw(self, stage: str) -> None:
        """A raffle with a word from the hall."""
        seed = f"{stage} {self.random.getrandbits(128):032x}"
        numbers, entry = prepare_draw(self.state, stage, ())
        self.perform("director", AnnounceDraw(stage, numbers, entry, entry.commitment(seed)))
        dice = " ".join(str(self.random.randint(1, 6)) for _ in range(3))
        self.perform("referee", AddWord(stage, dice, "Rita"))
        self.perform("director", Reveal(stage, seed))
        tables = len(self.state.seatings[stage, 1].tables)
        self.note("drawn", stage=self.name_of_stage(stage), count=tables)

    def seat(self, stage: str, sitting: int) -> None:
        """The sitting's tables: by the standings, or anew where somebody has left a plan."""
        key = (stage, sitting)
        how = "seated"
        if key not in self.state.seatings:
            done = self.perform("director", SeatSitting(stage, sitting, "standings")).action
        elif (needed := change_needed(self.state, key)[0]) is not None:
            how = "changed"
            done = self.perform(
                "director", SeatSitting(stage, sitting, needed), self.text("drop_outs")
            ).action
        else:
            return
        repeats = done.repeats if isinstance(done, SeatSitting) else 0
        self.note(how, stage=self.name_of_stage(stage), sitting=sitting, repeats=repeats)

    def table_of(self, stage: str, sitting: int, table: int) -> tuple[int, ...]:
        """Who sits at a table."""
        return self.state.seatings[stage, sitting].tables[table - 1]

    def result(self, stage: str, sitting: int, table: int, game: int) -> GameResult:
        """A game is played, by those who are still here."""
        seats = self.table_of(stage, sitting, table)
        here = [not self.state.participant(number).out for number in seats]
        begins = self.state.starters((stage, sitting, table))[game - 1]
        return self.games.play(self.format, seats, here, begins)

    def play_table(
        self,
        stage: str,
        sitting: int,
        table: int,
        before_entry: Callable[[int, GameResult], GameResult],
        after_game: Callable[[int], None],
    ) -> None:
        """All games of a table, one after the other."""
        for game in range(1, self.format.stage(stage).games + 1):
            found = before_entry(game, self.result(stage, sitting, table, game))
            self.perform("scorer", EnterResult(stage, sitting, table, game, found))
            after_game(game)

    def sign(self, stage: str, sitting: int, table: int, refused: Sequence[int] = ()) -> None:
        """The sheet is signed."""
        reason = self.text("upheld") if refused else ""
        self.perform("referee", SignSheet(stage, sitting, table, STAFF["referee"], tuple(refused)), reason)

    def close(self, stage: str) -> None:
        """The stage is approved; ties that matter are played off, or drawn by lot."""
        while True:
            try:
                self.perform("director", CloseStage(stage))
                break
            except ChampionshipError as error:
                if error.code != "tie_matters":
                    raise
                self._decide(stage, error)
        self.note("closed", stage=self.name_of_stage(stage))

    def _decide(self, stage: str, error: ChampionshipError) -> None:
        """The first group who are level and matter, in an order from a deciding game."""
        level = error.details["names"]
        groups = standings(self.state, stage).level
        group = next((each for each in groups if self.state.names(each) == level), groups[0])
        self.note("tie", stage=self.name_of_stage(stage), names=self.state.names(group))
        if 2 <= len(group) <= self.format.rules().players.maximum:
            order = self._deciding_game(group)
            self.perform("director", DecideTie(stage, order))
            self.note("decided", names=self.state.names(order))
        else:
            done = self.perform(
                "director", DecideTie(stage, tuple(group), "lot"), self.text("no_time")
            ).action
            order = done.order if isinstance(done, DecideTie) else tuple(group)
            self.note("lot", names=self.state.names(order))
        self.count["ties"] += 1

    def _deciding_game(self, group: Sequence[int]) -> tuple[int, ...]:
        """One more game that only puts them in order; played again while it leaves anybody level."""
        while True:
            self.clock.later(12)
            found = self.games.play(self.format, group, [True] * len(group), 0)
            scores = [(seat in found.winners, found.scores[seat] or 0) for seat in range(len(group))]
            if len(set(scores)) == len(group):
                ranked = sorted(range(len(group)), key=scores.__getitem__, reverse=True)
                return tuple(group[seat] for seat in ranked)

    def needs_draw(self, stage: str) -> bool:
        """Whether a stage is drawn by lot."""
        return needs_draw(self.state, stage)

    def champion(self) -> str:
        """Who has won."""
        return self.state.name_of(final_ranking(self.state)[0][1])
