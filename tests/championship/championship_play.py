"""Plays events for the tests: entrants, draws, results and signatures, without the command line."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random

from msgspec.structs import replace

from meldroom.championship import (
    Action,
    AnnounceDraw,
    ChampionshipState,
    CheckIn,
    CloseStage,
    DecideTie,
    EnterResult,
    Entrant,
    Format,
    Found,
    GameResult,
    ImportEntrants,
    LogEntry,
    Reveal,
    SeatSitting,
    SignSheet,
    apply,
    fold,
    preset,
    standings,
)
from meldroom.championship.actions import CHECKS
from meldroom.championship.log.entry import BEGINNING, hash_of, line_of
from meldroom.championship.log.lots import SecretsInMemory, with_lot
from meldroom.championship.roles import Role
from meldroom.championship.sittings import needs_draw, prepare_draw
from meldroom.rules.scoring import Ending

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)


class Played:
    """An event in memory, with its lines."""

    def __init__(self, made: Format | None = None, found: Found | None = None) -> None:
        self.state = ChampionshipState()
        self.secrets = SecretsInMemory()
        self.lines: list[bytes] = []
        self.entries: list[LogEntry] = []
        founding = found or Found("Test Open", 12, date(2026, 11, 15), made or preset("wrc"), CHECKS)
        self.do(founding, role="organiser")

    @classmethod
    def founded(cls, found: Found) -> Played:
        """An event with a founding entry of its own."""
        return cls(found=found)

    def do(self, action: Action, reason: str = "", role: Role = "director", author: str = "Dana") -> LogEntry:
        """One action, chained to the log."""
        previous = hash_of(self.lines[-1]) if self.lines else BEGINNING
        action = with_lot(self.state, action, self.secrets)
        entry = apply(
            self.state, action, author=author, role=role, time=NOON, reason=reason, previous=previous
        )
        self.lines.append(line_of(entry))
        self.entries.append(entry)
        self.state = fold(self.state, entry.action)
        return entry

    def enter(self, players: int) -> None:
        """Entrants who may play, each of a country of their own, all in the hall."""
        people = tuple(
            Entrant(f"Player {number}", f"C{number}", (f"C{number}",), editions=())
            for number in range(1, players + 1)
        )
        self.do(ImportEntrants(people))
        for number in range(1, players + 1):
            self.do(CheckIn(number))

    def draw(self, stage: str, seed: str = "seed", apart: tuple[tuple[int, ...], ...] = ()) -> None:
        """A raffle, announced and revealed."""
        numbers, entry = prepare_draw(self.state, stage, apart)
        self.do(AnnounceDraw(stage, numbers, entry, entry.commitment(seed)))
        self.do(Reveal(stage, seed))

    def play(self, stage: str, sitting: int, random: Random, *, sign: bool = True) -> None:
        """Random results for all tables of a sitting."""
        for place, table in enumerate(self.state.seatings[stage, sitting].tables, start=1):
            if not table:
                continue
            for game in range(1, self.state.format.stage(stage).games + 1):
                key = (stage, sitting, place, game)
                if key not in self.state.results:
                    exhausted = self.state.format.rules().scoring.exhausted
                    self.do(EnterResult(*key, some_result(len(table), random, exhausted)))
            if sign:
                self.do(SignSheet(stage, sitting, place, "Rita"))

    def play_stage(self, stage: str, random: Random) -> None:
        """A whole stage with its draw, closed; lots decide what must be decided."""
        own = self.state.format.stage(stage)
        if needs_draw(self.state, stage):
            self.draw(stage, f"seed of {stage}")
        for sitting in range(1, own.sittings + 1):
            if (stage, sitting) not in self.state.seatings:
                self.do(SeatSitting(stage, sitting, "standings"))
            self.play(stage, sitting, random)
        for group in standings(self.state, stage).level:
            self.do(DecideTie(stage, group, "lot"), "no time")
        self.do(CloseStage(stage))


def some_result(seats: int, random: Random, exhausted: str = "deduct_smallest") -> GameResult:
    """A game that somebody went out of, or sometimes an exhausted one."""
    winner = random.randrange(seats)
    losses = [0 if seat == winner else -random.randint(1, 60) for seat in range(seats)]
    ended: Ending = "exhausted" if random.random() < 0.1 else "out"
    if ended == "out" or exhausted == "differences":
        losses[winner] = -sum(losses)
    return GameResult(tuple(losses), (winner,), ended)


def whole_championship(players: int = 33, name: str = "wrc", seed: int = 1) -> Played:
    """An event from its founding to its last stage."""
    event = Played(without_conditions(preset(name)) if name != "wrc" else None)
    event.enter(players)
    for stage in event.state.format.stages:
        event.play_stage(stage.id, Random(seed))
    return event


def without_conditions(made: Format) -> Format:
    """The same format for everybody."""
    return replace(made, conditions=type(made.conditions)())
