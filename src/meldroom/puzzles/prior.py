"""The prior: a rating for a puzzle before anybody has tried it, from what a person has to do.

The weights were fitted once to simulated solvers on puzzles of other games (`bench/puzzles.py prior --fit`):
145 points for each doubling of what they need to shift, and none below zero. What players do later takes over
(`meldroom.puzzles.ratings`).
"""

from __future__ import annotations

from math import log2

from meldroom.puzzles.features import Features

AVERAGE = 1500
LEAST, MOST = 600, 2800

WEIGHTS: dict[str, float] = {
    "disturbed": 70.0,
    "chain": 10.0,
    "in_hand": 48.0,
    "jokers": 63.0,
    "changed_shape": 3.0,
    "tiles": 0.0,
    "near_misses": 100.0,
    "sets": 88.0,
}
"""Points of rating for each; `near_misses` and `sets` count doublings."""
BASE = 540.0
HOLD_RATING = 2000
"""For *hold or lay?*: less ten points for each per cent between the two chances."""
LEAVE_RATING = 1700
"""For a discard to be left: less ten points for each per cent of unseen tiles that are better."""


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


def opening_prior(rack: int, sets: int) -> int:
    """The rating of an opening nobody has tried: the rack to be read, and the sets to be found in it.

    This is a guess: simulated solvers shift tiles of a table, and an opening touches none.
    """
    return round(min(MOST, 600 + 30 * rack + 80 * sets))


def prior(features: Features) -> int:
    """The rating of a puzzle that nobody has tried."""
    points = BASE + sum(WEIGHTS[name] * amount for name, amount in terms(features).items())
    return round(min(MOST, max(LEAST, points)))
