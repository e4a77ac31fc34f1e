"""Club player: lays sets, adds to those on the table, and rearranges one or two of them at a time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.solver.kernel.engine import TILE, counts_all, engine_of, packed
from meldroom.tiles import Face, TileSet

MOST_SETS = 2
"""How many sets of the table a club player keeps in mind at a time."""
ENOUGH = 2
"""So many tiles at once, and no more pairs of sets are looked at."""
AT_ONCE = 16
"""How many pairs are solved in one call of the kernel."""


class Club:
    """Looks for the best play around none, one or two sets of the table, again and again."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.engine = engine_of(book) if counts_all(book) else None
        self.free = book.jokers.reuse == "any_set"
        self.beside = _neighbours(book.tiles)

    def act(self, view: View, clock: Clock) -> Action:
        """Everything it finds step by step, or a draw."""
        seat = Seat(self.book, view)
        if not seat.melded:
            opening = seat.best()
            return seat.lay(opening.table) if opening.played else seat.wait()
        deadline = None if clock.seconds is None else time.monotonic() + 0.8 * clock.seconds
        table, rack = seat.table, seat.rack
        most: dict[FaceTable, int] = {}
        while rack and (deadline is None or time.monotonic() < deadline):
            step = self._step(table, rack, most, deadline)
            # What is legal step by step need not be so as one turn: a joker freed twice, say.
            if step is None or verify(self.book, Turn(seat.table, seat.rack, step[0], True)):
                break
            table, rack = step
        return seat.lay(table) if len(rack) < len(seat.rack) else seat.wait()

    def _step(
        self, table: FaceTable, rack: FaceSet, most: dict[FaceTable, int], deadline: float | None
    ) -> tuple[FaceTable, FaceSet] | None:
        """The table and the rack after the best play around few sets, or None if nothing fits.

        `most` keeps how many tiles could be laid at most around some sets, and holds for smaller racks too.
        """
        best, chosen = 0, None
        near = self._near(table, rack)
        views: list[tuple[int, ...]] = [(), *((index,) for index in near)]
        pairs: Iterator[tuple[int, ...]] = combinations(near, MOST_SETS)
        while views:
            if deadline is not None and time.monotonic() > deadline:
                break
            parts = [tuple([table[index] for index in opened]) for opened in views]
            self._bound([part for part in parts if most.get(part, best + 1) > best], rack, most)
            for opened, part in zip(views, parts, strict=True):
                laid = most[part]
                if laid > best and not self._exact(part):
                    laid = best_or_none(self.book, part, rack).tiles
                if laid > best:
                    best, chosen = laid, opened
                elif len(opened) == MOST_SETS and best >= ENOUGH:
                    pairs = iter(())  # Two more sets at once are looked at only when little is found.
                    break
            views = list(islice(pairs, 1 if best >= ENOUGH else AT_ONCE))
        if chosen is None:
            return None
        found = best_or_none(self.book, tuple([table[index] for index in chosen]), rack)
        kept = tuple([tiles for index, tiles in enumerate(table) if index not in chosen])
        left = Counter(rack) - Counter(found.played)
        return (*kept, *found.table), tuple(left.elements())

    def _bound(self, parts: list[FaceTable], rack: FaceSet, most: dict[FaceTable, int]) -> None:
        """How many tiles can be laid around some sets if jokers move freely, found for many at once."""
        if not self.engine:
            most |= dict.fromkeys(parts, len(rack))
        elif parts:
            scores = self.engine.scores_of_many([packed(part, rack) for part in parts], "tiles")
            most |= {part: score // TILE for part, score in zip(parts, scores, strict=True)}

    def _exact(self, part: FaceTable) -> bool:
        """True if what `_bound` finds for these sets can be laid."""
        return self.engine is not None and (
            self.free or not any(self.book.tiles.joker in tiles for tiles in part)
        )

    def _near(self, table: FaceTable, rack: FaceSet) -> list[int]:
        """The sets with a joker, or with a tile that some rack tile could lie beside."""
        beside = {other for face in set(rack) for other in self.beside[face]}
        return [index for index, tiles in enumerate(table) if not beside.isdisjoint(tiles)]


@cache
def _neighbours(tiles: TileSet) -> list[set[Face]]:
    """For each face those that could lie beside it: its number, or its colour two numbers up or down."""

    def beside(one: Face, other: Face) -> bool:
        if tiles.joker in (one, other):
            return True
        same_number = tiles.number_of[one] == tiles.number_of[other]
        same_colour = one // tiles.numbers == other // tiles.numbers
        return same_number or (same_colour and abs(tiles.number_of[one] - tiles.number_of[other]) <= 2)

    return [{other for other in tiles.every_face if beside(face, other)} for face in tiles.every_face]


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Club(book)
