"""What lies in the box: colours, numbers, copies and jokers, and the integers that stand for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, NewType, TypeAlias

import msgspec

from meldroom.errors import MeldroomError
from meldroom.i18n import TextBase, translated

Face = NewType("Face", int)
"""What is printed on a tile: colour * numbers + number - 1; the joker comes after the last colour."""

Tile = NewType("Tile", int)
"""One physical piece: face * copies + copy for numbered tiles, the jokers after all of them."""

HIDDEN = Tile(-1)
"""Stands for a tile that is not known."""


class TileSetError(MeldroomError, ValueError):
    """A tile set that cannot exist, or tiles that are not in it."""

    domain = "tiles.set"


class ColourBase(TextBase, frozen=True):
    """One colour: the letter used in every notation, the ink, and the name people see by language."""

    letter: str
    ink: str = "#222222"


if TYPE_CHECKING:
    Colour: TypeAlias = ColourBase
else:
    Colour = translated(ColourBase)


class TileSet(msgspec.Struct, frozen=True, dict=True):
    """The tiles of one game. `spare_jokers` and `blanks` lie in the box and are not in play."""

    colours: tuple[Colour, ...]
    numbers: int
    copies: int
    jokers: int
    spare_jokers: int = 0
    blanks: int = 0

    def __post_init__(self) -> None:
        letters = [colour.letter for colour in self.colours]
        if not letters or any(len(x) != 1 or not x.isalpha() or x != x.upper() for x in letters):
            raise TileSetError("letter")
        if len(set(letters)) != len(letters):
            raise TileSetError("same_letter")
        if not 1 <= self.numbers <= 99:
            raise TileSetError("numbers", numbers=self.numbers)
        if self.copies < 1:
            raise TileSetError("copies")
        if min(self.jokers, self.spare_jokers, self.blanks) < 0:
            raise TileSetError("negative")

    @cached_property
    def joker(self) -> Face:
        """The face shared by all jokers."""
        return Face(len(self.colours) * self.numbers)

    @cached_property
    def faces(self) -> int:
        """How many faces there are, the joker included when one is in play."""
        return self.joker + (1 if self.jokers else 0)

    @cached_property
    def numbered(self) -> int:
        """How many numbered tiles there are."""
        return self.joker * self.copies

    @cached_property
    def size(self) -> int:
        """How many tiles are in play."""
        return self.numbered + self.jokers

    @cached_property
    def face_of(self) -> tuple[Face, ...]:
        """The face of every tile, indexed by tile."""
        numbered = (Face(tile // self.copies) for tile in range(self.numbered))
        return (*numbered, *(self.joker,) * self.jokers)

    @cached_property
    def every_tile(self) -> tuple[Tile, ...]:
        """All tiles in play, in the order of the box."""
        return tuple(map(Tile, range(self.size)))

    @cached_property
    def every_face(self) -> tuple[Face, ...]:
        """All faces in order, the joker last (even if none is in play)."""
        return tuple(map(Face, range(self.joker + 1)))

    @cached_property
    def colour_of(self) -> tuple[int, ...]:
        """The colour index of every numbered face."""
        return tuple(face // self.numbers for face in range(self.joker))

    @cached_property
    def number_of(self) -> tuple[int, ...]:
        """The number on every numbered face; 0 for the joker."""
        return (*(face % self.numbers + 1 for face in range(self.joker)), 0)

    @cached_property
    def limits(self) -> tuple[int, ...]:
        """How many tiles of each face are in play, the joker's count last (it may be 0)."""
        return (self.copies,) * self.joker + (self.jokers,)

    @cached_property
    def letters(self) -> dict[str, int]:
        """Colour letter to colour index."""
        return {colour.letter: index for index, colour in enumerate(self.colours)}

    @cached_property
    def face_names(self) -> tuple[str, ...]:
        """The text of every face: `R10`, `*`."""
        numbered = (f"{c.letter}{n}" for c in self.colours for n in range(1, self.numbers + 1))
        return (*numbered, "*")

    def face(self, colour: int, number: int) -> Face:
        """The face with this colour index and number."""
        return Face(colour * self.numbers + number - 1)

    def copy_of(self, tile: Tile) -> int:
        """Which copy of its face a tile is, counted from 0."""
        return tile % self.copies if tile < self.numbered else tile - self.numbered

    def tile(self, face: Face, copy: int = 0) -> Tile:
        """The physical tile that is this copy of a face."""
        if not 0 <= copy < self.limits[face]:
            raise TileSetError("no_copy", count=self.limits[face], tile=self.face_names[face], copy=copy + 1)
        return Tile(self.numbered + copy if face == self.joker else face * self.copies + copy)

    def tiles_of(self, face: Face) -> tuple[Tile, ...]:
        """All physical tiles with this face."""
        first = self.numbered if face == self.joker else face * self.copies
        return self.every_tile[first : first + self.limits[face]]

    def faces_of(self, tiles: Iterable[Tile]) -> tuple[Face, ...]:
        """The faces of some tiles."""
        face_of = self.face_of
        return tuple([face_of[tile] for tile in tiles])

    def name(self, tile: Tile) -> str:
        """The text of a physical tile: its face, with one apostrophe for each further copy (`R7'`)."""
        return self.face_names[self.face_of[tile]] + "'" * self.copy_of(tile)

    def names(self, tiles: Iterable[Tile]) -> str:
        """Tiles as text, separated by spaces."""
        return " ".join(map(self.name, tiles))

    def faces_text(self, faces: Iterable[Face]) -> str:
        """Faces as text, separated by spaces."""
        return " ".join(self.face_names[face] for face in faces)

    def too_many(self, faces: Iterable[Face]) -> Face | None:
        """A face of which more are given than the set holds, or None."""
        counts = Counter(faces)
        return next((face for face, count in counts.items() if count > self.limits[face]), None)
