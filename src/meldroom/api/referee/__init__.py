"""The referee's tools for any table: a position, a count, a charge, leftovers; questions and answers in JSON.

`books` are house books that a question may name by their ids. What is refused is raised: DecodeError,
RequestError (the book) or RefereeError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeVar

import msgspec

from meldroom.api.problems import failure_of
from meldroom.api.referee.rulings import (
    book_for_table,
    rule_on_charge,
    rule_on_count,
    rule_on_leftovers,
    rule_on_position,
)
from meldroom.api.referee.schemas import (
    BookQuestion,
    ChargeQuestion,
    CountQuestion,
    LeftoversQuestion,
    PositionQuestion,
)
from meldroom.decode import decode_json
from meldroom.errors import MeldroomError
from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.requests import NO_BOOKS, Books, read_book

Tool = Literal["book", "position", "count", "charge", "leftovers"]
ANSWER = f"{__name__}:answer"

_Asked = TypeVar("_Asked", bound=BookQuestion)


def position(data: bytes, language: Language, books: Books = NO_BOOKS) -> bytes:
    """A PositionQuestion answered with a PositionAnswer."""
    return _answered(data, PositionQuestion, rule_on_position, language, books)


def count(data: bytes, language: Language, books: Books = NO_BOOKS) -> bytes:
    """A CountQuestion answered with a CountedSheet."""
    return _answered(data, CountQuestion, rule_on_count, language, books)


def charge(data: bytes, language: Language, books: Books = NO_BOOKS) -> bytes:
    """A ChargeQuestion answered with a ChargeAnswer."""
    return _answered(data, ChargeQuestion, rule_on_charge, language, books)


def leftovers(data: bytes, language: Language, books: Books = NO_BOOKS) -> bytes:
    """A LeftoversQuestion answered with a LeftoversAnswer."""
    return _answered(data, LeftoversQuestion, rule_on_leftovers, language, books)


def book(data: bytes, language: Language, books: Books = NO_BOOKS) -> bytes:
    """A BookQuestion answered with a BookForTable."""
    return _answered(data, BookQuestion, lambda rules, _, __: book_for_table(rules), language, books)


TOOLS: dict[Tool, Callable[[bytes, Language, Books], bytes]] = {
    "book": book,
    "position": position,
    "count": count,
    "charge": charge,
    "leftovers": leftovers,
}
"""Every tool by the name it has in `POST /referee/NAME`."""


def _answered(
    data: bytes,
    kind: type[_Asked],
    rule: Callable[[RuleBook, _Asked, Language], object],
    language: Language,
    books: Books,
) -> bytes:
    asked = decode_json(data, kind)
    return msgspec.json.encode(rule(read_book(asked.rulebook, asked.options, books), asked, language))


class ToolQuestion(msgspec.Struct, frozen=True):
    """A question to one of the tools, on its way to a worker."""

    tool: Tool
    body: bytes
    language: Language


class ToolAnswer(msgspec.Struct, frozen=True):
    """The answer or the refusal: an exception does not survive the way back from another process."""

    body: bytes
    status: int = 200


def answer(payload: bytes) -> bytes:
    """A ToolQuestion answered with a ToolAnswer."""
    asked = msgspec.json.decode(payload, type=ToolQuestion)
    try:
        answered = ToolAnswer(TOOLS[asked.tool](asked.body, asked.language, NO_BOOKS))
    except MeldroomError as error:
        failure = failure_of(error, asked.language)
        answered = ToolAnswer(msgspec.json.encode(failure.problem), failure.status)
    return msgspec.json.encode(answered)
