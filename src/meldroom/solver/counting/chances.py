"""Exact counts of racks: the chance to open, the draws until a rack can, and racks that go out at once.

Racks are counted, not sampled, and nothing is rounded. Compiled kernels count in seconds
what takes interpreted ones many minutes.

>>> from meldroom.rules.library import book
>>> round(float(opening_chance(book("wrc11")).chance), 6)
0.497597
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.solver.errors import PositionError, TooLargeError
from meldroom.tiles import Face

MOST_WRAPPED = 5_000_000_000
MOST_WRAPPED_LOW = 100_000_000_000_000
"""Draws to count at most where a 1 may follow the highest number: in general, and where one smallest set may
be enough to open, so that most racks leave the count early. Beyond, a count takes hours and much memory."""

Progress: TypeAlias = Callable[[str], None]
"""Told what a long count has done."""


class Box(NamedTuple):
    """A tile set, and what a set is in it: all that the counts depend on."""

    colours: int
    numbers: int
    copies: int
    jokers: int
    shortest: int
    wraps: bool

    @classmethod
    def of(cls, book: RuleBook) -> Box:
        """The box of a rule book. Raises TooLargeError where a set could be all jokers."""
        tiles, sets = book.tiles, book.sets
        if tiles.jokers >= sets.shortest:
            raise TooLargeError("count_jokers", "rulebook", count=sets.shortest - 1, jokers=tiles.jokers)
        colours, wraps = len(tiles.colours), sets.one_after_highest
        return cls(colours, tiles.numbers, tiles.copies, tiles.jokers, sets.shortest, wraps)

    @property
    def numbered(self) -> int:
        """How many numbered tiles there are."""
        return self.colours * self.numbers * self.copies


class Goal(NamedTuple):
    """What an opening must reach: points, a run or not, and what a tile and a joker count at each number."""

    points: int
    run_required: bool
    worth: tuple[int, ...]
    joker_worth: tuple[int, ...]

    @classmethod
    def of(cls, book: RuleBook, points: int | None = None) -> Goal:
        """The goal of a book, or another threshold under the same book; at least one set is laid (R7)."""
        needed = max(1, book.opening.points if points is None else points)
        numbers = book.tiles.numbers
        if book.opening.joker_value == "fixed":  # R54
            worth, joker_worth = book.values[:numbers], (book.values[-1],) * numbers
        else:  # R9
            worth = joker_worth = tuple(range(1, numbers + 1))
        return cls(needed, book.opening.run_required, worth, joker_worth)

    def with_jokers(self, box: Box, jokers: int) -> Goal:
        """The goal for the numbered tiles alone, if it does not matter where a joker lies.

        With a run in the meld and jokers of one value, every joker is laid: a run has room, or is cut in two.
        """
        if not self.run_required or len({*self.joker_worth}) > 1 or box.numbers < 2 * box.shortest:
            return self
        points = max(1, self.points - jokers * self.joker_worth[0])
        return self._replace(points=points, joker_worth=(0,) * box.numbers)


class OpeningChance(msgspec.Struct, frozen=True):
    """How many racks of `tiles` tiles there are and how many cannot open, by the jokers on them."""

    tiles: int
    racks: tuple[int, ...]
    closed: tuple[int, ...]

    @property
    def chance(self) -> Fraction:
        """The chance that a random rack can open."""
        return 1 - Fraction(sum(self.closed), sum(self.racks))

    def given(self, jokers: int) -> Fraction:
        """The chance for a rack with so many jokers; 0 if there is no such rack."""
        racks = self.racks[jokers]
        return 1 - Fraction(self.closed[jokers], racks) if racks else Fraction(0)


class DrawsToOpen(msgspec.Struct, frozen=True):
    """The chance that a rack still cannot open after 0, 1, 2, … draws, to the last unseen tile."""

    closed: tuple[Fraction, ...]

    @property
    def never(self) -> Fraction:
        """The chance that it cannot open with all the tiles it may ever draw."""
        return self.closed[-1]

    @property
    def mean(self) -> Fraction | None:
        """The expected number of draws until the rack can open; None if it may never."""
        return None if self.never else sum(self.closed, Fraction(0))


def opening_chance(book: RuleBook, tiles: int | None = None, points: int | None = None) -> OpeningChance:
    """The exact chance that sets from a random rack alone reach the threshold (R7–R11, R44).

    `tiles` is as many as the book deals, `points` the book's threshold, unless given. Seconds for most books.
    In Rummy-O, where a 1 may follow the 13, racks of more than 8 tiles are refused: that would take hours;
    `estimate_opening_chance` samples them. Raises PositionError for more tiles than there are, TooLargeError
    for racks that cannot be counted.
    """
    size = book.deal.tiles if tiles is None else tiles
    box, goal = Box.of(book), Goal.of(book, points)
    if not 0 <= size <= box.numbered + box.jokers:
        raise PositionError("rack_size", "tiles", size=size, total=box.numbered + box.jokers)
    racks, closed = [], []
    for jokers in range(box.jokers + 1):
        with_jokers = comb(box.jokers, jokers)
        numbered = size - jokers
        possible = 0 <= numbered <= box.numbered
        racks.append(with_jokers * comb(box.numbered, numbered) if possible else 0)
        # Where runs end at the highest number, one count serves racks of every size.
        most = numbered if box.wraps else box.numbered
        closed.append(with_jokers * _closed_racks(box, goal, jokers, most)[numbered] if possible else 0)
    return OpeningChance(size, tuple(racks), tuple(closed))


def expected_draws(
    book: RuleBook, rack: Sequence[Face] | None = None, seen: Sequence[Face] = (), points: int | None = None
) -> DrawsToOpen:
    """How many draws it takes until a rack can open, every unseen tile being as likely as any other.

    Without a rack: for a random rack of as many tiles as the book deals. `seen` are tiles the player knows
    besides the rack. Raises PositionError for tiles that cannot be in play, TooLargeError for racks that
    cannot be counted, as in Rummy-O.
    """
    box, goal = Box.of(book), Goal.of(book, points)
    held, unseen = _known(book, rack or (), seen)
    joker = book.tiles.joker
    total = sum(unseen)
    closed = [0] * (total + 1)
    for more in range(unseen[joker] + 1):
        ways = comb(unseen[joker], more)
        counted = closed_draws(box, goal, held[joker] + more, held[:joker], unseen[:joker])
        for draws, count in enumerate(counted):
            closed[draws + more] += ways * count
    chances = [Fraction(count, comb(total, draws)) for draws, count in enumerate(closed)]
    return DrawsToOpen(tuple(chances[book.deal.tiles if rack is None else 0 :]))


def _known(book: RuleBook, rack: Sequence[Face], seen: Sequence[Face]) -> tuple[list[int], list[int]]:
    """Tiles on the rack and unseen tiles, by face. Raises PositionError."""
    tiles = book.tiles
    known = Counter(rack) + Counter(seen)
    for face, count in known.items():
        if not 0 <= face <= tiles.joker:
            raise PositionError("face", "rack", face=str(face))
        if count > tiles.limits[face]:
            name, limit = tiles.face_names[face], tiles.limits[face]
            raise PositionError("too_many", "rack", count=count, face=name, limit=limit)
    faces = tiles.every_face
    return [list(rack).count(face) for face in faces], [tiles.limits[face] - known[face] for face in faces]


@lru_cache(maxsize=64)
def _closed_racks(box: Box, goal: Goal, jokers: int, most: int) -> list[int]:
    return closed_racks(box, goal, jokers, most)


def closed_racks(
    box: Box, goal: Goal, jokers: int, most: int | None = None, progress: Progress | None = None
) -> list[int]:
    """How many choices of n numbered tiles, with these jokers, cannot open; n = 0 … `most`.

    The tiles are physical: a rack with one of two equal tiles counts twice. Raises TooLargeError.
    """
    faces = box.colours * box.numbers
    return closed_draws(box, goal, jokers, [0] * faces, [box.copies] * faces, most, progress)


def closed_draws(
    box: Box,
    goal: Goal,
    jokers: int,
    held: Sequence[int],
    unseen: Sequence[int],
    most: int | None = None,
    progress: Progress | None = None,
) -> list[int]:
    """How many draws of n unseen numbered tiles leave a rack that cannot open; n = 0 … `most`.

    `held` and `unseen` are counts by numbered face; the rack holds `jokers` jokers besides. Raises
    TooLargeError.
    """
    from meldroom.solver.counting.walk import Draws, parts

    most = sum(unseen) if most is None else min(most, sum(unseen))
    low = goal.points <= box.shortest * max(goal.worth)
    if box.wraps and _different(unseen, most) > (MOST_WRAPPED_LOW if low else MOST_WRAPPED):
        raise TooLargeError("count_wrapped", "tiles", highest=box.numbers)
    totals = [0] * (most + 1)
    for part in parts(box, goal.with_jokers(box, jokers), jokers, most, Draws(box, held, unseen)):
        part.walk.run(progress)
        part.add(range(len(part.walk.active)), totals)
    return totals


def _different(unseen: Sequence[int], most: int) -> int:
    """How many different draws of at most `most` tiles there are, equal tiles counted as one."""
    ways = [1] + [0] * most
    for copies in unseen:
        ways = [sum(ways[max(0, drawn - copies) : drawn + 1]) for drawn in range(most + 1)]
    return sum(ways)


def racks_that_go_out(
    box: Box, jokers: int, most: int | None = None, distinct: bool = True, progress: Progress | None = None
) -> list[list[int]]:
    """How many choices of n numbered tiles can be laid out as sets with exactly j jokers, as `[j][n]`.

    n = 0 … `most`, the empty rack included; j = 0 … `jokers`. `distinct` counts equal tiles as one, else
    tiles are physical. Raises TooLargeError.
    """
    from meldroom.solver.counting.walk import Draws, parts

    faces = box.colours * box.numbers
    most = box.numbered if most is None else min(most, box.numbered)
    totals = [[0] * (most + 1) for _ in range(jokers + 1)]
    for part in parts(box, None, jokers, most, Draws(box, [0] * faces, [box.copies] * faces, distinct)):
        part.walk.run(progress)
        for spent in range(jokers + 1):
            part.add(part.walk.finished(spent), totals[spent])
    return totals
