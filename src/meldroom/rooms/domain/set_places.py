"""Where sets lie: a set keeps its place from turn to turn, whoever rearranges the table."""

from __future__ import annotations

from meldroom.game.actions import TileSets


def in_place(shown: TileSets, table: TileSets) -> TileSets:
    """The sets of a table in the places of those they come from; new ones last.

    Whoever laid them may have put a new set between two old ones: a table whose old sets are in their order
    stays as it is.
    """
    if table[: len(shown)] == shown:
        return table
    lies_in = {tile: index for index, tiles in enumerate(table) for tile in tiles}
    left = dict.fromkeys(range(len(table)))
    found: list[int] = []
    for tiles in shown:
        places = [lies_in[tile] for tile in tiles if lies_in.get(tile) in left]
        if places:
            best = max(sorted(set(places)), key=places.count)
            del left[best]
            found.append(best)
    if found == sorted(found):
        return table
    return tuple(table[index] for index in (*found, *left))
