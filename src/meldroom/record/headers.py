"""The headers of a text record: known ones as values, all others kept as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from meldroom.game.apply import LONGEST_NAME
from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.parsing import (
    Cursor,
    known_book,
    parse_tiles,
    quote,
    resolve_tiles,
    split_line,
    unquote,
)
from meldroom.i18n import Value
from meldroom.record.event_checks import LARGEST_NUMBER, check_text
from meldroom.record.model import Headers
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import OptionValue
from meldroom.tiles import Tile

_WRITTEN = ("book", "options", "house", "game", "clock", "stand-ins", "commitment", "secret", "contributions")
KNOWN = (*_WRITTEN, "seat", "players", "version", "stand_ins", "tags")
"""Names that a free header cannot have: they mean something already, here or in the JSON form."""

MOST_TAGS = 200
MOST_CONTRIBUTIONS = 100

_HEADER = re.compile(r"([A-Za-z][A-Za-z0-9_ -]{0,39}?)\s*:\s*(.*?)\s*\Z", re.DOTALL)
_SEAT = re.compile(r"seat ([0-9]{1,2})\Z")
_TAG = re.compile(r"[A-Za-z][A-Za-z0-9_ -]{0,39}\Z")
_OPTION_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,59}\Z")
_NUMBER = re.compile(r"[0-9]{1,9}\Z")


class HeaderLine(msgspec.Struct, frozen=True):
    """One header as written. `column` is where its value begins."""

    name: str
    value: str
    line: int
    column: int

    def fail(self, code: str, **details: Value) -> NotationError:
        """An error at the value."""
        return NotationError(code, line=self.line, column=self.column, **details)


def split_header(text: str, line: int) -> HeaderLine:
    """A line `name: value`. Raises NotationError."""
    found = _HEADER.match(text)
    if found is None:
        raise NotationError("bad_header", line=line, column=1)
    name, value = found.group(1), found.group(2)
    name = name.lower() if name.lower() in KNOWN or _SEAT.match(name.lower()) else name
    column = found.start(2) + 1
    if value.startswith('"'):
        value = unquote_at(value, line, column)
    return HeaderLine(name, value, line, column)


def unquote_at(value: str, line: int, column: int) -> str:
    """What a quoted value says. Raises NotationError."""
    try:
        return unquote(value, column)
    except NotationError as error:
        raise error.at(line=line) from None


def parse_headers(lines: Iterable[HeaderLine], end: int) -> tuple[Headers, RuleBook]:
    """The headers of a record and its rule book; `end` is the line after them. Raises NotationError."""
    by_name: dict[str, HeaderLine] = {}
    for line in lines:
        if line.name in by_name:
            raise NotationError("header_twice", line=line.line, column=1, name=line.name)
        if line.name in KNOWN and line.name not in _WRITTEN:
            raise NotationError("reserved_header", line=line.line, column=1, name=line.name)
        by_name[line.name] = line
    ref = _parse_ref(by_name, end)
    book = _parse_book(ref, by_name)
    headers = Headers(
        book=ref,
        players=_parse_players(by_name, end),
        game=_number(by_name, "game", 1),
        clock=_number(by_name, "clock", -1) if "clock" in by_name else None,
        stand_ins=_parse_stand_ins(by_name, book),
        commitment=by_name["commitment"].value if "commitment" in by_name else "",
        secret=by_name["secret"].value if "secret" in by_name else None,
        contributions=_parse_contributions(by_name),
        tags={n: h.value for n, h in by_name.items() if n not in KNOWN and not _SEAT.match(n)},
    )
    _check(headers, book, by_name, end)
    return headers, book


def _parse_ref(by_name: Mapping[str, HeaderLine], end: int) -> BookRef:
    header = by_name.get("book")
    if header is None:
        raise NotationError("no_book", line=end)
    words = header.value.split()
    if len(words) != 2:
        raise header.fail("bad_book", token=header.value)
    house = None
    if "house" in by_name:
        house = _json(by_name["house"])
        if not isinstance(house, dict):
            raise by_name["house"].fail("bad_house")
    return BookRef(words[0], words[1], _parse_options(by_name.get("options")), house)


def _parse_book(ref: BookRef, by_name: Mapping[str, HeaderLine]) -> RuleBook:
    try:
        return known_book(ref)
    except NotationError as error:
        place = by_name["house" if ref.house is not None else "book"]
        raise error.at(line=place.line, column=place.column) from None


def _json(header: HeaderLine) -> Any:
    try:
        return msgspec.json.decode(header.value.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        raise header.fail("bad_json", **NotationError.of(error).details) from None


def _parse_options(header: HeaderLine | None) -> dict[str, OptionValue]:
    """`name=value` words; true, false and whole numbers are what they look like."""
    options: dict[str, OptionValue] = {}
    for word in header.value.split() if header is not None else ():
        name, equals, value = word.partition("=")
        if header is not None and (not equals or not _OPTION_NAME.match(name) or name in options):
            raise header.fail("bad_option", token=word)
        if value in ("true", "false"):
            options[name] = value == "true"
        else:
            options[name] = int(value) if _NUMBER.match(value) else value
    return options


def _parse_players(by_name: Mapping[str, HeaderLine], end: int) -> tuple[str, ...]:
    seats = {int(found.group(1)): name for name in by_name if (found := _SEAT.match(name))}
    if not seats or sorted(seats) != list(range(1, len(seats) + 1)):
        line = by_name[seats[max(seats)]].line if seats else end
        raise NotationError("bad_seats", line=line)
    return tuple(by_name[seats[seat]].value for seat in sorted(seats))


def _number(by_name: Mapping[str, HeaderLine], name: str, default: int) -> int:
    header = by_name.get(name)
    if header is None:
        return default
    if not _NUMBER.match(header.value):
        raise header.fail("expected_number", token=header.value)
    return int(header.value)


def _parse_contributions(by_name: Mapping[str, HeaderLine]) -> tuple[str, ...]:
    header = by_name.get("contributions")
    if header is None:
        return ()
    found = _json(header)
    if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
        raise header.fail("bad_contributions")
    return tuple(found)


def _parse_stand_ins(by_name: Mapping[str, HeaderLine], book: RuleBook) -> tuple[Tile, ...]:
    header = by_name.get("stand-ins")
    if header is None:
        return ()
    try:
        cursor = Cursor(split_line(header.value)[0], (), len(header.value))
        words = parse_tiles(cursor, book.tiles)
        cursor.done()
        return resolve_tiles(words, book.tiles.every_tile, book.tiles)
    except NotationError as error:
        column = header.column + max(0, error.column - 1)
        raise error.moved(line=header.line, column=column) from None


def _check(headers: Headers, book: RuleBook, by_name: Mapping[str, HeaderLine], end: int) -> None:
    try:
        check_headers(headers, book)
    except NotationError as error:
        found = by_name.get(error.where)
        line = found.line if found is not None else end
        raise error.moved(line=line) from None


def check_headers(headers: Headers, book: RuleBook) -> None:
    """Raises NotationError, with the header's name as its place, for headers no game can have."""
    count = len(headers.players)
    if not book.players.minimum <= count <= book.players.maximum:
        least, most = book.players.minimum, book.players.maximum
        raise NotationError("bad_players", f"seat {count}", count=count, minimum=least, maximum=most)
    for seat, name in enumerate(headers.players):
        if not name.strip() or len(name) > LONGEST_NAME or name in headers.players[:seat]:
            raise NotationError("bad_name", f"seat {seat + 1}", longest=LONGEST_NAME)
    if not 1 <= headers.game <= LARGEST_NUMBER:
        raise NotationError("bad_number", "game", number=headers.game)
    if headers.clock is not None and not 0 <= headers.clock <= LARGEST_NUMBER:
        raise NotationError("bad_number", "clock", number=headers.clock)
    _check_stand_ins(headers, book)
    if headers.contributions and headers.secret is None:
        raise NotationError("no_secret", "contributions")
    if len(headers.contributions) > MOST_CONTRIBUTIONS or len(headers.tags) > MOST_TAGS:
        raise NotationError("too_many_headers", "contributions")
    for name in headers.tags:
        if not _TAG.match(name) or name.strip() != name or name.lower() in KNOWN or _SEAT.match(name.lower()):
            raise NotationError("bad_tag", name, name=name)
    texts = (headers.commitment, headers.secret or "", *headers.contributions, *headers.tags.values())
    for text in (*headers.players, *texts):
        check_text(text)


