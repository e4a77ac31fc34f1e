"""Random championships in memory, as a server runs them: late guests, leavers, tables that run ahead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import count
from random import Random

import msgspec
from msgspec.structs import replace

from meldroom.championship import (
    Action,
    AddEntrant,
    AnnounceDraw,
    ChampionshipError,
    ChampionshipLog,
    ChampionshipState,
    CheckIn,
    CloseStage,
    CorrectResult,
    CorrectSeats,
    DecideTie,
    EndStage,
    EnterResult,
    Entrant,
    Format,
    Found,
    GameResult,
    ImportEntrants,
    NoShow,
    Reveal,
    SeatsAt,
    SeatSitting,
    SignSheet,
    Substitute,
    UndoVoid,
    VoidGame,
    Withdraw,
    preset,
    standings,
)
from meldroom.championship.actions import CHECKS
from meldroom.championship.club_night import club_format
from meldroom.championship.formats.format import Conditions
from meldroom.championship.sittings import needs_draw, prepare_draw
from meldroom.server.championships.hall.commands import HallEntry, Opened, OpenRooms
from meldroom.server.championships.storage.files import HALL, LOG
from meldroom.server.championships.storage.keys import Key
from meldroom.server.championships.storage.running import Origin, RunningChampionship

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
HOST = Key("host", "", "host", "Olga", NOON)
KINDS = ("club", "club", "wrc", "wrc_cut", "german", "polish", "japanese")
"""Club nights draw everything at once, some stages follow a plan, others are seated by the standings."""
CLUBS = (4, 5, 5, 6, 7, 7, 8, 9, 11, 13, 17, 26, 60)
MOST_STEPS = 900


class MemoryLines:
    """Lines that are nowhere but here."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def read(self) -> list[bytes]:
        """See LogLines."""
        return list(self._lines)

    def append(self, line: bytes) -> None:
        """See LogLines."""
        self._lines.append(line)

    def replace(self, lines: Sequence[bytes]) -> None:
        """See LogLines."""
        self._lines = list(lines)

    def close(self) -> None:
        """See LogLines."""


class MemoryFiles:
    """The files of a championship that is nowhere but here."""

    def __init__(self) -> None:
        self.code = "random"
        self._lines: dict[str, MemoryLines] = {}
        self._others: dict[str, bytes] = {}

    def lines(self, name: str) -> MemoryLines:
        """See EventFiles."""
        return self._lines.setdefault(name, MemoryLines())

    def ready(self) -> None:
        """See EventFiles."""

    def get(self, name: str) -> bytes | None:
        """See EventFiles."""
        return self._others.get(name)

    def has(self, name: str) -> bool:
        """See EventFiles."""
        return name in self._others

    def put(self, name: str, data: bytes) -> None:
        """See EventFiles."""
        self._others[name] = data

    def close(self) -> None:
        """See EventFiles."""


