"""The words of an event line, each with its column, and names as they are written in one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

import msgspec

from meldroom.game.notation.errors import RecordError

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
    """The tokens of a line, and its comment (None if there is none). Raises RecordError."""
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
            raise RecordError("open_quote", column=place + 1)
        if found.lastgroup == "string":
            tokens.append(Token("string", unquote(found.group(), place + 1), place + 1))
        else:
            kind: Literal["mark", "word"] = "mark" if found.lastgroup == "mark" else "word"
            tokens.append(Token(kind, found.group(), place + 1))
        place = found.end()


def unquote(text: str, column: int = 1) -> str:
    """What a JSON string says. Raises RecordError."""
    try:
        return msgspec.json.decode(text.encode(), type=str)
    except (msgspec.DecodeError, UnicodeEncodeError):
        raise RecordError("bad_string", column=column, token=text) from None


def quote(text: str) -> str:
    """Text as a JSON string on one line."""
    return json.dumps(text, ensure_ascii=False)


def name_text(name: str) -> str:
    """A player's name as it stands in an event line: plain if nothing else could be meant by it."""
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

    def fail(self, code: str, **details: str | int) -> RecordError:
        """An error at the next token."""
        token = self.peek()
        return RecordError(code, details, column=self.column, token=token.text if token else "–")

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
        """Read these words or marks. Raises RecordError if something else stands there."""
        if not self.accept(*texts):
            raise self.fail("expected", expected=" ".join(texts))

    def one_of(self, *texts: Word) -> Word:
        """Read one of these words. Raises RecordError."""
        for text in texts:
            if self.accept(*text.split()):
                return text
        raise self.fail("expected", expected=", ".join(texts))

    def seat(self) -> int:
        """Read a player's name. Raises RecordError if nobody is called so."""
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
        return token.kind == "string" or name_text(token.text) == token.text

    def number(self) -> int:
        """Read a whole number. Raises RecordError."""
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
        """Raises RecordError if anything is left over."""
        if not self.at_end():
            raise self.fail("left_over")
