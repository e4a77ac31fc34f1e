"""An account's puzzles as pages show them: what was tried, ratings by book, the best rows."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated

import msgspec

from meldroom.api.puzzles import Day, PlayerRating, PuzzleId
from meldroom.puzzles import selector, starter_pack

MOST_AT_ONCE = 500
"""Tries that one request hands over."""
MOST_SHOWN = 3_000
LONGEST_STREAK, LONGEST_ROUND = 50, 40
"""How many puzzles a streak and a timed round have."""
EPOCH = datetime.date(1970, 1, 1).toordinal()
LAST_DAY = datetime.date.max.toordinal() - EPOCH


class TriedPuzzle(msgspec.Struct, frozen=True):
    """A first try: the rating after it, the day, and whether it was the puzzle of that day."""

    id: str
    book: str
    solved: bool
    rating: int
    day: str
    daily: bool


class PuzzleProgress(msgspec.Struct, frozen=True):
    """Everything an account has tried, the oldest first."""

    ratings: dict[str, PlayerRating]
    tried: tuple[TriedPuzzle, ...]
    best_streak: int
    best_round: int


class HandedOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A try from a browser where nobody was signed in."""

    id: PuzzleId
    solved: bool
    day: Day


class HandOver(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a browser kept for a guest, oldest first, and the best rows. Ratings are worked out anew."""

    tried: Annotated[tuple[HandedOver, ...], msgspec.Meta(max_length=MOST_AT_ONCE)] = ()
    best_streak: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_STREAK)] = 0
    best_round: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_ROUND)] = 0


def day_number(text: str) -> int | None:
    """Days since 1970; None for a day that does not exist."""
    try:
        return datetime.date.fromisoformat(text).toordinal() - EPOCH
    except ValueError:
        return None


def day_text(number: int) -> str:
    """The day as pages write it."""
    return datetime.date.fromordinal(number + EPOCH).isoformat()


def is_daily(puzzle: str, day: int) -> bool:
    """True for the puzzle of a day."""
    return 0 <= day <= LAST_DAY and _daily(day) == puzzle


@lru_cache(maxsize=400)
def _daily(day: int) -> str:
    return selector.daily(starter_pack(), datetime.date.fromordinal(day + EPOCH)).id


def of_their_day(tried: Iterable[HandedOver]) -> frozenset[str]:
    """The puzzles that were tried on their day. This takes a while."""
    days = ((each.id, day_number(each.day)) for each in tried)
    return frozenset(id for id, day in days if day is not None and is_daily(id, day))
