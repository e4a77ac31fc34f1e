"""The chance to open, estimated from sampled racks where they are too many to be counted, as in Rummy-O.

>>> from meldroom.rules.library import book
>>> found = estimate_opening_chance(book("rummyo"), racks=1000, seed="any text")
>>> f"{found.chance:.3f}, between {found.low:.3f} and {found.high:.3f}"
'0.198, between 0.174 and 0.224'
"""

from __future__ import annotations

from math import sqrt
from random import Random

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.opening import opening
from meldroom.solver.errors import PositionError

_Z = 1.959963984540054
"""95 % of a normal distribution lie within so many standard deviations."""


class OpeningEstimate(msgspec.Struct, frozen=True):
    """How many of the sampled racks of `tiles` tiles can open, and the seed that repeats the sample."""

    tiles: int
    racks: int
    opened: int
    seed: int | str

    @property
    def chance(self) -> float:
        """The share of racks that can open."""
        return self.opened / self.racks

    @property
    def low(self) -> float:
        """The lower end of Wilson's 95 % interval."""
        return self._interval[0]

    @property
    def high(self) -> float:
        """The upper end of Wilson's 95 % interval."""
        return self._interval[1]

    @property
    def _interval(self) -> tuple[float, float]:
        share, weight = self.chance, _Z * _Z / self.racks
        centre = (share + weight / 2) / (1 + weight)
        reach = sqrt(share * (1 - share) * weight + weight * weight / 4) / (1 + weight)
        return max(0.0, centre - reach), min(1.0, centre + reach)


def estimate_opening_chance(
    book: RuleBook,
    tiles: int | None = None,
    points: int | None = None,
    *,
    racks: int = 10_000,
    seed: int | str = 0,
) -> OpeningEstimate:
    """The chance that sets from a random rack alone reach the threshold, from a sample that the seed repeats.

    For every book; `tiles` and `points` as for `opening_chance`, which counts exactly. A thousand racks
    take a fraction of a second. Raises PositionError for more tiles than there are, or for no racks.
    """
    size = book.deal.tiles if tiles is None else tiles
    box = [face for face in book.tiles.every_face for _ in range(book.tiles.limits[face])]
    if not 0 <= size <= len(box):
        raise PositionError("rack_size", "tiles", size=size, total=len(box))
    if racks < 1:
        raise PositionError("no_racks", "racks")
    rng = Random(f"opening chance {book.id} {size} {seed}")
    opened = sum(opening(book, rng.sample(box, size), points) is not None for _ in range(racks))
    return OpeningEstimate(size, racks, opened, seed)
