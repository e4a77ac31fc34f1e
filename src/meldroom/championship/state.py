"""What is known of a championship after some entries of its log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Literal

import msgspec

from meldroom.championship.actions import DrawnLot, How, Penalise, RecordPayment, SettleDispute, Tables
from meldroom.championship.arrangements.definition import Arrangements
from meldroom.championship.eligibility import Breach, Verdict, verdicts
from meldroom.championship.entrants import Entrant
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.format import Format, preset
from meldroom.championship.results import GameResult
from meldroom.championship.seating.raffle import Entry
from meldroom.rules.procedures import starters

HowSeated = How | Literal["raffle", "corrected"]
Status = Literal["entered", "present", "declined", "no_show", "withdrawn", "replaced", "disqualified"]
SittingKey = tuple[str, int]
SheetKey = tuple[str, int, int]
GameKey = tuple[str, int, int, int]
"""Stage, sitting, table and game, the last three from 1."""

OUT: tuple[Status, ...] = ("declined", "no_show", "withdrawn", "replaced", "disqualified")


def next_seat(seat: int, empty: Sequence[bool]) -> int:
    """A seat, or the next one to its left whose place is not empty."""
    seats = range(seat, seat + len(empty))
    return next((each % len(empty) for each in seats if not empty[each % len(empty)]), seat)


class Participant(msgspec.Struct, frozen=True):
    """An entrant with what has become of them."""

    number: int
    entrant: Entrant
    status: Status = "entered"
    replaced_by: int | None = None

    @property
    def out(self) -> bool:
        """True if they no longer play."""
        return self.status in OUT

    @property
    def disqualified(self) -> bool:
        """True if they have no place any more."""
        return self.status == "disqualified"


class ReplacedDraw(msgspec.Struct, frozen=True):
    """An announcement that another one took the place of: who did that, and why."""

    commitment: str
    words: tuple[str, ...] = ()
    by: str = ""
    why: str = ""


class Draw(msgspec.Struct, frozen=True):
    """A raffle: announced, with the words so far, and with its seed once that is revealed."""

    numbers: tuple[int, ...]
    entry: Entry
    commitment: str
    words: tuple[str, ...] = ()
    seed: str | None = None
    replaced: tuple[ReplacedDraw, ...] = ()
    """Earlier announcements of the same draw, oldest first."""


class Deals(msgspec.Struct, frozen=True):
    """The deals of a duplicate stage: announced, and with their seed once that is revealed."""

    commitment: str
    seed: str | None = None
    replaced: tuple[ReplacedDraw, ...] = ()
    """Deals that were announced before."""


class Seated(msgspec.Struct, frozen=True):
    """The tables of a sitting, and how they came about."""

    tables: Tables
    how: HowSeated
    after: int
    """The number of the log's entry that seated it."""
    starters: tuple[int, ...] = ()
    """The seat that starts the first game, table by table; without it the first seat does."""
    sitting_out: tuple[int, ...] = ()
    """Who was there and has no seat in this sitting; they miss nothing by it (R73)."""


class Void(msgspec.Struct, frozen=True):
    """A game without a result for anybody (R73)."""

    by: str = ""
    why: str = ""
    ended: bool = False
    """Whether it is void because its stage ended early."""
    result: GameResult | None = None
    """What had been entered."""
    signed: bool = False
    """Whether that had been signed: its players are told."""


class Ended(msgspec.Struct, frozen=True):
    """A stage that ended early: who decided it, and why."""

    by: str = ""
    why: str = ""


class Sheet(msgspec.Struct, frozen=True):
    """The signatures of a table's sitting."""

    referee: str
    refused: tuple[int, ...] = ()


class Decision(msgspec.Struct, frozen=True):
    """The order of players who were level."""

    order: tuple[int, ...]
    how: Literal["game", "lot"]


class Closing(msgspec.Struct, frozen=True):
    """A stage as the director approved it."""

    ranking: tuple[int, ...]
    order: tuple[int, ...]


