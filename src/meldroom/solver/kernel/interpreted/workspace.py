"""The room a search works in, as lists. Compiled, it is one array that each function cuts into these."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from .arrays import Ints, zeros

COLOURS = 4
NUMBERS = 16
MOST_JOKERS = 4
IDS_WITH = (10, 20, 35, 56, 84)
"""States of one colour's open runs, by jokers: no more than two tiles and they lie at one number."""
BUDGETS = 2 * MOST_JOKERS + 1
OPTIONS = 7
PAIRS = OPTIONS * OPTIONS
KEPT = 2
"""For so many positions of a colour alone, the latest ones with as many jokers, what is prepared is kept."""
PLACES = COLOURS * KEPT
EVERY_PLACE = PLACES * (MOST_JOKERS + 1)
STATES = PLACES * (NUMBERS + 1) * sum(IDS_WITH)
"""One after the other for each number of jokers, in each place and at each number."""
ARENA = 400_000
HASH = 1 << 17

SIZES = {
    "total": COLOURS * NUMBERS,
    "table": COLOURS * NUMBERS,
    "weight": NUMBERS + 1,
    "bound": STATES * BUDGETS,
    "options": STATES * OPTIONS,
    "promise": STATES * OPTIONS * BUDGETS,
    "option_count": STATES,
    "reached": STATES,
    "reached_count": EVERY_PLACE * (NUMBERS + 1),
    "least": STATES,
    "free": NUMBERS,
    "price": NUMBERS,
    "prepared": EVERY_PLACE * (NUMBERS + 1),
    "wanted": NUMBERS + 1,
    "place": COLOURS,
    "first_state": COLOURS,
    "used": EVERY_PLACE,
    "pairs": 2 * PAIRS * 5,
    "sums": (2 * PAIRS + 8) * BUDGETS,
    "tops": 64,
    "key": ARENA,
    "value": ARENA,
    "rest": ARENA,
    "parent": ARENA,
    "choice": ARENA,
    "slot": HASH + 1,
    "picks": NUMBERS,
    "scratch": ARENA,
    "layer": NUMBERS + 2,
    "old_runs": COLOURS * NUMBERS * NUMBERS,
    "old_groups": NUMBERS * 16,
    "small": 256,
    "out": 1024,
}
"""How long each part is, in the order of `Workspace`."""


class Workspace(NamedTuple):
    """Everything the kernel writes to, made once for each thread."""

    total: Ints
    table: Ints
    weight: Ints
    bound: Ints
    options: Ints
    promise: Ints
    option_count: Ints
    reached: Ints
    reached_count: Ints
    least: Ints
    free: Ints
    price: Ints
    prepared: Ints
    wanted: Ints
    place: Ints
    first_state: Ints
    used: Ints
    pairs: Ints
    sums: Ints
    tops: Ints
    key: Ints
    value: Ints
    rest: Ints
    parent: Ints
    choice: Ints
    slot: Ints
    picks: Ints
    scratch: Ints
    layer: Ints
    old_runs: Ints
    old_groups: Ints
    small: Ints
    out: Ints


Room: TypeAlias = Workspace
"""A workspace as functions hand it to each other: `opened` finds its parts."""


def make_workspace() -> Room:
    """A fresh workspace."""
    return Workspace(**{name: zeros(size) for name, size in SIZES.items()})


def opened(room: Room) -> Workspace:
    """The parts of a workspace."""
    return room
