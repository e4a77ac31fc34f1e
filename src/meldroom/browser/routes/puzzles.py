"""Puzzles, as the server has them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from meldroom.api.answers import Answer
from meldroom.browser.router import Asked, Route


class _Daily(msgspec.Struct, frozen=True):
    date: Annotated[str, msgspec.Meta(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]


class _Row(msgspec.Struct, frozen=True):
    mode: Literal["streak", "round"]
    seed: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]
    book: Annotated[str, msgspec.Meta(max_length=40)] = ""


async def menu(asked: Asked) -> Answer:
    """What puzzles there are."""
    from meldroom.api import puzzles

    return Answer.of(puzzles.menu(asked.language))


async def daily(asked: Asked) -> Answer:
    """The puzzle of a day."""
    from meldroom.api import puzzles

    return Answer.of(puzzles.daily(asked.query(_Daily).date, asked.language))


async def following(asked: Asked) -> Answer:
    """A puzzle of a theme and level."""
    from meldroom.api import puzzles

    return Answer.of(puzzles.following(asked.body(puzzles.AskPuzzle), asked.language))


async def in_a_row(asked: Asked) -> Answer:
    """The puzzles of a streak or a timed round."""
    from meldroom.api import puzzles

    wanted = asked.query(_Row)
    return Answer.of(puzzles.in_a_row(wanted.mode, wanted.seed, wanted.book))


async def card(asked: Asked) -> Answer:
    """A puzzle."""
    from meldroom.api import puzzles

    return Answer.of(puzzles.card(puzzles.find(asked.parts["id"]), asked.language))


async def solution(asked: Asked) -> Answer:
    """The answer of a puzzle."""
    from meldroom.api import puzzles

    return Answer.of(puzzles.solution(puzzles.find(asked.parts["id"]), asked.language))


async def attempt(asked: Asked) -> Answer:
    """Judge an attempt."""
    from meldroom.api import puzzles

    body = asked.body(puzzles.AskJudgement)
    return Answer.of(puzzles.judged(puzzles.find(asked.parts["id"]), body, asked.language))


ROUTES = (
    Route("GET", "/puzzles", menu),
    Route("GET", "/puzzles/daily", daily),
    Route("POST", "/puzzles/next", following),
    Route("GET", "/puzzles/row", in_a_row),
    Route("GET", "/puzzles/{id}", card),
    Route("GET", "/puzzles/{id}/solution", solution),
    Route("POST", "/puzzles/{id}/attempt", attempt),
)
