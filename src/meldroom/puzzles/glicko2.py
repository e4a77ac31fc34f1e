"""Glicko-2 (Glickman, *Example of the Glicko-2 system*, 2022): ratings with a deviation and a volatility.

>>> before = Rating(1500, 200, 0.06)
>>> results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
>>> after = update(before, results, tau=0.5)
>>> round(after.rating, 2), round(after.deviation, 2), round(after.volatility, 5)
(1464.05, 151.52, 0.06)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pi, sqrt

import msgspec

SCALE = 173.7178
MIDDLE = 1500.0
TAU = 0.75
"""How much volatilities may change."""
_PRECISION = 1e-6


class Rating(msgspec.Struct, frozen=True):
    """How strong somebody, or how hard a puzzle, is thought to be, and how sure that is."""

    rating: float = MIDDLE
    deviation: float = 350.0
    volatility: float = 0.06


def expected(one: Rating, other: Rating) -> float:
    """The chance of the first against the second, as Glicko-2 reckons it."""
    return 1 / (1 + exp(-_g(other.deviation / SCALE) * (one.rating - other.rating) / SCALE))


def update(before: Rating, results: Sequence[tuple[Rating, float]], tau: float = TAU) -> Rating:
    """The rating after one period with these opponents and results: 1 for a win, 0 for a loss."""
    if not results:
        return aged(before, 1)
    mu, phi = (before.rating - MIDDLE) / SCALE, before.deviation / SCALE
    information = surprise = 0.0
    for other, score in results:
        g = _g(other.deviation / SCALE)
        chance = 1 / (1 + exp(-g * (mu - (other.rating - MIDDLE) / SCALE)))
        information += g * g * chance * (1 - chance)
        surprise += g * (score - chance)
    variance = 1 / information
    volatility = _volatility(phi, before.volatility, variance, variance * surprise, tau)
    widened = phi * phi + volatility * volatility
    phi = 1 / sqrt(1 / widened + information)
    return Rating(MIDDLE + SCALE * (mu + phi * phi * surprise), SCALE * phi, volatility)


def aged(before: Rating, periods: float) -> Rating:
    """The rating after some periods without a game: the same, but less sure."""
    phi = before.deviation / SCALE
    spread = sqrt(phi * phi + periods * before.volatility**2)
    return Rating(before.rating, SCALE * spread, before.volatility)


def _g(phi: float) -> float:
    return 1 / sqrt(1 + 3 * phi * phi / (pi * pi))


def _volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the root of f, by the Illinois algorithm."""
    start = log(sigma * sigma)
    square = delta * delta

    def f(x: float) -> float:
        grown = exp(x)
        spread = phi * phi + variance + grown
        return grown * (square - spread) / (2 * spread * spread) - (x - start) / (tau * tau)

    low = start
    if square > phi * phi + variance:
        high = log(square - phi * phi - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        high = start - steps * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > _PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = middle, f_middle
    return exp(low / 2)
