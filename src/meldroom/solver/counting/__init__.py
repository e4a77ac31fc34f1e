"""Counts of racks, exact where they can be: chances to open, expected draws, racks that go out at once."""

from meldroom.solver.counting.chances import (
    DrawsToOpen,
    OpeningChance,
    expected_draws,
    opening_chance,
    racks_that_go_out,
)
from meldroom.solver.counting.estimates import OpeningEstimate, estimate_opening_chance

__all__ = [
    "DrawsToOpen",
    "OpeningChance",
    "OpeningEstimate",
    "estimate_opening_chance",
    "expected_draws",
    "opening_chance",
    "racks_that_go_out",
]
