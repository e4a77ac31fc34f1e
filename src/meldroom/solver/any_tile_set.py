"""The exact best play for unusual tile sets: any colours, numbers, copies and jokers, nothing left out.

The same walk over the numbers as the kernel without any of its reductions: every joker has its place, every
open run its length. Slower by far, so it is for tiny books; a position beyond it is refused, never guessed.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from meldroom.rules.book import RuleBook
from meldroom.solver.best import Solution, impossible_tiles, possible_tiles
from meldroom.solver.errors import TooLargeError
from meldroom.solver.kernel.engine import FaceSet, FaceTable, Objective, weigh
from meldroom.tiles import Face

MOST_MOVES = 200_000
MOST_EQUAL = 6

Run = tuple[int, bool]
"""An open run: its length, no longer than the shortest legal run, and whether it holds a numbered tile."""
Runs = tuple[Run, ...]


class Use(NamedTuple):
    """What one colour does at one number: runs after it, tiles and jokers in runs, and which run got what."""

    runs: Runs
    natural: int
    jokers: int


class Grouping(NamedTuple):
    """Groups at one number: jokers, tiles, and each group's colours and jokers."""

    jokers: int
    tiles: int
    groups: tuple[tuple[int, int], ...]


class Step(NamedTuple):
    """A choice at one number, with the choices before it."""

    before: Step | None
    uses: tuple[Use, ...]
    grouping: Grouping


def solve_general(
    book: RuleBook, table: FaceTable, rack: FaceSet, objective: Objective, deadline: float | None = None
) -> Solution:
    """The best play by the book for any tile set without runs over the top.

    Raises TooLargeError for books whose runs go on after the highest number, and for positions with too many
    moves to compare, or to compare before a deadline.
    """
    if book.family == "laying_off" or book.sets.one_after_highest:
        raise TooLargeError("not_rearranging", "rulebook")
    if not possible_tiles(book, table, rack):
        raise impossible_tiles(book, table, rack)
    counts = Counter(face for faces in table for face in faces) + Counter(rack)
    equal = max((n for face, n in counts.items() if face != book.tiles.joker), default=0)
    if equal + counts[book.tiles.joker] > MOST_EQUAL:
        raise TooLargeError("equal_tiles", "rack", count=MOST_EQUAL)
    if book.jokers.reuse == "new_set" and any(book.tiles.joker in faces for faces in table):
        from meldroom.solver.joker_rule import solve_lawful_by_cover

        return solve_lawful_by_cover(book, table, rack, objective, deadline)
    old = [0] * (book.tiles.joker + 1)
    for faces in table:
        for face in faces:
            old[face] += 1
    have = [counts[face] for face in book.tiles.every_face]
    _, step = _Walk(book, have, old, objective, deadline).best(0)
    if step is None:
        return Solution((), 0, 0, table, True)
    placed = zip(book.tiles.every_face, _placed(book, have, step), strict=True)
    played = tuple(face for face, n in placed for _ in range(n - old[face]))
    points = sum(book.values[face] for face in played)
    return Solution(played, len(played), points, tuple(_rebuild(book, step)), True)


def _placed(book: RuleBook, have: list[int], step: Step) -> list[int]:
    placed = [0] * len(have)
    for faces in _rebuild(book, step):
        for face in faces:
            placed[face] += 1
    return placed


class GeneralLeaf:
    """The walk as a leaf of the search for lawful plays."""

    def __init__(self, book: RuleBook, objective: Objective) -> None:
        self.book = book
        self.objective: Objective = objective

    def score(self, have: list[int], old: list[int], floor: int) -> int:
        """The best score above `floor`, or `floor`."""
        return _Walk(self.book, have, old, self.objective).best(floor)[0]

    def bound(self, have: list[int], old: list[int], floor: int) -> int:
        """Everything the rack could bring."""
        weights = weigh(self.book, self.objective)
        number_of = self.book.tiles.number_of
        return sum(weights[number_of[face] - 1] * (n - old[face]) for face, n in enumerate(have))

    def sets(self, have: list[int], old: list[int], whole: FaceTable) -> list[FaceSet]:
        """The table of the best walk; old sets are not looked for."""
        _, step = _Walk(self.book, have, old, self.objective).best(-1)
        return _rebuild(self.book, step) if step is not None else []


