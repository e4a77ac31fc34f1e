"""The movements worth making within sets that exchange tiles, on tiles whose destinations are known.

A tile is a bit, a set a mask. Every movement parts tiles with different destinations or brings together tiles
with the same one, so that no list of movements goes round in circles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from meldroom.rules.sets import SetReader
from meldroom.tiles import Face

Mask: TypeAlias = int
Kind = Literal["lay", "build", "extend", "take", "swap", "split", "join", "move", "break"]

MOST_PARTS_MIXED = 4
"""A set with more destinations than this is only cut between neighbours."""

FEW = 3
"""Of so many tiles at hand any may be laid at once."""

LARGE = 10
"""An exchange of more old and new sets than this is large: only the likeliest movements are tried."""


class Exchange(NamedTuple):
    """Sets that exchange tiles: each tile's face, the old sets, the new sets; the rest is on the rack."""

    faces: tuple[Face, ...]
    homes: tuple[Mask, ...]
    goals: tuple[Mask, ...]


class Act(NamedTuple):
    """One movement on masks: sets that go and come, tiles given from hand and rack, tiles taken in hand."""

    kind: Kind
    gone: tuple[Mask, ...]
    made: tuple[Mask, ...]
    hand: Mask = 0
    rack: Mask = 0
    freed: Mask = 0


Maker: TypeAlias = Callable[[Mask, Mask, Mask, Mask], Iterator[Act]]


