"""A line of a position or a record as tokens, and the names and tiles they stand for.

`R7'` is the second R7 of the box and `R7!` the first. `R7` is the lowest one that can lie in the place in
question, so that people need not mark anything and programs can always be exact.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, NamedTuple, TypeVar

import msgspec

from meldroom.game.notation.errors import NotationError
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import BookError, book, resolve
from meldroom.rules.sets import Reading
from meldroom.tiles import HIDDEN, Face, Tile, TileSet, TileTextError, parse_marked

_TOKEN = re.compile(
    r"""(?P<string>"(?:[^"\\]|\\.)*") | (?P<mark>->(?!\S)|[|/,:()=]) | (?P<word>[^\s"|/,:()=;]+)""",
    re.VERBOSE,
)
_PLAIN_NAME = re.compile(r"[^\W\d_][\w.'’\-]*\Z")
_LOOKS_LIKE_A_TILE = re.compile(r"[A-Za-z][0-9]+'*\Z")
_NUMBER = re.compile(r"-?[0-9]{1,9}\Z")

RESERVED = frozenset(
    (
        *("starter", "deal", "racks", "turn", "pool", "reshuffle", "end", "referee", "winner", "nobody"),
        *("ok", "on", "open", "foot", "hand", "discard"),
    )
)
"""Words of the notation: a player who is called so is written in quotes."""

Word = TypeVar("Word", bound=str)


class Token(NamedTuple):
    """One word, mark or quoted string; `text` is what it says, `column` where it begins (from 1)."""

    kind: Literal["word", "mark", "string"]
    text: str
    column: int


def split_line(line: str) -> tuple[list[Token], str | None]:
    """The tokens of a line, and its comment (None if there is none). Raises NotationError."""
    tokens: list[Token] = []
    place = 0
    while True:
        while place < len(line) and line[place].isspace():
            place += 1
        if place == len(line):
            return tokens, None
        if line[place] == ";":
            return tokens, line[place + 1 :].strip()
        found = _TOKEN.match(line, place)
        if found is None:
            raise NotationError("open_quote", column=place + 1)
        if found.lastgroup == "string":
            tokens.append(Token("string", unquote(found.group(), place + 1), place + 1))
        else:
            kind: Literal["mark", "word"] = "mark" if found.lastgroup == "mark" else "word"
            tokens.append(Token(kind, found.group(), place + 1))
        place = found.end()


def unquote(text: str, column: int = 1) -> str:
    """What a JSON string says. Raises NotationError."""
    try:
        return msgspec.json.decode(text.encode(), type=str)
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise NotationError("bad_string", column=column, token=text) from None


def quote(text: str) -> str:
    """Text as a JSON string on one line."""
    return json.dumps(text, ensure_ascii=False)


def format_name(name: str) -> str:
    """A player's name as it stands in an event line: plain if nothing else could be resolve_tiles by it."""
    plain = _PLAIN_NAME.match(name) and not _LOOKS_LIKE_A_TILE.match(name)
    return name if plain and name.lower() not in RESERVED and name.isprintable() else quote(name)


class Cursor:
    """The tokens of a line, read from left to right. Whatever is missing is an error with its column."""

    def __init__(self, tokens: Sequence[Token], players: Sequence[str], length: int) -> None:
        self.tokens = tokens
        self.players = players
        self.place = 0
        self.length = length

    @property
    def column(self) -> int:
        """Where the next token begins, or where it would."""
        return self.tokens[self.place].column if self.place < len(self.tokens) else self.length + 1

    def peek(self) -> Token | None:
        """The next token, or None at the end."""
        return self.tokens[self.place] if self.place < len(self.tokens) else None

    def at_end(self) -> bool:
        """True when everything has been read."""
        return self.place >= len(self.tokens)

    def fail(self, code: str, **details: str | int) -> NotationError:
        """An error at the next token."""
        token = self.peek()
        shown = token.text if token else "–"
        return NotationError(code, line=0, column=self.column, token=shown, **details)

    def next(self, expected: str) -> Token:
        """The next token, whatever it is."""
        token = self.peek()
        if token is None:
            raise self.fail("line_ends", expected=expected)
        self.place += 1
        return token

    def sees(self, *texts: str) -> bool:
        """True if the next tokens, none of them quoted, are these words or marks."""
        ahead = self.tokens[self.place : self.place + len(texts)]
        return [t.text.lower() for t in ahead if t.kind != "string"] == list(texts)

    def accept(self, *texts: str) -> bool:
        """Read these words or marks if they come next."""
        if not self.sees(*texts):
            return False
        self.place += len(texts)
        return True

    def expect(self, *texts: str) -> None:
        """Read these words or marks. Raises NotationError if something else stands there."""
        if not self.accept(*texts):
            raise self.fail("expected", expected=" ".join(texts))

    def one_of(self, *texts: Word) -> Word:
        """Read one of these words. Raises NotationError."""
        for text in texts:
            if self.accept(*text.split()):
                return text
        raise self.fail("expected", expected=", ".join(texts))

    def seat(self) -> int:
        """Read a player's name. Raises NotationError if nobody is called so."""
        token = self.peek()
        if token is None or token.kind == "mark" or token.text not in self.players:
            raise self.fail("unknown_player", players=", ".join(self.players))
        self.place += 1
        return self.players.index(token.text)

    def sees_name(self, ahead: int = 0) -> bool:
        """True if a player's name comes next, quoted wherever it could be something else."""
        token = self.tokens[self.place + ahead] if self.place + ahead < len(self.tokens) else None
        if token is None or token.kind == "mark" or token.text not in self.players:
            return False
        return token.kind == "string" or format_name(token.text) == token.text

    def number(self) -> int:
        """Read a whole number. Raises NotationError."""
        token = self.peek()
        if token is None or token.kind != "word" or not _NUMBER.match(token.text):
            raise self.fail("expected_number")
        self.place += 1
        return int(token.text)

    def sees_number(self) -> bool:
        """True if a whole number comes next."""
        token = self.peek()
        return token is not None and token.kind == "word" and bool(_NUMBER.match(token.text))

    def string(self) -> str | None:
        """Read a quoted text if one comes next."""
        token = self.peek()
        if token is None or token.kind != "string":
            return None
        self.place += 1
        return token.text

    def done(self) -> None:
        """Raises NotationError if anything is left over."""
        if not self.at_end():
            raise self.fail("left_over")


