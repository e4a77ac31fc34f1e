"""The prior: a rating for a puzzle before anybody has tried it, from what a person has to do.

The weights were fitted once to simulated solvers on puzzles of other games (`bench/puzzles.py --fit`); what
players do later takes over (`meldroom.puzzles.ratings`).
"""

from __future__ import annotations

from math import log2

from meldroom.puzzles.features import Features

AVERAGE = 1500
LEAST, MOST = 600, 2800

WEIGHTS: dict[str, float] = {
    "disturbed": 90.0,
    "chain": 60.0,
    "in_hand": 20.0,
    "jokers": 60.0,
    "changed_shape": 20.0,
    "tiles": 40.0,
    "near_misses": 60.0,
    "sets": 120.0,
}
"""Points of rating for each; `near_misses` and `sets` count doublings."""
BASE = 400.0
HOLD_RATING = 2000
"""For *hold or lay?*: less ten points for each per cent between the two chances."""


def terms(features: Features) -> dict[str, float]:
    """What the weights multiply."""
    return {
        "disturbed": features.disturbed,
        "chain": features.chain,
        "in_hand": features.in_hand,
        "jokers": features.jokers,
        "changed_shape": features.to_group + features.to_run,
        "tiles": features.tiles,
        "near_misses": log2(1 + features.near_misses),
        "sets": log2(1 + features.sets),
    }


def prior(features: Features) -> int:
    """The rating of a puzzle that nobody has tried."""
    points = BASE + sum(WEIGHTS[name] * amount for name, amount in terms(features).items())
    return round(min(MOST, max(LEAST, points)))
