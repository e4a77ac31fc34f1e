"""Exact counts of racks: chances to open, expected draws, racks that go out at once."""

from meldroom.solver.counting.chances import (
    DrawsToOpen,
    OpeningChance,
    expected_draws,
    opening_chance,
    racks_that_go_out,
)

__all__ = ["DrawsToOpen", "OpeningChance", "expected_draws", "opening_chance", "racks_that_go_out"]
