"""Where things stand now: what every table is doing, where everybody sits, who sits out.

Everything that tells people where to go reads this: a player's page, the projector, the public page, the
desk, a table's device, the way to an online table, `meldroom championship status`. None works it out again.

What "now" means when several sittings are drawn in advance, as in a club night:

- A sheet is finished once every game is in and it is signed, as `unfinished` says. **The sitting being
  played** is the earliest one drawn with a table that is not finished; if there is none, the last one drawn.
- **A person's table** is the earliest one drawn for them whose sheet is not finished. So who is done with
  sitting 1 is told their seat in sitting 2, also while other tables still play sitting 1.
- That table is **in play** once the stage is open and nobody at it still has an earlier table to finish, or
  once a game of it has a result: a table that is ahead of the others is ahead. Until then it is **next**.
- Who is in the hall, plays the stage and has no seat in a sitting that is drawn **sits it out** until all its
  tables are finished. Then they are told when they play next, if that is drawn.
- A stage that the director has closed is over, whatever was drawn for it and not played.

The clock on the wall changes nothing: games begin when people sit down, and planned times are only shown.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.formats.closing import unfinished
from meldroom.championship.input import current
from meldroom.championship.sittings import change_needed
from meldroom.championship.state import ChampionshipState, Participant, SheetKey, SittingKey

Phase = Literal["before", "seated", "playing", "between", "over"]
"""Nothing is seated; the sitting has seats; it has results; all that is seated is finished; all is over."""
TableState = Literal["playing", "to_sign", "finished"]
PersonState = Literal["expected", "waiting", "next", "playing", "to_sign", "finished", "out"]


class SittingAt(msgspec.Struct, frozen=True):
    """A sitting of a stage."""

    stage: str
    sitting: int


class SeatAt(msgspec.Struct, frozen=True):
    """A seat, from 0, at a table of a sitting."""

    stage: str
    sitting: int
    table: int
    seat: int


class TableNow(msgspec.Struct, frozen=True):
    """A table and the sheet it is at."""

    stage: str
    sitting: int
    table: int
    state: TableState

    @property
    def key(self) -> SheetKey:
        """The sheet."""
        return self.stage, self.sitting, self.table


class PersonNow(msgspec.Struct, frozen=True):
    """Where somebody is: at `seat` if playing or to sign, there next if it is their next table."""

    number: int
    state: PersonState
    seat: SeatAt | None = None
    sits_out: tuple[SittingAt, ...] = ()
    """Sittings drawn without them that others are playing or will play, in the order of play."""


class Stale(msgspec.Struct, frozen=True):
    """A drawn sitting that no longer fits who is here: by whom, and how to seat it anew."""

    stage: str
    sitting: int
    how: Literal["late", "change"]
    numbers: tuple[int, ...]


class Now(msgspec.Struct, frozen=True):
    """Where everything stands."""

    phase: Phase
    stage: str
    sitting: int
    """The sitting being played."""
    next: SittingAt | None
    """The one drawn after it."""
    tables: tuple[TableNow, ...]
    """By number: the tables of the sitting being played, some of them perhaps ahead."""
    people: tuple[PersonNow, ...]
    """Everybody on the list, by number."""
    stale: tuple[Stale, ...]
    """In the order of play."""

    def sitting_out(self, stage: str, sitting: int) -> tuple[int, ...]:
        """Who sits out a sitting."""
        at = SittingAt(stage, sitting)
        return tuple(one.number for one in self.people if at in one.sits_out)

    def in_public(self) -> Now:
        """The same without what only the staff know: which games are in before their sheet is signed."""
        begun = any(each.state == "finished" for each in self.tables)
        return replace(
            self,
            phase="seated" if self.phase == "playing" and not begun else self.phase,
            tables=tuple(
                replace(each, state="playing") if each.state == "to_sign" else each for each in self.tables
            ),
            people=tuple(
                replace(one, state="playing") if one.state == "to_sign" else one for one in self.people
            ),
            stale=(),
        )

    def table(self, number: int) -> TableNow | None:
        """A table by its number; None if nobody sits there."""
        return next((each for each in self.tables if each.table == number), None)


def now(state: ChampionshipState) -> Now:
    """Where everything stands after some entries of the log."""
    return _Reading(state).now()


class _Reading:
    """One reading of a state."""

    def __init__(self, state: ChampionshipState) -> None:
        self.state = state
        self.stage, self.sitting = current(state)
        self.of_play = state.stage_of_play()
        self.open = {
            key
            for stage in {key[0] for key in state.seatings} - state.closings.keys()
            for key in unfinished(state, stage)
            if key[2]
        }
        self.begun = {game[:3] for game in state.results}
        self.seats: dict[int, list[SeatAt]] = {one.number: [] for one in state.participants}
        """Everybody's seats at tables that are not finished, in the order of play."""
        for (stage, sitting), seated in state.history():
            for place, table in enumerate(seated.tables, start=1):
                for seat, number in enumerate(table):
                    if (stage, sitting, place) in self.open and number in self.seats:
                        self.seats[number].append(SeatAt(stage, sitting, place, seat))
        self.field = frozenset(_field(state, self.stage))
        self.stale = tuple(_stale(state, self.of_play, self.open)) if self.of_play is not None else ()
        self.without_seat = self._without_seat()

    def now(self) -> Now:
        """What is read from the state."""
        after = sitting_after(self.state, (self.stage, self.sitting))
        return Now(
            phase=self._phase(),
            stage=self.stage,
            sitting=self.sitting,
            next=SittingAt(*after) if after is not None else None,
            tables=tuple(self._tables()),
            people=tuple(map(self._person, self.state.participants)),
            stale=self.stale,
        )

    def _phase(self) -> Phase:
        if self.of_play is None:
            return "over"
        if not self.state.seatings:
            return "before"
        here = (self.stage, self.sitting)
        if not any(key[:2] == here for key in self.open):
            return "between"
        return "playing" if self.state.played(here) else "seated"

    def _tables(self) -> Iterator[TableNow]:
        """What every table is at: the first sheet in play, or else the last one finished."""
        at: dict[int, TableNow] = {}
        for key, seated in self.state.history():
            if key[0] != self.stage or key[1] < self.sitting:
                continue
            for place, table in enumerate(seated.tables, start=1):
                if not table:
                    continue
                known = at.get(place)
                sheet = (*key, place)
                if (known is None or known.state == "finished") and self._in_play(sheet):
                    at[place] = TableNow(*sheet, self._table_state(sheet))
        yield from (at[place] for place in sorted(at))

    def _table_state(self, sheet: SheetKey) -> TableState:
        if sheet not in self.open:
            return "finished"
        return "playing" if self.state.open_games(sheet) else "to_sign"

    def _in_play(self, sheet: SheetKey) -> bool:
        """Whether a table can be played, is, or was: nobody at it still has an earlier one to finish."""
        if sheet not in self.open or sheet[:3] in self.begun:
            return True
        if sheet[0] != self.of_play:
            return False
        table = self.state.seatings[sheet[:2]].tables[sheet[2] - 1]
        first = (self.seats[number][0] for number in table if number in self.seats and not self._out(number))
        return all((seat.stage, seat.sitting, seat.table) == sheet for seat in first)

    def _out(self, number: int) -> bool:
        return self.state.participant(number).out

    def _person(self, one: Participant) -> PersonNow:
        if one.out:
            return PersonNow(one.number, "out")
        if self.of_play is None:
            return PersonNow(one.number, "finished")
        waits = tuple(SittingAt(*key) for key, numbers in self.without_seat.items() if one.number in numbers)
        seat = next(iter(self.seats[one.number]), None)
        if seat is not None:
            sheet = (seat.stage, seat.sitting, seat.table)
            state: PersonState = "next"
            if self._in_play(sheet):
                state = "playing" if self._table_state(sheet) == "playing" else "to_sign"
            return PersonNow(one.number, state, seat, waits)
        return PersonNow(one.number, self._without_table(one), None, waits)

    def _without_table(self, one: Participant) -> PersonState:
        """What somebody without a table waits for, if for anything."""
        if one.status != "present":
            return "expected"
        if any(one.number in each.numbers for each in self.stale):
            return "waiting"
        if one.number not in self.field:
            return "finished"
        later = self.state.format.stages[-1].id != self.stage
        own = self.state.format.stage(self.stage)
        undrawn = any((self.stage, each + 1) not in self.state.seatings for each in range(own.sittings))
        return "waiting" if later or undrawn else "finished"

    def _without_seat(self) -> Mapping[SittingKey, frozenset[int]]:
        """Who is in the hall and has no seat, for every sitting drawn that is not finished."""
        found: dict[SittingKey, frozenset[int]] = {}
        for key, seated in self.state.history():
            if not any(sheet[:2] == key for sheet in self.open):
                continue
            there = {number for table in seated.tables for number in table}
            found[key] = frozenset(
                number
                for number in _field(self.state, key[0])
                if number not in there and self.state.participant(number).status == "present"
            )
        return found


def sitting_after(state: ChampionshipState, key: SittingKey) -> SittingKey | None:
    """The next sitting in the order of play that is seated already."""
    keys = [each for each, _ in state.history()]
    place = keys.index(key) + 1 if key in keys else len(keys)
    return keys[place] if place < len(keys) else None


def _field(state: ChampionshipState, stage: str) -> tuple[int, ...]:
    """Who plays a stage; of one that was drawn before it is open, who plays the stage before it."""
    try:
        return state.field(stage)
    except ChampionshipError:
        return _field(state, state.format.stages[state.format.place(stage) - 1].id)


def _stale(state: ChampionshipState, stage: str, open_sheets: set[SheetKey]) -> Iterator[Stale]:
    """The sittings of the stage being played that no longer fit its field."""
    for key, _ in state.history():
        if key[0] == stage and any(sheet[:2] == key for sheet in open_sheets):
            how, numbers = change_needed(state, key)
            if how is not None:
                yield Stale(*key, how, numbers)
