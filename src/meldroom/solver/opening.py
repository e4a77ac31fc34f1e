"""Openings: sets from the rack alone that reach the book's threshold (R7–R11; Rummy-O's 50 with a run).

The best play from the rack without any threshold is an upper bound; when it reaches the threshold it is the
answer. Otherwise a memoised search over the rack's tiles keeps, for every value reached, the best meld.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.sets import SetReader
from meldroom.rules.verify import set_points
from meldroom.solver.best import Solution, impossible_tiles, possible_tiles
from meldroom.solver.errors import OutOfTimeError, TooLargeError
from meldroom.solver.kernel.engine import POINT, TILE, FaceSet, FaceTable, Objective, engine_of, fits
from meldroom.tiles import Face

Goal = Literal["tiles", "points", "value", "fewest"]
MOST_STATES = 200_000


class Opening(msgspec.Struct, frozen=True):
    """Sets laid together as a first meld, and what they count."""

    sets: FaceTable
    value: int

    @property
    def played(self) -> FaceSet:
        """The tiles of the meld in order."""
        return tuple(sorted(face for faces in self.sets for face in faces))


def best_opening(
    book: RuleBook,
    rack: Sequence[Face],
    goal: Goal = "tiles",
    points: int | None = None,
    *,
    deadline: float | None = None,
) -> Opening | None:
    """The best first meld that counts at least `points` (the book's threshold by default), or None.

    `tiles`: most tiles, then most points off the rack; `points`: the other way round; `value`: what counts
    most; `fewest`: the fewest tiles, then the least value. Raises OutOfTimeError at a deadline.
    """
    needed = book.opening.points if points is None else points
    known = not rack or 0 <= min(rack) <= max(rack) <= book.tiles.joker
    if known and fits(book) and not book.opening.run_required and goal != "fewest":
        quick = _by_kernel(book, tuple(rack), goal, needed)
        if quick is not None:
            return quick if quick.sets else None
    if not possible_tiles(book, (), rack):
        raise impossible_tiles(book, (), rack)
    return _Search(book, rack, goal, needed, deadline).best()


def best_openings(book: RuleBook, racks: Sequence[FaceSet], goal: Objective) -> list[Opening | None]:
    """What `best_opening` finds for each of several racks, most of them in one call of the kernel."""
    if not fits(book) or book.opening.run_required:
        return [best_opening(book, rack, goal) for rack in racks]
    engine, needed = engine_of(book), book.opening.points
    found: list[Opening | None] = [None] * len(racks)
    waiting: list[int] = []
    for place, free in enumerate(engine.best_of_many([((), rack) for rack in racks], goal, 1)):
        sets = tuple(free.sets) if free is not None else ()
        value = sum([set_points(book, faces) for faces in sets])
        if sets and value >= needed:
            found[place] = Opening(sets, value)
        elif free is None or sets:
            waiting.append(place)
    # What counts most bounds what the others can reach.
    most = engine.best_of_many([((), racks[place]) for place in waiting], "value", 1)
    for place, bound in zip(waiting, most, strict=True):
        if bound is None or bound.score // POINT >= needed:
            found[place] = best_opening(book, racks[place], goal)
    return found


def can_open(book: RuleBook, rack: Sequence[Face], points: int | None = None) -> bool:
    """True if the rack can open at all."""
    return best_opening(book, rack, "value", points) is not None


def open_best(
    book: RuleBook, table: FaceTable, rack: FaceSet, objective: Objective, deadline: float | None = None
) -> Solution:
    """The best opening as a solution; the table is not touched (R8).

    When a deadline comes too soon, what counts most is laid, if that is enough.
    """
    optimal = True
    try:
        found = best_opening(book, rack, objective, deadline=deadline)
    except OutOfTimeError:
        found, optimal = _most_value(book, rack), False
    if found is None:
        return Solution((), 0, 0, table, optimal)
    played = found.played
    return Solution(played, len(played), sum(book.values[f] for f in played), (*table, *found.sets), optimal)


def _most_value(book: RuleBook, rack: FaceSet) -> Opening | None:
    """A quick opening: the kernel's sets for what counts most, or None if they are not enough."""
    most = engine_of(book).best((), rack, "value") if fits(book) else None
    sets = tuple(most.sets) if most is not None else ()
    value = sum(set_points(book, faces) for faces in sets)
    return Opening(sets, value) if sets and value >= book.opening.points else None


def _by_kernel(book: RuleBook, rack: FaceSet, goal: Goal, needed: int) -> Opening | None:
    """The kernel's answer when it settles the matter: empty for "cannot open", None for "look closer".

    A joker counts at most the highest number, which bounds what a rack can reach.
    """
    engine = engine_of(book)
    joker = book.tiles.joker
    if goal == "tiles" or goal == "points":
        free = engine.best((), rack, goal)
        if free is not None:
            sets = tuple(free.sets)
            value = sum([set_points(book, faces) for faces in sets])
            if value >= needed or not sets:
                return Opening(sets, value)
    most = engine.best((), rack, "value")
    if most is None:
        return None
    if not most.sets or most.score // POINT < needed:
        return Opening((), 0)
    if goal == "value" and joker not in rack:
        return Opening(tuple(most.sets), most.score // POINT)
    return None


class _Meld(msgspec.Struct, frozen=True):
    """One meld of the search: its order among melds of the same value, its sets as a linked list."""

    score: tuple[int, int]
    faces: FaceSet | None
    rest: _Meld | None


class _Set(NamedTuple):
    """A set of the rack: its faces, their places in the search's counts, its value, and what it adds."""

    faces: FaceSet
    places: list[int]
    value: int
    run: bool
    worth: tuple[int, int]


class _Search:
    """From the lowest tile up: leave it on the rack, or lay it in a set whose lowest tile it is."""

    def __init__(
        self, book: RuleBook, rack: Sequence[Face], goal: Goal, needed: int, deadline: float | None = None
    ) -> None:
        self.book = book
        self.deadline = deadline
        self.goal = goal
        self.needed = needed
        counts = [0] * (book.tiles.joker + 1)
        for face in rack:
            counts[face] += 1
        sets = sets_and_kinds(book, counts)
        # Only faces that some set holds are counted, by their places among these.
        used = sorted({face for faces, _ in sets for face in faces})
        place = {face: at for at, face in enumerate(used)}
        self.sets: list[list[_Set]] = [[] for _ in used]
        for faces, run in sets:
            places = [place[face] for face in faces]
            made = _Set(faces, places, set_points(book, faces), run, self._worth(faces))
            self.sets[places[0]].append(made)
        self.counts = tuple([counts[face] for face in used])
        self.known: dict[tuple[int, ...], dict[tuple[int, bool], _Meld]] = {}

    def best(self) -> Opening | None:
        """The best meld that reaches the threshold, with a run if the book asks for one."""
        melds = self._from(self.counts, 0)
        good = [
            (self._order(value, meld), meld)
            for (value, run), meld in melds.items()
            if meld.faces is not None and self._is_enough(value, run, meld)
        ]
        if not good:
            return None
        _, chosen = max(good, key=lambda entry: entry[0])
        sets: list[FaceSet] = []
        meld: _Meld | None = chosen
        while meld is not None and meld.faces is not None:
            sets.append(_in_order(self.book, meld.faces))
            meld = meld.rest
        return Opening(tuple(sets), sum(set_points(self.book, faces) for faces in sets))

    def _is_enough(self, value: int, run: bool, meld: _Meld) -> bool:
        reached = meld.score[0] if self.goal == "value" else value
        return reached >= self.needed and (run or not self.book.opening.run_required)

    def _order(self, value: int, meld: _Meld) -> tuple[int, ...]:
        return (*meld.score, -value) if self.goal == "fewest" else meld.score

    def _worth(self, faces: FaceSet) -> tuple[int, int]:
        tiles, points = len(faces), sum(self.book.values[face] for face in faces)
        if self.goal == "fewest":
            return (-tiles, 0)
        if self.goal == "value":
            return (set_points(self.book, faces), TILE * tiles + points)
        return (points, tiles) if self.goal == "points" else (tiles, points)

    def _cap(self, value: int) -> int:
        """The value by which melds are told apart; where it decides first, the score has it."""
        if self.goal == "value":
            return 0
        return value if self.goal == "fewest" else min(value, self.needed)

    def _from(self, counts: tuple[int, ...], first: int) -> dict[tuple[int, bool], _Meld]:
        """For each (value, has a run) the best meld of these tiles; none before `first` is of use."""
        known = self.known.get(counts)
        if known is not None:
            return known
        if len(self.known) > MOST_STATES:
            raise TooLargeError("melds", "rack")
        if self.deadline is not None and len(self.known) % 16 == 0 and time.monotonic() >= self.deadline:
            raise OutOfTimeError
        lowest = first
        while lowest < len(counts) and not (counts[lowest] and self.sets[lowest]):
            lowest += 1
        if lowest == len(counts):
            found = {(0, False): _Meld((0, 0), None, None)}
        else:
            found = dict(self._from((*counts[:lowest], counts[lowest] - 1, *counts[lowest + 1 :]), lowest))
            for made in self.sets[lowest]:
                self._lay(counts, made, found)
        self.known[counts] = found
        return found

    def _lay(self, counts: tuple[int, ...], made: _Set, found: dict[tuple[int, bool], _Meld]) -> None:
        """Adds every meld that begins with this set."""
        after = list(counts)
        for place in made.places:
            after[place] -= 1
            if after[place] < 0:
                return
        tiles, points = made.worth
        for (more, other), meld in self._from(tuple(after), made.places[0]).items():
            if self.goal == "fewest" and self._is_enough(more, other, meld):
                continue  # That is enough without this set.
            key = (self._cap(made.value + more), made.run or other)
            score = (meld.score[0] + tiles, meld.score[1] + points)
            if key not in found or found[key].score < score:
                found[key] = _Meld(score, made.faces, meld)


def sets_within(book: RuleBook, counts: Sequence[int]) -> list[FaceSet]:
    """Every legal set of at most five tiles (or a group) that these tiles can make, sorted, jokers last.

    A longer run is two shorter ones; where all jokers could meet, runs of every length are given.
    """
    return [faces for faces, _ in sets_and_kinds(book, counts)]


def sets_and_kinds(book: RuleBook, counts: Sequence[int]) -> list[tuple[FaceSet, bool]]:
    """The sets of `sets_within`, each with whether it can be read as a run."""
    reader, jokers = book.reader, counts[book.tiles.joker]
    if jokers >= reader.shortest or reader.wraps:  # too many to list them all, or one face at both ends
        return _find_sets(reader, counts)
    return _sets_without(reader, jokers, sum([1 << face for face, c in enumerate(counts[:-1]) if not c]))


@lru_cache(maxsize=64)
def _sets_without(reader: SetReader, jokers: int, lacking: int) -> list[tuple[FaceSet, bool]]:
    """The sets that need none of the faces lacking. Several questions are asked about one rack."""
    return [entry for needed, entry in _every_set(reader, jokers) if not needed & lacking]


@lru_cache(maxsize=64)
def _every_set(reader: SetReader, jokers: int) -> list[tuple[int, tuple[FaceSet, bool]]]:
    """The sets of a box with so many jokers, each with a bit for every face it needs."""
    found = _find_sets(reader, [1] * reader.tiles.joker + [jokers])
    return [(sum(1 << face for face in entry[0] if face != reader.tiles.joker), entry) for entry in found]


def _find_sets(reader: SetReader, counts: Sequence[int]) -> list[tuple[FaceSet, bool]]:
    """What `sets_and_kinds` gives, looked for."""
    tiles = reader.tiles
    joker = tiles.joker
    jokers = counts[joker]
    longest = 2 * reader.shortest - 1 if jokers < reader.shortest else reader.top
    found: set[FaceSet] = set()
    for number in range(1, tiles.numbers + 1):
        same = [f for c in range(len(tiles.colours)) if counts[f := tiles.face(c, number)]]
        for size in range(1, len(same) + 1):
            for chosen in combinations(same, size):
                found |= {chosen + (joker,) * extra for extra in range(jokers + 1)}
    for colour in range(len(tiles.colours)):
        places = [tiles.face(colour, 1 if p > tiles.numbers else p) for p in range(1, reader.top + 1)]
        for low in range(len(places)):
            for high in range(low + reader.shortest, min(low + longest, len(places)) + 1):
                natural = [face for face in places[low:high] if counts[face]]
                for kept in range(max(1, high - low - jokers), len(natural) + 1):
                    found |= {
                        tuple(sorted(part)) + (joker,) * (high - low - kept)
                        for part in combinations(natural, kept)
                    }
    return [
        (faces, any(reading.is_run for reading in reader.readings(faces)))
        for faces in sorted(found)
        if reader.is_set(faces)
    ]


def _in_order(book: RuleBook, faces: FaceSet) -> FaceSet:
    """A set as people write it, in its highest reading."""
    readings = book.reader.readings(faces)
    best = max(readings, key=lambda reading: book.reader.worth(reading, len(faces)))
    return book.reader.arranged(best, faces)
