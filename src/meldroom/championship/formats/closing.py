"""Closing a stage: is everything played and signed, are ties that matter decided, and who goes on."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.standings import Standings, standings
from meldroom.championship.state import ChampionshipState, SheetKey


def unfinished(state: ChampionshipState, stage: str) -> list[SheetKey]:
    """Tables of a stage with a game missing or without signatures; table 0 is a sitting not yet seated.

    A stage that ended early waits for no more sittings.
    """
    found: list[SheetKey] = []
    for sitting in range(1, state.format.stage(stage).sittings + 1):
        seated = state.seatings.get((stage, sitting))
        if seated is None:
            found += [] if stage in state.ended else [(stage, sitting, 0)]
            continue
        tables = range(1, len(seated.tables) + 1)
        found += [key for table in tables if not state.finished(key := (stage, sitting, table))]
    return found


def close(state: ChampionshipState, stage: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The ranking of a finished stage, and the order in which its players go on. Raises ChampionshipError."""
    if missing := unfinished(state, stage):
        _, sitting, table = missing[0]
        raise ChampionshipError("not_finished", sitting=sitting, table=table, count=len(missing))
    found = standings(state, stage)
    return found.order(), advancing(state, found)


def advancing(state: ChampionshipState, found: Standings) -> tuple[int, ...]:
    """The order in which a stage's players go on: the first of it play the next stage.

    Raises ChampionshipError if players who are level stand on both sides of the cut, or share first place at
    the end.
    """
    here = [row.number for row in found.rows if not row.out]
    place = state.format.place(found.stage)
    if place + 1 == len(state.format.stages):
        if any(key[0] == found.stage for key in state.results):
            _check_level(state, found, here, 1)
        return tuple(here)
    later = state.format.stages[place + 1]
    if later.takes is None:
        return tuple(here)
    winners = _table_winners(state, found, here) if later.cut == "table_winners" else []
    others = [number for number in here if number not in winners]
    if len(winners) >= later.takes:
        _check_level(state, found, winners, later.takes)
    else:
        _check_level(state, found, others, later.takes - len(winners))
    return (*winners, *others)


def _check_level(state: ChampionshipState, found: Standings, order: Sequence[int], taken: int) -> None:
    for group in found.level:
        level = [number for number in order if number in group]
        inside = sum(number in level for number in order[:taken])
        if 0 < inside < len(level):
            names = state.names(level)
            raise ChampionshipError("tie_matters", names=names, stage=found.stage)


def _table_winners(state: ChampionshipState, found: Standings, here: Sequence[int]) -> list[int]:
    """The best of every table of the stage's last sitting, best first."""
    rank = {number: place for place, number in enumerate(here)}
    sittings = state.format.stage(found.stage).sittings
    tables = state.seatings[found.stage, sittings].tables
    best = []
    for table in tables:
        there = sorted((number for number in table if number in rank), key=rank.__getitem__)
        if there:
            _check_level(state, found, there, 1)
            best.append(there[0])
    return sorted(best, key=rank.__getitem__)
