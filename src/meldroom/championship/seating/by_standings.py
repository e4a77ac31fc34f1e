"""Later sittings by the standings: neighbours in rank who have not met yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldroom.championship.seating.history import NextSitting, Past, Tables
from meldroom.championship.seating.repair import settle
from meldroom.championship.seating.types import FOURS, TableSize
from meldroom.game.shuffle import Shuffle

_REACH = 12

_Cut = tuple[int, tuple[int, ...]]
"""Earlier visits to short tables by those who get one, and the sizes of the tables, the last first."""


def seat_by_standings(
    standings: Sequence[str],
    history: Sequence[Tables] = (),
    *,
    apart: Sequence[Sequence[str]] = (),
    seed: str = "",
    size: TableSize = FOURS,
    rested: Mapping[str, int] | None = None,
) -> NextSitting:
    """The next sitting: tables of neighbouring ranks without repeated opponents, the leaders at table one.

    `standings` are those who play on, best first; `history` is every earlier sitting. Who has left is in the
    history only, who comes late in the standings only. Short tables (of three, where tables have four) go to
    those who had the fewest, and among those to the last ranks. Everyone gets the seat they have had least
    often; the seed decides between equals. Raises SeatingError.
    """
    past = Past(standings, history, apart, size, rested)
    ranks = past.to_seat()

    def cost(_: int, table: Sequence[int]) -> int:
        width = max(table) - min(table)
        return past.faults(table) + width * width

    found = settle(_by_rank(ranks, past.shorts, size), cost, _REACH)
    found.sort(key=lambda table: sum(table) / len(table))
    lot = Shuffle(seed).order(f"sitting {len(history) + 1}", ranks)
    drawn = {player: place for place, player in enumerate(lot)}
    return past.sitting([past.in_seats(sorted(table, key=drawn.__getitem__)) for table in found])


def _by_rank(ranks: Sequence[int], shorts: Sequence[int], size: TableSize) -> list[list[int]]:
    """The ranks cut into tables so that those get short tables who had the fewest.

    Table by table from the top, the best cut is kept for every number of short tables used so far.
    """
    sizes = size.tables(len(ranks))
    best: dict[int, _Cut] = {0: (0, ())}
    for number in range(len(sizes)):
        longer: dict[int, _Cut] = {}
        for used, (visits, cut) in best.items():
            first = size.full * number - used
            again = sum(shorts[rank] for rank in ranks[first : first + size.short])
            for more, option in (
                (used, (visits, (size.full, *cut))),
                (used + 1, (visits + again, (size.short, *cut))),
            ):
                longer[more] = min(longer.get(more, option), option)
        best = longer
    rest = iter(ranks)
    needed = sum(each < size.full for each in sizes)
    return [[next(rest) for _ in range(each)] for each in best[needed][1][::-1]]
