"""Among best plays, one that leaves as many old sets as possible unchanged.

Which old sets can stay together is closed downwards: with some of them fixed, the rest must still reach the
best score. The search asks the kernel whether it does with half of the changed sets fixed, those first that
have least to do with the tiles from the rack; what cannot stay is halved again. Every answer comes with a
table, which often keeps more than was asked for.

Few changes are proven one by one: no best play without touching the table, none that changes one set. More
are proven when the old sets fall into as many parts as sets are changed, and no part can stay whole.

What is asked is counted, never timed, so that the answer is the same compiled, interpreted and in a browser.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.solver.kernel.engine import FaceSet, FaceTable, Objective, Played, engine_of, packed
from meldroom.tiles import Face

CROWDED, BUDGET = 62, 1_000_000
"""How much the kernel may be asked: a question about n tiles counts n³, about what it takes to answer.

`BUDGET` takes about half a millisecond, compiled. The best play of a position with no more than `CROWDED`
tiles takes so little that a single question doubles it; there nothing is asked unless a thorough answer is
wanted.
"""
JUDGING = 60_000
"""What judging a table by the printed joker rule counts."""
WIDEST = 64
"""How wide the kernel searches for an answer; what that does not decide is taken for impossible, unproven."""
FEW = 5
"""Up to so many changed sets it may be that one is enough."""
MOST_PARTS = 12
"""Of more changed sets, no proof is tried."""
HALF = 0.5
"""A set with less than this share of its tiles beside tiles from the rack is one of the first to try."""


class Tidied(msgspec.Struct, frozen=True):
    """A table that is as good, how many old sets it changes, and whether fewer is proven impossible."""

    table: FaceTable
    played: FaceSet
    disturbed: int
    fewest: bool


def tidy(
    book: RuleBook,
    table: FaceTable,
    rack: Sequence[Face],
    objective: Objective,
    after: Sequence[FaceSet],
    played: FaceSet,
    deadline: float | None = None,
    *,
    thorough: bool = True,
) -> Tidied:
    """The best play given by the table `after` and the tiles played, rearranged so that old sets stay.

    With a deadline, on the monotonic clock, what was found by then.
    """
    search = _Search(table, after, played)
    fewest = search.is_least(book)
    if not fewest and (thorough or sum(map(len, table)) + len(rack) > CROWDED):
        fewest = search.keep_most(book, rack, objective, deadline)
    return Tidied(search.in_place(), search.played, len(search.changed), fewest)


class _Search:
    """Looks for the most old sets that can be kept.

    `changed` are the places of those that are not, so far, `new` the sets that are there instead.
    """

    def __init__(self, table: FaceTable, after: Sequence[FaceSet], played: FaceSet) -> None:
        self.table = table
        self.least = 0
        self.see(after, played)

    def see(self, after: Sequence[FaceSet], played: FaceSet) -> None:
        """Takes a table for the best one so far."""
        self.played = played
        changed, self.new = _changes(self.table, after)
        self.changed = changed

    def is_least(self, book: RuleBook) -> bool:
        """True if it is plain that no more can be kept: fewer tiles than a set has never lie on their own."""
        if len(self.played) < book.sets.shortest:
            self.least = 1
        return len(self.changed) <= self.least

    def keep_most(
        self, book: RuleBook, rack: Sequence[Face], objective: Objective, deadline: float | None
    ) -> bool:
        """Keeps as many sets as it finds ways to; returns whether no more can be kept."""
        self.book, self.engine, self.rack = book, engine_of(book), rack
        self.objective, self.deadline = objective, deadline
        self.left = BUDGET
        weights, numbers = self.engine.weights[objective], book.tiles.number_of
        self.floor = sum([weights[numbers[face] - 1] for face in self.played]) - 1
        joker = book.tiles.joker
        self.strict = book.jokers.reuse == "new_set" and any(joker in faces for faces in self.table)
        if self._try_none() or (1 < len(self.changed) <= FEW and self._try_one()):
            return True
        return self._halve() and (len(self.changed) <= self.least or self._is_proven())

    def _try_none(self) -> bool:
        """Whether no set needs to change, or one and it is known."""
        if self.least == 0:
            found = self._ask(())
            if found is not None and (self._is_as_good(found, ()) or found.bound <= self.floor):
                self.least = len(self.changed) and 1
        return len(self.changed) <= self.least

    def _try_one(self) -> bool:
        """Whether changing one set is enough, or two are needed and no more are changed."""
        cost = sum([(len(faces) + len(self.rack)) ** 3 for faces in self.table])
        if not self.least or not self._may_ask(cost):
            return False
        positions = [packed((faces,), self.rack) for faces in self.table]
        bounds = self.engine.bounds_of_many(positions, self.objective, self.floor, WIDEST)
        hopeful = [place for place, bound in enumerate(bounds) if bound > self.floor]
        for place in hopeful:
            found = self._ask((place,))
            if found is not None and self._is_as_good(found, (place,)):
                return True
        if not hopeful:
            self.least = 2
        return len(self.changed) <= self.least

    def _halve(self) -> bool:
        """Keeps as many sets as it can; False if it ran out of questions."""
        fixed: set[int] = set()
        step = 0
        while len(self.changed) > self.least:
            hopeful = [(share, place) for share, place in self._shares() if place not in fixed]
            if not hopeful:
                break
            step = step or sum([share < HALF for share, _ in hopeful]) or len(hopeful) // 2
            step = max(1, min(step, len(hopeful)))
            wanted = {place for _, place in hopeful[:step]}
            free = [place for place in self.changed if place not in wanted]
            found = self._ask(free)
            if found is None:
                return False
            if self._is_as_good(found, free):
                continue
            if step == 1:
                fixed |= wanted
            step //= 2
        return True

    def _shares(self) -> list[tuple[float, int]]:
        """How much of each changed set lies beside tiles from the rack now; the least first."""
        laid, table = set(self.played), self.table
        beside = {face for faces in self.new if not laid.isdisjoint(faces) for face in faces}
        return sorted([(len(beside.intersection(table[i])) / len(table[i]), i) for i in self.changed])

    def _is_as_good(self, found: Played, free: Sequence[int]) -> bool:
        """True if this is a lawful table that reaches the score; it is the best one from then on."""
        if found.score != self.floor + 1:
            return False
        after = [faces for place, faces in enumerate(self.table) if place not in free] + found.sets
        if self.strict:
            self.left -= JUDGING
            if freed_joker_fault(self.book.reader, self.table, after) is not None:
                return False
        self.see(after, found.played)
        return True

    def _is_proven(self) -> bool:
        """True if the old sets fall into parts, as many as are changed, each with one that must change."""
        if len(self.changed) > MOST_PARTS:
            return False
        parts = {place: [place] for place in self.changed}
        near = {place: self._near(self.table[place]) for place in self.changed}
        for place, faces in enumerate(self.table):
            if place not in parts:
                parts[max(near, key=lambda other: len(near[other].intersection(faces)))].append(place)
        for part in parts.values():
            found = self._ask([place for place in range(len(self.table)) if place not in part])
            if found is None or found.bound > self.floor:
                return False
        return True

    def _near(self, faces: FaceSet) -> set[int]:
        """The faces that may lie in one set with some of these."""
        numbers, joker = self.book.tiles.numbers, self.book.tiles.joker
        near: set[int] = {joker}
        for face in faces:
            near.update(range(face % numbers, joker, numbers))
            near.update(range(face - 2, face + 3))
        return near

    def _ask(self, free: Sequence[int]) -> Played | None:
        """The best play that changes no other sets than these; None when nothing more may be asked."""
        rest = [self.table[place] for place in free]
        if not self._may_ask((sum(map(len, rest)) + len(self.rack)) ** 3):
            return None
        return self.engine.best(rest, self.rack, self.objective, self.floor, self.deadline, WIDEST)

    def _may_ask(self, cost: int) -> bool:
        """Counts a question. False if it is too much, or too late."""
        if cost > self.left or (self.deadline is not None and time.monotonic() >= self.deadline):
            return False
        self.left -= cost
        return True

    def in_place(self) -> FaceTable:
        """The best table with unchanged sets first, as and where they were."""
        kept = list(self.table)
        for place in reversed(self.changed):
            del kept[place]
        return (*kept, *self.new)


def _changes(table: FaceTable, after: Sequence[FaceSet]) -> tuple[list[int], list[FaceSet]]:
    """The places of old sets that are not on the new table, and the new sets that are not on the old one."""
    new = list(after)
    changed = []
    for place, faces in enumerate(table):
        if faces in new:
            new.remove(faces)
        else:
            changed.append(place)
    if not new:
        return changed, new
    # The same tiles may lie there in another order.
    keys = [tuple(sorted(faces)) for faces in new]
    still = []
    for place in changed:
        key = tuple(sorted(table[place]))
        if key in keys:
            at = keys.index(key)
            del keys[at], new[at]
        else:
            still.append(place)
    return still, new
