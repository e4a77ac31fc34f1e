"""A player's own order of the rack. It lasts from turn to turn; new tiles find their place in it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from meldroom.rules.book import RuleBook
from meldroom.tiles import Tile

Sorting = Literal["runs", "groups", "own"]


class RackOrder:
    """Every tile of a rack in the order in which it is shown, those of a draft included."""

    def __init__(self, book: RuleBook, sorting: Sorting = "runs") -> None:
        self.book = book
        self.sorting: Sorting = sorting
        self.tiles: list[Tile] = []

    def follow(self, rack: Collection[Tile]) -> None:
        """Keep the order of tiles that are still there; new ones go where they belong, or to the end."""
        held = set(rack)
        kept = [tile for tile in self.tiles if tile in held]
        seen = set(kept)
        self.tiles = kept + [tile for tile in rack if tile not in seen]
        if self.sorting != "own":
            self.sort(self.sorting)

    def sort(self, sorting: Sorting) -> None:
        """Put the rack in order: colour by colour for runs, number by number for groups."""
        self.sorting = sorting
        if sorting != "own":
            self.tiles.sort(key=self._runs if sorting == "runs" else self._groups)

    def shown(self, rack: Collection[Tile]) -> tuple[Tile, ...]:
        """Those of the tiles that are on the rack now, in order."""
        held = set(rack)
        return tuple(tile for tile in self.tiles if tile in held)

    def move(self, tiles: Sequence[Tile], before: Tile | None) -> None:
        """Put some tiles before another, or at the end. From now on the order is the player's own."""
        moving = [tile for tile in self.tiles if tile in set(tiles) and tile != before]
        rest = [tile for tile in self.tiles if tile not in moving]
        at = rest.index(before) if before in rest else len(rest)
        self.tiles = [*rest[:at], *moving, *rest[at:]]
        self.sorting = "own"

    def shift(self, tile: Tile, rack: Collection[Tile], step: Literal[-1, 1]) -> None:
        """Let a tile change places with its neighbour among the tiles shown."""
        shown = self.shown(rack)
        at = shown.index(tile)
        if 0 <= at + step < len(shown):
            here, there = self.tiles.index(tile), self.tiles.index(shown[at + step])
            self.tiles[here], self.tiles[there] = self.tiles[there], self.tiles[here]
            self.sorting = "own"

    def _runs(self, tile: Tile) -> tuple[int, ...]:
        return self.book.tiles.face_of[tile], tile

    def _groups(self, tile: Tile) -> tuple[int, ...]:
        tiles = self.book.tiles
        face = tiles.face_of[tile]
        number = tiles.number_of[face] if face != tiles.joker else tiles.numbers + 1
        return number, face, tile
