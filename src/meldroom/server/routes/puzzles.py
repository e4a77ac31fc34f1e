"""HTTP routes of puzzles. Choosing, judging and explaining take milliseconds each, off the event loop."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from meldroom.api import puzzles
from meldroom.api.puzzles import (
    AskJudgement,
    AskPuzzle,
    JudgedAttempt,
    PuzzleCard,
    PuzzleIds,
    PuzzleMenu,
    PuzzleSolution,
)
from meldroom.server.routes.dependencies import Whole
from meldroom.server.web.language import DEPENDENCIES, Spoken
from meldroom.server.web.problems import problems

Day = Annotated[str, QueryParameter(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Seed = Annotated[str, QueryParameter(min_length=1, max_length=80)]
BookId = Annotated[str, QueryParameter(max_length=40)]


@get("/puzzles")
async def menu(container: Whole, language: Spoken) -> PuzzleMenu:
    """What puzzles there are: books, kinds, themes and levels."""
    return await container.computing(puzzles.menu, language)


@get("/puzzles/daily")
async def daily(container: Whole, language: Spoken, date: Day) -> PuzzleCard:
    """The puzzle of a day, the same for everyone."""
    return await container.computing(puzzles.daily, date, language)


@post("/puzzles/next", status_code=200, responses=problems(404))
async def following(container: Whole, data: JSONBody[AskPuzzle], language: Spoken) -> PuzzleCard:
    """A puzzle of a theme and level that has not been seen."""
    return await container.computing(puzzles.following, data, language)


@get("/puzzles/row", responses=problems(404))
async def in_a_row(
    container: Whole, mode: FromQuery[Literal["streak", "round"]], seed: Seed, book: BookId = ""
) -> PuzzleIds:
    """The puzzles of a streak, or of a timed round, easiest first."""
    return await container.computing(puzzles.in_a_row, mode, seed, book)


@get("/puzzles/{id:str}")
async def card(container: Whole, id: FromPath[str], language: Spoken) -> PuzzleCard:
    """A puzzle."""
    return await container.computing(lambda: puzzles.card(puzzles.find(id), language))


@get("/puzzles/{id:str}/solution")
async def solution(container: Whole, id: FromPath[str], language: Spoken) -> PuzzleSolution:
    """The answer of a puzzle, step by step."""
    return await container.computing(lambda: puzzles.solution(puzzles.find(id), language))


@post("/puzzles/{id:str}/attempt", status_code=200)
async def attempt(
    container: Whole, id: FromPath[str], data: JSONBody[AskJudgement], language: Spoken
) -> JudgedAttempt:
    """Judge an attempt at a puzzle. The player's rating comes and goes with the request."""
    return await container.computing(lambda: puzzles.judged(puzzles.find(id), data, language))


router = Router(
    path="/",
    route_handlers=[menu, daily, following, in_a_row, card, solution, attempt],
    dependencies=DEPENDENCIES,
    tags=["puzzles"],
)
