"""What has happened to each player in the sittings so far, and what a further table would cost them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise, permutations

import msgspec

from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.repair import SERIOUS
from meldroom.championship.seating.types import FOURS, TableSize

Tables = Sequence[Sequence[str]]
"""The tables of a sitting by name, players in seat order."""

_AGAIN_SHORT = 300  # one more short table weighs as much as a table 17 ranks wide


class NextSitting(msgspec.Struct, frozen=True):
    """One sitting that takes account of those before it."""

    tables: tuple[tuple[str, ...], ...]
    repeats: int
    """Meetings of two who have met before, counted once for each time that they have."""
    sitting_out: tuple[str, ...] = ()
    """One of five at tables of four, otherwise nobody."""
    not_apart: int = 0
    """Pairs who were to be kept apart and are not."""


class Past:
    """Counts for each player, who is a number: their rank, or their place in a list."""

    def __init__(
        self,
        players: Sequence[str],
        history: Sequence[Tables],
        apart: Sequence[Sequence[str]] = (),
        size: TableSize = FOURS,
        rested: Mapping[str, int] | None = None,
    ) -> None:
        """Raises SeatingError if there are too few players, or if one appears twice.

        `rested` is how often each has sat out, where that is known.
        """
        if len(players) < size.short:
            raise SeatingError("too_few_to_go_on", count=len(players), least=size.short)
        self.size = size
        self.players = tuple(players)
        self.number = {name: number for number, name in enumerate(players)}
        if len(self.number) < len(players):
            raise SeatingError("same_name", name=Counter(players).most_common(1)[0][0])
        self.rested = [(rested or {}).get(name, 0) for name in players]
        self.met: list[dict[int, int]] = [{} for _ in players]
        self.shorts = [0] * len(players)
        self.seats = [[0] * size.full for _ in players]
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
            for seat, name in enumerate(table[: self.size.full]):
                if (player := self.number.get(name)) is not None:
                    self.seats[player][seat] += 1
                    self.shorts[player] += len(table) < self.size.full

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
        """What is wrong with a table: repeats, pairs not kept apart, short tables for the same again."""
        again = sum(self.shorts[player] for player in table) if len(table) < self.size.full else 0
        return (self.repeats(table) + self.not_apart(table)) * SERIOUS + again * _AGAIN_SHORT

    def to_seat(self) -> list[int]:
        """All but those who have to sit out: who did so least often, and has played most (R73)."""
        everybody = list(range(len(self.players)))
        for _ in range(len(everybody) - self.size.seated(len(everybody))):
            everybody.remove(
                max(everybody, key=lambda player: (-self.rested[player], sum(self.seats[player]), player))
            )
        return everybody

    def in_seats(self, table: Sequence[int]) -> tuple[int, ...]:
        """The table with everyone in the seat they have had least often; between equals the given order."""
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
