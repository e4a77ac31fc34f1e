"""Sittings found by search, where no construction reaches: annealing with whole numbers and a fixed course.

The same field gives the same plan on every machine: the course has a fixed length, and chances are products
of constants, never results of a mathematics library.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from meldroom.championship.seating.metrics import least_repeats, meetings, pairs
from meldroom.championship.seating.types import Sitting, TableSize

_STAGES = 100
_STEPS = 600
_STARTS = 3
_WARM = 0.19  # the chance that a change for the worse by one is kept: at first, and from stage to stage
_COOLING = 0.9
_WORST = 6  # a change for the worse by more is never kept


def search(players: int, sittings: int, known: Sequence[Sitting], size: TableSize) -> list[Sitting]:
    """The known sittings, unchanged, and further ones with few repeats; stops where the least is reached.

    Where some have to sit out, players take turns at that.
    """
    least = least_repeats(players, sittings, size)
    attempts = []
    for start in range(_STARTS):
        attempts.append(_Search(players, sittings, known, size, Random(start)))
        attempts[-1].run(least)
        if attempts[-1].cost <= least:
            break
    best = min(attempts, key=lambda attempt: attempt.cost)
    return [*known, *(tuple(tuple(table) for table in sitting) for sitting in best.sittings)]


def seated_in(players: int, seats: int, sitting: int) -> list[int]:
    """Who plays in a sitting where there are fewer seats than players: they take turns at sitting out."""
    out = {(sitting * (players - seats) + place) % players for place in range(players - seats)}
    return [player for player in range(players) if player not in out]


class _Search:
    """Sittings under way: two players of one sitting exchange tables if that lowers the number of repeats."""

    def __init__(
        self, players: int, sittings: int, known: Sequence[Sitting], size: TableSize, chance: Random
    ) -> None:
        self.chance = chance.random
        self.sizes = size.tables(players)
        self.sittings = [self._any(players, number) for number in range(len(known), sittings)]
        self.met = [[0] * players for _ in range(players)]
        everything = [*known, *(tuple(tuple(table) for table in sitting) for sitting in self.sittings)]
        counted = meetings(everything)
        for (one, two), times in counted.items():
            self.met[one][two] = self.met[two][one] = times
        self.cost = sum(pairs(times) for times in counted.values())

    def _any(self, players: int, number: int) -> list[list[int]]:
        """A sitting at random."""
        order = seated_in(players, sum(self.sizes), number)
        for last in range(len(order) - 1, 0, -1):
            other = int(self.chance() * (last + 1))
            order[last], order[other] = order[other], order[last]
        rest = iter(order)
        return [[next(rest) for _ in range(size)] for size in self.sizes]

    def run(self, least: int) -> None:
        """Anneal until the least number of repeats or the end of the course is reached."""
        kept = _WARM
        for _ in range(_STAGES):
            chances = [1.0]
            for _ in range(_WORST):
                chances.append(chances[-1] * kept)
            for _ in range(_STEPS):
                self._step(chances)
            if self.cost <= least:
                return
            kept *= _COOLING

    def _step(self, chances: Sequence[float]) -> None:
        """Propose one exchange and keep it or not."""
        chance = self.chance
        tables = self.sittings[int(chance() * len(self.sittings))]
        first = int(chance() * len(tables))
        second = (first + 1 + int(chance() * (len(tables) - 1))) % len(tables)
        here, there = tables[first], tables[second]
        mine, yours = int(chance() * len(here)), int(chance() * len(there))
        one, two = here[mine], there[yours]
        of_one, of_two = self.met[one], self.met[two]
        worse = len(here) + len(there) - 2
        for other in here:
            worse += of_two[other] - of_one[other]
        for other in there:
            worse += of_one[other] - of_two[other]
        worse -= 2 * of_one[two]
        if worse <= 0 or (worse <= _WORST and chance() < chances[worse]):
            here[mine], there[yours] = two, one
            self._moved(one, here, there, two)
            self._moved(two, there, here, one)
            self.cost += worse

    def _moved(self, player: int, left: Sequence[int], joined: Sequence[int], other: int) -> None:
        """Count the meetings of a player who has left one table, where another now sits, for a second."""
        mine = self.met[player]
        for companion in left:
            if companion != other:
                mine[companion] -= 1
                self.met[companion][player] -= 1
        for companion in joined:
            if companion != player:
                mine[companion] += 1
                self.met[companion][player] += 1
