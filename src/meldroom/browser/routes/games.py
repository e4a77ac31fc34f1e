"""Finished games, positions, and turns to be checked."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from meldroom.api.answers import Answer
from meldroom.api.errors import GameError
from meldroom.api.schemas import AskBest, PositionText
from meldroom.browser.records import LARGEST_RECORD, keep_record
from meldroom.browser.router import Asked, Route

SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
BookId = Annotated[str, msgspec.Meta(max_length=40)]


class _Form(msgspec.Struct, frozen=True):
    form: Literal["text", "json"] = "text"


class _Picture(msgspec.Struct, frozen=True):
    seat: SeatNumber | None = None
    dark: bool = False


class _Seat(msgspec.Struct, frozen=True):
    seat: SeatNumber


class _Standing(msgspec.Struct, frozen=True):
    standing: bool = False


class _Position(msgspec.Struct, frozen=True):
    text: PositionText
    book: BookId = ""
    dark: bool = False


async def game_page(asked: Asked) -> Answer:
    """A finished game with all its steps."""
    device = asked.device
    return await device.games.page(asked.parts["game"], device.player.id, asked.language)


async def game_record(asked: Asked) -> Answer:
    """The record of a finished game, as a file to keep."""
    wanted, _ = asked.query(_Form), asked.language
    return await asked.device.games.record(asked.parts["game"], wanted.form)


async def game_step(asked: Asked) -> Answer:
    """A step of a finished game as a picture, `17.svg`, or as the text of its position, `17.txt`."""
    picture, parts = asked.query(_Picture), asked.parts
    return await asked.device.games.step(
        parts["game"], parts["file"], picture.seat, picture.dark, asked.language
    )


async def game_verification(asked: Asked) -> Answer:
    """Everything about a finished game computed again."""
    return await asked.device.games.verification(asked.parts["game"], asked.language)


async def game_analysis(asked: Asked) -> Answer:
    """For each turn of a seat: what was laid, what was possible, what was missed."""
    return await asked.device.games.analysis(asked.parts["game"], asked.query(_Seat).seat, asked.language)


async def game_report(asked: Asked) -> Answer:
    """The coach's report of a seat."""
    return await asked.device.games.report(asked.parts["game"], asked.query(_Seat).seat, asked.language)


async def game_reasons(asked: Asked) -> Answer:
    """Why each move of a finished game was made."""
    return await asked.device.games.reasons(asked.parts["game"], asked.language)


async def delete_game(asked: Asked) -> Answer:
    """Delete a finished game, and its room where nothing else is left of it."""
    store, rooms = asked.device.store, asked.device.rooms
    game = await store.finished(asked.parts["game"])
    if game is None:
        raise GameError(404, "no_such_game", "id")
    await store.delete_game(game.id)
    asked.device.forget_games()
    card = await store.card(game.room) if game.room not in rooms.in_memory else None
    others = [other for other in await store.finished_of("") if other.room == game.room]
    if card is not None and card.stage == "over" and not others:
        await store.delete_room(game.room)
    return Answer(b"", status=204)


async def open_record(asked: Asked) -> Answer:
    """Keep the game of a record that was opened from a file."""
    data = asked.data(LARGEST_RECORD)
    return Answer.of({"game": await keep_record(asked.device, data)}, status=201)


async def check_turn(asked: Asked) -> Answer:
    """Is this turn legal? The request and the answer of `meldroom check`."""
    turn = asked.body(dict[str, Any])
    return await asked.device.games.check(turn, asked.language, asked.query(_Standing).standing)


async def notation(asked: Asked) -> Answer:
    """Sets of tiles given as text, as their faces."""
    shown, _ = asked.query(_Position), asked.language
    return await asked.device.games.notation(shown.text, shown.book)


async def position(asked: Asked) -> Answer:
    """A position given as text, as a browser draws it."""
    shown, _ = asked.query(_Position), asked.language
    return await asked.device.games.position(shown.text, shown.book)


async def position_picture(asked: Asked) -> Answer:
    """A position given as text, as a picture."""
    shown = asked.query(_Position)
    return await asked.device.games.position_picture(shown.text, shown.book, shown.dark, asked.language)


async def position_best(asked: Asked) -> Answer:
    """The best play of the player to move in a position given as text."""
    data = asked.body(AskBest)
    return await asked.device.games.best_play(data.text, data.book, asked.language)


ROUTES = (
    Route("GET", "/games/{game}", game_page),
    Route("DELETE", "/games/{game}", delete_game),
    Route("GET", "/games/{game}/record", game_record),
    Route("GET", "/games/{game}/steps/{file}", game_step),
    Route("GET", "/games/{game}/verification", game_verification),
    Route("GET", "/games/{game}/analysis", game_analysis),
    Route("GET", "/games/{game}/report", game_report),
    Route("GET", "/games/{game}/reasons", game_reasons),
    Route("POST", "/records", open_record),
    Route("POST", "/check", check_turn),
    Route("GET", "/notation", notation),
    Route("GET", "/position", position),
    Route("GET", "/position.svg", position_picture),
    Route("POST", "/position/best", position_best),
)
