"""The tile keypad: tiles entered one by one for racks and table, never more than the box holds."""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from meldroom.referee.messages import RefereeError
from meldroom.tiles import Face, TileSet

Place = int | Literal["table"]
"""A rack by its seat from 0, or the table."""


class Keypad(msgspec.Struct, frozen=True):
    """What has been entered. A rack is None where nobody sits; the table is None until it is entered too."""

    tiles: TileSet
    racks: tuple[tuple[Face, ...] | None, ...]
    table: tuple[Face, ...] | None = None
    pool: int | None = None
    """How many tiles lie face down, where they were counted."""

    def press(self, place: Place, face: Face) -> Keypad:
        """One tile more on a rack or the table. Raises RefereeError if the box holds no more of them."""
        if not 0 <= face < self.tiles.faces:
            raise RefereeError("face")
        if not self.left(face):
            name, limit = self.tiles.face_names[face], self.tiles.limits[face]
            raise RefereeError("no_more", tile=name, limit=limit)
        if self.entered >= self.tiles.size:
            raise RefereeError("full", size=self.tiles.size)
        return self._with(place, (*self._at(place), face))

    def release(self, place: Place, face: Face) -> Keypad:
        """One tile less. Raises RefereeError if it is not there."""
        there = list(self._at(place))
        if face not in there:
            name = self.tiles.face_names[face] if 0 <= face < self.tiles.faces else "?"
            raise RefereeError("not_there", tile=name)
        there.reverse()
        there.remove(face)
        return self._with(place, tuple(reversed(there)))

    def clear(self, place: Place) -> Keypad:
        """A rack or the table without tiles."""
        self._at(place)
        return self._with(place, ())

    def with_pool(self, count: int | None) -> Keypad:
        """With the number of tiles left in the pool. Raises RefereeError if it cannot be."""
        if count is not None and count < 0:
            raise RefereeError("pool")
        if self.entered - (self.pool or 0) + (count or 0) > self.tiles.size:
            raise RefereeError("full", size=self.tiles.size)
        return replace(self, pool=count)

    def left(self, face: Face) -> int:
        """How many tiles of a face can still be entered: a key with none left is greyed."""
        return self.tiles.limits[face] - sum(each.count(face) for each in self._everything())

    @property
    def entered(self) -> int:
        """How many tiles are accounted for."""
        return sum(len(each) for each in self._everything()) + (self.pool or 0)

    @property
    def missing(self) -> int | None:
        """How many tiles of the box are not accounted for; None until table and pool are entered."""
        if self.table is None or self.pool is None:
            return None
        return self.tiles.size - self.entered

    def _everything(self) -> list[tuple[Face, ...]]:
        return [*(rack for rack in self.racks if rack is not None), self.table or ()]

    def _at(self, place: Place) -> tuple[Face, ...]:
        if place == "table":
            return self.table or ()
        rack = self.racks[place] if 0 <= place < len(self.racks) else None
        if rack is None:
            raise RefereeError("place", seat=place + 1)
        return rack

    def _with(self, place: Place, tiles: tuple[Face, ...]) -> Keypad:
        if place == "table":
            return replace(self, table=tiles)
        return replace(self, racks=(*self.racks[:place], tiles, *self.racks[place + 1 :]))
