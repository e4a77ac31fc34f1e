"""Is another move better? Both are played on in the same imagined games, and the difference must be sure."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, inf, sqrt

import msgspec

from meldroom.coach.imagined_games import ImaginedGames
from meldroom.coach.styles import STRONG
from meldroom.rules.verify import FaceSet

FAR = 1 << 20
"""Games that confirm have numbers from here on: other games than those that were tried first."""
SURE, CONFIRMED = 3.0, 2.0
"""Standard errors that a gain must have: where it was found, and in games that confirm it."""
LEAST_GAIN = 0.03
FEWEST = 6
"""So many games at least must end otherwise."""


class Gain(msgspec.Struct, frozen=True):
    """How much more often one move wins than another, in so many games; `error` is one standard error."""

    games: int
    mean: float
    error: float

    @property
    def sureness(self) -> float:
        """How many standard errors the gain is above nothing."""
        if self.error == 0:
            return inf if self.mean > 0 else 0.0
        return self.mean / self.error

    def plus(self, other: Gain) -> Gain:
        """Both sets of games together."""
        games = self.games + other.games
        if not games:
            return self
        mean = (self.games * self.mean + other.games * other.mean) / games
        error = sqrt((self.games * self.error) ** 2 + (other.games * other.error) ** 2) / games
        return Gain(games, mean, error)


def wins(imagined: ImaginedGames, moves: Sequence[FaceSet], first: int, games: int) -> list[list[float]]:
    """What whoever is to move wins after each move, by game; they play on as a strong player does."""
    me = imagined.order[0]
    return [
        [imagined.shares(mask)[me] for mask in masks] for masks in imagined.play(first, games, moves, STRONG)
    ]


def gain(played: Sequence[Sequence[float]], move: int, other: int) -> Gain:
    """How much better one of the moves did than another."""
    games = len(played)
    if not games:
        return Gain(0, 0.0, 0.0)
    apart = [row[move] - row[other] for row in played]
    mean = fsum(apart) / games
    if sum(1 for each in apart if each) < FEWEST and games > 1:
        return Gain(games, mean, 1.0)
    spread = sqrt(fsum((each - mean) ** 2 for each in apart) / max(1, games - 1))
    return Gain(games, mean, spread / sqrt(games))


def is_better(found: Gain, confirmed: Gain) -> bool:
    """True if a gain was found, and found again in other games."""
    return (
        found.mean >= LEAST_GAIN
        and found.sureness >= SURE
        and confirmed.mean >= LEAST_GAIN
        and confirmed.sureness >= CONFIRMED
    )
