"""The best play under the printed joker rule: a freed joker ends in a new set (R19–R21).

The rule constrains how tiles are arranged, not which. The best play with free jokers is an upper bound and
often lawful as it stands. Otherwise the search fixes the final set of every joker that lay on the table and
solves the rest freely, in the order of what each choice could still bring.

A longer set with such a joker can be cut so that the joker's part has three to five tiles and stays lawful,
so those are all the choices there are. A part of three is always lawful: without the joker only two tiles are
left, and no old set is that small. In a larger one it may matter which of two equal tiles lies there.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Protocol

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.solver.best import Solution
from meldroom.solver.errors import OutOfTimeError
from meldroom.solver.kernel.engine import (
    TILE,
    UNLIMITED,
    Engine,
    FaceSet,
    FaceTable,
    Objective,
    Played,
    engine_of,
    weigh,
)
from meldroom.tiles import Face

RACK = -1
LONGEST = 5
Origins = tuple[int, ...]


class Leaf(Protocol):
    """Solves what is left when some jokers' sets are fixed."""

    def score(self, have: list[int], old: list[int], floor: int) -> int:
        """The best score above `floor`, or `floor`. Counts are by face, jokers last."""

    def bound(self, have: list[int], old: list[int], floor: int) -> int:
        """A quick upper bound on the score, at least `floor`."""

    def sets(self, have: list[int], old: list[int], whole: FaceTable) -> list[FaceSet]:
        """A table that reaches the best score, keeping the sets in `whole` where that costs nothing."""


def solve_lawful(
    book: RuleBook,
    table: FaceTable,
    rack: FaceSet,
    objective: Objective,
    free: Played,
    deadline: float | None,
) -> Solution:
    """The best lawful play, given the best play with free jokers."""
    if freed_joker_fault(book.reader, table, free.sets) is None:
        return _solution(book, table, free.sets, free.score == free.bound)
    engine = engine_of(book)
    search = _Search(
        book, table, rack, objective, _NativeLeaf(engine, objective, deadline), LONGEST, deadline
    )
    after, proven = search.best(free.bound)
    return _solution(book, table, after, proven)


def solve_lawful_by_cover(
    book: RuleBook, table: FaceTable, rack: FaceSet, objective: Objective, deadline: float | None = None
) -> Solution:
    """The best lawful play for an unusual tile set: jokers' sets of every length are tried."""
    from meldroom.solver.any_tile_set import GeneralLeaf

    leaf = GeneralLeaf(book, objective)
    search = _Search(
        book, table, rack, objective, leaf, max(book.tiles.numbers, len(book.tiles.colours)), deadline
    )
    after, proven = search.best(UNLIMITED * TILE)
    return _solution(book, table, after, proven)


def _solution(book: RuleBook, table: FaceTable, after: Sequence[FaceSet] | None, proven: bool) -> Solution:
    if after is None:
        return Solution((), 0, 0, table, proven)
    laid = Counter(face for faces in after for face in faces)
    laid.subtract(Counter(face for faces in table for face in faces))
    played = tuple(sorted(laid.elements()))
    return Solution(played, len(played), sum(book.values[face] for face in played), tuple(after), proven)


class Template(msgspec.Struct, frozen=True):
    """A set with jokers: its numbered tiles and how many jokers."""

    natural: FaceSet
    jokers: int


class _Choice(msgspec.Struct, frozen=True):
    """Jokers' sets that are fixed, what is left of all tiles and of the table's, and the score so far."""

    templates: tuple[Template, ...]
    have: list[int]
    old: list[int]
    gain: int


