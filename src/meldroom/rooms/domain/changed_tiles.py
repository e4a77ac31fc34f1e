"""Which tiles a turn laid or moved, so that everybody can see what has changed."""

from __future__ import annotations

from collections.abc import Iterable

from meldroom.game import events as ev
from meldroom.game.actions import TileSets
from meldroom.game.state import State
from meldroom.tiles import Tile


def changed_tiles(before: State, after: State, events: Iterable[ev.Event]) -> tuple[Tile, ...]:
    """The tiles that some events laid or moved on the table, in rising order."""
    found: set[Tile] = set()
    for event in events:
        match event:
            case ev.Laid():
                found |= {*event.tiles, *moved_tiles(before.table, event.table)}
            case ev.Played():
                old = tuple(meld.tiles for meld in before.melds)
                found |= {*event.tiles, *moved_tiles(old, tuple(meld.tiles for meld in event.melds))}
            case ev.Discarded():
                found.add(event.tile)
            case ev.LeftoversRuled() | ev.Corrected():
                found |= moved_tiles(before.table, after.table)
            case _:
                pass
    return tuple(sorted(found))


def moved_tiles(before: TileSets, after: TileSets) -> set[Tile]:
    """Tiles of the old table that lie elsewhere now: of each old set the largest part counts as unmoved."""
    standing = set(after)
    place = {tile: index for index, tiles in enumerate(after) for tile in tiles}
    moved: set[Tile] = set()
    for tiles in before:
        if tiles in standing:
            continue
        parts: dict[int, list[Tile]] = {}
        for tile in tiles:
            if tile in place:
                parts.setdefault(place[tile], []).append(tile)
        for part in sorted(parts.values(), key=len, reverse=True)[1:]:
            moved.update(part)
    return moved