class Acts:
    """The movements of one exchange. What is legal, and where tiles belong, is remembered."""

    def __init__(self, reader: SetReader, exchange: Exchange) -> None:
        self.reader = reader
        self.faces, self.homes, self.goals = exchange
        self.goal_set = frozenset(self.goals)
        self.all = sum(self.goals)
        self.jokers = sum(1 << bit for bit, face in enumerate(self.faces) if face == reader.tiles.joker)
        self.large = len(self.homes) + len(self.goals) > LARGE
        self._legal: dict[Mask, bool] = {}
        self._parts: dict[Mask, tuple[Mask, ...]] = {}
        self._reach: dict[Mask, Mask] = {}
        self._kinds: dict[Mask, frozenset[tuple[str, int]]] = {}
        self._apart: dict[Mask, list[Act]] = {}
        self._made: dict[tuple[str, Mask, Mask, Mask, Mask], list[Act]] = {}

    def is_set(self, mask: Mask) -> bool:
        """True if these tiles form a legal set."""
        known = self._legal.get(mask)
        if known is None:
            known = self._legal[mask] = self.reader.is_set(self.faces_of(mask))
        return known

    def faces_of(self, mask: Mask) -> tuple[Face, ...]:
        """The faces of some tiles, in order."""
        return tuple(sorted([self.faces[bit.bit_length() - 1] for bit in _bits(mask)]))

    def parts(self, mask: Mask) -> tuple[Mask, ...]:
        """The tiles of a set by destination."""
        known = self._parts.get(mask)
        if known is None:
            known = self._parts[mask] = tuple([part for goal in self.goals if (part := mask & goal)])
        return known

    def reach(self, mask: Mask) -> Mask:
        """All tiles of the new sets that tiles of a set belong to."""
        known = self._reach.get(mask)
        if known is None:
            known = self._reach[mask] = sum([goal for goal in self.goals if mask & goal])
        return known

    def is_mixed(self, mask: Mask) -> bool:
        """True if the tiles of a set have different destinations."""
        return len(self.parts(mask)) > 1

    def kinds(self, mask: Mask) -> frozenset[tuple[str, int]]:
        """As what a legal set can be read: a group of a number, a run of a colour."""
        known = self._kinds.get(mask)
        if known is None:
            tiles = self.reader.tiles
            natural = [face for face in self.faces_of(mask) if face != tiles.joker]
            numbers = {tiles.number_of[face] for face in natural}
            colours = {tiles.colour_of[face] for face in natural}
            found: list[tuple[str, int]] = []
            if len(numbers) == 1 and mask.bit_count() <= len(tiles.colours):
                found.append(("group", numbers.pop()))
            if len(colours) == 1:
                found.append(("run", colours.pop()))
            known = self._kinds[mask] = frozenset(found)
        return known

    def from_table(self, sets: tuple[Mask, ...], free: Mask, loose: Mask) -> list[Act]:
        """Every movement from a table; `free` are all tiles that are not on it, `loose` those in hand."""
        unfinished = [mask for mask in sets if mask not in self.goal_set]
        found: list[Act] = []
        for mask in unfinished:
            wanted = free & self.reach(mask)
            if self.is_mixed(mask):
                found += self._partings(mask)
                if wanted:
                    found += self._remember(self._completed_halves, mask, 0, wanted, loose)
                for target in unfinished:
                    if target != mask and mask & self.reach(target):
                        found += self._remember(self._moves, mask, target, 0, 0)
            if wanted:
                found += self._remember(self._extensions, mask, 0, wanted, loose)
        for goal in self.goals:
            if free & goal:
                found += self._remember(self._builds, goal, 0, free & goal, loose)
        for one, other in combinations(unfinished, 2):
            if self.reach(one) & other:
                wanted = free & (self.reach(one) | self.reach(other))
                found += self._remember(self._joins, one, other, wanted, loose)
        return found

    def _remember(self, make: Maker, one: Mask, other: Mask, wanted: Mask, loose: Mask) -> list[Act]:
        """Some movements, found once: they depend on these sets and on the tiles at hand that they want."""
        key = (make.__name__, one, other, wanted, loose & wanted)
        known = self._made.get(key)
        if known is None:
            known = self._made[key] = list(make(one, other, wanted, loose & wanted))
        return known

    def _builds(self, _goal: Mask, _: Mask, wanted: Mask, loose: Mask) -> Iterator[Act]:
        """Tiles at hand of one new set laid as a set."""
        for added in self._portions(wanted, loose):
            if self.is_set(added):
                kind: Kind = "build" if added & loose else "lay"
                yield Act(kind, (), (added,), added & loose, added & ~loose)

    def _extensions(self, mask: Mask, _: Mask, wanted: Mask, loose: Mask) -> Iterator[Act]:
        """Tiles at hand that belong with a set's tiles: added to it, or given for a joker that must leave."""
        for added in self._portions(wanted, loose):
            if self.is_set(mask | added):
                yield Act("extend", (mask,), (mask | added,), added & loose, added & ~loose)
        for joker in _bits(mask & self.jokers):
            for given in _bits(wanted & ~self._goal_of(joker) & ~self.jokers):
                made = mask ^ joker | given
                if self.is_set(made):
                    yield Act("swap", (mask,), (made,), given & loose, given & ~loose, joker)

    def _joins(self, one: Mask, other: Mask, wanted: Mask, loose: Mask) -> Iterator[Act]:
        """Two sets that share a destination made one, with tiles at hand if need be."""
        for added in (0, *self._portions(wanted, loose)):
            if self.is_set(one | other | added):
                yield Act("join", (one, other), (one | other | added,), added & loose, added & ~loose)

    def _portions(self, free: Mask, loose: Mask) -> list[Mask]:
        """Which tiles at hand to lay at once: all, those in hand, the rack's, some new sets', or one."""
        if not free:
            return []
        parts = self.parts(free)
        found = [free, free & loose, free & ~loose, *parts]
        if 2 < len(parts) <= MOST_PARTS_MIXED:
            found += [sum(some) for size in range(2, len(parts)) for some in combinations(parts, size)]
        if free.bit_count() <= FEW:
            found.extend(_subsets(free))
        return [portion for portion in dict.fromkeys(found) if portion]

    def _moves(self, mask: Mask, target: Mask, _wanted: Mask, _loose: Mask) -> Iterator[Act]:
        """Tiles straight to a set with which they share their destinations."""
        shared = mask & self.reach(target)
        for moved in dict.fromkeys((*self.parts(shared), shared)):
            if moved != mask and self.is_set(mask ^ moved) and self.is_set(target | moved):
                yield Act("move", (mask, target), (mask ^ moved, target | moved))

    def _goal_of(self, part: Mask) -> Mask:
        return next(goal for goal in self.goals if goal & part)

    def _completed_halves(self, mask: Mask, _: Mask, wanted: Mask, loose: Mask) -> Iterator[Act]:
        """A set split in two, one half of two tiles or more completed by tiles at hand."""
        for stays in self._staying(mask):
            short = mask ^ stays
            if short.bit_count() == 1 or self.is_set(short):
                continue
            for added in self._portions(wanted & self.reach(short), loose):
                whole = short | added
                if self.is_set(whole) and self.kinds(whole) & self.kinds(mask):
                    yield Act("split", (mask,), (whole, stays), added & loose, added & ~loose)

    def _partings(self, mask: Mask) -> list[Act]:
        """Ways to part the tiles of a set: take some, split it, take it apart. The same at any time."""
        known = self._apart.get(mask)
        if known is None:
            known = [Act("break", (mask,), (), freed=mask)]
            staying = self._staying(mask)
            known += [Act("take", (mask,), (rest,), freed=mask ^ rest) for rest in staying]
            known += [
                Act("split", (mask,), (one, other), freed=mask ^ one ^ other)
                for one, other in combinations(staying, 2)
                if not one & other
            ]
            self._apart[mask] = known
        return known

    def _staying(self, mask: Mask) -> list[Mask]:
        """Legal sets that some destinations' tiles of a set form: what may stay when others leave."""
        parts = self.parts(mask)
        if len(parts) > MOST_PARTS_MIXED:
            return self._spans(mask)
        unions = [sum(chosen) for size in range(1, len(parts)) for chosen in combinations(parts, size)]
        return [union for union in unions if self.is_set(union)]

    def _spans(self, mask: Mask) -> list[Mask]:
        """The same for a long run with many destinations: pieces of it without gaps."""
        order = sorted(_bits(mask), key=lambda bit: self.faces[bit.bit_length() - 1])
        length = len(order)
        found = []
        for low in range(length):
            for high in range(low + self.reader.shortest, length + 1):
                span = sum(order[low:high])
                divided = any(part & span and part & ~span for part in self.parts(mask))
                if span != mask and not divided and self.is_set(span):
                    found.append(span)
        return found


def _bits(mask: Mask) -> Iterator[Mask]:
    while mask:
        low = mask & -mask
        yield low
        mask ^= low


def _subsets(mask: Mask) -> list[Mask]:
    found, subset = [], mask
    while subset:
        found.append(subset)
        subset = (subset - 1) & mask
    return found