class _Search:
    """Branches over the final sets of the table's jokers."""

    def __init__(
        self,
        book: RuleBook,
        table: FaceTable,
        rack: FaceSet,
        objective: Objective,
        leaf: Leaf,
        longest: int,
        deadline: float | None,
    ) -> None:
        self.book = book
        self.joker = book.tiles.joker
        self.table = table
        self.rack = Counter(rack)
        self.leaf = leaf
        self.deadline = deadline
        by_number = weigh(book, objective)
        self.weights = [by_number[book.tiles.number_of[face] - 1] for face in range(self.joker)] + [
            by_number[-1]
        ]
        self.old = [0] * (self.joker + 1)
        for faces in table:
            for face in faces:
                self.old[face] += 1
        self.have = list(self.old)
        for face in rack:
            self.have[face] += 1
        self.places: dict[Face, list[int]] = {}
        # Jokers' own sets first: a joker that stays at home is lawful, and then no other origin is tried.
        for index in sorted(range(len(table)), key=lambda i: self.joker not in table[i]):
            for face in table[index]:
                self.places.setdefault(face, []).append(index)
        self.homes = [faces for faces in table if self.joker in faces]
        self.templates = self._candidates(longest)
        self.best_score = 0
        self.best_choice: _Choice | None = None

    def best(self, limit: int) -> tuple[list[FaceSet] | None, bool]:
        """The table after the best lawful play (None if there is none), and whether that is proven."""
        proven = True
        try:
            self._try_all(limit)
        except OutOfTimeError:
            proven = False
        if self.best_choice is None:
            return None, proven
        return self._rebuild(self.best_choice), proven

    def _try_all(self, limit: int) -> None:
        """Looks at every choice that could be better than the best; raises OutOfTimeError at the deadline."""
        start = _Choice((), self.have, self.old, 0)
        self._home(start)
        stack = [(limit, start)] if self.best_score < limit else []
        while stack:
            bound, choice = stack.pop()
            if bound <= self.best_score:
                continue
            stack.extend(sorted(self._branches(choice), key=lambda branch: branch[0]))
            if self.best_score >= limit:
                break

    def _look_at_clock(self) -> None:
        if self.deadline is not None and time.monotonic() >= self.deadline:
            raise OutOfTimeError

    def _home(self, start: _Choice) -> None:
        """A first try: every joker stays in its whole old set, or in a part of it."""
        pieces = [_pieces(home, self.joker, self.book) for home in self.homes]
        for chosen in product(*pieces):
            choice: _Choice | None = start
            for template in chosen:
                choice = self._fix(choice, template) if choice is not None else None
            if choice is not None:
                self._finish(choice)
            self._look_at_clock()

    def _candidates(self, longest: int) -> list[Template]:
        """Every template that can be laid with the tiles there are, smallest first."""
        jokers, have = self.have[self.joker], self.have
        return [
            template
            for template in all_templates(self.book, longest)
            if template.jokers <= jokers and all(have[face] for face in template.natural)
        ]

    def _branches(self, choice: _Choice) -> Iterator[tuple[int, _Choice]]:
        """The next joker's set, with a bound each; choices that are complete are finished at once."""
        last = choice.templates[-1] if choice.templates else None
        first = self.templates.index(last) if last is not None and last in self.templates else 0
        for template in self.templates[first:]:
            self._look_at_clock()
            fixed = self._fix(choice, template)
            if fixed is None:
                continue
            floor = max(self.best_score - fixed.gain, -1)
            if self.leaf.bound(fixed.have, fixed.old, floor) <= floor:
                continue
            if self._complete(fixed):
                self._finish(fixed)
            if self._open(fixed):
                # The other jokers free: dearer than the bound, but a whole level of branches hangs on it
                score = self.leaf.score(fixed.have, fixed.old, floor)
                if score > floor:
                    yield score + fixed.gain, fixed

    def _complete(self, choice: _Choice) -> bool:
        """True if all the table's jokers have their set."""
        return sum(template.jokers for template in choice.templates) >= self.old[self.joker]

    def _open(self, choice: _Choice) -> bool:
        """True if another joker's set is to be fixed.

        With two of the table's jokers and others, it may be another joker that lies in a set of several.
        """
        placed = sum(template.jokers for template in choice.templates)
        due = self.old[self.joker]
        return placed < due or (due > 1 and placed < self.have[self.joker])

    def _fix(self, choice: _Choice, template: Template) -> _Choice | None:
        """Lays one template, old tiles before those of the rack; None if a tile is missing."""
        have, old, gain = list(choice.have), list(choice.old), choice.gain
        for face in template.natural + (self.joker,) * template.jokers:
            if not have[face]:
                return None
            have[face] -= 1
            if old[face]:
                old[face] -= 1
            else:
                gain += self.weights[face]
        return _Choice((*choice.templates, template), have, old, gain)

    def _finish(self, choice: _Choice) -> None:
        """Solves what is left and keeps the choice if it is lawful and better."""
        score = self._leaf_score(choice)
        if score <= self.best_score:
            return
        for lawful in self._lawful(choice):
            if lawful is not choice:
                score = self._leaf_score(lawful)
            if score > self.best_score:
                self.best_score, self.best_choice = score, lawful

    def _leaf_score(self, choice: _Choice) -> int:
        floor = max(self.best_score - choice.gain, -1)
        score = self.leaf.score(choice.have, choice.old, floor)
        return score + choice.gain if score > floor else -1

    def _lawful(self, choice: _Choice) -> list[_Choice]:
        """The choice itself if it is lawful with the table's tiles, else every least exchange with the rack.

        An exchange lays the rack's copy in a joker's set, so that the table's copy must find another place.
        """
        if all(len(template.natural) + template.jokers == 3 for template in choice.templates):
            return [choice]
        exchanges: set[FaceSet] = set()
        for origins in self._origins(choice.templates):
            exchanged = tuple(
                sorted(
                    face
                    for face, origin in zip(_natural(choice.templates), origins, strict=True)
                    if origin == RACK and self.old[face]
                )
            )
            surplus = Counter(exchanged)
            for face in surplus:
                inside = _natural(choice.templates).count(face)
                surplus[face] -= max(0, inside - self.old[face])
            least = tuple(sorted(surplus.elements()))
            if not any(_within(known, least) for known in exchanges) and self._obeys(
                choice.templates, origins
            ):
                exchanges = {known for known in exchanges if not _within(least, known)} | {least}
                if not least:
                    return [choice]
        return [self._exchange(choice, faces) for faces in exchanges]

    def _exchange(self, choice: _Choice, faces: FaceSet) -> _Choice:
        old, gain = list(choice.old), choice.gain
        for face in faces:
            old[face] += 1
            gain += self.weights[face]
        return _Choice(choice.templates, choice.have, old, gain)

    def _origins(self, templates: tuple[Template, ...]) -> Iterator[Origins]:
        """Every way to take the numbered tiles of the templates from old sets and the rack."""
        faces = _natural(templates)
        options = [
            [*dict.fromkeys(self.places.get(face, ())), *([RACK] if self.rack[face] else [])]
            for face in faces
        ]
        for origins in product(*options):
            taken = Counter(zip(faces, origins, strict=True))
            if all(n <= self._available(face, origin) for (face, origin), n in taken.items()):
                yield origins

    def _available(self, face: Face, origin: int) -> int:
        return self.rack[face] if origin == RACK else self.table[origin].count(face)

    def _obeys(self, templates: tuple[Template, ...], origins: Origins) -> bool:
        """True if the jokers of the old sets can be dealt to the templates so that R19–R21 hold."""
        count = sum(template.jokers for template in templates)
        sources = [index for index, faces in enumerate(self.table) for face in faces if face == self.joker]
        sources += [RACK] * (count - len(sources))
        return any(
            self._deal_obeys(templates, origins, deal) for deal in set(permutations_of(tuple(sources)))
        )

    def _deal_obeys(self, templates: tuple[Template, ...], origins: Origins, deal: Origins) -> bool:
        at, wild = 0, 0
        for template in templates:
            size = len(template.natural)
            inside: dict[int, list[Face]] = {}
            for face, origin in zip(template.natural, origins[at : at + size], strict=True):
                inside.setdefault(origin, []).append(face)
            for origin in deal[wild : wild + template.jokers]:
                inside.setdefault(origin, []).append(self.joker)
            at, wild = at + size, wild + template.jokers
            whole = [o for o, faces in inside.items() if o != RACK and len(faces) == len(self.table[o])]
            for origin, faces in inside.items():
                if origin == RACK or self.joker not in faces or self.book.reader.is_set(tuple(faces)):
                    continue
                if any(old != origin for old in whole):
                    return False
        return True

    def _rebuild(self, choice: _Choice) -> list[FaceSet]:
        """The whole table of a choice."""
        fixed = [_arranged(self.book, template) for template in choice.templates]
        left = list(choice.old)
        whole = []
        for faces in self.table:
            counts = Counter(faces)
            if all(left[face] >= n for face, n in counts.items()):
                whole.append(faces)
                for face, n in counts.items():
                    left[face] -= n
        return fixed + self.leaf.sets(choice.have, choice.old, tuple(whole))


