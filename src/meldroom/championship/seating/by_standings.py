"""Later sittings by the standings: neighbours in rank who have not met yet."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.championship.seating.history import NextSitting, Past, Tables
from meldroom.championship.seating.repair import settle
from meldroom.championship.seating.types import FULL, SHORT, table_sizes
from meldroom.game.shuffle import Shuffle

_REACH = 12

_Cut = tuple[int, tuple[int, ...]]
"""Earlier visits to tables of three by those who get one, and the sizes of the tables, the last first."""


def seat_by_standings(
    standings: Sequence[str],
    history: Sequence[Tables] = (),
    *,
    apart: Sequence[Sequence[str]] = (),
    seed: str = "",
) -> NextSitting:
    """The next sitting: tables of neighbouring ranks without repeated opponents, the leaders at table one.

    `standings` are those who play on, best first; `history` is every earlier sitting. Who has left is in the
    history only, who comes late in the standings only. Tables of three go to those who had the fewest, and
    among those to the last ranks. Everyone gets the seat he has had least often; the seed decides between
    equals. Raises SeatingError.
    """
    past = Past(standings, history, apart)
    ranks = past.to_seat()

    def cost(_: int, table: Sequence[int]) -> int:
        width = max(table) - min(table)
        return past.faults(table) + width * width

    found = settle(_by_rank(ranks, past.threes), cost, _REACH)
    found.sort(key=lambda table: sum(table) / len(table))
    lot = Shuffle(seed).order(f"sitting {len(history) + 1}", ranks)
    drawn = {player: place for place, player in enumerate(lot)}
    return past.sitting([past.in_seats(sorted(table, key=drawn.__getitem__)) for table in found])


def _by_rank(ranks: Sequence[int], threes: Sequence[int]) -> list[list[int]]:
    """The ranks cut into tables so that those get tables of three who had the fewest.

    Table by table from the top, the best cut is kept for every number of threes used so far.
    """
    sizes = table_sizes(len(ranks))
    best: dict[int, _Cut] = {0: (0, ())}
    for number in range(len(sizes)):
        longer: dict[int, _Cut] = {}
        for used, (visits, cut) in best.items():
            first = FULL * number - used
            again = sum(threes[rank] for rank in ranks[first : first + SHORT])
            for more, option in (
                (used, (visits, (FULL, *cut))),
                (used + 1, (visits + again, (SHORT, *cut))),
            ):
                longer[more] = min(longer.get(more, option), option)
        best = longer
    rest = iter(ranks)
    return [[next(rest) for _ in range(size)] for size in best[sizes.count(SHORT)][1][::-1]]
