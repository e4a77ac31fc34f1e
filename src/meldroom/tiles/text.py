"""Tiles, sets and tables as text. Every error says which token is wrong and where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from meldroom.errors import MeldroomError, quote
from meldroom.i18n import Language, Value, message
from meldroom.tiles.tileset import Face, TileSet

_TOKEN = re.compile(r"\S+")
_TILE = re.compile(r"([A-Za-z])([0-9]{1,3})('{0,9})\Z")
_JOKER = re.compile(r"\*('{0,9})\Z")
LONGEST_TOKEN_SHOWN = 24


class TileTextError(MeldroomError, ValueError):
    """Text that is not a tile of this set. `token` is the wrong word, `position` its place from 0."""

    domain = "tiles.error"

    def __init__(self, code: str, token: str, position: int = 0, /, **details: Value) -> None:
        super().__init__(code, **details)
        self.token = token
        self.position = position

    def message(self, language: Language = "en") -> str:
        """What is wrong with which word, and where it is."""
        reason, place = self.reason(language), str(self.position + 1)
        if not self.token:
            return reason
        shown = quote(self.token, LONGEST_TOKEN_SHOWN)
        return message("tiles.error.at", language, reason=reason, token=shown, character=place)


def parse_marked(text: str, tiles: TileSet, position: int = 0) -> tuple[Face, int]:
    """One token as a face and a number of copy marks (`R7'` is R7 with one mark).

    Raises TileTextError for anything that is not a tile of the set.
    """
    if joker := _JOKER.match(text):
        marks = len(joker.group(1))
        if not tiles.jokers:
            raise TileTextError("no_jokers", text, position)
        if marks >= tiles.jokers:
            raise TileTextError("few_jokers", text, position, count=tiles.jokers)
        return tiles.joker, marks
    match = _TILE.match(text)
    if match is None:
        raise TileTextError("not_a_tile", text, position)
    colour = tiles.letters.get(match.group(1).upper())
    if colour is None:
        raise TileTextError("no_colour", text, position, letters=", ".join(tiles.letters))
    number = int(match.group(2))
    if not 1 <= number <= tiles.numbers or match.group(2).startswith("0"):
        raise TileTextError("no_number", text, position, numbers=tiles.numbers)
    marks = len(match.group(3))
    if marks >= tiles.copies:
        raise TileTextError("few_copies", text, position, count=tiles.copies)
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
            raise TileTextError("empty_set", "|", max(offset - 1, 0))
        sets.append(faces)
        offset += len(part) + 1
    return tuple(sets)