def _natural(templates: tuple[Template, ...]) -> FaceSet:
    return tuple(face for template in templates for face in template.natural)


def _within(small: FaceSet, large: FaceSet) -> bool:
    return Counter(small) <= Counter(large)


def permutations_of(sources: Origins) -> Iterator[Origins]:
    """The different orders of a few origins."""
    if not sources:
        yield ()
    for place in range(len(sources)):
        for rest in permutations_of(sources[:place] + sources[place + 1 :]):
            yield (sources[place], *rest)


def _arranged(book: RuleBook, template: Template) -> FaceSet:
    """A template as a set in order, the highest reading first."""
    faces = template.natural + (book.tiles.joker,) * template.jokers
    return book.reader.arranged(book.reader.readings(faces)[-1], faces)


def _pieces(home: FaceSet, joker: Face, book: RuleBook) -> list[Template]:
    """An old set with jokers, and the smaller sets that hold all its jokers."""
    natural = tuple(sorted(face for face in home if face != joker))
    jokers = len(home) - len(natural)
    found = [Template(natural, jokers)]
    for size in range(min(len(natural), 4) - 1, 0, -1):
        for part in combinations(natural, size):
            if book.reader.is_set(part + (joker,) * jokers):
                found.append(Template(part, jokers))
    return found