class RandomEvent:
    """One championship, and everything that is done in it."""

    def __init__(self, seed: int, most: int = 60) -> None:
        self.random = random = Random(f"event {seed}")
        self.seed = seed
        self.format = some_format(KINDS[seed % len(KINDS)], random)
        cut = any(stage.takes for stage in self.format.stages)
        self.players = min(most, random.choice((16, 17, 19, 23, 33, 60) if cut else CLUBS))
        self.held = random.random() < 0.5
        files = MemoryFiles()
        log = ChampionshipLog(files.lines(LOG), lambda: NOON)
        found = Found(f"Event {seed}", 1, date(2026, 11, 15), self.format, CHECKS)
        log.append(found, author="Olga", role="host")
        opened = Opened("en", "held" if self.held else "live")
        first = HallEntry(1, 1, NOON, "Olga", "host", "", "opened", "", opened)
        files.lines(HALL).append(msgspec.json.encode(first))
        self.running = RunningChampionship(files, lambda: NOON)
        self._ids = count(1)

    @property
    def state(self) -> ChampionshipState:
        """What the log says."""
        return self.running.now.state

    def _origin(self, reason: str = "random") -> Origin:
        return Origin(f"id-{next(self._ids)}", "", HOST, "Olga", reason)

    def do(self, action: Action) -> bool:
        """One action, if it is allowed."""
        try:
            self.running.write(action, self._origin())
        except ChampionshipError:
            return False
        return True

    def steps(self) -> Iterator[str]:
        """Everything that happens, one entry at a time, until the championship is over."""
        names = tuple(Entrant(f"Player {number}") for number in range(1, self.players + 1))
        self.do(ImportEntrants(names))
        yield "import"
        for number in range(1, self.players + 1):
            if self.do(CheckIn(number)):
                yield "check in"
        for _ in range(MOST_STEPS):
            if self.state.stage_of_play() is None:
                return
            done = self._trouble() if self.random.random() < 0.25 else self._go_on()
            if done:
                yield done

    def _trouble(self) -> str:
        """A guest, a leaver, a slip, seats that change, rooms that open."""
        state, random = self.state, self.random
        stage = state.stage_of_play() or ""
        somebody = random.randint(1, len(state.participants))
        newcomer = Entrant(f"Guest {len(state.participants) + 1}")
        drawn = [key for key in state.seatings if key[0] == stage]
        match random.randrange(11):
            case 0:
                action: Action = AddEntrant(newcomer)
            case 1 | 2:
                waiting = [one.number for one in state.participants if one.status == "entered"]
                action = CheckIn(random.choice(waiting or [somebody]))
            case 3:
                action = Withdraw(somebody)
            case 4:
                leaves = random.random() < 0.5
                action = NoShow(somebody) if leaves else Substitute(somebody, newcomer)
            case 5 | 6 if drawn:
                action = SeatSitting(*random.choice(drawn), random.choice(["change", "late"]))
            case 7 if state.results:
                key = random.choice(
                    [each for each in state.results if each[0] == stage] or [(stage, 1, 1, 1)]
                )
                seats = len(state.results[key].scores) if key in state.results else 4
                action = CorrectResult(*key, some_result(seats, random))
            case 8 if drawn:
                return self._more_trouble(random.choice(drawn))
            case 9 if drawn:
                sitting = random.choice(drawn)
                table = random.randint(1, len(state.seatings[sitting].tables))
                game = random.randint(1, state.format.stage(stage).games)
                made = random.random() < 0.5
                action = VoidGame(*sitting, table, game) if made else UndoVoid(*sitting, table, game)
            case 10 if drawn and random.random() < 0.1:
                action = UndoVoid(stage) if stage in state.ended else EndStage(stage)
            case _:
                return ""
        return type(action).__name__ if self.do(action) else ""

    def _more_trouble(self, key: tuple[str, int]) -> str:
        """Two players at each other's seats, or a sitting that is played online."""
        tables = self.state.seatings[key].tables
        if self.random.random() < 0.5:
            place = self.random.randint(1, len(tables))
            players = list(tables[place - 1])
            self.random.shuffle(players)
            return "seats" if self.do(CorrectSeats(*key, (SeatsAt(place, tuple(players)),))) else ""
        rooms = {place: f"{key[0]}-{key[1]}-{place}" for place in range(1, len(tables) + 1)}
        self.running.write_hall(OpenRooms(*key, rooms=rooms), self._origin())
        return "rooms"

    def _go_on(self) -> str:
        """What a director would do next; any table may be ahead of the others."""
        state, random = self.state, self.random
        stage = state.stage_of_play() or ""
        own = state.format.stage(stage)
        todo: list[Action] = []
        for key, seated in state.history():
            if key[0] != stage:
                continue
            for place, table in enumerate(seated.tables, start=1):
                sheet = (*key, place)
                missing = state.open_games(sheet)
                if missing:
                    todo.append(EnterResult(*missing[0], self._result(table)))
                elif state.to_sign(sheet):
                    todo.append(SignSheet(*sheet, "Rita"))
        if todo:
            # Mostly in the order of play, now and then anywhere.
            near = todo[: max(1, len(state.seatings[stage, 1].tables))]
            action = random.choice(near if random.random() < 0.93 else todo)
            return type(action).__name__ if self.do(action) else ""
        for sitting in range(1, own.sittings + 1):
            if (stage, sitting) in state.seatings or stage in state.ended:
                continue
            if sitting == 1 and needs_draw(state, stage):
                return self._draw(stage)
            return "seated" if self.do(SeatSitting(stage, sitting, "standings")) else ""
        for group in standings(state, stage).level:
            if self.do(DecideTie(stage, group, "lot")):
                return "lot"
        return "closed" if self.do(CloseStage(stage)) else ""

    def _draw(self, stage: str) -> str:
        drawing = self.state.draws.get(stage)
        if drawing is not None:
            return "revealed" if self.do(Reveal(stage, f"seed {stage}")) else ""
        try:
            numbers, entry = prepare_draw(self.state, stage)
        except ChampionshipError:
            newcomer = Entrant(f"Guest {len(self.state.participants) + 1}")  # too few are left
            return "guest" if self.do(AddEntrant(newcomer)) else ""
        announced = AnnounceDraw(stage, numbers, entry, entry.commitment(f"seed {stage}"))
        return "announced" if self.do(announced) else ""

    def _result(self, table: Sequence[int]) -> GameResult:
        """A result in which only those play who are here; all of them if fewer than two are."""
        here = [seat for seat, number in enumerate(table) if not self.state.participant(number).out]
        if len(here) < 2 or len(here) == len(table):
            return some_result(len(table), self.random)
        few = some_result(len(here), self.random)
        scores: list[int | None] = [None] * len(table)
        for place, seat in enumerate(here):
            scores[seat] = few.scores[place]
        winners = tuple(here[winner] for winner in few.winners)
        return replace(few, scores=tuple(scores), winners=winners)


def some_format(name: str, random: Random) -> Format:
    """A format with fewer games than usual, so that an event is short."""
    if name == "club":
        return club_format(None, random.choice([2, 3, 4]), random.choice([1, 2]))
    made = preset(name)
    stages = tuple(
        replace(stage, games=min(stage.games, 2), sittings=min(stage.sittings, 3)) for stage in made.stages
    )
    return replace(made, stages=stages, conditions=Conditions())


def some_result(seats: int, random: Random) -> GameResult:
    """A game that somebody won."""
    winner = random.randrange(seats)
    scores = [0 if seat == winner else -random.randint(1, 60) for seat in range(seats)]
    scores[winner] = -sum(scores)
    return GameResult(tuple(scores), (winner,))
