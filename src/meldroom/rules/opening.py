"""Can this rack open? An exact search for sets from the rack alone that reach the threshold (R7–R11, R44)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.sets import SetReader
from meldroom.rules.verify import FaceSet, FaceTable, set_points
from meldroom.tiles import Face


class OpeningFound(msgspec.Struct, frozen=True, gc=False):
    """Sets from the rack and what they count."""

    sets: FaceTable
    points: int


def opening(book: RuleBook, rack: Sequence[Face], points: int | None = None) -> OpeningFound | None:
    """Sets from this rack alone that reach `points` (the book's threshold by default), or None.

    The first sufficient meld found is given, not the best one.
    """
    needed = book.opening.points if points is None else points
    candidates = _candidates(book, rack)
    counts = [0] * len(book.tiles.limits)
    for face in rack:
        counts[face] += 1
    return _Reach(book, candidates, counts, needed).search()


class _Reach:
    """Depth-first over candidate sets, with what the later ones could still add as the bound."""

    def __init__(
        self, book: RuleBook, sets: list[tuple[int, FaceSet]], counts: list[int], needed: int
    ) -> None:
        self.book = book
        self.sets = sets
        self.counts = counts
        self.needed = needed
        self.seen: set[tuple[int, tuple[int, ...], bool]] = set()

    def search(self) -> OpeningFound | None:
        """The first meld that reaches the threshold."""
        return self._from(0, 0, (), not self.book.opening.run_required)

    def _from(self, index: int, points: int, chosen: FaceTable, run: bool) -> OpeningFound | None:
        key = (index, tuple(self.counts), run)
        if key in self.seen:
            return None
        for place in range(index, len(self.sets)):
            worth, faces = self.sets[place]
            if not self._take(faces):
                continue
            laid = (*chosen, faces)
            has_run = run or any(reading.is_run for reading in self.book.reader.readings(faces))
            total = points + worth
            if total >= self.needed and has_run:
                self._give(faces)
                return OpeningFound(laid, total)
            found = self._from(place, total, laid, has_run)
            self._give(faces)
            if found is not None:
                return found
        self.seen.add(key)
        return None

    def _take(self, faces: FaceSet) -> bool:
        for done, face in enumerate(faces):
            if not self.counts[face]:
                self._give(faces[:done])
                return False
            self.counts[face] -= 1
        return True

    def _give(self, faces: FaceSet) -> None:
        for face in faces:
            self.counts[face] += 1


def _candidates(book: RuleBook, rack: Sequence[Face]) -> list[tuple[int, FaceSet]]:
    """Every legal set within the rack, dearest first."""
    held = tuple(sorted(rack))
    found = {tuple(sorted(faces)) for faces in sets_within(book.reader, held, every_length=False)}
    return sorted(((set_points(book, faces), faces) for faces in found), key=lambda c: (-c[0], c[1]))


@lru_cache(maxsize=256)
def sets_within(reader: SetReader, held: FaceSet, every_length: bool) -> tuple[FaceSet, ...]:
    """The legal sets that can be made from these tiles, jokers included.

    Without `every_length`, runs that two shorter runs could replace are left out: enough to count points,
    unless one of the two would be jokers alone.
    """
    tiles = reader.tiles
    jokers = held.count(tiles.joker)
    have = set(held) - {tiles.joker}
    longest = 2 * reader.shortest - 1 if jokers < reader.shortest and not every_length else reader.top
    found: list[FaceSet] = []
    for number in range(1, tiles.numbers + 1):
        same = [tiles.face(c, number) for c in range(len(tiles.colours)) if tiles.face(c, number) in have]
        for size in range(1, len(same) + 1):
            for chosen in combinations(same, size):
                found.extend(chosen + (tiles.joker,) * extra for extra in range(jokers + 1))
    for colour in range(len(tiles.colours)):
        for low in range(1, reader.top + 1):
            found.extend(_runs_from(reader, colour, low, have, jokers, longest))
    return tuple(faces for faces in found if reader.is_set(faces))


def _runs_from(
    reader: SetReader, colour: int, low: int, have: set[Face], jokers: int, longest: int
) -> list[FaceSet]:
    """Runs starting at a place, a joker standing for any place, held or not."""
    tiles = reader.tiles
    found: list[FaceSet] = []
    stack: list[tuple[int, FaceSet, int]] = [(low, (), jokers)]
    while stack:
        place, faces, left = stack.pop()
        if faces:
            found.append(faces)
        if place > reader.top or len(faces) == longest:
            continue
        face = tiles.face(colour, 1 if place > tiles.numbers else place)
        if face in have and face not in faces:
            stack.append((place + 1, (*faces, face), left))
        if left:
            stack.append((place + 1, (*faces, tiles.joker), left - 1))
    return found