def _check_stand_ins(headers: Headers, book: RuleBook) -> None:
    lost = headers.stand_ins
    if any(not 0 <= tile < book.tiles.size for tile in lost) or len(set(lost)) < len(lost):
        raise NotationError("bad_stand_ins", "stand-ins", blanks=book.tiles.blanks)
    if len(lost) > book.tiles.blanks:
        raise NotationError("bad_stand_ins", "stand-ins", blanks=book.tiles.blanks)


def format_headers(headers: Headers, book: RuleBook) -> Iterator[tuple[str, str]]:
    """Every header as its name and its line."""
    yield "book", f"book: {headers.book.id} {headers.book.version}"
    if headers.book.options:
        pairs = (f"{name}={_option_text(value)}" for name, value in headers.book.options.items())
        yield "options", "options: " + " ".join(pairs)
    if headers.book.house is not None:
        yield "house", "house: " + json.dumps(headers.book.house, ensure_ascii=False)
    for name, value in headers.tags.items():
        yield name, f"{name}: {_plain(value)}"
    for seat, player in enumerate(headers.players, start=1):
        yield f"seat {seat}", f"seat {seat}: {_plain(player)}"
    yield "game", f"game: {headers.game}"
    if headers.clock is not None:
        yield "clock", f"clock: {headers.clock}"
    if headers.stand_ins:
        yield "stand-ins", f"stand-ins: {book.tiles.names(headers.stand_ins)}"
    if headers.commitment:
        yield "commitment", f"commitment: {_plain(headers.commitment)}"
    if headers.secret is not None:
        yield "secret", f"secret: {_plain(headers.secret)}"
    if headers.contributions:
        yield "contributions", "contributions: " + json.dumps(list(headers.contributions), ensure_ascii=False)


def _option_text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _plain(value: str) -> str:
    """A value as it stands on its line, quoted where it would not be read back the same."""
    simple = value and value.strip() == value and not value.startswith('"') and value.isprintable()
    return value if simple else quote(value)
