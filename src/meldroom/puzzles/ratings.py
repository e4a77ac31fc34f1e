"""Ratings earned in play: every attempt is a Glicko-2 game between a player and a puzzle, within bounds.

A player has a rating for each book. Only the first attempt at a puzzle counts. No attempt moves a player by
more than `MOST_FOR_PLAYER`, or a puzzle by more than `MOST_FOR_PUZZLE`; an answer that came too soon to be
meant counts for the player, if it is wrong, and never for the puzzle. A player whose own rating is
provisional moves no puzzle.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from meldroom.puzzles.glicko2 import Rating, aged, update

LEAST, MOST = 400.0, 3200.0
LEAST_DEVIATION, MOST_DEVIATION = 45.0, 350.0
MOST_VOLATILITY = 0.1
PROVISIONAL = 110.0
"""With a larger deviation a rating is shown with a question mark."""
HANDED_OVER_DEVIATION = 120.0
"""After attempts that nobody has seen a rating is at best so sure: still provisional."""
NEW_PUZZLE = 200.0
"""How far off a prior may be: the deviation of a puzzle that nobody has tried."""
MOST_FOR_PLAYER = 150.0
MOST_FOR_PUZZLE = 40.0
TOO_SOON = 2.0
"""Seconds: nobody reads a table and arranges tiles in less."""
DAYS_A_PERIOD = 30.0


class Attempt(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A player's first try at a puzzle, as it is written down: one line of JSON."""

    player: str
    puzzle: str
    book: str
    solved: bool
    seconds: float
    day: int = 0
    """Days since any day that all attempts share."""


class Rated(msgspec.Struct, frozen=True):
    """A rating that is earned, after so many attempts, the last on a day."""

    rating: Rating
    attempts: int = 0
    day: int = 0

    @property
    def provisional(self) -> bool:
        """True while the rating is a guess."""
        return self.rating.deviation > PROVISIONAL

    @property
    def shown(self) -> str:
        """The rating as players see it: 1512, or 1512? while it is provisional."""
        return f"{self.rating.rating:.0f}{'?' if self.provisional else ''}"


NEWCOMER = Rated(Rating())


def of_prior(prior: int) -> Rated:
    """A puzzle that nobody has tried."""
    return Rated(Rating(min(MOST, max(LEAST, float(prior))), NEW_PUZZLE))


def after_attempt(player: Rated, puzzle: Rated, attempt: Attempt) -> tuple[Rated, Rated]:
    """Both ratings after an attempt."""
    solver, asked = _today(player, attempt.day), _today(puzzle, attempt.day)
    too_soon = attempt.seconds < TOO_SOON
    if too_soon and attempt.solved:
        return player, puzzle
    score = float(attempt.solved)
    solver_after = _bounded(solver, update(solver, [(asked, score)]), MOST_FOR_PLAYER)
    done = Rated(solver_after, player.attempts + 1, attempt.day)
    if too_soon or solver.deviation > PROVISIONAL:
        return done, puzzle
    asked_after = _bounded(asked, update(asked, [(solver, 1 - score)]), MOST_FOR_PUZZLE)
    return done, Rated(asked_after, puzzle.attempts + 1, attempt.day)


def _today(rated: Rated, day: int) -> Rating:
    """What is left of a rating's certainty after days without an attempt."""
    if not rated.attempts or day <= rated.day:
        return rated.rating
    later = aged(rated.rating, (day - rated.day) / DAYS_A_PERIOD)
    return msgspec.structs.replace(later, deviation=min(later.deviation, MOST_DEVIATION))


def _bounded(before: Rating, after: Rating, most: float) -> Rating:
    change = min(most, max(-most, after.rating - before.rating))
    return Rating(
        rating=min(MOST, max(LEAST, before.rating + change)),
        deviation=min(MOST_DEVIATION, max(LEAST_DEVIATION, after.deviation)),
        volatility=min(MOST_VOLATILITY, after.volatility),
    )


class Ledger:
    """All ratings, folded from attempts in order; a second attempt at the same puzzle changes nothing."""

    def __init__(self, priors: dict[str, int]) -> None:
        self.puzzles = {id: of_prior(prior) for id, prior in priors.items()}
        self.players: dict[tuple[str, str], Rated] = {}
        self._tried: set[tuple[str, str]] = set()

    def add(self, attempt: Attempt) -> bool:
        """Count an attempt; False if it does not count: a second one, or at a puzzle that is not known."""
        key = (attempt.player, attempt.puzzle)
        if key in self._tried or attempt.puzzle not in self.puzzles:
            return False
        self._tried.add(key)
        who = (attempt.player, attempt.book)
        player, puzzle = self.players.get(who, NEWCOMER), self.puzzles[attempt.puzzle]
        self.players[who], self.puzzles[attempt.puzzle] = after_attempt(player, puzzle, attempt)
        return True

    def add_all(self, attempts: Iterable[Attempt]) -> int:
        """Count attempts in order; returns how many counted."""
        return sum(map(self.add, attempts))
