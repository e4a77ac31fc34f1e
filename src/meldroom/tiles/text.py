"""Tiles, sets and tables as text. Every error says which token is wrong and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from meldroom.tiles.tileset import Face, TileSet

_TOKEN = re.compile(r"\S+")
_TILE = re.compile(r"([A-Za-z])([0-9]{1,3})('{0,9})\Z")
_JOKER = re.compile(r"\*('{0,9})\Z")
LONGEST_TOKEN_SHOWN = 24


class TileTextError(ValueError):
    """Text that is not a tile of this set. `token` is the wrong word, `position` its place from 0."""

    def __init__(self, reason: str, token: str, position: int) -> None:
        shown = token if len(token) <= LONGEST_TOKEN_SHOWN else token[:LONGEST_TOKEN_SHOWN] + "…"
        super().__init__(f"{reason}: “{shown}” at character {position + 1}")
        self.reason = reason
        self.token = token
        self.position = position


def parse_marked(text: str, tiles: TileSet, position: int = 0) -> tuple[Face, int]:
    """One token as a face and a number of copy marks (`R7'` is R7 with one mark).

    Raises TileTextError for anything that is not a tile of the set.
    """
    if joker := _JOKER.match(text):
        marks = len(joker.group(1))
        if not tiles.jokers:
            raise TileTextError("this tile set has no jokers", text, position)
        if marks >= tiles.jokers:
            raise TileTextError(f"this tile set has only {tiles.jokers} jokers", text, position)
        return tiles.joker, marks
    match = _TILE.match(text)
    if match is None:
        raise TileTextError("not a tile (a colour letter and a number, or * for a joker)", text, position)
    colour = tiles.letters.get(match.group(1).upper())
    if colour is None:
        letters = ", ".join(tiles.letters)
        raise TileTextError(f"no such colour (this set has {letters})", text, position)
    number = int(match.group(2))
    if not 1 <= number <= tiles.numbers or match.group(2).startswith("0"):
        raise TileTextError(f"no such number (1 to {tiles.numbers})", text, position)
    marks = len(match.group(3))
    if marks >= tiles.copies:
        raise TileTextError(f"there are only {tiles.copies} copies of a tile", text, position)
    return tiles.face(colour, number), marks


def parse_tile(text: str, tiles: TileSet) -> Face:
    """One tile's face. Raises TileTextError."""
    return parse_marked(text.strip(), tiles, len(text) - len(text.lstrip()))[0]


def _tokens(text: str, offset: int) -> Iterator[tuple[str, int]]:
    for match in _TOKEN.finditer(text):
        yield match.group(), offset + match.start()


def parse_set(text: str, tiles: TileSet, offset: int = 0) -> tuple[Face, ...]:
    """Tiles separated by spaces, as faces. Raises TileTextError."""
    return tuple(parse_marked(token, tiles, position)[0] for token, position in _tokens(text, offset))


def parse_table(text: str, tiles: TileSet) -> tuple[tuple[Face, ...], ...]:
    """Sets separated by `|`, as faces; an empty text or `-` is an empty table. Raises TileTextError."""
    if not text.strip() or text.strip() == "-":
        return ()
    sets: list[tuple[Face, ...]] = []
    offset = 0
    for part in text.split("|"):
        faces = parse_set(part, tiles, offset)
        if not faces:
            raise TileTextError("an empty set", "|", max(offset - 1, 0))
        sets.append(faces)
        offset += len(part) + 1
    return tuple(sets)