class _Walk:
    """One walk over the numbers."""

    def __init__(
        self,
        book: RuleBook,
        have: list[int],
        old: list[int],
        objective: Objective,
        deadline: float | None = None,
    ) -> None:
        self.book = book
        self.deadline = deadline
        self.colours = len(book.tiles.colours)
        self.numbers = book.tiles.numbers
        self.joker = book.tiles.joker
        self.shortest = book.sets.shortest
        self.old = old
        self.have = have
        self.jokers = have[self.joker]
        self.weights = weigh(book, objective)

    def best(self, floor: int) -> tuple[int, Step | None]:
        """The best score above `floor` with the last step of its line, or `floor` and None."""
        layer: dict[tuple[tuple[Runs, ...], int], tuple[int, Step | None]]
        layer = {(((),) * self.colours, 0): (0, None)}
        moves = 0
        for number in range(1, self.numbers + 1):
            following: dict[tuple[tuple[Runs, ...], int], tuple[int, Step | None]] = {}
            for (runs, spent), (score, step) in layer.items():
                for uses, grouping, gain in self._moves(number, runs, self.jokers - spent):
                    moves += 1
                    used = spent + sum(use.jokers for use in uses) + grouping.jokers
                    key = (tuple(use.runs for use in uses), used)
                    if key not in following or following[key][0] < score + gain:
                        following[key] = (score + gain, Step(step, uses, grouping))
                late = self.deadline is not None and time.monotonic() >= self.deadline
                if moves > MOST_MOVES or late:
                    raise TooLargeError("moves", "rack", count=min(moves, MOST_MOVES))
            layer = following
        best, last = floor, None
        for (_, spent), (score, step) in layer.items():
            total = score + self.weights[-1] * (spent - self.old[self.joker])
            if spent >= self.old[self.joker] and total > best:
                best, last = total, step
        return best, last

    def _moves(
        self, number: int, runs: tuple[Runs, ...], jokers: int
    ) -> Iterator[tuple[tuple[Use, ...], Grouping, int]]:
        """Every choice at a number from a state, with what it scores."""
        faces = [self.book.tiles.face(colour, number) for colour in range(self.colours)]
        last = number == self.numbers
        choices = [
            [
                use
                for use in _uses(runs[c], self.have[faces[c]], jokers, self.shortest)
                if not last or all(run == (self.shortest, True) for run in use.runs)
            ]
            for c in range(self.colours)
        ]
        if math.prod(map(len, choices)) > MOST_MOVES:
            raise TooLargeError("moves", "rack", count=MOST_MOVES)
        for uses in product(*choices):
            left = jokers - sum(use.jokers for use in uses)
            if left < 0:
                continue
            loose = tuple(self.have[face] - use.natural for face, use in zip(faces, uses, strict=True))
            due = tuple(max(0, self.old[face] - use.natural) for face, use in zip(faces, uses, strict=True))
            laid = sum(use.natural for use in uses) - sum(self.old[face] for face in faces)
            for grouping in _groupings(loose, due, left, self.shortest):
                yield uses, grouping, self.weights[number - 1] * (laid + grouping.tiles)


@lru_cache(maxsize=100_000)
def _uses(runs: Runs, have: int, jokers: int, shortest: int) -> tuple[Use, ...]:
    """Every way for one colour to lengthen, end and start runs; a run that ends must be legal."""
    found: set[Use] = set()

    def lengthen(index: int, after: Runs, natural: int, wild: int) -> None:
        if index == len(runs):
            start(after, natural, wild)
            return
        length, numbered = runs[index]
        longer = min(length + 1, shortest)
        if natural < have:
            lengthen(index + 1, (*after, (longer, True)), natural + 1, wild)
        if wild < jokers:
            lengthen(index + 1, (*after, (longer, numbered)), natural, wild + 1)
        if length == shortest and numbered:
            lengthen(index + 1, after, natural, wild)

    def start(after: Runs, natural: int, wild: int) -> None:
        found.add(Use(tuple(sorted(after)), natural, wild))
        if natural < have:
            start((*after, (1, True)), natural + 1, wild)
        if wild < jokers:
            start((*after, (1, False)), natural, wild + 1)

    lengthen(0, (), 0, 0)
    return tuple(found)