class GivenPenalty(msgspec.Struct, frozen=True):
    """A penalty, and who cancelled it and why if it does not stand."""

    penalty: Penalise
    cancelled_by: str = ""
    cancelled_why: str = ""

    @property
    def stands(self) -> bool:
        """Whether it has not been cancelled."""
        return not self.cancelled_by


class ChampionshipState(msgspec.Struct, frozen=True):
    """Everything; no field is ever changed in place."""

    name: str = ""
    edition: int = 0
    date: date = date.min
    format: Format = preset("wrc")
    participants: tuple[Participant, ...] = ()
    draws: dict[str, Draw] = {}
    seatings: dict[SittingKey, Seated] = {}
    results: dict[GameKey, GameResult] = {}
    sheets: dict[SheetKey, Sheet] = {}
    voids: dict[GameKey, Void] = {}
    ended: dict[str, Ended] = {}
    """Stages that ended early."""
    decisions: dict[str, tuple[Decision, ...]] = {}
    closings: dict[str, Closing] = {}
    penalties: tuple[GivenPenalty, ...] = ()
    disputes: tuple[SettleDispute, ...] = ()
    arrangements: Arrangements = Arrangements()
    payments: tuple[RecordPayment, ...] = ()
    pins: frozenset[str] = frozenset()
    """Referees who have a PIN to sign with."""
    deals: dict[str, Deals] = {}
    lot: str = ""
    """The commitment to the secret of the next lot (R74)."""
    drawn_lots: tuple[DrawnLot, ...] = ()
    """Those that were drawn, with their secrets, oldest first."""
    entries: int = 0
    checks: int = 1
    """By which rules entries are let pass."""
    overrides: dict[int, tuple[Breach, ...]] = {}
    """Who was admitted in spite of the list, and against what."""
    earlier: dict[int, Status] = {}
    """What entrants were before their status last changed: what an undone slip goes back to."""

    def status_before(self, number: int) -> Status:
        """What an entrant was before; an export does not say, so it is judged by whether they have a seat."""
        known = self.earlier.get(number)
        return known or ("present" if self.has_seat(number) else "entered")

    def starters(self, key: SheetKey) -> tuple[int, ...]:
        """The seat that starts each game at a table; at an empty place the start passes to the left (R75)."""
        seated = self.seatings[key[:2]]
        table = seated.tables[key[2] - 1]
        if not table:
            return ()
        first = (seated.starters[key[2] - 1] if seated.starters else 0) % len(table)
        begins = starters(self.format.rules(), len(table), self.format.stage(key[0]).games, first)
        empty = [self.participant(number).out for number in table]
        if self.checks < 3 or not any(empty):
            return begins
        return tuple(
            seat if game in self.results else next_seat(seat, empty)
            for seat, game in zip(begins, self.games_of(key), strict=True)
        )

    def has_seat(self, number: int) -> bool:
        """Whether an entrant is seated anywhere."""
        return any(number in table for seated in self.seatings.values() for table in seated.tables)

    def participant(self, number: int) -> Participant:
        """An entrant by number. Raises ChampionshipError."""
        if not 1 <= number <= len(self.participants):
            raise ChampionshipError("no_entrant", name=str(number))
        return self.participants[number - 1]

    def name_of(self, number: int) -> str:
        """An entrant's name."""
        return self.participant(number).entrant.name

    def names(self, numbers: Iterable[int]) -> tuple[str, ...]:
        """Some entrants by name."""
        return tuple(map(self.name_of, numbers))

    def verdicts(self, number: int) -> tuple[Verdict, ...]:
        """Whether an entrant meets the conditions."""
        entrant = self.participant(number).entrant
        return verdicts(
            entrant,
            self.format.conditions,
            self.edition,
            self.date,
            any_country=self.checks < 2,
            no_country_passes=self.checks < 3,
        )

    def nominated(self, number: int) -> bool:
        """True if an entrant has one of their country's places; who cannot come passes theirs down (R49)."""
        places = self.format.conditions.per_country
        country = self.participant(number).entrant.country
        if places is None or not country:
            return True
        return number in self._queue(country)[:places]

    def next_in_line(self, country: str) -> int | None:
        """Who takes the last place of a country now."""
        places = self.format.conditions.per_country
        queue = self._queue(country)
        return queue[places - 1] if places is not None and country and len(queue) >= places else None

    def _queue(self, country: str) -> list[int]:
        """A country's entrants who can come, those in the hall first, then by their place at home."""
        able = [
            one
            for one in self.participants
            if one.entrant.country == country
            and not one.out
            and (
                one.status == "present"
                or all(verdict.met is not False for verdict in self.verdicts(one.number))
            )
        ]
        able.sort(key=lambda one: (one.status != "present", one.entrant.place or 10**9, one.number))
        return [one.number for one in able]

    def stage_of_play(self) -> str | None:
        """The first stage that is not closed; None when all are."""
        return next((stage.id for stage in self.format.stages if stage.id not in self.closings), None)

    def successor(self, number: int) -> int:
        """Who sits in an entrant's place now: they themselves, or the last of their substitutes."""
        while (by := self.participant(number).replaced_by) is not None:
            number = by
        return number

    def field(self, stage: str) -> tuple[int, ...]:
        """Who plays a stage: at first those in the hall, then the best of the stage before who are here.

        Raises ChampionshipError if the stage before is not closed.
        """
        place = self.format.place(stage)
        if place == 0:
            present = [one.number for one in self.participants if one.status == "present"]
            return tuple(present)
        before = self.format.stages[place - 1].id
        if before not in self.closings:
            raise ChampionshipError("stage_before_open", stage=stage, before=before)
        waiting = (self.successor(number) for number in self.closings[before].order)
        here = [number for number in waiting if not self.participant(number).out]
        known = set(self.closings[before].order)
        takes = self.format.stages[place].takes
        if takes is None:
            late = [
                one.number
                for one in self.participants
                if one.status == "present" and one.number not in known and one.number not in here
            ]
            return tuple(here + late)
        return tuple(here[:takes])

    def played(self, key: SittingKey) -> bool:
        """Whether a sitting has a result."""
        return any((game[0], game[1]) == key for game in self.results)

    def has_played(self, number: int) -> bool:
        """Whether an entrant has a result."""
        return any(
            result.scores[table.index(number)] is not None
            for key, result in self.results.items()
            if number in (table := self.seatings[key[:2]].tables[key[2] - 1])
        )

    def history(self) -> Iterator[tuple[SittingKey, Seated]]:
        """The seatings in the order of play."""
        for stage in self.format.stages:
            for sitting in range(1, stage.sittings + 1):
                if (stage.id, sitting) in self.seatings:
                    yield (stage.id, sitting), self.seatings[stage.id, sitting]

    def games_of(self, key: SheetKey) -> list[GameKey]:
        """The games of a sheet; none where a table was broken up."""
        seated = self.seatings.get(key[:2])
        if seated is not None and key[2] <= len(seated.tables) and not seated.tables[key[2] - 1]:
            return []
        return [(*key, game) for game in range(1, self.format.stage(key[0]).games + 1)]

    def open_games(self, key: SheetKey) -> list[GameKey]:
        """The games of a sheet that still need a result; a void one needs none."""
        return [game for game in self.games_of(key) if game not in self.results and game not in self.voids]

    def to_sign(self, key: SheetKey) -> bool:
        """Whether a sheet waits for its signature only; one without any result needs none."""
        played = any(game in self.results for game in self.games_of(key))
        return played and key not in self.sheets and not self.open_games(key)

    def finished(self, key: SheetKey) -> bool:
        """Whether nothing is left to play or to sign at a table."""
        return not self.open_games(key) and not self.to_sign(key)
