"""HTTP routes of finished games, of positions, and of turns to be checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from litestar import Response, Router, get, post
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter, SkipValidation

from meldroom.api.answers import JSON, PNG, SVG, Answer
from meldroom.api.games import Games
from meldroom.api.replay.report import GameReasons, GameReport
from meldroom.api.schemas import (
    LONGEST_TEXT,
    Analysis,
    AskBest,
    BestPlay,
    CheckAnswer,
    GamePage,
    NotationSets,
    PositionPage,
    Verification,
)
from meldroom.rules.requests import CheckRequest
from meldroom.server.web.language import DEPENDENCIES, Spoken
from meldroom.server.web.problems import problems

LARGEST_CHECK = 16_384
"""Bytes: all tiles of two boxes as text, several times over."""

Finished = NamedDependency[SkipValidation[Games]]
Visitor = NamedDependency[SkipValidation[Any]]
GameId = FromPath[str]
Switch = FromQuery[bool]
Seat = Annotated[int, QueryParameter(ge=0, le=3)]
Text = Annotated[str, QueryParameter(min_length=1, max_length=LONGEST_TEXT)]
BookId = Annotated[str, QueryParameter(max_length=40)]


def _shape(kind: Any, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """What a route answers with, for the OpenAPI document: the bytes themselves come from a worker."""
    return {200: ResponseSpec(data_container=kind, media_type=media_type, generate_examples=False)}


def _of_game(kind: Any, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """The same of a finished game, whose deal other tables may still be playing."""
    return {**_shape(kind, media_type), **problems(403)}


def _response(answer: Answer) -> Response[bytes]:
    kind = answer.media_type.partition(";")[0]  # The framework names the charset of a text itself.
    return Response(answer.body, media_type=kind, headers=answer.headers, status_code=answer.status)


@get("/games/{game:str}", opt={"token": "read"}, responses=_of_game(GamePage))
async def game_page(game: GameId, games: Finished, me: Visitor, language: Spoken) -> Response[bytes]:
    """A finished game with all its steps, told in the language asked for."""
    return _response(await games.page(game, getattr(me, "id", ""), language))


@get("/games/{game:str}/record", responses=_of_game(str, "text/plain"), opt={"also": ("application/json",)})
async def game_record(
    game: GameId, games: Finished, language: Spoken, form: FromQuery[Literal["text", "json"]] = "text"
) -> Response[bytes]:
    """The record of a finished game, as a file to keep."""
    return _response(await games.record(game, form))


@get("/games/{game:str}/steps/{file:str}", responses=_of_game(str, SVG))
async def game_step(
    game: GameId,
    file: FromPath[str],
    games: Finished,
    language: Spoken,
    seat: Annotated[int | None, QueryParameter(ge=0, le=3)] = None,
    dark: Switch = False,
) -> Response[bytes]:
    """A step of a finished game: a picture, `17.svg`, a link's preview, `17.png`, or text, `17.txt`.

    `last` is the last step. With a seat, it is given as that player saw it.
    """
    return _response(await games.step(game, file, seat, dark, language))


@get("/games/{game:str}/verification", responses=_of_game(Verification))
async def game_verification(game: GameId, games: Finished, language: Spoken) -> Response[bytes]:
    """Everything about a finished game computed again: legality, tiles, shuffle and scores."""
    return _response(await games.verification(game, language))


@get("/games/{game:str}/analysis", responses=_of_game(Analysis))
async def game_analysis(game: GameId, games: Finished, seat: Seat, language: Spoken) -> Response[bytes]:
    """For each turn of a seat: what was laid, what was possible, what was missed."""
    return _response(await games.analysis(game, seat, language))


@get("/games/{game:str}/report", responses=_of_game(GameReport))
async def game_report(game: GameId, games: Finished, seat: Seat, language: Spoken) -> Response[bytes]:
    """The coach's report of a seat: chances, turning points, what was better in each turn, and why."""
    return _response(await games.report(game, seat, language))


@get("/games/{game:str}/reasons", responses=_of_game(GameReasons))
async def game_reasons(game: GameId, games: Finished, language: Spoken) -> Response[bytes]:
    """Why each move of a finished game was made, as far as the position shows it."""
    return _response(await games.reasons(game, language))


@post(
    "/check",
    status_code=200,
    responses=_shape(CheckAnswer),
    request_max_body_size=LARGEST_CHECK,
    opt={"body": CheckRequest},
)
async def check_turn(
    data: JSONBody[dict[str, Any]], games: Finished, language: Spoken, standing: Switch = False
) -> Response[bytes]:
    """Is this turn legal? The request and the answer of `meldroom check`.

    With `standing`, the answer also says of each set whether it may lie so, and how far an opening has come.
    """
    return _response(await games.check(data, language, standing))


@get("/notation", responses=_shape(NotationSets))
async def notation(text: Text, games: Finished, language: Spoken, book: BookId) -> Response[bytes]:
    """Sets of tiles given as text, as their faces."""
    return _response(await games.notation(text, book))


@get("/position", responses=_shape(PositionPage))
async def position(text: Text, games: Finished, language: Spoken, book: BookId = "") -> Response[bytes]:
    """A position given as text, as a browser draws it."""
    return _response(await games.position(text, book))


@get("/position.svg", responses=_shape(str, SVG))
async def position_picture(
    text: Text, games: Finished, language: Spoken, book: BookId = "", dark: Switch = False
) -> Response[bytes]:
    """A position given as text, as a picture."""
    return _response(await games.position_picture(text, book, dark, language))


@get("/position.png", responses=_shape(bytes, PNG))
async def position_preview(
    text: Text, games: Finished, language: Spoken, book: BookId = ""
) -> Response[bytes]:
    """A position given as text, as the picture of a link's preview: 1200×630."""
    return _response(await games.position_preview(text, book))


@post("/position/best", status_code=200, responses=_shape(BestPlay))
async def position_best(data: JSONBody[AskBest], games: Finished, language: Spoken) -> Response[bytes]:
    """The best play of the player to move in a position given as text."""
    return _response(await games.best_play(data.text, data.book, language))


router = Router(
    path="/",
    route_handlers=[
        game_page,
        game_record,
        game_step,
        game_verification,
        game_analysis,
        game_report,
        game_reasons,
        check_turn,
        notation,
        position,
        position_picture,
        position_preview,
        position_best,
    ],
    dependencies=DEPENDENCIES,
    tags=["games"],
)
