"""Everything that correcting a result would change, before it is confirmed."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from meldroom.championship.actions import CorrectResult
from meldroom.championship.errors import ChampionshipError
from meldroom.championship.fold import fold
from meldroom.championship.formats.closing import advancing
from meldroom.championship.standings import Standings, standings
from meldroom.championship.state import ChampionshipState, SittingKey


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


def consequences(state: ChampionshipState, action: CorrectResult) -> Consequences:
    """What a correction would change; it must be one that `apply` lets pass."""
    after = fold(state, action)
    first = state.format.place(action.stage)
    places: list[PlaceChange] = []
    cuts: list[CutChange] = []
    ties: list[str] = []
    seatings: list[SeatingChange] = []
    for stage in state.format.stages[first:]:
        if not any(key[0] == stage.id for key in state.results):
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
    )


def _places(then: Standings, now: Standings) -> list[PlaceChange]:
    before = {row.number: row.place for row in then.rows}
    return [
        PlaceChange(now.stage, row.number, before[row.number], row.place)
        for row in now.rows
        if before[row.number] != row.place
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
    own = state.format.stage(stage)
    seated = [state.seatings.get((stage, sitting)) for sitting in range(1, own.sittings + 1)]
    tables = sum(len(each.tables) for each in seated if each is not None)
    played = sum(key[0] == stage for key in state.results)
    return None in seated or played < tables * own.games


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