_UNKNOWN = re.compile(r"\?(?:x([0-9]{1,5}))?\Z")
NOTHING = "-"
UNKNOWN_FACE = Face(HIDDEN)


class TileToken(NamedTuple):
    """One tile as written: its face (UNKNOWN_FACE for `?`), which copy (None if any), and its column."""

    face: Face
    copy: int | None
    column: int


def format_tile(tiles: TileSet, tile: Tile, exact: bool = False) -> str:
    """A physical tile, or `?`; `exact` marks the first copy as well."""
    if tile < 0:
        return "?"
    return tiles.name(tile) + ("!" if exact and not tiles.copy_of(tile) else "")


def format_tiles(tiles: TileSet, some: Sequence[Tile], exact: bool = False) -> str:
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
            parts.append(format_tile(tiles, some[place], exact))
        place = end
    return " ".join(parts) or NOTHING


def parse_tile_token(token: Token, tiles: TileSet) -> TileToken:
    """A token as one known tile. Raises NotationError."""
    first = token.text.endswith("!")
    try:
        face, marks = parse_marked(token.text.removesuffix("!"), tiles)
        if not (first and marks):
            return TileToken(face, 0 if first else marks or None, token.column)
    except TileTextError:
        pass
    letters = ", ".join(tiles.letters)
    try:
        face, _ = parse_marked(token.text.rstrip("'"), tiles)
    except TileTextError:
        raise NotationError(
            "unknown_tile", column=token.column, token=token.text, letters=letters, numbers=tiles.numbers
        ) from None
    name, copies = tiles.face_names[face], tiles.limits[face]
    raise NotationError("third_copy", column=token.column, tile=name, count=copies)


def parse_tiles(cursor: Cursor, tiles: TileSet, *, hidden: bool = False) -> list[TileToken]:
    """Tiles up to the next mark or the end of the line. Raises NotationError."""
    if cursor.accept(NOTHING):
        return []
    found: list[TileToken] = []
    while (token := cursor.peek()) is not None and token.kind == "word":
        cursor.place += 1
        unknown = _UNKNOWN.match(token.text)
        if unknown is None:
            found.append(parse_tile_token(token, tiles))
            continue
        if not hidden:
            raise NotationError("not_hidden", column=token.column)
        count = int(unknown.group(1) or 1)
        if not 0 < count <= tiles.size:
            raise NotationError("too_many_unknown", column=token.column, count=count, size=tiles.size)
        found.extend([TileToken(UNKNOWN_FACE, None, token.column)] * count)
    return found


def resolve_tiles(tokens: Sequence[TileToken], place: Collection[Tile], tiles: TileSet) -> tuple[Tile, ...]:
    """The physical tiles that some tokens mean, given what may lie in the place in question.

    Marked tokens come first; then each plain one is the lowest copy left in the place, or in the box if the
    place holds none. Raises NotationError if there are not enough copies.
    """
    used: set[Tile] = set()
    found = [HIDDEN] * len(tokens)
    for index, token in enumerate(tokens):
        if token.face != UNKNOWN_FACE and token.copy is not None:
            found[index] = tiles.tile(token.face, token.copy)
            if found[index] in used:
                raise NotationError("tile_twice", column=token.column, tile=tiles.name(found[index]))
            used.add(found[index])
    for index, token in enumerate(tokens):
        if token.face != UNKNOWN_FACE and token.copy is None:
            found[index] = _lowest(token, place, used, tiles)
            used.add(found[index])
    return tuple(found)


def _lowest(token: TileToken, place: Collection[Tile], used: set[Tile], tiles: TileSet) -> Tile:
    copies = [tile for tile in tiles.tiles_of(token.face) if tile not in used]
    if not copies:
        name, limit = tiles.face_names[token.face], tiles.limits[token.face]
        raise NotationError("third_copy", column=token.column, tile=name, count=limit)
    return next((tile for tile in copies if tile in place), copies[0])


NO_READING = Reading("group", 0, 0, -1)
"""Stands for the reading of tiles that are no meld: they can be written down, but not pass for one."""


def readings(rules: RuleBook, tiles: Iterable[Tile]) -> tuple[Reading, ...]:
    """How a meld may be read as it lies, the usual way first."""
    return rules.reader.written(rules.tiles.faces_of(tiles)) or (NO_READING,)


def known_book(ref: BookRef) -> RuleBook:
    """The rule book that is resolve_tiles, as it is today if there is no version. Raises NotationError."""
    try:
        return resolve(ref) if ref.version else book(ref.id, ref.options)
    except BookError as error:
        raise NotationError("book", reason=error.as_message()) from None
