"""A histogram as Prometheus reads it: how many took at most so long."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
"""In seconds."""


class Histogram:
    """Times in buckets, since the start of the process."""

    __slots__ = ("_counts", "total")

    def __init__(self) -> None:
        self._counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def observe(self, seconds: float) -> None:
        """Something took so long."""
        self._counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    @property
    def count(self) -> int:
        """How many there were."""
        return sum(self._counts)

    def lines(self, name: str) -> Iterable[str]:
        """The figures, one a line."""
        below = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self._counts, strict=True):
            below += count
            yield f'{name}_bucket{{le="{bound}"}} {below}'
        yield f"{name}_sum {round(self.total, 6)}"
        yield f"{name}_count {below}"
