"""Club player: lays sets, adds to those on the table, and rearranges one or two of them at a time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.solver.best import Solution
from meldroom.tiles import Face

MOST_SETS = 2
"""How many sets of the table a club player keeps in mind at a time."""


class Club:
    """Looks for the best play around none, one or two sets of the table, again and again."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book

    def act(self, view: View, clock: Clock) -> Action:
        """Everything it finds step by step, or a draw."""
        seat = Seat(self.book, view)
        if not seat.melded:
            opening = seat.best()
            return seat.lay(opening.table) if opening.played else seat.wait()
        deadline = None if clock.seconds is None else time.monotonic() + 0.8 * clock.seconds
        table, rack = seat.table, seat.rack
        while rack and (deadline is None or time.monotonic() < deadline):
            step = self._step(table, rack, deadline)
            # What is legal step by step need not be so as one turn: a joker freed twice, say.
            if step is None or verify(self.book, Turn(seat.table, seat.rack, step[0], True)):
                break
            table, rack = step
        return seat.lay(table) if len(rack) < len(seat.rack) else seat.wait()

    def _step(
        self, table: FaceTable, rack: FaceSet, deadline: float | None
    ) -> tuple[FaceTable, FaceSet] | None:
        """The table and the rack after the best play around few sets, or None if nothing fits."""
        best: tuple[Solution, FaceTable] | None = None
        for opened in self._views(table, rack):
            if deadline is not None and time.monotonic() > deadline:
                break
            part = tuple(table[index] for index in opened)
            found = best_or_none(self.book, part, rack)
            if found.played and (best is None or found.tiles > best[0].tiles):
                kept = tuple(tiles for index, tiles in enumerate(table) if index not in opened)
                best = found, kept
            elif best is not None and len(opened) == MOST_SETS and best[0].tiles > 1:
                break  # Good enough: two more sets at once are looked at only when little is found.
        if best is None:
            return None
        left = Counter(rack) - Counter(best[0].played)
        return (*best[1], *best[0].table), tuple(left.elements())

    def _views(self, table: FaceTable, rack: FaceSet) -> Iterator[tuple[int, ...]]:
        """Which sets to look at together: none, each, then pairs with something in common with the rack."""
        near = [index for index, tiles in enumerate(table) if self._near(tiles, rack)]
        yield from chain(((),), ((index,) for index in near), combinations(near, MOST_SETS))

    def _near(self, tiles: FaceSet, rack: FaceSet) -> bool:
        """True if a set has a joker, or a tile that some rack tile could lie beside."""
        joker = self.book.tiles.joker
        return joker in tiles or any(self._beside(face, other) for face in tiles for other in rack)

    def _beside(self, one: Face, other: Face) -> bool:
        tiles = self.book.tiles
        if tiles.joker in (one, other):
            return True
        same_number = tiles.number_of[one] == tiles.number_of[other]
        same_colour = one // tiles.numbers == other // tiles.numbers
        return same_number or (same_colour and abs(tiles.number_of[one] - tiles.number_of[other]) <= 2)


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Club(book)
