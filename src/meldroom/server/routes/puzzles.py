"""HTTP routes of puzzles. Choosing, judging and explaining take milliseconds each, off the event loop."""

from __future__ import annotations

from typing import Annotated, Literal

from litestar import Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter
from msgspec.structs import replace

from meldroom.api import puzzles
from meldroom.api.errors import HttpError
from meldroom.api.puzzle_progress import HandOver, PuzzleProgress, is_daily, of_their_day
from meldroom.api.puzzles import (
    AskJudgement,
    AskPuzzle,
    JudgedAttempt,
    PuzzleCard,
    PuzzleIds,
    PuzzleMenu,
    PuzzleSolution,
)
from meldroom.server.container import Container
from meldroom.server.control.guard import only_while_on
from meldroom.server.identity import Known
from meldroom.server.routes.dependencies import Person, Visitor, Whole
from meldroom.server.web.language import DEPENDENCIES, Spoken
from meldroom.server.web.problems import problems

Day = Annotated[str, QueryParameter(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
Seed = Annotated[str, QueryParameter(min_length=1, max_length=80)]
BookId = Annotated[str, QueryParameter(max_length=40)]


@get("/puzzles", responses=problems(403))
async def menu(container: Whole, language: Spoken) -> PuzzleMenu:
    """What puzzles there are: books, kinds, themes and levels."""
    return await container.computing(puzzles.menu, language)


@get("/puzzles/daily", responses=problems(403))
async def daily(container: Whole, language: Spoken, date: Day) -> PuzzleCard:
    """The puzzle of a day, the same for everyone."""
    return await _as_rated(container, await container.computing(puzzles.daily, date, language))


@post("/puzzles/next", status_code=200, responses=problems(403, 404))
async def following(container: Whole, data: JSONBody[AskPuzzle], language: Spoken) -> PuzzleCard:
    """A puzzle of a theme and level that has not been seen."""
    return await _as_rated(container, await container.computing(puzzles.following, data, language))


@get("/puzzles/row", responses=problems(403, 404))
async def in_a_row(
    container: Whole, mode: FromQuery[Literal["streak", "round"]], seed: Seed, book: BookId = ""
) -> PuzzleIds:
    """The puzzles of a streak, or of a timed round, easiest first."""
    return await container.computing(puzzles.in_a_row, mode, seed, book)


@get("/puzzles/progress", responses=problems(401, 403))
async def progress(container: Whole, person: Person) -> PuzzleProgress:
    """What an account has tried, with its ratings by book."""
    return await container.puzzles.progress(_account(person))


@post("/puzzles/progress", status_code=200, responses=problems(401, 403, 503))
async def hand_over(container: Whole, data: JSONBody[HandOver], person: Person) -> PuzzleProgress:
    """Take over what a browser kept before signing in. Ratings are worked out here, from the tries."""
    player = _account(person)
    return await container.puzzles.hand_over(
        player, data, await container.computing(of_their_day, data.tried)
    )


@get("/puzzles/{id:str}", responses=problems(403))
async def card(container: Whole, id: FromPath[str], language: Spoken) -> PuzzleCard:
    """A puzzle."""
    found = await container.computing(lambda: puzzles.card(puzzles.find(id), language))
    return await _as_rated(container, found)


@get("/puzzles/{id:str}/solution", responses=problems(403))
async def solution(container: Whole, id: FromPath[str], language: Spoken) -> PuzzleSolution:
    """The answer of a puzzle, step by step."""
    return await container.computing(lambda: puzzles.solution(puzzles.find(id), language))


@post("/puzzles/{id:str}/attempt", status_code=200, responses=problems(403, 503))
async def attempt(
    container: Whole, id: FromPath[str], data: JSONBody[AskJudgement], language: Spoken, visitor: Visitor
) -> JudgedAttempt:
    """Judge an attempt at a puzzle.

    An account's first attempt at a puzzle counts for its rating. A guest's rating comes and goes with the
    request.
    """
    puzzle = puzzles.find(id)
    if visitor is None or visitor.account is None:
        strength = await container.puzzles.strength(puzzle)
        return await container.computing(puzzles.judged, puzzle, data, language, strength)
    found = await container.computing(puzzles.judge, puzzle, data)
    if found.verdict == "illegal":
        rating = await container.puzzles.rating(visitor.player.id, puzzle.book)
        return puzzles.told(found, rating, rating, language, first=False)
    counted = await container.puzzles.attempt(
        visitor.player.id,
        puzzle,
        solved=found.solved,
        seconds=data.seconds,
        day=data.day,
        daily=await container.computing(is_daily, puzzle.id, data.day),
    )
    return puzzles.told(found, counted.before, counted.after, language, first=counted.first)


def _account(person: Known) -> str:
    """The player of an account. Raises HttpError for a guest, whose browser keeps their puzzles."""
    if person.account is None:
        raise HttpError(403, "no_account")
    return person.player.id


async def _as_rated(container: Container, card: PuzzleCard) -> PuzzleCard:
    """The card with the rating that players have given the puzzle."""
    strength = await container.puzzles.strength(puzzles.find(card.id))
    return replace(card, rating=round(strength.rating.rating))


router = Router(
    path="/",
    route_handlers=[menu, daily, following, in_a_row, progress, hand_over, card, solution, attempt],
    dependencies=DEPENDENCIES,
    guards=[only_while_on("puzzles")],
    tags=["puzzles"],
)
