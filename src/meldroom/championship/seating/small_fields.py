"""Sittings of six to twelve players, found by search and proven best by the bound of `least_repeats`.

They are for tables of four; fields that have tables of three only serve there, too.
"""

from __future__ import annotations

from meldroom.championship.seating.types import Sitting, TableSize


def stored(players: int, sittings: int, size: TableSize) -> list[Sitting]:
    """Sittings with the fewest repeats, as many as are stored; none for other fields."""
    five = _FIVE.get(players, ())
    found = five if len(five) == sittings else _SMALL.get(players, ())[:sittings]
    right = list(size.tables(players))
    return list(found) if all(sorted(map(len, each), reverse=True) == right for each in found) else []


# Nobody meets anybody more often than twice, or with ten players three times; the first sittings of each are
# best for fewer sittings too.
_SMALL: dict[int, tuple[Sitting, ...]] = {
    6: (
        ((0, 1, 2), (3, 4, 5)),
        ((0, 2, 5), (1, 3, 4)),
        ((0, 1, 3), (2, 4, 5)),
        ((1, 2, 4), (0, 3, 5)),
    ),
    7: (
        ((0, 1, 2, 3), (4, 5, 6)),
        ((0, 1, 4, 6), (2, 3, 5)),
        ((0, 2, 4, 5), (1, 3, 6)),
        ((1, 2, 4), (0, 3, 5, 6)),
    ),
    8: (
        ((0, 1, 2, 3), (4, 5, 6, 7)),
        ((0, 2, 4, 7), (1, 3, 5, 6)),
        ((0, 3, 4, 6), (1, 2, 5, 7)),
        ((2, 3, 4, 5), (0, 1, 6, 7)),
    ),
    9: (
        ((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        ((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        ((0, 4, 8), (1, 5, 6), (2, 3, 7)),
        ((0, 5, 7), (1, 3, 8), (2, 4, 6)),
    ),
    10: (
        ((0, 1, 2, 3), (4, 5, 6), (7, 8, 9)),
        ((0, 2, 5, 8), (1, 6, 7), (3, 4, 9)),
        ((1, 4, 8), (0, 2, 6, 9), (3, 5, 7)),
        ((2, 4, 7), (3, 6, 8), (0, 1, 5, 9)),
    ),
    11: (
        ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10)),
        ((2, 5, 10), (1, 3, 6, 9), (0, 4, 7, 8)),
        ((2, 7, 9), (0, 3, 5, 8), (1, 4, 6, 10)),
        ((2, 6, 8), (0, 1, 7, 10), (3, 4, 5, 9)),
    ),
    12: (
        ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)),
        ((0, 4, 5, 11), (1, 7, 9, 10), (2, 3, 6, 8)),
        ((2, 7, 10, 11), (0, 1, 4, 8), (3, 5, 6, 9)),
        ((2, 5, 8, 9), (0, 3, 7, 11), (1, 4, 6, 10)),
    ),
}

# Five sittings where the search at run time does not always reach the least number of repeats.
_FIVE: dict[int, tuple[Sitting, ...]] = {
    11: (
        ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10)),
        ((0, 4, 5, 10), (1, 2, 7, 9), (3, 6, 8)),
        ((1, 3, 5, 9), (2, 4, 6, 10), (0, 7, 8)),
        ((0, 5, 6, 9), (2, 3, 7, 10), (1, 4, 8)),
        ((0, 1, 6, 10), (3, 4, 7, 9), (2, 5, 8)),
    ),
}
