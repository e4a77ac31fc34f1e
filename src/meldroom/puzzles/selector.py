"""Which puzzle next: today's, one of a theme and level, a streak, a timed round. Pure, and the same offline.

Everything follows from the puzzles, what has been seen, and a seed (or a date).
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Collection, Iterable, Sequence
from typing import Literal, get_args

import msgspec

from meldroom.puzzles.errors import PuzzleError
from meldroom.puzzles.puzzle import Kind, Puzzle, Theme

Difficulty = Literal["easiest", "easier", "normal", "harder", "hardest"]
DIFFICULTIES: tuple[Difficulty, ...] = get_args(Difficulty)
OFFSETS: dict[Difficulty, int] = {"easiest": -600, "easier": -300, "normal": 0, "harder": 300, "hardest": 600}
"""How far from a player's rating puzzles are chosen."""

NEAR = 12
"""Among so many puzzles closest to a rating the seed decides."""
DAILY_LEAST, DAILY_MOST = 1200, 2000
STREAK_START, STREAK_STEP = 900, 30
ROUND_START, ROUND_STEP = 700, 35
ROUND_SECONDS = 300
"""A timed round: as many puzzles as one can in five minutes; a mistake costs ten seconds."""
MISTAKE_SECONDS = 10


class Filter(msgspec.Struct, frozen=True):
    """What puzzles are asked for; None means any."""

    book: str | None = None
    kind: Kind | None = None
    theme: Theme | None = None

    def allows(self, puzzle: Puzzle) -> bool:
        """True for a puzzle of this book, kind and theme."""
        return (
            self.book in (None, puzzle.book)
            and self.kind in (None, puzzle.kind)
            and (self.theme is None or self.theme in puzzle.themes)
        )


ANY = Filter()


def daily(puzzles: Sequence[Puzzle], day: datetime.date, wanted: Filter = ANY) -> Puzzle:
    """The puzzle of a day. None comes again before all of middling difficulty have had their day.

    Raises PuzzleError if there is none.
    """
    allowed = [each for each in puzzles if wanted.allows(each) and each.kind != "hold"]
    middling = [each for each in allowed if DAILY_LEAST <= each.rating <= DAILY_MOST] or allowed
    if not middling:
        raise PuzzleError("none_left")
    round_number, place = divmod(day.toordinal(), len(middling))
    return sorted(middling, key=lambda each: _mixed(f"day {round_number}", each))[place]


def pick(
    puzzles: Iterable[Puzzle],
    rating: float,
    seed: str,
    *,
    wanted: Filter = ANY,
    difficulty: Difficulty = "normal",
    seen: Collection[str] = frozenset(),
) -> Puzzle:
    """A puzzle that has not been seen, about as hard as asked for. Raises PuzzleError if none is left."""
    allowed = [each for each in puzzles if each.id not in seen and wanted.allows(each)]
    if not allowed:
        raise PuzzleError("none_left")
    target = rating + OFFSETS[difficulty]
    closest = sorted(allowed, key=lambda each: (abs(each.rating - target), each.id))[:NEAR]
    return min(closest, key=lambda each: _mixed(seed, each))


def streak(
    puzzles: Sequence[Puzzle], seed: str, wanted: Filter = ANY, length: int = 50
) -> tuple[Puzzle, ...]:
    """Puzzles one after the other, each a little harder; the first mistake ends it."""
    return _rising(puzzles, seed, wanted, length, STREAK_START, STREAK_STEP)


def timed_round(
    puzzles: Sequence[Puzzle], seed: str, wanted: Filter = ANY, length: int = 40
) -> tuple[Puzzle, ...]:
    """Puzzles for a timed round, easy ones first."""
    return _rising(puzzles, seed, wanted, length, ROUND_START, ROUND_STEP)


def _rising(
    puzzles: Sequence[Puzzle], seed: str, wanted: Filter, length: int, start: int, step: int
) -> tuple[Puzzle, ...]:
    left = [each for each in puzzles if wanted.allows(each) and each.kind != "hold"]
    chosen: list[Puzzle] = []
    seen: set[str] = set()
    while len(chosen) < min(length, len(left)):
        puzzle = pick(left, start + step * len(chosen), f"{seed} {len(chosen)}", seen=seen)
        chosen.append(puzzle)
        seen.add(puzzle.id)
    return tuple(sorted(chosen, key=lambda each: (each.rating, each.id)))


def _mixed(seed: str, puzzle: Puzzle) -> bytes:
    return hashlib.sha256(f"{seed} {puzzle.id}".encode()).digest()
