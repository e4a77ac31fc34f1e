"""A verifier of seatings that shares no code with the program: it counts from the tables alone."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import ceil, floor
from typing import NamedTuple

Player = Hashable
Sittings = Sequence[Sequence[Sequence[Player]]]


class Verdict(NamedTuple):
    """What the tables show."""

    faults: list[str]
    repeats: int
    uneven_seats: int
    most_short: int
    revisits: int


def verify(players: Sequence[Player], sittings: Sittings, size: tuple[int, int] = (4, 3)) -> Verdict:
    """Everything about a seating; `faults` is empty if everybody has one seat at tables of right sizes.

    `size` is how many sit at a full and at a short table; they are equal where there are no short ones.
    """
    return Verdict(
        faults=[
            fault for number, each in enumerate(sittings) for fault in faults(players, each, number, size)
        ],
        repeats=repeats(sittings),
        uneven_seats=sum(uneven(player, sittings) for player in players),
        most_short=max(
            sum(player in table for each in sittings for table in each if len(table) < size[0])
            for player in players
        ),
        revisits=sum(revisits(player, sittings) for player in players),
    )


@cache
def shares(players: int, size: tuple[int, int]) -> list[int]:
    """The sizes of the tables, smallest first, by trying every number of full and short ones.

    As many as possible play, then at as few short tables as possible.
    """
    full, short = size
    options = [
        (a * full + b * short, -b if short < full else 0, [short] * b + [full] * a)
        for a in range(players // full + 1)
        for b in range(players // short + 1 if short < full else 1)
        if 0 < a * full + b * short <= players
    ]
    return max(options)[2]


def faults(
    players: Sequence[Player],
    sitting: Sequence[Sequence[Player]],
    number: int,
    size: tuple[int, int] = (4, 3),
) -> list[str]:
    """What is wrong with one sitting."""
    expected = shares(len(players), size)
    found = []
    seated = [player for table in sitting for player in table]
    if len(seated) != len(set(seated)):
        found.append(f"sitting {number}: somebody has two seats")
    if unknown := set(seated) - set(players):
        found.append(f"sitting {number}: strangers {unknown}")
    absent = len(players) - len(set(seated))
    if absent != len(players) - sum(expected):
        found.append(f"sitting {number}: {absent} without a seat")
    sizes = sorted(len(table) for table in sitting)
    if sizes != expected:
        found.append(f"sitting {number}: tables of {sizes}")
    return found


def repeats(sittings: Sittings) -> int:
    """Pairs of sittings in which the same two share a table, looked up table against table."""
    total = 0
    for one, two in combinations(sittings, 2):
        home = {player: number for number, table in enumerate(two) for player in table}
        for table in one:
            met_again = [home[player] for player in table if player in home]
            total += sum(here == there for here, there in combinations(met_again, 2))
    return total


def uneven(player: Player, sittings: Sittings) -> int:
    """By how much a player's counts of seats leave the whole numbers around their share."""
    sizes = [
        (len(table), list(table).index(player)) for each in sittings for table in each if player in table
    ]
    total = 0
    for seat in range(max(size for size, _ in sizes) if sizes else 0):
        share = sum(Fraction(1, size) for size, _ in sizes if seat < size)
        count = sum(taken == seat for _, taken in sizes)
        total += max(0, count - ceil(share), floor(share) - count)
    return total


def every_seat_once(players: Sequence[Player], sittings: Sittings) -> bool:
    """Whether each player has each of four seats exactly once."""
    seats: dict[Player, list[int]] = {player: [] for player in players}
    for sitting in sittings:
        for table in sitting:
            for seat, player in enumerate(table):
                seats[player].append(seat)
    return all(sorted(taken) == [0, 1, 2, 3] for taken in seats.values())


def revisits(player: Player, sittings: Sittings) -> int:
    """How often a player comes to a table where they have been."""
    places = [number for each in sittings for number, table in enumerate(each) if player in table]
    return len(places) - len(set(places))
