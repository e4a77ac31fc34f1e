"""Everything that correcting a result would change, before it is confirmed."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import msgspec
from msgspec.structs import replace

from meldroom.championship.actions import (
    CancelPenalty,
    CorrectResult,
    CorrectSeats,
    Disqualify,
    EndStage,
    Penalise,
    UndoStatus,
    UndoVoid,
    VoidGame,
)
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.fold import fold
from meldroom.championship.formats.closing import advancing
from meldroom.championship.standings import Standings, standings
from meldroom.championship.state import ChampionshipState, SittingKey
from meldroom.i18n import Message, Value

Changing = (
    CorrectResult
    | CorrectSeats
    | Penalise
    | CancelPenalty
    | Disqualify
    | UndoStatus
    | VoidGame
    | EndStage
    | UndoVoid
)
"""Whatever changes standings that people have seen, so that its consequences come first."""


class PlaceChange(msgspec.Struct, frozen=True):
    """A player's place in a stage before and after."""

    stage: str
    number: int
    before: int
    after: int


class CutChange(msgspec.Struct, frozen=True):
    """A player who would play a stage and did not, or the other way round."""

    stage: str
    number: int
    goes_on: bool
    stands: bool
    """Whether play there has begun, so that the approved field stays all the same."""


class SeatingChange(msgspec.Struct, frozen=True):
    """A sitting that was seated from standings which are different now."""

    stage: str
    sitting: int
    played: bool
    """A sitting that has begun stays; another can be seated again."""


class Consequences(msgspec.Struct, frozen=True):
    """What a correction changes."""

    places: tuple[PlaceChange, ...]
    cuts: tuple[CutChange, ...]
    ties: tuple[str, ...]
    """Stages whose cut is tied then: a deciding game is needed."""
    seatings: tuple[SeatingChange, ...]
    reopened: tuple[str, ...]
    """Stages that need the director's approval again."""
    dropped: tuple[SittingKey, ...]
    """Sittings whose seating falls, since the stage before is open again."""
    repeats: tuple[tuple[int, int], ...] = ()
    """Of corrected seats: pairs who meet more often than was thought."""
    without: tuple[int, ...] = ()
    """Of corrected seats: who has no seat in that sitting any more."""
    penalties: tuple[int, ...] = ()
    """Of corrected seats: penalties, by number, given to somebody who did not sit at that table."""


def changes_standings(state: ChampionshipState, action: object) -> bool:
    """Whether an action is one whose consequences are shown before it is confirmed."""
    match action:
        case CorrectResult() | CorrectSeats() | Disqualify() | VoidGame() | EndStage() | UndoVoid():
            return True
        case Penalise():
            return action.deduct != 0
        case CancelPenalty():
            known = 1 <= action.penalty <= len(state.penalties)
            return known and state.penalties[action.penalty - 1].penalty.deduct != 0
        case UndoStatus():
            return "disqualified" in (action.undone, action.to)
        case _:
            return False


def _first_stage(state: ChampionshipState, action: Changing) -> int:
    """The first stage whose standings an action can change."""
    match action:
        case Disqualify() | UndoStatus():
            return 0
        case CancelPenalty():
            stage = state.penalties[action.penalty - 1].penalty.stage
        case _:
            stage = action.stage
    return state.format.place(stage) if stage is not None else 0


def consequences(state: ChampionshipState, action: Changing) -> Consequences:
    """What an action would change; it must be one that `apply` lets pass."""
    after = fold(state, action)
    first = _first_stage(state, action)
    places: list[PlaceChange] = []
    cuts: list[CutChange] = []
    ties: list[str] = []
    seatings: list[SeatingChange] = []
    for stage in state.format.stages[first:]:
        if not any(key[0] == stage.id for key in (*state.results, *after.results)):
            break
        then, now = standings(state, stage.id), standings(after, stage.id)
        places += _places(then, now)
        try:
            cuts += _cuts(state, after, then, now)
        except ChampionshipError:
            ties.append(stage.id)
        seatings += _seatings(state, after, stage.id)
    return Consequences(
        tuple(places),
        tuple(cuts),
        tuple(ties),
        tuple(seatings),
        tuple(stage for stage in state.closings if stage not in after.closings),
        tuple(key for key in state.seatings if key not in after.seatings),
        *(_of_seats(state, after, action) if isinstance(action, CorrectSeats) else ()),
    )


def _of_seats(
    state: ChampionshipState, after: ChampionshipState, action: CorrectSeats
) -> tuple[tuple[tuple[int, int], ...], tuple[int, ...], tuple[int, ...]]:
    """Who meets more often, who has no seat, and whose penalties are at another table."""
    before, now = _meetings(state), _meetings(after)
    key = (action.stage, action.sitting)
    old = {number for table in state.seatings[key].tables for number in table}
    new = {number for table in after.seatings[key].tables for number in table}
    elsewhere = [
        place
        for place, given in enumerate(state.penalties, start=1)
        if (given.penalty.stage, given.penalty.sitting) == key
        and given.penalty.table is not None
        and given.penalty.number not in after.seatings[key].tables[given.penalty.table - 1]
    ]
    repeats = tuple(sorted(pair for pair in now if now[pair] > max(1, before[pair])))
    return repeats, tuple(sorted(old - new)), tuple(elsewhere)


