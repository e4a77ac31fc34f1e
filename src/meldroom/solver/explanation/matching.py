"""Which tile goes where: the tiles of a new table matched with those of the old one and of the rack.

Equal tiles are interchangeable, so there may be several matchings; a good one keeps tiles together that lay
together, and lets the sets fall into small exchanges that have nothing to do with each other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import combinations, permutations, product
from typing import NamedTuple, TypeAlias

from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.explanation.candidates import Exchange
from meldroom.tiles import Face

RACK = -1
MOST_MATCHINGS = 32
"""Up to so many matchings all are compared; beyond, only good ones near the best."""

Sources: TypeAlias = tuple[int, ...]
"""For every tile of the new sets, in order, the old set it comes from, or RACK."""


class Linked(NamedTuple):
    """An exchange, and which old and new sets its masks are."""

    exchange: Exchange
    old: tuple[int, ...]
    new: tuple[int, ...]
    key: tuple[tuple[int, int, Face], ...]


class Matchings:
    """The ways to match the changed sets of two tables."""

    def __init__(self, book: RuleBook, old: Sequence[FaceSet], new: Sequence[FaceSet]) -> None:
        self.book = book
        self.old, self.new = old, new
        self.faces = [face for faces in new for face in faces]
        self.goals = [index for index, faces in enumerate(new) for _ in faces]
        places: dict[Face, list[int]] = defaultdict(list)
        for place, face in enumerate(self.faces):
            places[face].append(place)
        origins: dict[Face, list[int]] = defaultdict(list)
        for index, faces in enumerate(old):
            for face in faces:
                origins[face].append(index)
        self.fixed = [RACK] * len(self.faces)
        self.open: list[tuple[list[int], list[Sources]]] = []
        for face, here in places.items():
            sources = origins[face] + [RACK] * (len(here) - len(origins[face]))
            choices = self._choices(sources, [self.goals[place] for place in here])
            for place, source in zip(here, choices[0], strict=True):
                self.fixed[place] = source
            if len(choices) > 1:
                self.open.append((here, choices))
        self.count = 1
        for _, choices in self.open:
            self.count *= len(choices)

    @property
    def every(self) -> bool:
        """True if all matchings are compared."""
        return self.count <= MOST_MATCHINGS

    def found(self) -> list[Sources]:
        """Matchings worth looking at, those with the fewest parcels of tiles that go somewhere first."""
        every = dict.fromkeys(self._all() if self.every else self._near())
        return sorted(every, key=lambda sources: (self._parcels(sources), sources))

    def linked(self, sources: Sources) -> list[Linked]:
        """The exchanges that a matching falls into, small ones first."""
        owner = list(range(len(self.new)))
        of_old: dict[int, int] = {}
        for source, goal in zip(sources, self.goals, strict=True):
            if source == RACK:
                continue
            root = _root(owner, goal)
            other = _root(owner, of_old.setdefault(source, root))
            owner[max(root, other)] = min(root, other)
        members: dict[int, list[tuple[int, int, Face]]] = defaultdict(list)
        for source, goal, face in zip(sources, self.goals, self.faces, strict=True):
            members[_root(owner, goal)].append((source, goal, face))
        return sorted(map(_link, members.values()), key=lambda link: (len(link.old), link.key))

    def equal_places(self, sources: Sources, first: int) -> Iterator[tuple[int, int]]:
        """Places of equal tiles from different old sets, two by two, one of them among the first places."""
        places: dict[Face, list[int]] = defaultdict(list)
        for place, face in enumerate(self.faces):
            if sources[place] != RACK:
                places[face].append(place)
        for here in places.values():
            for one, other in combinations(here, 2):
                if one < first and sources[one] != sources[other] and self.goals[one] != self.goals[other]:
                    yield one, other

    def _choices(self, sources: list[int], goals: list[int]) -> list[Sources]:
        """The different ways to give equal tiles to their places, the first one in order of the sets."""
        if len(set(sources)) == 1 or len(set(goals)) == 1:
            return [tuple(sources)]
        if len(sources) > 6:
            return [tuple(sources)]  # Only an unusual tile set has so many equal tiles.
        different: dict[tuple[tuple[int, int], ...], Sources] = {}
        for order in permutations(sources):
            different.setdefault(tuple(sorted(zip(order, goals, strict=True))), order)
        return list(different.values())

    def _all(self) -> Iterator[Sources]:
        for chosen in product(*(choices for _, choices in self.open)):
            yield self._with(chosen)

    def _near(self) -> Iterator[Sources]:
        """Matchings that changing one face at a time leads to, for the joker rule first and without it."""
        for score in (self._lawful_parcels, self._parcels):
            for first in (0, -1):
                chosen = [choices[first] for _, choices in self.open]
                least = score(self._with(chosen))
                improved = True
                while improved:
                    improved = False
                    for index, (_, choices) in enumerate(self.open):
                        for choice in choices:
                            tried = [*chosen[:index], choice, *chosen[index + 1 :]]
                            found = score(self._with(tried))
                            if found < least:
                                chosen, least, improved = tried, found, True
                yield self._with(chosen)
            if not self._jokers_matter:
                return

    def _with(self, chosen: Sequence[Sources]) -> Sources:
        sources = list(self.fixed)
        for (here, _), choice in zip(self.open, chosen, strict=True):
            for place, source in zip(here, choice, strict=True):
                sources[place] = source
        return tuple(sources)

    def _parcels(self, sources: Sources) -> int:
        """How many parcels of tiles go somewhere."""
        return len(set(zip(sources, self.goals, strict=True)))

    def _lawful_parcels(self, sources: Sources) -> int:
        return self._parcels(sources) + len(self.faces) * self.unlawful(sources)

    @cached_property
    def _jokers_matter(self) -> bool:
        joker = self.book.tiles.joker
        return self.book.jokers.reuse == "new_set" and any(joker in faces for faces in self.old)

    def unlawful(self, sources: Sources) -> int:
        """How many freed jokers only lengthen an old set, where the book forbids it (R19–R21)."""
        if not self._jokers_matter:
            return 0
        joker = self.book.tiles.joker
        parcels = Counter(zip(sources, self.goals, strict=True))
        unbroken = [
            (old, goal)
            for (old, goal), count in parcels.items()
            if old != RACK and count == len(self.old[old])
        ]
        bad = 0
        for home, goal, face in zip(sources, self.goals, self.faces, strict=True):
            if face == joker and home != RACK and any(old != home and to == goal for old, to in unbroken):
                bad += not self.book.reader.is_set(self._inside(sources, home, goal))
        return bad

    def _inside(self, sources: Sources, home: int, goal: int) -> FaceSet:
        triples = zip(sources, self.goals, self.faces, strict=True)
        return tuple(sorted(face for source, to, face in triples if source == home and to == goal))


class Equal(NamedTuple):
    """Two sets that exchange equal tiles."""

    face: Face
    one: FaceSet
    other: FaceSet


def equal_tiles_to_exchange(
    matchings: Matchings, sources: Sources, stay: Sequence[FaceSet]
) -> tuple[Equal, ...] | None:
    """Equal tiles that must change places on the table so that a matching obeys the joker rule; mostly none.

    A turn is lawful if some matching of equal tiles is (R20); seldom, that takes a tile of a set that looks
    the same afterwards (`stay`). None if no exchange helps.
    """
    bad = matchings.unlawful(sources)
    if not bad:
        return ()
    faces = set(matchings.faces)
    for helper in (None, *(each for each in dict.fromkeys(stay) if faces.intersection(each))):
        wide, start = matchings, sources
        if helper is not None:
            wide = Matchings(matchings.book, (*matchings.old, helper), (*matchings.new, helper))
            start = (*sources, *(len(matchings.old),) * len(helper))
        for one, other in wide.equal_places(start, len(sources)):
            tried = list(start)
            tried[one], tried[other] = start[other], start[one]
            better = wide.unlawful(tuple(tried)) < bad
            rest = equal_tiles_to_exchange(wide, tuple(tried), stay) if better else None
            if rest is not None:
                return (Equal(wide.faces[one], wide.old[start[one]], wide.old[start[other]]), *rest)
    return None


def _root(owner: list[int], index: int) -> int:
    while owner[index] != index:
        index = owner[index]
    return index


def _link(tiles: list[tuple[int, int, Face]]) -> Linked:
    """Tiles that belong together as masks."""
    tiles = sorted(tiles)
    homes: dict[int, int] = defaultdict(int)
    goals: dict[int, int] = defaultdict(int)
    for bit, (source, goal, _) in enumerate(tiles):
        goals[goal] |= 1 << bit
        if source != RACK:
            homes[source] |= 1 << bit
    exchange = Exchange(tuple(face for _, _, face in tiles), tuple(homes.values()), tuple(goals.values()))
    return Linked(exchange, tuple(homes), tuple(goals), tuple(tiles))
