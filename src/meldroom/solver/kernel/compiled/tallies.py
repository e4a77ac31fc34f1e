"""What a count of racks keeps between two numbers, as arrays: where frontiers lead, and their counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

Targets = NDArray[np.int32]
Cube = NDArray[np.int64]


def filled(rows: int, columns: int, value: int) -> Targets:
    """Rows of one value."""
    return np.full((rows, columns), value, np.int32)


def rows_of(targets: Targets, which: Sequence[int]) -> Targets:
    """A copy of some rows."""
    return targets[np.asarray(which, np.int64)]


def with_rows(targets: Targets, which: Sequence[int], rows: Targets, more: Targets) -> Targets:
    """Some rows replaced, after more rows were added at the end."""
    grown = np.concatenate((targets, more))
    grown[np.asarray(which, np.int64)] = rows
    return grown


def met(targets: Targets) -> list[int]:
    """Every frontier that something leads to, in order."""
    return cast(list[int], np.unique(targets[targets >= 0]).tolist())


def cube(rows: int, limbs: int, tiles: int) -> Cube:
    """Counts of nothing yet."""
    return np.zeros((rows, limbs, tiles), np.int64)


def fewest(counts: Cube) -> list[int]:
    """The fewest tiles that each row counts racks for."""
    return cast(list[int], counts.any(axis=1).argmax(axis=1).tolist())


def in_use(counts: Cube) -> list[int]:
    """The rows that count anything."""
    return np.flatnonzero(counts.any(axis=(1, 2))).tolist()


def part_of(counts: Cube, which: Sequence[int]) -> Cube:
    """Some rows."""
    return counts[np.asarray(which, np.int64)]


def lists(row: NDArray[np.int64]) -> list[list[int]]:
    """One row's counts by limb and tiles, as lists."""
    return cast(list[list[int]], row.tolist())
