"""The printed joker rule: a freed joker must end in a new set (R19–R21).

Equal tiles, jokers above all (R17), cannot be told apart at a table, so a turn is lawful if *some* way of
matching the tiles of the new table with the tiles before is lawful. Only tiles of which several lie on the
new table, from different places, leave a choice; everything else is fixed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product

import msgspec

from meldroom.rules.sets import SetReader
from meldroom.tiles import Face

FaceSet = tuple[Face, ...]
RACK = -1


class Lengthened(msgspec.Struct, frozen=True, gc=False):
    """A freed joker in new set `new` that holds old set `old` unbroken."""

    new: int
    old: int


def freed_joker_fault(
    reader: SetReader, before: Sequence[FaceSet], after: Sequence[FaceSet]
) -> Lengthened | None:
    """None if the freed jokers of a turn can all be in new sets, else a fault that no matching avoids.

    The tiles of `before` must all be in `after`. Illegal sets of `after` are not judged here.
    """
    joker = reader.tiles.joker
    if not any(joker in old for old in before):
        return None
    old_left, new_left = _changed(before, after)
    if not any(joker in before[old] for old in old_left):
        return None
    # Sets that stayed as they were seldom matter: match them with themselves first, and only then all.
    if _Search(reader, before, after, old_left, new_left).fault() is None:
        return None
    return _Search(reader, before, after, range(len(before)), range(len(after))).fault()


def _changed(before: Sequence[FaceSet], after: Sequence[FaceSet]) -> tuple[list[int], list[int]]:
    """Indices of the old and new sets that are not simply the same set again."""
    standing: dict[FaceSet, list[int]] = defaultdict(list)
    for index, old in enumerate(before):
        standing[tuple(sorted(old))].append(index)
    changed = []
    for index, new in enumerate(after):
        same = standing.get(tuple(sorted(new)))
        if same:
            same.pop()
        else:
            changed.append(index)
    return sorted(index for left in standing.values() for index in left), changed


Matching = dict[Face, tuple[int, ...]]
"""For each face, the old set (or RACK) that each of its places on the new table is filled from."""


class _Search:
    """Looks for a lawful matching between some old and some new sets."""

    def __init__(
        self,
        reader: SetReader,
        before: Sequence[FaceSet],
        after: Sequence[FaceSet],
        old_indices: Sequence[int],
        new_indices: Sequence[int],
    ) -> None:
        self.reader = reader
        self.joker = reader.tiles.joker
        self.old = {old: Counter(before[old]) for old in old_indices}
        self.sources: dict[Face, list[int]] = defaultdict(list)
        for old in old_indices:
            for face in before[old]:
                self.sources[face].append(old)
        # places[face] counts the tiles of that face on the new table; slots[new] says which are in a set.
        places: Counter[Face] = Counter()
        self.slots: dict[int, list[tuple[Face, int]]] = {}
        for new in new_indices:
            slots = []
            for face in after[new]:
                slots.append((face, places[face]))
                places[face] += 1
            if self.joker in after[new] and reader.is_set(tuple(after[new])):
                self.slots[new] = slots
        for face, count in places.items():
            self.sources[face] += [RACK] * (count - len(self.sources[face]))

    def fault(self) -> Lengthened | None:
        """None if a lawful matching exists, else the first fault met."""
        first: Lengthened | None = None
        for jokers in _arrangements(self.sources[self.joker]):
            found = self._with_jokers(jokers)
            if found is None:
                return None
            first = first or found
        return first

    def _with_jokers(self, jokers: tuple[int, ...]) -> Lengthened | None:
        """Whether every joker set can be made lawful at once, given where each joker came from."""
        first: Lengthened | None = None
        partial: list[Matching] = [{self.joker: jokers}]
        for position, new in enumerate(self.slots):
            later = {face for other in list(self.slots)[position + 1 :] for face, _ in self.slots[other]}
            kept: dict[tuple[tuple[Face, tuple[int, ...]], ...], Matching] = {}
            for fixed in partial:
                for matching in self._matchings(new, fixed):
                    found = self._fault(new, matching)
                    if found is not None:
                        first = first or found
                        continue
                    # Only what a later joker set shares can still matter.
                    shared = {f: filled for f, filled in matching.items() if f in later or f == self.joker}
                    kept.setdefault(tuple(sorted(shared.items())), shared)
            if not kept:
                return first
            partial = list(kept.values())
        return None

    def _matchings(self, new: int, fixed: Matching) -> Iterator[Matching]:
        """Every way to fill a new set that could change the verdict on its jokers."""
        inside = Counter(face for face, _ in self.slots[new])
        owners = {fixed[self.joker][place] for face, place in self.slots[new] if face == self.joker}
        swallowed = {
            old for old, counts in self.old.items() if all(inside[f] >= n for f, n in counts.items())
        }
        relevant = {face for old in (owners | swallowed) - {RACK} for face in self.old[old]}
        free = [f for f in inside if f in relevant and f not in fixed and len(set(self.sources[f])) > 1]
        for chosen in product(*(list(_arrangements(self.sources[face])) for face in free)):
            yield {**fixed, **dict(zip(free, chosen, strict=True))}

    def _fault(self, new: int, matching: Matching) -> Lengthened | None:
        """The first joker of a new set that breaks the rule under a matching."""
        origin: dict[int, list[Face]] = defaultdict(list)
        for face, place in self.slots[new]:
            origin[matching.get(face, self.sources[face])[place]].append(face)
        unbroken = [old for old in origin if old != RACK and len(origin[old]) == self.old[old].total()]
        for owner, faces in origin.items():
            if owner == RACK or self.joker not in faces or self.reader.is_set(tuple(faces)):
                continue  # R19: a joker in a legal remnant of its own set was not freed.
            for old in unbroken:
                if old != owner:
                    return Lengthened(new, old)
        return None


def _arrangements(sources: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The different orders of a list in which equal entries are alike."""
    if not sources:
        yield ()
        return
    for value in dict.fromkeys(sources):
        rest = list(sources)
        rest.remove(value)
        for tail in _arrangements(rest):
            yield (value, *tail)
