"""What a count of racks keeps between two numbers, as lists: where frontiers lead, and their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

Targets: TypeAlias = list[list[int]]
Cube: TypeAlias = list[list[list[int]]]


def filled(rows: int, columns: int, value: int) -> Targets:
    """Rows of one value."""
    return [[value] * columns for _ in range(rows)]


def rows_of(targets: Targets, which: Sequence[int]) -> Targets:
    """A copy of some rows."""
    return [list(targets[row]) for row in which]


def with_rows(targets: Targets, which: Sequence[int], rows: Targets, more: Targets) -> Targets:
    """Some rows replaced, after more rows were added at the end."""
    grown = [*targets, *more]
    for place, row in zip(which, rows, strict=True):
        grown[place] = list(row)
    return grown


def met(targets: Targets) -> list[int]:
    """Every frontier that something leads to, in order."""
    return sorted({target for row in targets for target in row if target >= 0})


def cube(rows: int, limbs: int, tiles: int) -> Cube:
    """Counts of nothing yet."""
    return [[[0] * tiles for _ in range(limbs)] for _ in range(rows)]


def fewest(counts: Cube) -> list[int]:
    """The fewest tiles that each row counts racks for."""
    return [
        next((tiles for tiles in range(len(row[0])) if any(limb[tiles] for limb in row)), 0) for row in counts
    ]


def in_use(counts: Cube) -> list[int]:
    """The rows that count anything."""
    return [place for place, row in enumerate(counts) if any(map(any, row))]


def part_of(counts: Cube, which: Sequence[int]) -> Cube:
    """Some rows."""
    return [counts[row] for row in which]


def lists(row: list[list[int]]) -> list[list[int]]:
    """One row's counts by limb and tiles, as lists."""
    return row