def _meetings(state: ChampionshipState) -> Counter[tuple[int, int]]:
    """How often two share a table in all sittings that are seated."""
    return Counter(
        pair
        for seated in state.seatings.values()
        for table in seated.tables
        for pair in combinations(sorted(table), 2)
    )


def undo_consequences(state: ChampionshipState, action: UndoStatus) -> tuple[Message, ...]:
    """What follows when a status is undone; it must be an action that `apply` lets pass and fills in."""
    one = state.participant(action.number)
    after = fold(state, action)
    name, to = one.entrant.name, after.participant(action.number).status
    told = [_undone("becomes", name, before=_status(action.undone), after=_status(to))]
    stage = state.stage_of_play()
    if stage is None:
        return tuple(told)
    if to == "present":
        told += _back(state, after, action.number, stage)
    places, country = state.format.conditions.per_country, one.entrant.country
    here = [
        each for each in after.participants if each.status == "present" and each.entrant.country == country
    ]
    if to == "present" and places is not None and country and len(here) > places:
        told.append(_undone("country_full", name, country=country, count=len(here)))
    drawing = state.draws.get(stage)
    if to != "present" and drawing is not None and drawing.seed is None and action.number in drawing.numbers:
        told.append(_undone("in_draw", name))
    return tuple(told)


def _back(state: ChampionshipState, after: ChampionshipState, number: int, stage: str) -> list[Message]:
    """Whether somebody who plays on is in the field of the stage, and where they sit in it."""
    name = state.name_of(number)
    if number not in after.field(stage):
        return [_undone("not_in_field", name)]
    told = []
    for (at, sitting), seated in after.history():
        if at != stage:
            continue
        table = next((place for place, each in enumerate(seated.tables, start=1) if number in each), None)
        done = state.played((at, sitting))
        if table is not None and not done:
            told.append(_undone("has_seat", name, sitting=sitting, table=table))
        elif table is None:
            told.append(_undone("missed" if done else "no_seat", name, sitting=sitting))
    return told


def _undone(key: str, name: str, **values: Value) -> Message:
    return Message(f"championship.undo.{key}", {"name": name, **values})


def _status(status: str) -> Message:
    return Message(f"championship.status.{status}")


def _places(then: Standings, now: Standings) -> list[PlaceChange]:
    before = {row.number: row.place for row in then.rows}
    return [
        PlaceChange(now.stage, row.number, before[row.number], row.place)
        for row in now.rows
        if row.number in before and before[row.number] != row.place
    ]


def _cuts(
    state: ChampionshipState, after: ChampionshipState, then: Standings, now: Standings
) -> list[CutChange]:
    """Who would go on now and did not, or did and would not. Raises ChampionshipError if that is tied now."""
    place = state.format.place(now.stage) + 1
    if place == len(state.format.stages):
        return []
    later = state.format.stages[place]
    if later.takes is None or _games_to_come(state, now.stage):
        return []
    stands = any(key[0] == later.id for key in state.results)
    right = advancing(after, now)[: later.takes]
    closing = state.closings.get(now.stage)
    if closing is not None:
        approved = closing.order[: later.takes]
    else:
        try:
            approved = advancing(state, then)[: later.takes]
        except ChampionshipError:  # it was tied before, so nobody was in
            approved = right
    return [
        *(CutChange(later.id, number, True, stands) for number in right if number not in approved),
        *(CutChange(later.id, number, False, stands) for number in approved if number not in right),
    ]


def _games_to_come(state: ChampionshipState, stage: str) -> bool:
    """Whether a stage is not played to its end, so that nobody can say who goes on."""
    seated = [key for key in state.seatings if key[0] == stage]
    if stage not in state.ended and len(seated) < state.format.stage(stage).sittings:
        return True
    sheets = [(*key, table) for key in seated for table in range(1, len(state.seatings[key].tables) + 1)]
    return any(map(state.open_games, sheets))


def _seatings(state: ChampionshipState, after: ChampionshipState, stage: str) -> list[SeatingChange]:
    """Sittings seated by standings that are in another order now."""
    found = []
    for sitting in range(2, state.format.stage(stage).sittings + 1):
        seated = state.seatings.get((stage, sitting))
        if seated is None or seated.how != "standings":
            continue
        orders = [
            standings(
                replace(
                    each,
                    results={
                        key: result
                        for key, result in each.results.items()
                        if key[0] != stage or key[1] < sitting
                    },
                ),
                stage,
            ).order()
            for each in (state, after)
        ]
        if orders[0] != orders[1]:
            found.append(SeatingChange(stage, sitting, state.played((stage, sitting))))
    return found
