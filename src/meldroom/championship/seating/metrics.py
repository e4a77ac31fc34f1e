"""Measures of a seating: repeated opponents and their least number, seats, short tables, revisits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from meldroom.championship.seating.types import Sitting, TableSize


def pairs(number: int) -> int:
    """How many pairs there are among some things."""
    return number * (number - 1) // 2


def meetings(sittings: Iterable[Sitting]) -> Counter[tuple[int, int]]:
    """How often each two players, the lower number first, share a table."""
    met: Counter[tuple[int, int]] = Counter()
    for sitting in sittings:
        for table in sitting:
            met.update(combinations(sorted(table), 2))
    return met


def repeats(sittings: Iterable[Sitting]) -> int:
    """Pairs of sittings in which the same two share a table, over all two players."""
    return sum(pairs(times) for times in meetings(sittings).values())


def least_repeats(players: int, sittings: int, size: TableSize) -> int:
    """A number of repeats that no seating can stay below.

    The larger of two bounds: between any two sittings a table that is spread as evenly as possible over the
    other sitting's tables still keeps some pairs together; and all meetings must fall on the pairs there are.
    """
    sizes = size.tables(players)
    between = _least_between(sizes, players - sum(sizes))
    if len(sizes) == 1:  # two sittings without the same player repeat all pairs, which some two must
        same = _evenly(sittings, players) if players == sizes[0] + 1 else 0
        return between * pairs(sittings) + (pairs(sizes[0]) - between) * same
    together = sittings * sum(pairs(each) for each in sizes)
    return max(pairs(sittings) * between, _evenly(together, pairs(players)))


def _least_between(sizes: Sequence[int], out: int) -> int:
    """The fewest pairs that two sittings share, where some of the first sit out in the second."""
    left = list(sizes)
    for _ in range(out):
        gains = [_evenly(each, len(sizes)) - _evenly(each - 1, len(sizes)) for each in left]
        left[gains.index(max(gains))] -= 1
    return sum(_evenly(each, len(sizes)) for each in left)


def _evenly(things: int, places: int) -> int:
    """Pairs in one place when things are spread evenly over places, which is the least possible."""
    share, more = divmod(things, places)
    return more * pairs(share + 1) + (places - more) * pairs(share)


def seat_counts(players: int, sittings: Iterable[Sitting], seats: int) -> list[list[int]]:
    """How often each player has had each seat."""
    counts = [[0] * seats for _ in range(players)]
    for sitting in sittings:
        for table in sitting:
            for seat, player in enumerate(table):
                counts[player][seat] += 1
    return counts


def seat_deviation(players: int, sittings: Sequence[Sitting], size: TableSize) -> int:
    """How far seats are from even: 0 means that every player has every seat as often as their share allows.

    At tables of four, a player's share of a seat is a quarter of their tables of four and, for seats one to
    three, a third of their tables of three. The count of a seat must be that share, or where it is a fraction
    one of the whole numbers next to it; what is missing or too much is added up. Four sittings at tables of
    four: every seat exactly once.
    """
    shorts = short_visits(players, sittings, size)
    whole = size.full * size.short
    total = 0
    for player, counts in enumerate(seat_counts(players, sittings, size.full)):
        full = sum(counts) - shorts[player]
        for seat, count in enumerate(counts):
            share = size.short * full + (size.full * shorts[player] if seat < size.short else 0)
            total += max(0, count - -(-share // whole), share // whole - count)
    return total


def short_visits(players: int, sittings: Iterable[Sitting], size: TableSize) -> list[int]:
    """How often each player is at a table that is not full."""
    visits = [0] * players
    for sitting in sittings:
        for table in sitting:
            if len(table) < size.full:
                for player in table:
                    visits[player] += 1
    return visits


def table_revisits(sittings: Iterable[Sitting]) -> int:
    """Visits to a table by players who have been there before."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for sitting in sittings:
        for number, table in enumerate(sitting):
            for player in table:
                total += (player, number) in seen
                seen.add((player, number))
    return total
