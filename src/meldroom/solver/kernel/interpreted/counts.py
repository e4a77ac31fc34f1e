"""Tiles as counts by face."""

from __future__ import annotations

from .arrays import Ints, part


@part
def copy_counts(source: Ints, target: Ints) -> None:
    """Makes one rack or table like another."""
    for i in range(len(source)):
        target[i] = source[i]


@part
def sum_counts(counts: Ints) -> int:
    """How many tiles there are."""
    total = 0
    for i in range(len(counts)):
        total += counts[i]
    return total
