"""Planned sittings after drop-outs and late entries: as planned where that is possible."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldroom.championship.seating.history import NextSitting, Past, Tables
from meldroom.championship.seating.repair import settle
from meldroom.championship.seating.types import FOURS, TableSize

_AWAY = 200  # a player at another table than planned: two are moved to spare one a third short table
_REACH = 24


def reseat(
    players: Sequence[str],
    history: Sequence[Tables],
    planned: Sequence[Tables],
    *,
    apart: Sequence[Sequence[str]] = (),
    size: TableSize = FOURS,
    rested: Mapping[str, int] | None = None,
) -> tuple[NextSitting, ...]:
    """The planned sittings for those who play on.

    Who has left is in the plan only, who comes late in `players` only. Tables stay as planned where they can;
    others change so that as few as possible are short, and nobody meets anybody again where
    that can be avoided. Raises SeatingError.
    """
    past = Past(players, history, apart, size, rested)
    with_plan = Past(players, history, apart, size, rested)
    for tables in planned:
        with_plan.meet(with_plan.known(tables), 1)
    found = []
    for tables in planned:
        with_plan.meet(with_plan.known(tables), -1)
        found.append(past.sitting(_changed(with_plan, tables)))
        for each in (past, with_plan):
            each.add(found[-1].tables)
    return tuple(found)


def _changed(past: Past, planned: Tables) -> list[tuple[int, ...]]:
    """One planned sitting with right sizes and few faults; who keeps a table keeps the seat."""
    fitted = _fitted(past.known(planned), past.to_seat(), past.size)
    home = {player: number for number, table in enumerate(fitted) for player in table}

    def cost(number: int, table: Sequence[int]) -> int:
        return past.faults(table) + _AWAY * sum(home[player] != number for player in table)

    seats = {name: seat for table in planned for seat, name in enumerate(table)}
    as_planned = {frozenset(table): tuple(table) for table in past.known(planned)}
    return [
        as_planned.get(frozenset(table))
        or past.in_seats(sorted(table, key=lambda player: seats.get(past.players[player], past.size.full)))
        for table in settle(fitted, cost, _REACH)
    ]


def _fitted(planned: Sequence[Sequence[int]], players: Sequence[int], size: TableSize) -> list[list[int]]:
    """The planned tables brought to the sizes that the field needs: the smallest go, others are filled."""
    sizes = size.tables(len(players))
    largest = sorted(range(len(planned)), key=lambda number: -len(planned[number]))[: len(sizes)]
    size_of = dict(zip(largest, sizes, strict=False))
    to_seat = set(players)
    tables = [
        [player for player in planned[number] if player in to_seat][: size_of[number]]
        for number in sorted(size_of)
    ]
    wanted = [size_of[number] for number in sorted(size_of)]
    tables += [[] for _ in sizes[len(tables) :]]
    wanted += sizes[len(wanted) :]
    spare = iter(sorted(to_seat.difference(*tables)))
    for table, seats in zip(tables, wanted, strict=True):
        table.extend(next(spare) for _ in range(seats - len(table)))
    return tables
