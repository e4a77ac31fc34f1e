"""Players who overlook things: a tile that fits, a set to rearrange, what two sets make together."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from random import Random

from meldroom.bots.attention import Attention, attention, chance
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceTable, Turn, verify
from meldroom.solver.best import Solution
from meldroom.tiles import Face


class Attentive:
    """Lays the sets of its rack, then adds and rearranges as far as it notices."""

    def __init__(self, book: RuleBook, seed: str, attention: Attention) -> None:
        self.book = book
        self.seed = seed
        self.attention = attention

    def act(self, view: View, clock: Clock) -> Action:
        """All that it notices, or a draw."""
        seat = Seat(self.book, view)
        mine = best_or_none(self.book, (), seat.rack, seat.melded, time_limit=clock.seconds)
        own = (*seat.table, *mine.table)
        if seat.melded:
            deadline = None if clock.seconds is None else time.monotonic() + 0.8 * clock.seconds
            dice = chance(self.seed, view)
            table, rack = self._add(own, Counter(seat.rack) - Counter(mine.played), dice)
            table, rack = self._rearrange(table, rack, dice, deadline)
            # What is legal step by step need not be so as one turn: a joker freed twice, say.
            if rack.total() < len(seat.rack) and not verify(
                self.book, Turn(seat.table, seat.rack, table, True)
            ):
                return seat.lay(table)
        return seat.lay(own) if mine.played else seat.wait()

    def _add(self, table: FaceTable, rack: Counter[Face], dice: Random) -> tuple[FaceTable, Counter[Face]]:
        """Single tiles added to sets that stay as they are, as far as it notices that they fit."""
        sets, left = list(table), rack.copy()
        is_set, faces = self.book.reader.is_set, sorted(set(rack) - {self.book.tiles.joker})
        noticed = [face for face in faces if dice.random() < self.attention.tiles]
        more = True
        while more:
            more = False
            for face in noticed:
                fits = (i for i, tiles in enumerate(sets) if left[face] and is_set((*tiles, face)))
                index = next(fits, None)
                if index is not None:
                    sets[index] = (*sets[index], face)
                    left[face] -= 1
                    more = True
        return tuple(sets), +left

    def _rearrange(
        self, table: FaceTable, rack: Counter[Face], dice: Random, deadline: float | None
    ) -> tuple[FaceTable, Counter[Face]]:
        """The best of what it sees around one or two sets, a few times over."""
        for _ in range(self.attention.steps):
            tiles = tuple(sorted(rack.elements()))
            best: tuple[Solution, FaceTable] | None = None
            for looked in self._looks(table, dice) if tiles else ():
                if deadline is not None and time.monotonic() > deadline:
                    return table, rack
                found = best_or_none(self.book, tuple(table[index] for index in looked), tiles)
                if found.played and (best is None or found.tiles > best[0].tiles):
                    best = found, tuple(kept for index, kept in enumerate(table) if index not in looked)
            if best is None:
                break
            table, rack = (*best[1], *best[0].table), rack - Counter(best[0].played)
        return table, rack

    def _looks(self, table: FaceTable, dice: Random) -> Iterator[tuple[int, ...]]:
        """The sets it looks at, alone and in pairs."""
        alone = [(index,) for index in range(len(table)) if dice.random() < self.attention.sets]
        pairs = list(combinations(range(len(table)), 2)) if self.attention.pairs else []
        yield from chain(alone, dice.sample(pairs, min(len(pairs), self.attention.pairs)))


def make(book: RuleBook, seed: str, level: str) -> Bot:
    """The bot for one seat; what it overlooks follows from the seed."""
    return Attentive(book, seed, attention(level, book))
