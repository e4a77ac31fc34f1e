"""Measures of a seating: repeated opponents and their least number, seats, tables of three, revisits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from meldroom.championship.seating.types import FEWEST, FULL, SHORT, Sitting, table_sizes

_TWELFTHS = 12  # a seat at a table of four is 3/12 of a share, at a table of three 4/12


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


def least_repeats(players: int, sittings: int) -> int:
    """A number of repeats that no seating can stay below.

    The larger of two bounds: between any two sittings a table that is spread as evenly as possible over the
    other sitting's tables still keeps some pairs together; and all meetings must fall on the pairs there are.
    """
    if players == FEWEST:
        same = _evenly(
            sittings, FEWEST
        )  # two sittings without the same player repeat six pairs, others three
        return 3 * pairs(sittings) + 3 * same
    sizes = table_sizes(players)
    between = sum(_evenly(size, len(sizes)) for size in sizes)
    together = sittings * sum(pairs(size) for size in sizes)
    return max(pairs(sittings) * between, _evenly(together, pairs(players)))


def _evenly(things: int, places: int) -> int:
    """Pairs in one place when things are spread evenly over places, which is the least possible."""
    share, more = divmod(things, places)
    return more * pairs(share + 1) + (places - more) * pairs(share)


def seat_counts(players: int, sittings: Iterable[Sitting]) -> list[list[int]]:
    """How often each player has had each seat."""
    counts = [[0] * FULL for _ in range(players)]
    for sitting in sittings:
        for table in sitting:
            for seat, player in enumerate(table):
                counts[player][seat] += 1
    return counts


def seat_deviation(players: int, sittings: Sequence[Sitting]) -> int:
    """How far seats are from even: 0 means that every player has every seat as often as his share allows.

    A player's share of a seat is a quarter of his tables of four and, for seats one to three, a third of his
    tables of three. The count of a seat must be that share, or where it is a fraction one of the whole
    numbers next to it; what is missing or too much is added up. Four sittings at tables of four: every seat
    exactly once.
    """
    visits = [three_visits(players, sittings), [0] * players]
    for sitting in sittings:
        for table in sitting:
            if len(table) == FULL:
                for player in table:
                    visits[1][player] += 1
    total = 0
    for player, counts in enumerate(seat_counts(players, sittings)):
        threes, fours = visits[0][player], visits[1][player]
        for seat, count in enumerate(counts):
            share = 3 * fours + (4 * threes if seat < SHORT else 0)
            total += max(0, count - -(-share // _TWELFTHS), share // _TWELFTHS - count)
    return total


def three_visits(players: int, sittings: Iterable[Sitting]) -> list[int]:
    """How often each player is at a table of three."""
    visits = [0] * players
    for sitting in sittings:
        for table in sitting:
            if len(table) == SHORT:
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
