"""HTTP routes of the referee's tools, for any table."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, Router, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import JSONBody

from meldroom.api import referee
from meldroom.api.errors import GameError
from meldroom.api.referee.schemas import (
    BookForTable,
    BookQuestion,
    ChargeAnswer,
    ChargeQuestion,
    CountedSheet,
    CountQuestion,
    LeftoversAnswer,
    LeftoversQuestion,
    PositionAnswer,
    PositionQuestion,
)
from meldroom.i18n import Language
from meldroom.rooms.errors import WorkerError
from meldroom.rules.requests import NO_BOOKS
from meldroom.server.routes.dependencies import Whole
from meldroom.server.web.language import DEPENDENCIES, Spoken

JSON = "application/json"


def _shape(kind: Any) -> dict[int, ResponseSpec]:
    """What a route answers with, for the OpenAPI document."""
    return {200: ResponseSpec(data_container=kind, media_type=JSON, generate_examples=False)}


async def _here(
    tool: referee.Tool, asked: BookQuestion, language: Language, container: Whole
) -> Response[bytes]:
    """What takes milliseconds is answered in a thread."""
    question = msgspec.json.encode(asked)
    body = await container.computing(referee.TOOLS[tool], question, language, NO_BOOKS)
    return Response(body, media_type=JSON)


async def _in_a_worker(
    tool: referee.Tool, asked: BookQuestion, language: Language, container: Whole
) -> Response[bytes]:
    """What searches for openings is answered by a worker. Raises GameError."""
    question = referee.ToolQuestion(tool, msgspec.json.encode(asked), language)
    try:
        answered = await container.tasks(referee.ANSWER, msgspec.json.encode(question))
    except WorkerError:
        raise GameError(503, "busy") from None
    answer = msgspec.json.decode(answered, type=referee.ToolAnswer)
    return Response(answer.body, media_type=JSON, status_code=answer.status)


@post("/referee/book", status_code=200, responses=_shape(BookForTable))
async def book(data: JSONBody[BookQuestion], language: Spoken, container: Whole) -> Response[bytes]:
    """A rule book with options, in the numbers that a page needs to enter tiles and to count."""
    return await _here("book", data, language, container)


@post("/referee/position", status_code=200, responses=_shape(PositionAnswer))
async def position(data: JSONBody[PositionQuestion], language: Spoken, container: Whole) -> Response[bytes]:
    """Is this table legal, or the turn that led to it? Every fault with its clause and ruling."""
    return await _here("position", data, language, container)


@post("/referee/count", status_code=200, responses=_shape(CountedSheet))
async def count(data: JSONBody[CountQuestion], language: Spoken, container: Whole) -> Response[bytes]:
    """The racks at the end of a game as scores, with the reason for every number."""
    return await _in_a_worker("count", data, language, container)


@post("/referee/charge", status_code=200, responses=_shape(ChargeAnswer))
async def charge(data: JSONBody[ChargeQuestion], language: Spoken, container: Whole) -> Response[bytes]:
    """What a player who never opened is charged, with the opening that they had."""
    return await _in_a_worker("charge", data, language, container)


@post("/referee/leftovers", status_code=200, responses=_shape(LeftoversAnswer))
async def leftovers(data: JSONBody[LeftoversQuestion], language: Spoken, container: Whole) -> Response[bytes]:
    """Where tiles go whose place nobody can name, and what the player draws."""
    return await _here("leftovers", data, language, container)


router = Router(
    path="/",
    route_handlers=[book, position, count, charge, leftovers],
    dependencies=DEPENDENCIES,
    tags=["referee"],
)
