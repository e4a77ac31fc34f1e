"""The room a search works in, as lists. Compiled, it is one array that the kernel cuts into these parts."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from .arrays import Ints, zeros

COLOURS = 4
NUMBERS = 16
MOST_JOKERS = 4
IDS = 84
"""States of one colour's open runs: no more than two tiles and four jokers lie at one number."""
BUDGETS = 2 * MOST_JOKERS + 1
OPTIONS = 7
PAIRS = OPTIONS * OPTIONS
ARENA = 400_000
HASH = 1 << 17

SIZES = {
    "total": COLOURS * NUMBERS,
    "table": COLOURS * NUMBERS,
    "weight": NUMBERS + 1,
    "bound": COLOURS * (NUMBERS + 1) * IDS * BUDGETS,
    "options": COLOURS * NUMBERS * IDS * OPTIONS,
    "promise": COLOURS * NUMBERS * IDS * OPTIONS * BUDGETS,
    "option_count": COLOURS * (NUMBERS + 1) * IDS,
    "reached": COLOURS * (NUMBERS + 1) * IDS,
    "reached_count": COLOURS * (NUMBERS + 1),
    "least": COLOURS * (NUMBERS + 1) * IDS,
    "free": NUMBERS,
    "price": NUMBERS,
    "prepared": COLOURS * (NUMBERS + 1),
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
"""A workspace as it is handed to the kernel from outside."""


def make_workspace() -> Workspace:
    """A fresh workspace."""
    return Workspace(**{name: zeros(size) for name, size in SIZES.items()})


def room_of(ws: Workspace) -> Room:
    """What the kernel is given of a workspace."""
    return ws


def opened(room: Room) -> Workspace:
    """The workspace again, inside the kernel."""
    return room
