"""A position as a PNG for previews of links, which rarely show SVG: the table, and perhaps a rack.

Drawn with the standard library alone: a tile is copied from row to row, and its numerals come from masks that
`bench/icons.py` has drawn once (`glyphs.bin`). So a server needs no fonts and no library for pictures.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from meldroom.game.notation.svg import (
    BACK,
    BACK_INK,
    CLOTH,
    IVORY,
    IVORY_EDGE,
    JOKER_INK,
    as_read,
)
from meldroom.tiles import Tile, TileSet

if TYPE_CHECKING:
    from meldroom.game.notation.position import Position

WIDTH, HEIGHT = 1200, 630
TILE_WIDTHS = (76, 64, 52, 42, 34, 26)
"""The largest with which everything fits is taken."""
MARGIN = 40
WOOD = "#7a5234"
BAR = 18

NUMERALS = "0123456789*?"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

_EDGE, _FRONT, _FRONT_ON_EDGE, _BACK, _BACK_ON_EDGE, _BACK_INK, _JOKER, _WOOD, _INKS = range(9)
"""Pairs of colours that meet somewhere, each a ramp of the palette."""

Rows: TypeAlias = list[bytes]
"""A picture as rows of numbers into the palette, or of shares from 0 to 255."""
Rgb: TypeAlias = tuple[int, int, int]


class Size(NamedTuple):
    """The measures of a tile: of the whole, of a numeral's cell and of a letter's, in pixels."""

    width: int

    @property
    def height(self) -> int:
        return self.width * 4 // 3

    @property
    def gap(self) -> int:
        return max(2, self.width // 20)

    @property
    def numeral(self) -> tuple[int, int]:
        return self.width * 2 // 5, self.width * 5 // 9

    @property
    def letter(self) -> tuple[int, int]:
        return self.width * 2 // 5, self.width * 2 // 7

    def cell(self, glyph: str) -> tuple[int, int]:
        """How large the mask of a glyph is."""
        return self.numeral if glyph in NUMERALS else self.letter


def to_png(position: Position, *, rack: int | None = None) -> bytes:
    """The table of a position as a PNG of 1200×630, with the rack of one seat beneath it if one is given."""
    sets: list[Sequence[Tile]] = [meld.tiles for meld in position.melds] or [
        as_read(position.book, tiles) for tiles in position.table
    ]
    own = () if rack is None else position.racks[rack]
    tiles = position.book.tiles
    for width in TILE_WIDTHS:
        size = Size(width)
        rows, below = _flow(sets, size), _flow([own] if own else [], size)
        if _height(rows, size) + _height(below, size) + (BAR if below else 0) <= HEIGHT - 2 * MARGIN:
            break
    painter = _Painter(tiles, size)
    high = _height(below, size) + (BAR if below else 0)
    free = HEIGHT - 2 * MARGIN - high
    painter.rows(rows, MARGIN + max(0, free - _height(rows, size)) // 2, HEIGHT - MARGIN - high)
    if below:
        painter.bar(HEIGHT - MARGIN - BAR)
        painter.rows(below, HEIGHT - MARGIN - BAR - _height(below, size) + size.width // 3, HEIGHT)
    return painter.encoded()


def _flow(sets: Sequence[Sequence[Tile]], size: Size) -> list[list[Sequence[Tile]]]:
    """Sets row by row; one that is longer than a row is broken."""
    most = (WIDTH - 2 * MARGIN) // (size.width + size.gap)
    parts = [tiles[start : start + most] for tiles in sets for start in range(0, len(tiles), most)]
    rows: list[list[Sequence[Tile]]] = []
    for part in parts:
        if not rows or _length([*rows[-1], part], size) > WIDTH - 2 * MARGIN:
            rows.append([])
        rows[-1].append(part)
    return rows


def _length(row: Sequence[Sequence[Tile]], size: Size) -> int:
    tiles = sum(len(part) for part in row)
    return tiles * (size.width + size.gap) - size.gap + (len(row) - 1) * (size.width // 2)


def _height(rows: Sequence[object], size: Size) -> int:
    return len(rows) * (size.height + size.width // 3)


class _Painter:
    """A canvas with a palette: a ramp of shades for each pair of colours that meet at an edge."""

    def __init__(self, tiles: TileSet, size: Size) -> None:
        self._tiles = tiles
        self._size = size
        inks = [_rgb(colour.ink) for colour in tiles.colours]
        ivory, back, cloth = _rgb(IVORY), _rgb(BACK), _rgb(CLOTH)
        edge = _rgb(IVORY_EDGE)
        # In the order of the constants above; the inks of the colours follow.
        pairs = [(cloth, edge), (cloth, ivory), (edge, ivory), (cloth, back), (edge, back)]
        pairs += [(back, _rgb(BACK_INK)), (ivory, _rgb(JOKER_INK)), (cloth, _rgb(WOOD))]
        pairs += [(ivory, ink) for ink in inks]
        self._shades = max(2, min(16, 256 // len(pairs)))
        self._palette = [
            _between(one, other, step / (self._shades - 1))
            for one, other in pairs[: 256 // self._shades]
            for step in range(self._shades)
        ]
        self._canvas = [bytearray(WIDTH) for _ in range(HEIGHT)]
        self._drawn: dict[Tile, Rows] = {}

    def rows(self, rows: Sequence[Sequence[Sequence[Tile]]], top: int, bottom: int) -> None:
        """Sets in rows, each in the middle; what would go past the bottom is left out."""
        size = self._size
        for row in rows:
            if top + size.height > bottom:
                return
            x = (WIDTH - _length(row, size)) // 2
            for part in row:
                for tile in part:
                    self._copy(self._tile(tile), x, top)
                    x += size.width + size.gap
                x += size.width // 2
            top += size.height + size.width // 3

    def bar(self, top: int) -> None:
        """The wood that a rack stands on."""
        wood = bytes([_shade(_WOOD, 255, self._shades)]) * (WIDTH - 2 * MARGIN)
        self._copy([wood] * BAR, MARGIN, top)

    def _copy(self, picture: Rows, x: int, y: int) -> None:
        for offset, row in enumerate(picture):
            self._canvas[y + offset][x : x + len(row)] = row

    def _tile(self, tile: Tile) -> Rows:
        """One tile; each is drawn once."""
        found = self._drawn.get(tile)
        if found is None:
            found = self._drawn[tile] = self._draw(tile)
        return found

    def _draw(self, tile: Tile) -> Rows:
        size, tiles = self._size, self._tiles
        rows = [bytearray(row) for row in _blank(size, tile >= 0, self._shades)]
        middle = size.height * 3 // 7
        if tile < 0:
            self._stamp(rows, "?", middle, _BACK_INK)
        elif (face := tiles.face_of[tile]) == tiles.joker:
            self._stamp(rows, "*", middle, _JOKER)
        else:
            colour = tiles.colour_of[face]
            ink = min(_INKS + colour, len(self._palette) // self._shades - 1)
            self._stamp(rows, str(tiles.number_of[face]), middle, ink)
            if tiles.colours[colour].letter in LETTERS:
                self._stamp(rows, tiles.colours[colour].letter, size.height * 4 // 5, ink)
        return [bytes(row) for row in rows]

    def _stamp(self, rows: list[bytearray], text: str, middle: int, pair: int) -> None:
        """Glyphs side by side, in the middle of the tile."""
        wide, high = self._size.cell(text[0])
        # Two numerals stand a little closer than their cells do.
        step = wide - (wide // 10 if len(text) > 1 else 0)
        x = (self._size.width - (len(text) - 1) * step - wide) // 2
        shades = bytes(_shade(pair, share, self._shades) for share in range(256))
        for glyph in text:
            for offset, row in enumerate(_glyph(self._size, glyph)):
                line = rows[middle - high // 2 + offset]
                for column, share in enumerate(row):
                    # Where cells overlap, the darker ink counts.
                    if share and line[x + column] < shades[share]:
                        line[x + column] = shades[share]
            x += step

    def encoded(self) -> bytes:
        """The canvas as a PNG file."""
        header = WIDTH.to_bytes(4, "big") + HEIGHT.to_bytes(4, "big") + bytes((8, 3, 0, 0, 0))
        packed = zlib.compress(b"".join(b"\0" + bytes(row) for row in self._canvas), 6)
        palette = bytes(part for colour in self._palette for part in colour)
        parts = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", packed), (b"IEND", b""))
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _shade(pair: int, share: int, shades: int) -> int:
    """The number in the palette of a shade between two colours."""
    return pair * shades + share * (shades - 1) // 255


@cache
def _blank(size: Size, front: bool, shades: int) -> Rows:
    """A tile with nothing on it: round corners, and an edge below that gives it its thickness."""
    on_cloth, on_edge = (_FRONT, _FRONT_ON_EDGE) if front else (_BACK, _BACK_ON_EDGE)
    body, whole = _outline(size.width, size.height - size.gap), _outline(size.width, size.height)
    rows = [bytearray(_shade(_EDGE, share, shades) for share in row) for row in whole]
    for y, row in enumerate(body):
        for x, share in enumerate(row):
            if share:
                pair = on_edge if whole[y][x] == 255 else on_cloth
                rows[y][x] = _shade(pair, share, shades)
    return [bytes(row) for row in rows]


def _chunk(kind: bytes, data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")


def _rgb(ink: str) -> Rgb:
    digits = ink.removeprefix("#")
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _between(one: Rgb, other: Rgb, share: float) -> Rgb:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@cache
def _outline(width: int, height: int) -> Rows:
    """How much of each pixel a rectangle with round corners covers."""
    radius = width * 0.16
    steps = (0.125, 0.375, 0.625, 0.875)

    def covered(x: int, y: int) -> int:
        inside = 0
        for dy in steps:
            for dx in steps:
                over_x = max(radius - (x + dx), (x + dx) - (width - radius), 0.0)
                over_y = max(radius - (y + dy), (y + dy) - (height - radius), 0.0)
                inside += over_x * over_x + over_y * over_y <= radius * radius
        return inside * 255 // 16

    return [bytes(covered(x, y) for x in range(width)) for y in range(height)]


@cache
def _glyphs() -> dict[tuple[int, str], Rows]:
    """Every mask by the width of the tile and the glyph, as they follow each other in the file."""
    packed = files("meldroom.game.notation").joinpath("glyphs.bin").read_bytes()
    data = zlib.decompress(packed)
    found: dict[tuple[int, str], Rows] = {}
    at = 0
    for width in TILE_WIDTHS:
        for glyph in NUMERALS + LETTERS:
            wide, high = Size(width).cell(glyph)
            found[width, glyph] = [data[at + wide * row : at + wide * (row + 1)] for row in range(high)]
            at += wide * high
    return found


def _glyph(size: Size, glyph: str) -> Rows:
    return _glyphs()[size.width, glyph]
