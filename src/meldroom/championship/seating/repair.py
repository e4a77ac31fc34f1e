"""One sitting put right by exchanges: first serious faults go, then the rest is made as good as possible."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from random import Random

Cost = Callable[[int, Sequence[int]], int]
"""What is wrong with a table, by its number and its players: serious faults cost at least `SERIOUS` each."""

SERIOUS = 1_000_000

_MOST_STEPS = 400
_RESTING = 6  # players who were exchanged lately are not exchanged again at once
_FAR = 150
_PASSES = 10


def settle(tables: Sequence[Sequence[int]], cost: Cost, reach: int) -> list[list[int]]:
    """Tables of the same sizes, without serious faults if that was found, and with the least cost found.

    Players are numbers 0, 1, 2 …; in the end only players at most `reach` apart are exchanged.
    """
    found = _Tables(tables, cost)
    found.mend(Random(len(found.at)))
    found.polish(reach)
    return found.tables


class _Tables:
    """Tables under way."""

    def __init__(self, tables: Sequence[Sequence[int]], cost: Cost) -> None:
        self.cost = cost
        self.put(tables)

    def put(self, tables: Sequence[Sequence[int]]) -> None:
        """Begin with these tables."""
        self.tables = [list(table) for table in tables]
        self.costs = [self.cost(number, table) for number, table in enumerate(self.tables)]
        self.at = {player: number for number, table in enumerate(self.tables) for player in table}
        self.players = sorted(self.at)

    def change(self, one: int, two: int) -> int:
        """By how much the cost grows if two players exchange their tables."""
        here, there = self.at[one], self.at[two]
        mine = [two if player == one else player for player in self.tables[here]]
        yours = [one if player == two else player for player in self.tables[there]]
        return self.cost(here, mine) + self.cost(there, yours) - self.costs[here] - self.costs[there]

    def exchange(self, one: int, two: int) -> None:
        """Let two players exchange their tables."""
        here, there = self.at[one], self.at[two]
        self.tables[here][self.tables[here].index(one)] = two
        self.tables[there][self.tables[there].index(two)] = one
        self.at[one], self.at[two] = there, here
        for number in (here, there):
            self.costs[number] = self.cost(number, self.tables[number])

    def near(self, one: int) -> list[int]:
        """The players from whom one to exchange is chosen while there are serious faults."""
        place = bisect_left(self.players, one)
        return self.players[max(0, place - _FAR) : place + _FAR]

    def mend(self, chance: Random) -> None:
        """Remove serious faults: at a faulty table the best exchange of any player, even if it is no gain."""
        best, kept = sum(self.costs), [list(table) for table in self.tables]
        resting: list[int] = []
        for _ in range(_MOST_STEPS):
            faulty = [number for number, cost in enumerate(self.costs) if cost >= SERIOUS]
            if not faulty:
                return
            table = faulty[int(chance.random() * len(faulty))]
            choices = [
                (self.change(one, two), one, two)
                for one in self.tables[table]
                for two in self.near(one)
                if self.at[two] != table and two not in resting
            ]
            if not choices:
                break
            _, one, two = min(choices)
            self.exchange(one, two)
            resting = [*resting, one, two][-min(_RESTING, len(self.players) // 3) :]
            if sum(self.costs) < best:
                best, kept = sum(self.costs), [list(table) for table in self.tables]
        if sum(self.costs) > best:
            self.put(kept)

    def polish(self, reach: int) -> None:
        """Exchange near players while that lowers the cost; unchanged tables are passed over."""
        changed = set(range(len(self.tables)))
        for _ in range(_PASSES):
            looked_at, changed = changed, set()
            for place, one in enumerate(self.players):
                for two in self.players[place + 1 : place + 1 + reach]:
                    here, there = self.at[one], self.at[two]
                    new = here in looked_at or there in looked_at or here in changed or there in changed
                    if here != there and new and self.change(one, two) < 0:
                        self.exchange(one, two)
                        changed |= {here, there}
