"""Means and their 95 % intervals, where all games on the same tiles are one observation."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

_NORMAL = 1.959963984540054
_STUDENT = (12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281)


class Estimate(msgspec.Struct, frozen=True):
    """A mean and its 95 % interval; no interval from a single observation."""

    mean: float
    low: float | None = None
    high: float | None = None


def student(freedom: int) -> float:
    """The 97.5 % point of Student's distribution, to four figures or better."""
    if freedom <= len(_STUDENT):
        return _STUDENT[freedom - 1]
    z = _NORMAL
    first = (z**3 + z) / (4 * freedom)
    second = (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    return z + first + second + third


def clustered(clusters: Sequence[tuple[float, int]]) -> Estimate:
    """The mean over all games from the sum and the number of games of each deal.

    Deals may have different numbers of games, so this is a ratio, and its spread that of the residuals.
    """
    games, deals = sum(count for _, count in clusters), len(clusters)
    mean = math.fsum(value for value, _ in clusters) / games
    if deals < 2:
        return Estimate(mean)
    squares = math.fsum((value - mean * count) ** 2 for value, count in clusters)
    error = math.sqrt(squares * deals / (deals - 1)) / games
    half = student(deals - 1) * error
    return Estimate(mean, mean - half, mean + half)


def share(clusters: Sequence[tuple[float, int]]) -> Estimate:
    """The same for a share of games, kept between 0 and 1.

    Where every game was won, or every one lost, the deals say nothing of their spread; Wilson's interval for
    as many observations as there are deals then says how sure one can be.
    """
    found = clustered(clusters)
    deals = len(clusters)
    if found.mean in (0.0, 1.0):
        unseen = _NORMAL**2 / (deals + _NORMAL**2)
        return Estimate(found.mean, found.mean * (1 - unseen), max(found.mean, unseen))
    if found.low is None or found.high is None:
        return found
    return Estimate(found.mean, max(0.0, found.low), min(1.0, found.high))
