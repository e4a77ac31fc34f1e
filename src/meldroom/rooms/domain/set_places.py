"""Where sets lie: a set keeps its place from turn to turn, whoever rearranges the table."""

from __future__ import annotations

from meldroom.game.actions import TileSets


def in_place(shown: TileSets, table: TileSets) -> TileSets:
    """The sets of a table in the places of those they come from; new ones last.

    Whoever laid them may have put a new set between two old ones: a table whose old sets are in their order
    stays as it is.
    """
    left = dict.fromkeys(range(len(table)))
    found: list[int] = []
    for tiles in shown:
        held = set(tiles)
        common = {index: len(held.intersection(table[index])) for index in left}
        best = max(common, key=lambda index: common[index], default=None)
        if best is not None and common[best]:
            del left[best]
            found.append(best)
    if found == sorted(found):
        return table
    return tuple(table[index] for index in (*found, *left))
