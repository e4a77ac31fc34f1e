"""The JSON form of a record, version 1: the same headers, events and comments as one object."""

from __future__ import annotations

from typing import Any

import msgspec

from meldroom.game import events as ev
from meldroom.game.notation.errors import NotationError
from meldroom.game.notation.parsing import known_book
from meldroom.record.event_checks import check_text
from meldroom.record.fill_unknown import Follower
from meldroom.record.headers import check_headers, format_headers
from meldroom.record.model import END_OF_HEADERS, VERSION, Comment, Headers, Record
from meldroom.record.text_format import MAGIC, one_line
from meldroom.rules.book import BookRef
from meldroom.rules.library import OptionValue
from meldroom.tiles import Tile

MOST_EVENTS = 50_000


class _KnownHeaders(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The headers that mean something to a program; any other is free and holds text."""

    book: str
    version: str
    players: tuple[str, ...]
    options: dict[str, OptionValue] = {}
    house: dict[str, Any] | None = None
    game: int = 1
    clock: int | None = None
    stand_ins: tuple[Tile, ...] = ()
    commitment: str = ""
    secret: str | None = None
    contributions: tuple[str, ...] = ()


_KNOWN = {field.name for field in msgspec.structs.fields(_KnownHeaders)}


class _Document(msgspec.Struct, frozen=True, rename={"version": MAGIC}):
    """The whole object; unknown fields are ignored."""

    version: int
    headers: dict[str, Any]
    events: tuple[ev.Event, ...] = ()
    comments: tuple[Comment, ...] = ()


def write(record: Record) -> bytes:
    """The record as JSON, one event a line."""
    known = msgspec.to_builtins(_known(record.headers))
    encode = msgspec.json.encode
    parts = [
        f'{{"{MAGIC}":{VERSION},\n"headers":'.encode() + encode({**known, **record.headers.tags}),
        _listed(b"events", record.events),
        _listed(b"comments", record.comments),
    ]
    return b",\n".join(parts) + b"}\n"


def _listed(name: bytes, items: tuple[ev.Event, ...] | tuple[Comment, ...]) -> bytes:
    lines = b",\n".join(msgspec.json.encode(item) for item in items)
    return b'"' + name + b'":[' + (b"\n" + lines + b"\n" if lines else b"") + b"]"


def _known(headers: Headers) -> _KnownHeaders:
    return _KnownHeaders(
        book=headers.book.id,
        version=headers.book.version,
        options=headers.book.options,
        house=headers.book.house,
        players=headers.players,
        game=headers.game,
        clock=headers.clock,
        stand_ins=headers.stand_ins,
        commitment=headers.commitment,
        secret=headers.secret,
        contributions=headers.contributions,
    )


def parse(data: Any) -> Record:
    """The record that a decoded JSON object of version 1 holds. Raises NotationError naming the place."""
    document = _convert(data, _Document, "")
    if len(document.events) > MOST_EVENTS:
        raise NotationError("too_many_lines", "events", most=MOST_EVENTS)
    known = {key: value for key, value in document.headers.items() if key in _KNOWN}
    tags = {key: value for key, value in document.headers.items() if key not in _KNOWN}
    headers = _headers(_convert(known, _KnownHeaders, "headers"), _convert(tags, dict[str, str], "headers"))
    record = Record(headers, document.events, document.comments)
    names = _check(record)
    return msgspec.structs.replace(record, comments=_in_order(document.comments, names))


def _in_order(comments: tuple[Comment, ...], names: list[str]) -> tuple[Comment, ...]:
    """Comments as the text form would hold them: by place, each on one line."""

    def place(comment: Comment) -> tuple[int, int, bool]:
        return names.index(comment.header) if comment.header else len(names), comment.event, comment.beside

    tidy = (msgspec.structs.replace(comment, text=one_line(comment.text)) for comment in comments)
    return tuple(sorted(tidy, key=place))


def _convert(data: Any, kind: Any, place: str) -> Any:
    try:
        return msgspec.convert(data, kind, str_keys=True)
    except msgspec.ValidationError as error:
        raise NotationError.of(error, place) from None


def _headers(known: _KnownHeaders, tags: dict[str, str]) -> Headers:
    return Headers(
        book=BookRef(known.book, known.version, known.options, known.house),
        players=known.players,
        game=known.game,
        clock=known.clock,
        stand_ins=known.stand_ins,
        commitment=known.commitment,
        secret=known.secret,
        contributions=known.contributions,
        tags=tags,
    )


def _check(record: Record) -> list[str]:
    """Everything the text form cannot even express is refused here too; gives the names of the headers."""
    try:
        book = known_book(record.headers.book)
        check_headers(record.headers, book)
    except NotationError as error:
        where = f"headers.{error.where}" if error.where else "headers"
        raise error.moved(where) from None
    follower = Follower(record.headers.created)
    for index, event in enumerate(record.events):
        try:
            follower.add(event)
        except NotationError as error:
            raise error.at(f"events[{index}]") from None
    names = [*(name for name, _ in format_headers(record.headers, book)), END_OF_HEADERS]
    for index, comment in enumerate(record.comments):
        try:
            check_text(comment.text)
        except NotationError as error:
            raise error.at(f"comments[{index}]") from None
        last = len(record.events) - comment.beside
        if comment.header not in names if comment.header else not 0 <= comment.event <= last:
            raise NotationError("bad_comment", f"comments[{index}]", count=len(record.events))
    return names
