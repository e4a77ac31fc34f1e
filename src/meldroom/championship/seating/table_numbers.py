"""Numbers for the tables of searched sittings: players come back to a table as seldom as possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from meldroom.championship.seating.types import Sitting

_PASSES = 8


def with_table_numbers(sittings: Sequence[Sitting]) -> list[Sitting]:
    """The same sittings, each with its tables in the order that lets players come back least.

    Sitting after sitting two tables change numbers while that helps, until nothing changes any more.
    """
    found = [list(sitting) for sitting in sittings]
    visits = Counter(
        (player, number) for sitting in found for number, table in enumerate(sitting) for player in table
    )
    for _ in range(_PASSES):
        changed = [_renumbered(sitting, visits) for sitting in found]
        if not any(changed):
            break
    return [tuple(sitting) for sitting in found]


def _renumbered(sitting: list[tuple[int, ...]], visits: Counter[tuple[int, int]]) -> bool:
    """Improve the order of one sitting's tables; `visits` counts all sittings and is kept right."""
    for number, table in enumerate(sitting):
        visits.subtract((player, number) for player in table)
    known = [
        [sum(visits[player, number] > 0 for player in table) for number in range(len(sitting))]
        for table in sitting
    ]
    order = list(range(len(sitting)))
    changed = False
    better = True
    while better:
        better = False
        for one in range(len(order)):
            for two in range(one):
                here, there = known[order[one]], known[order[two]]
                if here[two] + there[one] < here[one] + there[two]:
                    order[one], order[two] = order[two], order[one]
                    changed = better = True
    sitting[:] = [sitting[table] for table in order]
    for number, table in enumerate(sitting):
        visits.update((player, number) for player in table)
    return changed
