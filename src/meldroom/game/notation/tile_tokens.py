"""Tiles as they are written in a line, and which physical tiles they mean.

`R7'` is the second R7 of the box and `R7!` the first. `R7` is the lowest of them that can lie in the place
spoken of, so that a person need not mark anything and a program can always be exact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from meldroom.game.notation.errors import RecordError
from meldroom.game.notation.parsing import Cursor, Token
from meldroom.game.views import HIDDEN
from meldroom.tiles import Face, Tile, TileSet, TileTextError, parse_marked

_UNKNOWN = re.compile(r"\?(?:x([0-9]{1,5}))?\Z")
NOTHING = "-"
UNKNOWN_FACE = Face(HIDDEN)


class TileWord(NamedTuple):
    """One tile as written: its face (UNKNOWN_FACE for `?`), which copy (None if any), and its column."""

    face: Face
    copy: int | None
    column: int


def tile_text(tiles: TileSet, tile: Tile, exact: bool = False) -> str:
    """A physical tile, or `?`; `exact` marks the first copy as well."""
    if tile < 0:
        return "?"
    return tiles.name(tile) + ("!" if exact and not tiles.copy_of(tile) else "")


def tiles_text(tiles: TileSet, some: Sequence[Tile], exact: bool = False) -> str:
    """Tiles separated by spaces, several unknown ones in a row as `?x14`; `-` if there are none."""
    parts: list[str] = []
    place = 0
    while place < len(some):
        end = place
        while end < len(some) and some[end] < 0:
            end += 1
        if end - place > 1:
            parts.append(f"?x{end - place}")
        else:
            end = place + 1
            parts.append(tile_text(tiles, some[place], exact))
        place = end
    return " ".join(parts) or NOTHING


def read_tile(token: Token, tiles: TileSet) -> TileWord:
    """A token as one known tile. Raises RecordError."""
    first = token.text.endswith("!")
    try:
        face, marks = parse_marked(token.text.removesuffix("!"), tiles)
        if not (first and marks):
            return TileWord(face, 0 if first else marks or None, token.column)
    except TileTextError:
        pass
    letters = ", ".join(tiles.letters)
    try:
        face, _ = parse_marked(token.text.rstrip("'"), tiles)
    except TileTextError:
        raise RecordError(
            "unknown_tile", column=token.column, token=token.text, letters=letters, numbers=tiles.numbers
        ) from None
    name, copies = tiles.face_names[face], tiles.limits[face]
    raise RecordError("third_copy", column=token.column, tile=name, copies=copies)


def read_tiles(cursor: Cursor, tiles: TileSet, *, hidden: bool = False) -> list[TileWord]:
    """Tiles up to the next mark or the end of the line. Raises RecordError."""
    if cursor.accept(NOTHING):
        return []
    found: list[TileWord] = []
    while (token := cursor.peek()) is not None and token.kind == "word":
        cursor.place += 1
        unknown = _UNKNOWN.match(token.text)
        if unknown is None:
            found.append(read_tile(token, tiles))
            continue
        if not hidden:
            raise RecordError("not_hidden", column=token.column)
        count = int(unknown.group(1) or 1)
        if not 0 < count <= tiles.size:
            raise RecordError("too_many_unknown", column=token.column, count=count, size=tiles.size)
        found.extend([TileWord(UNKNOWN_FACE, None, token.column)] * count)
    return found


def meant(words: Sequence[TileWord], place: Collection[Tile], tiles: TileSet) -> tuple[Tile, ...]:
    """The physical tiles that some words mean, given what may lie in the place they speak of.

    Marked words are understood first; then each plain one is the lowest copy left in the place, or in the box
    if the place holds none. Raises RecordError if there are not enough copies.
    """
    used: set[Tile] = set()
    found = [HIDDEN] * len(words)
    for index, word in enumerate(words):
        if word.face != UNKNOWN_FACE and word.copy is not None:
            found[index] = tiles.tile(word.face, word.copy)
            if found[index] in used:
                raise RecordError("tile_twice", column=word.column, tile=tiles.name(found[index]))
            used.add(found[index])
    for index, word in enumerate(words):
        if word.face != UNKNOWN_FACE and word.copy is None:
            found[index] = _lowest(word, place, used, tiles)
            used.add(found[index])
    return tuple(found)


def _lowest(word: TileWord, place: Collection[Tile], used: set[Tile], tiles: TileSet) -> Tile:
    copies = [tile for tile in tiles.tiles_of(word.face) if tile not in used]
    if not copies:
        name, limit = tiles.face_names[word.face], tiles.limits[word.face]
        raise RecordError("third_copy", column=word.column, tile=name, copies=limit)
    return next((tile for tile in copies if tile in place), copies[0])
