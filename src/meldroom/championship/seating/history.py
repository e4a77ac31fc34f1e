"""What has happened to each player in the sittings so far, and what a further table would cost him."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise, permutations

import msgspec

from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.repair import SERIOUS
from meldroom.championship.seating.types import FEWEST, FULL, SHORT

Tables = Sequence[Sequence[str]]
"""The tables of a sitting by name, players in seat order."""

_LEAST = 3  # one table of three can still be played
_AGAIN_AT_THREE = 300  # one more table of three weighs as much as a table 17 ranks wide


class NextSitting(msgspec.Struct, frozen=True):
    """One sitting that takes account of those before it."""

    tables: tuple[tuple[str, ...], ...]
    repeats: int
    """Meetings of two who have met before, counted once for each time that they have."""
    sitting_out: tuple[str, ...] = ()
    """One of five, otherwise nobody."""
    not_apart: int = 0
    """Pairs who were to be kept apart and are not."""


class Past:
    """Counts for each player, who is a number: his rank, or his place in a list."""

    def __init__(
        self, players: Sequence[str], history: Sequence[Tables], apart: Sequence[Sequence[str]] = ()
    ) -> None:
        """Raises SeatingError if there are too few players, or if one appears twice."""
        if len(players) < _LEAST:
            raise SeatingError("too_few_to_go_on", players=len(players), least=_LEAST)
        self.players = tuple(players)
        self.number = {name: number for number, name in enumerate(players)}
        if len(self.number) < len(players):
            raise SeatingError("same_name", name=Counter(players).most_common(1)[0][0])
        self.met: list[dict[int, int]] = [{} for _ in players]
        self.threes = [0] * len(players)
        self.seats = [[0] * FULL for _ in players]
        self.apart = {
            pair
            for group in apart
            for pair in combinations(sorted({self.number[name] for name in group if name in self.number}), 2)
        }
        for sitting, tables in enumerate(history):
            for one, two in pairwise(sorted(name for table in tables for name in table)):
                if one == two:
                    raise SeatingError("seated_twice", name=one, sitting=sitting + 1)
            self.add(tables)

    def known(self, tables: Tables) -> list[list[int]]:
        """The tables without players who have left."""
        return [[self.number[name] for name in table if name in self.number] for table in tables]

    def add(self, tables: Tables) -> None:
        """Count a sitting that was played or will be."""
        self.meet(self.known(tables), 1)
        for table in tables:
            for seat, name in enumerate(table[:FULL]):
                if (player := self.number.get(name)) is not None:
                    self.seats[player][seat] += 1
                    self.threes[player] += len(table) == SHORT

    def meet(self, tables: Iterable[Sequence[int]], times: int) -> None:
        """Count the meetings of some tables."""
        for one, two in (pair for table in tables for pair in combinations(table, 2)):
            for player, other in ((one, two), (two, one)):
                self.met[player][other] = self.met[player].get(other, 0) + times

    def repeats(self, table: Sequence[int]) -> int:
        """How often the players of a table have met before."""
        return sum(self.met[one].get(two, 0) for one, two in combinations(table, 2))

    def not_apart(self, table: Sequence[int]) -> int:
        """How many pairs of a table were to be kept apart."""
        return sum(pair in self.apart for pair in combinations(sorted(table), 2)) if self.apart else 0

    def faults(self, table: Sequence[int]) -> int:
        """What is wrong with a table: repeats, pairs not kept apart, tables of three for the same again."""
        again = sum(self.threes[player] for player in table) if len(table) == SHORT else 0
        return (self.repeats(table) + self.not_apart(table)) * SERIOUS + again * _AGAIN_AT_THREE

    def to_seat(self) -> list[int]:
        """All players; of five, all but the last of those who have sat out least often."""
        everybody = list(range(len(self.players)))
        if len(everybody) == FEWEST:
            everybody.remove(max(everybody, key=lambda player: (sum(self.seats[player]), player)))
        return everybody

    def in_seats(self, table: Sequence[int]) -> tuple[int, ...]:
        """The table with everyone in the seat he has had least often; between equals the given order."""
        return min(
            permutations(table),
            key=lambda order: sum(self.seats[player][seat] for seat, player in enumerate(order)),
        )

    def sitting(self, tables: Sequence[Sequence[int]]) -> NextSitting:
        """The tables by name, with what is wrong about them."""
        seated = {player for table in tables for player in table}
        return NextSitting(
            tables=tuple(tuple(self.players[player] for player in table) for table in tables),
            repeats=sum(self.repeats(table) for table in tables),
            sitting_out=tuple(name for number, name in enumerate(self.players) if number not in seated),
            not_apart=sum(self.not_apart(table) for table in tables),
        )
