"""HTTP routes of finished games, of positions, and of turns to be checked."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter, SkipValidation

from meldroom.i18n import Language
from meldroom.record import NotationError
from meldroom.rooms.ports import FinishedGame, Store
from meldroom.rules.requests import CheckRequest
from meldroom.server.games import tasks
from meldroom.server.games.cache import AnswerCache
from meldroom.server.games.check import checked
from meldroom.server.games.errors import GameError
from meldroom.server.games.pictures import picture
from meldroom.server.games.positions import position_page, read_position
from meldroom.server.games.schemas import (
    LONGEST_TEXT,
    Analysis,
    AskBest,
    BestPlay,
    CheckAnswer,
    GameCard,
    GamePage,
    PositionPage,
    TurnAnalysis,
    Verification,
)
from meldroom.server.web.errors import Problem, Trouble
from meldroom.server.web.language import DEPENDENCIES, Spoken
from meldroom.server.workers import WorkerError, WorkerPool

LARGEST_CHECK = 65_536
TURNS_AT_ONCE = 5
_STEP_FILE = re.compile(r"([0-9]{1,5})\.(svg|txt)")
_JSON = "application/json"
_SVG = "image/svg+xml"
# A picture is opened by itself too: it may draw, and nothing else.
_PICTURE_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    "Cache-Control": "private, max-age=3600",
}

Games = NamedDependency[SkipValidation[Store]]
Workers = NamedDependency[SkipValidation[WorkerPool]]
Visitor = NamedDependency[SkipValidation[Any]]
GameId = FromPath[str]
Switch = FromQuery[bool]
Seat = Annotated[int, QueryParameter(ge=0, le=3)]
Text = Annotated[str, QueryParameter(min_length=1, max_length=LONGEST_TEXT)]
BookId = Annotated[str, QueryParameter(max_length=40)]
Asked = Request[Any, Any, Any]


def _shape(kind: Any, media_type: str = _JSON) -> dict[int, ResponseSpec]:
    """What a route answers with, for the OpenAPI document: the bytes themselves come from a worker."""
    return {200: ResponseSpec(data_container=kind, media_type=media_type, generate_examples=False)}


def _cache(request: Asked) -> AnswerCache:
    """The cache of this server."""
    cache = getattr(request.app.state, "answer_cache", None)
    if cache is None:
        cache = request.app.state.answer_cache = AnswerCache()
    assert isinstance(cache, AnswerCache)
    return cache


async def _finished(store: Store, game: GameId) -> FinishedGame:
    found = await store.finished(game)
    if found is None:
        raise GameError(404, "no_such_game", "id")
    return found


@contextmanager
def _read() -> Iterator[None]:
    """A record that was kept and cannot be read is a fault of the server. Raises GameError."""
    try:
        yield
    except NotationError as error:
        raise GameError(500, "unreadable_record", reason=error.as_message()) from None


def _seat(found: FinishedGame, seat: int) -> int:
    """A seat of this game. Raises GameError."""
    if seat >= len(found.players):
        raise GameError(400, "no_such_seat", "seat", seat=seat, last=len(found.players) - 1)
    return seat


def _card(found: FinishedGame) -> GameCard:
    return GameCard(
        found.id,
        found.room,
        found.game,
        found.book,
        found.players,
        found.scores,
        found.winners,
        found.ended_at,
    )


def _my_seat(found: FinishedGame, me: Any) -> int | None:
    """Where the visitor sat; None for anybody else. `people` has an id for each seat, a bot's is empty."""
    mine = getattr(me, "id", None)
    if not mine or mine not in found.people or len(found.people) != len(found.players):
        return None
    return found.people.index(mine)


@get("/games/{game:str}", responses=_shape(GamePage))
async def game_page(
    request: Asked, game: GameId, store: Games, me: Visitor, language: Spoken
) -> Response[bytes]:
    """A finished game with all its steps, told in the language asked for."""
    found = await _finished(store, game)
    with _read():
        steps = await _cache(request).answer(
            ("steps", game, language), lambda: asyncio.to_thread(tasks.encoded_steps, found.record, language)
        )
    page = {"card": _card(found), "my_seat": _my_seat(found, me), "steps": msgspec.Raw(steps)}
    return Response(msgspec.json.encode(page), media_type=_JSON)


@get("/games/{game:str}/record", responses=_shape(str, "text/plain"), opt={"also": ("application/json",)})
async def game_record(
    game: GameId, store: Games, language: Spoken, form: FromQuery[Literal["text", "json"]] = "text"
) -> Response[bytes]:
    """The record of a finished game, as a file to keep."""
    found = await _finished(store, game)
    day = datetime.fromtimestamp(found.ended_at / 1000, UTC).date().isoformat()
    name = re.sub(r"[^A-Za-z0-9_-]", "", f"meldroom-{found.book}-{day}-{found.id}")
    if form == "text":
        body, ending, kind = found.record.encode(), "meld", "text/plain; charset=utf-8"
    else:
        with _read():
            body = await asyncio.to_thread(tasks.json_record, found.record)
        ending, kind = "json", _JSON
    headers = {"Content-Disposition": f'attachment; filename="{name}.{ending}"'}
    return Response(body, media_type=kind, headers=headers)