@lru_cache(maxsize=100_000)
def _groupings(
    loose: tuple[int, ...], due: tuple[int, ...], jokers: int, shortest: int
) -> tuple[Grouping, ...]:
    """For each number of jokers the groups that place most tiles and all that must be placed."""
    colours = len(loose)
    best: dict[int, Grouping] = {}

    def add(left: tuple[int, ...], first: int, wild: int, laid: tuple[tuple[int, int], ...]) -> None:
        if all(have - rest >= must for have, rest, must in zip(loose, left, due, strict=True)):
            tiles = sum(loose) - sum(left)
            if wild not in best or best[wild].tiles < tiles:
                best[wild] = Grouping(wild, tiles, laid)
        for mask in range(first, 1 << colours):
            if any(mask >> c & 1 and not left[c] for c in range(colours)):
                continue
            rest = tuple(n - (mask >> c & 1) for c, n in enumerate(left))
            for extra in range(max(0, shortest - mask.bit_count()), colours - mask.bit_count() + 1):
                if wild + extra <= jokers:
                    add(rest, mask, wild + extra, (*laid, (mask, extra)))

    add(loose, 1, 0, ())
    return tuple(best.values())


def _rebuild(book: RuleBook, last: Step) -> list[FaceSet]:
    """The sets of a line of choices."""
    steps = []
    step: Step | None = last
    while step is not None:
        steps.append(step)
        step = step.before
    steps.reverse()
    tiles = book.tiles
    sets: list[FaceSet] = []
    for colour in range(len(tiles.colours)):
        uses = [step.uses[colour] for step in steps]
        sets.extend(_rebuild_runs(book, colour, uses))
    for number, step in enumerate(steps, 1):
        for mask, extra in step.grouping.groups:
            natural = tuple(tiles.face(c, number) for c in range(len(tiles.colours)) if mask >> c & 1)
            sets.append(natural + (tiles.joker,) * extra)
    return sets


def _rebuild_runs(book: RuleBook, colour: int, uses: list[Use]) -> list[FaceSet]:
    """The runs of one colour: at each number some assignment of tiles leads to the open runs noted."""
    tiles, shortest = book.tiles, book.sets.shortest

    def follow(
        number: int, open_runs: tuple[FaceSet, ...], done: tuple[FaceSet, ...]
    ) -> list[FaceSet] | None:
        if number > len(uses):
            return [*done, *open_runs]
        use = uses[number - 1]
        face = tiles.face(colour, number)
        for after, closed in assign(0, open_runs, use.natural, use.jokers, face):
            noted = tuple(sorted((min(len(r), shortest), any(f != tiles.joker for f in r)) for r in after))
            if noted == use.runs:
                found = follow(number + 1, after, (*done, *closed))
                if found is not None:
                    return found
        return None

    def assign(
        index: int, open_runs: tuple[FaceSet, ...], natural: int, wild: int, face: Face
    ) -> Iterator[tuple[tuple[FaceSet, ...], tuple[FaceSet, ...]]]:
        if index == len(open_runs):
            yield ((face,),) * natural + ((tiles.joker,),) * wild, ()
            return
        run = open_runs[index]
        for add, n, w in (((face,), 1, 0), ((tiles.joker,), 0, 1), ((), 0, 0)):
            if n > natural or w > wild or (not add and not book.reader.is_set(run)):
                continue
            for after, closed in assign(index + 1, open_runs, natural - n, wild - w, face):
                yield ((run + add, *after), closed) if add else (after, (run, *closed))

    found = follow(1, (), ())
    assert found is not None, "a line of choices can always be rebuilt"
    return found