_TEMPLATES: dict[tuple[int, int], tuple[RuleBook, tuple[Template, ...]]] = {}


def all_templates(book: RuleBook, longest: int) -> tuple[Template, ...]:
    """Every set with at least one joker and at most `longest` tiles, smallest first."""
    key = (id(book), longest)
    if key not in _TEMPLATES or _TEMPLATES[key][0] is not book:
        _TEMPLATES[key] = (book, tuple(_make_templates(book, longest)))
    return _TEMPLATES[key][1]


def _make_templates(book: RuleBook, longest: int) -> list[Template]:
    tiles = book.tiles
    found: set[Template] = set()
    colours = range(len(tiles.colours))
    for jokers in range(1, tiles.jokers + 1):
        for number in range(1, tiles.numbers + 1):
            for size in range(1, min(longest, len(tiles.colours)) - jokers + 1):
                for chosen in combinations(colours, size):
                    found.add(Template(tuple(tiles.face(c, number) for c in chosen), jokers))
        for colour in colours:
            for length in range(jokers + 1, min(longest, tiles.numbers) + 1):
                for low in range(1, tiles.numbers - length + 2):
                    faces = [tiles.face(colour, n) for n in range(low, low + length)]
                    found |= {Template(kept, jokers) for kept in combinations(faces, length - jokers)}
    legal = (t for t in found if book.reader.is_set(t.natural + (tiles.joker,) * t.jokers))
    return sorted(legal, key=lambda t: (len(t.natural) + t.jokers, t.jokers, t.natural))


class _NativeLeaf:
    """The kernel as a leaf."""

    def __init__(self, engine: Engine, objective: Objective, deadline: float | None) -> None:
        self.engine = engine
        self.objective: Objective = objective
        self.deadline = deadline

    def score(self, have: list[int], old: list[int], floor: int) -> int:
        """The best score above `floor`, or `floor`. Raises OutOfTimeError."""
        score, bound = self.engine.score(have, old, self.objective, floor, deadline=self.deadline)
        if score < bound:
            raise OutOfTimeError
        return score

    def bound(self, have: list[int], old: list[int], floor: int) -> int:
        """The kernel's bound before it searches."""
        return self.engine.score(have, old, self.objective, floor, 0)[1]

    def sets(self, have: list[int], old: list[int], whole: FaceTable) -> list[FaceSet]:
        """The kernel's table; tiles of broken old sets are given to it one by one."""
        loose = list(old)
        for faces in whole:
            for face in faces:
                loose[face] -= 1
        table = [*whole, *((Face(face),) for face, n in enumerate(loose) for _ in range(n))]
        rack = [Face(face) for face, n in enumerate(have) for _ in range(n - old[face])]
        found = self.engine.best(table, rack, self.objective, -1)
        assert found is not None, "a leaf holds only tiles of the position"
        return found.sets