@get("/games/{game:str}/steps/{file:str}", responses=_shape(str, _SVG))
async def game_step(
    game: GameId,
    file: FromPath[str],
    store: Games,
    language: Spoken,
    seat: Annotated[int | None, QueryParameter(ge=0, le=3)] = None,
    dark: Switch = False,
) -> Response[str]:
    """A step of a finished game as a picture, `17.svg`, or as the text of its position, `17.txt`.

    With a seat, it is given as that player saw it.
    """
    found = await _finished(store, game)
    asked = _STEP_FILE.fullmatch(file)
    if asked is None:
        raise GameError(404, "no_such_picture", "file")
    eyes = None if seat is None else _seat(found, seat)
    number, drawing = int(asked[1]), asked[2] == "svg"
    with _read():
        if drawing:
            made = await asyncio.to_thread(tasks.step_picture, found.record, number, eyes, dark, language)
        else:
            made = await asyncio.to_thread(tasks.step_text, found.record, number, eyes)
    if isinstance(made, int):
        raise GameError(404, "no_such_step", "file", step=number, last=made)
    if drawing:
        return Response(made, media_type=_SVG, headers=_PICTURE_HEADERS)
    return Response(made, media_type="text/plain; charset=utf-8")


@get("/games/{game:str}/verification", responses=_shape(Verification))
async def game_verification(request: Asked, game: GameId, store: Games, language: Spoken) -> Response[bytes]:
    """Everything about a finished game computed again: legality, tiles, shuffle and scores."""
    found = await _finished(store, game)
    with _read():
        lines = await _cache(request).answer(
            ("verification", game, language),
            lambda: asyncio.to_thread(tasks.encoded_verification, found.record, language),
        )
    return Response(lines, media_type=_JSON)


@get("/games/{game:str}/analysis", responses=_shape(Analysis))
async def game_analysis(
    request: Asked, game: GameId, store: Games, workers: Workers, seat: Seat, language: Spoken
) -> Response[bytes]:
    """For each turn of a seat: what was laid, what was possible, what was missed."""
    found = await _finished(store, game)
    seat = _seat(found, seat)
    try:
        turns = await _cache(request).answer(
            ("analysis", game, seat, language), lambda: _analysis(workers, found.record, seat, language)
        )
    except WorkerError:
        raise GameError(503, "busy") from None
    return Response(turns, media_type=_JSON)


async def _analysis(workers: WorkerPool, record: str, seat: int, language: Language) -> bytes:
    """All turns, a few in each question: bots that wait for a worker get between them."""
    turns: list[TurnAnalysis] = []
    while True:
        asked = tasks.AnalysisQuestion(record, seat, language, len(turns), TURNS_AT_ONCE)
        answered = await workers.run(tasks.ANALYSE, msgspec.json.encode(asked))
        some = msgspec.json.decode(answered, type=tuple[TurnAnalysis, ...])
        turns += some
        if len(some) < TURNS_AT_ONCE:
            return msgspec.json.encode(Analysis(seat, tuple(turns)))


@post(
    "/check",
    status_code=200,
    responses=_shape(CheckAnswer),
    request_max_body_size=LARGEST_CHECK,
    opt={"body": CheckRequest},
)
async def check_turn(
    data: JSONBody[dict[str, Any]], language: Spoken, standing: Switch = False
) -> dict[str, Any]:
    """Is this turn legal? The request and the answer of `meldroom check`.

    With `standing`, the answer also says of each set whether it may lie so, and how far an opening has come.
    """
    return await asyncio.to_thread(checked, data, language, standing)


@get("/position", responses=_shape(PositionPage))
async def position(text: Text, language: Spoken, book: BookId = "") -> PositionPage:
    """A position given as text, as a browser draws it."""
    return position_page(read_position(text, book))


@get("/position.svg", responses=_shape(str, _SVG))
async def position_picture(
    text: Text, language: Spoken, book: BookId = "", dark: Switch = False
) -> Response[str]:
    """A position given as text, as a picture."""
    drawn = picture(read_position(text, book), language, dark=dark)
    return Response(drawn, media_type=_SVG, headers=_PICTURE_HEADERS)


@post("/position/best", status_code=200, responses=_shape(BestPlay))
async def position_best(
    request: Asked, data: JSONBody[AskBest], workers: Workers, language: Spoken
) -> Response[bytes]:
    """The best play of the player to move in a position given as text."""
    asked = tasks.BestQuestion(data.text, data.book, language)
    try:
        answered = await _cache(request).answer(
            asked, lambda: workers.run(tasks.FIND_BEST, msgspec.json.encode(asked))
        )
    except WorkerError:
        raise GameError(503, "busy") from None
    found = msgspec.json.decode(answered, type=tasks.BestAnswer)
    if found.best is None:
        refused = Problem(Trouble(found.code, found.message, found.place))
        return Response(msgspec.json.encode(refused), status_code=found.status, media_type=_JSON)
    return Response(msgspec.json.encode(found.best), media_type=_JSON)


router = Router(
    path="/",
    route_handlers=[
        game_page,
        game_record,
        game_step,
        game_verification,
        game_analysis,
        check_turn,
        position,
        position_picture,
        position_best,
    ],
    dependencies=DEPENDENCIES,
    tags=["games"],
)
