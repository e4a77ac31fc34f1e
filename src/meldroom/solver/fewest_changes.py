"""Among best plays, one that leaves as many old sets as possible unchanged.

Which old sets can stay together is closed downwards: with some of them fixed, the rest must still reach the
best score. The search keeps a set if it can, and is a proof when it ends within its budget.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.solver.kernel.engine import FaceSet, FaceTable, Objective, engine_of, weigh
from meldroom.tiles import Face

CHECKS = 400


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
    deadline: float | None = None,
) -> Tidied:
    """The best play given by `after`, rearranged so that old sets stay as they were.

    Under the printed joker rule the result is lawful, but fewer changes are not ruled out; neither are they
    when a deadline has come.
    """
    search = _Search(book, table, rack, objective, after, deadline)
    kept, proven = search.most_kept()
    strict = book.jokers.reuse == "new_set" and any(book.tiles.joker in faces for faces in table)
    sets = search.rebuild(kept)
    if strict and freed_joker_fault(book.reader, table, sets) is not None:
        kept = search.already
        sets = list(after)
    sets = _in_place(table, sets)
    laid = Counter(face for faces in sets for face in faces)
    laid.subtract(Counter(face for faces in table for face in faces))
    changed = len(table) - len(_unchanged(table, sets))
    return Tidied(
        tuple(sets),
        tuple(sorted(laid.elements())),
        changed,
        proven and not strict and search.checks <= CHECKS,
    )


class _Search:
    """Looks for the most old sets that can be kept."""

    def __init__(
        self,
        book: RuleBook,
        table: FaceTable,
        rack: Sequence[Face],
        objective: Objective,
        after: Sequence[FaceSet],
        deadline: float | None,
    ) -> None:
        self.after, self.deadline = after, deadline
        self.engine = engine_of(book)
        self.table, self.rack, self.objective = table, tuple(rack), objective
        self.old = [0] * (book.tiles.joker + 1)
        for faces in table:
            for face in faces:
                self.old[face] += 1
        self.have = list(self.old)
        for face in rack:
            self.have[face] += 1
        weights = weigh(book, objective)
        numbers = book.tiles.number_of
        laid = Counter(face for faces in after for face in faces)
        self.score = sum(weights[numbers[face] - 1] * (n - self.old[face]) for face, n in laid.items())
        self.already = frozenset(_unchanged(table, after))
        self.checks = 0

    def most_kept(self) -> tuple[frozenset[int], bool]:
        """The indices of the sets to keep, and whether no more can be kept."""
        best = self.already
        for index in range(len(self.table)):
            if index not in best and self._possible(best | {index}):
                best = best | {index}
        self.best = best
        # A set that cannot even be kept alone is left out, which often proves the rest.
        hopeful = [index in best or self._possible(frozenset((index,))) for index in range(len(self.table))]
        self.candidates = [index for index, possible in enumerate(hopeful) if possible]
        self._try(0, frozenset())
        return self.best, self.checks <= CHECKS

    def _try(self, place: int, kept: frozenset[int]) -> None:
        """Keeps what it can of the candidates from this place on."""
        if len(kept) + len(self.candidates) - place <= len(self.best) or self.checks > CHECKS:
            return
        if place == len(self.candidates):
            self.best = kept
            return
        more = kept | {self.candidates[place]}
        if self._possible(more):
            self._try(place + 1, more)
        self._try(place + 1, kept)

    def _possible(self, kept: frozenset[int]) -> bool:
        """True if the best score can be reached without touching these sets; False when there is no time."""
        self.checks += 1
        if self.deadline is not None and time.monotonic() >= self.deadline:
            self.checks = CHECKS + 1
            return False
        have, old = list(self.have), list(self.old)
        for index in kept:
            for face in self.table[index]:
                have[face] -= 1
                old[face] -= 1
        floor = self.score - 1
        return self.engine.score(have, old, self.objective, floor, deadline=self.deadline)[0] > floor

    def rebuild(self, kept: frozenset[int]) -> list[FaceSet]:
        """A table with these sets unchanged."""
        rest = [faces for index, faces in enumerate(self.table) if index not in kept]
        found = self.engine.best(rest, self.rack, self.objective, self.score - 1, self.deadline)
        if found is None or not found.sets:
            assert self.deadline is not None, "the sets can be kept"
            self.checks = CHECKS + 1
            return list(self.after)
        return [*(self.table[index] for index in sorted(kept)), *found.sets]


def _unchanged(table: FaceTable, after: Sequence[FaceSet]) -> list[int]:
    """The indices of the old sets that are on the new table as they were."""
    standing = Counter(tuple(sorted(faces)) for faces in after)
    found = []
    for index, faces in enumerate(table):
        key = tuple(sorted(faces))
        if standing[key]:
            standing[key] -= 1
            found.append(index)
    return found


def _in_place(table: FaceTable, after: Sequence[FaceSet]) -> list[FaceSet]:
    """The new table with unchanged sets first, as and where they were."""
    kept = [table[index] for index in _unchanged(table, after)]
    standing = Counter(tuple(sorted(faces)) for faces in kept)
    changed = []
    for faces in after:
        key = tuple(sorted(faces))
        if standing[key]:
            standing[key] -= 1
        else:
            changed.append(faces)
    return kept + changed
