"""How long answers took: a histogram that is small, can be added up, and knows its percentiles."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

_STEP = math.log(1.02)
_SHORTEST = 1e-7


class Times(msgspec.Struct):
    """Times of many answers. Bars are 2 % wide, so that a percentile is known to 2 %."""

    count: int = 0
    total: float = 0.0
    longest: float = 0.0
    bars: dict[int, int] = {}

    def add(self, seconds: Iterable[float]) -> None:
        """More answers."""
        for one in seconds:
            self.count += 1
            self.total += one
            if one > self.longest:
                self.longest = one
            bar = int(math.log(max(one, _SHORTEST) / _SHORTEST) / _STEP)
            self.bars[bar] = self.bars.get(bar, 0) + 1

    def merge(self, other: Times) -> None:
        """The answers of another histogram too."""
        self.count += other.count
        self.total += other.total
        self.longest = max(self.longest, other.longest)
        for bar, count in other.bars.items():
            self.bars[bar] = self.bars.get(bar, 0) + count

    @property
    def mean(self) -> float:
        """Seconds of an answer on average; 0 if there was none."""
        return self.total / self.count if self.count else 0.0

    def percentile(self, share: float) -> float:
        """The seconds within which this share of the answers came, at most 2 % too many."""
        wanted, seen = share * self.count, 0
        for bar in sorted(self.bars):
            seen += self.bars[bar]
            if seen >= wanted:
                return min(self.longest, _SHORTEST * math.exp((bar + 1) * _STEP))
        return self.longest
