"""Openings: sets from the rack alone that reach the book's threshold (R7–R11; Rummy-O's 50 with a run).

The best play from the rack without any threshold is an upper bound; when it reaches the threshold it is the
answer. Otherwise a memoised search over the rack's tiles keeps, for every value reached, the best meld.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

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


_Meld: TypeAlias = "tuple[int, FaceSet | None, _Meld | None]"
"""One meld of the search: its order among melds of the same value, its sets as a linked list."""

_NO_MELD: dict[tuple[int, bool], _Meld] = {(0, False): (0, None, None)}
_BITS, _MOST_EQUAL = 8, 127
"""Tiles are counted in one number: so many bits for each place, the highest free to borrow from. No box holds
more equal ones."""
_SHIFT = 40
"""What an order goes by first stands above so many bits, what it goes by next below."""


class _Set(NamedTuple):
    """A set of the rack: its faces, as they are counted in the search, its value, and what it adds."""

    faces: FaceSet
    tiles: int
    value: int
    run: bool
    worth: int


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
        one = {face: 1 << _BITS * at for at, face in enumerate(used)}
        self.counts = sum([one[face] * counts[face] for face in used])
        self.guards = sum(one.values()) << _BITS - 1
        self.sets: dict[int, list[_Set]] = {}
        for faces, run in sets:
            tiles = sum([one[face] for face in faces])
            made = _Set(faces, tiles, set_points(book, faces), run, self._worth(faces))
            self.sets.setdefault(one[faces[0]], []).append(made)
        self.beginnings = sum(self.sets) * _MOST_EQUAL  # where sets begin
        # Up to this melds are told apart by their value; where it decides first, the order has it.
        self.most = {"value": 0, "fewest": 1 << _SHIFT}.get(goal, needed)
        self.known: dict[int, dict[tuple[int, bool], _Meld]] = {}

    def best(self) -> Opening | None:
        """The best meld that reaches the threshold, with a run if the book asks for one."""
        melds = self._from(self.counts)
        good = [
            (self._order(value, meld), meld)
            for (value, run), meld in melds.items()
            if meld[1] is not None and self._is_enough(value, run, meld)
        ]
        if not good:
            return None
        _, chosen = max(good, key=lambda entry: entry[0])
        sets: list[FaceSet] = []
        meld: _Meld | None = chosen
        while meld is not None and meld[1] is not None:
            sets.append(_in_order(self.book, meld[1]))
            meld = meld[2]
        return Opening(tuple(sets), sum(set_points(self.book, faces) for faces in sets))

    def _is_enough(self, value: int, run: bool, meld: _Meld) -> bool:
        reached = meld[0] >> _SHIFT if self.goal == "value" else value
        return reached >= self.needed and (run or not self.book.opening.run_required)

    def _order(self, value: int, meld: _Meld) -> int:
        return meld[0] - value if self.goal == "fewest" else meld[0]

    def _worth(self, faces: FaceSet) -> int:
        tiles, points = len(faces), sum([self.book.values[face] for face in faces])
        if self.goal == "fewest":
            return -tiles << _SHIFT
        if self.goal == "value":
            return (set_points(self.book, faces) << _SHIFT) + TILE * tiles + points
        return (points << _SHIFT) + tiles if self.goal == "points" else (tiles << _SHIFT) + points

    def _from(self, counts: int) -> dict[tuple[int, bool], _Meld]:
        """For each (value, has a run) the best meld of these tiles."""
        beginnings = counts & self.beginnings
        if not beginnings:
            return _NO_MELD
        place = (beginnings & -beginnings).bit_length() - 1 & -_BITS
        counts &= -1 << place  # nothing before it is of use any more
        known = self.known.get(counts)
        if known is not None:
            return known
        if len(self.known) > MOST_STATES:
            raise TooLargeError("melds", "rack")
        if self.deadline is not None and len(self.known) % 16 == 0 and time.monotonic() >= self.deadline:
            raise OutOfTimeError
        found = dict(self._from(counts - (1 << place)))
        for made in self.sets[1 << place]:
            if (counts | self.guards) - made.tiles & self.guards == self.guards:
                self._lay(made, self._from(counts - made.tiles), found)
        self.known[counts] = found
        return found

    def _lay(
        self, made: _Set, rest: dict[tuple[int, bool], _Meld], found: dict[tuple[int, bool], _Meld]
    ) -> None:
        """Adds every meld that begins with this set."""
        fewest, most = self.goal == "fewest", self.most
        for (more, other), meld in rest.items():
            if fewest and self._is_enough(more, other, meld):
                continue  # That is enough without this set.
            value, score = made.value + more, meld[0] + made.worth
            key = (value if value < most else most, made.run or other)
            if key not in found or found[key][0] < score:
                found[key] = (score, made.faces, meld)


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
    return list(_sets_of(reader, jokers, tuple([face for face, count in enumerate(counts[:-1]) if count])))


@lru_cache(maxsize=64)
def _sets_of(reader: SetReader, jokers: int, held: FaceSet) -> list[tuple[FaceSet, bool]]:
    """The sets of these faces and so many jokers. Several questions are asked about one rack."""
    every, lacking = _every_set(reader, jokers), ~sum([1 << face for face in held])
    return [entry for lowest in held for needed, entry in every[lowest] if not needed & lacking]


@lru_cache(maxsize=64)
def _every_set(reader: SetReader, jokers: int) -> list[list[tuple[int, tuple[FaceSet, bool]]]]:
    """The sets of a box with so many jokers by their lowest face, each with a bit for every face it needs."""
    joker = reader.tiles.joker
    every: list[list[tuple[int, tuple[FaceSet, bool]]]] = [[] for _ in range(joker)]
    for entry in _find_sets(reader, [1] * joker + [jokers]):
        faces = entry[0]
        every[faces[0]].append((sum(1 << face for face in faces if face != joker), entry))
    return every


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
