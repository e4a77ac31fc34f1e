"""The kernel as the rest of the program sees it: one engine a rule book, one workspace a thread."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain
from typing import Any, Literal, NamedTuple

from meldroom.rules.book import RuleBook
from meldroom.solver.kernel import mode
from meldroom.tiles import Face, TileSet

FaceSet = tuple[Face, ...]
FaceTable = tuple[FaceSet, ...]
Objective = Literal["tiles", "points"]
OBJECTIVES: tuple[Literal["tiles", "points", "value"], ...] = ("tiles", "points", "value")

TILE = 1 << 24
"""One tile in a score of the objective `tiles`: more than all points together."""
POINT = 1 << 10
"""One point in a score of the objective `points`: more than all tiles together."""

UNLIMITED = 1 << 30
WIDTHS = (16, 192, UNLIMITED)
_SET_END = bytes((255,))


MOST_EQUAL = 2
"""The most tiles of one face, and the most jokers, that the kernel can count."""


def fits(book: RuleBook) -> bool:
    """True if the native kernel knows this book's colours, numbers and sets.

    Positions with more than two equal tiles or jokers in play are beyond it all the same.
    """
    tiles = book.tiles
    return (
        len(tiles.colours) <= 4
        and 6 <= tiles.numbers <= 16
        and book.sets.shortest == 3
        and not book.sets.one_after_highest
    )


def within(counts: Sequence[int]) -> bool:
    """True if the kernel can count these tiles, given by face."""
    return max(counts) <= MOST_EQUAL


def weigh(book: RuleBook, objective: Objective | Literal["value"]) -> list[int]:
    """The score of a tile by number, the joker's last: tiles then points, or points then tiles.

    `value` is for openings: the number on the tile, and for a joker the highest there is.
    """
    if objective == "value":
        return [number * POINT + 1 for number in (*range(1, book.tiles.numbers + 1), book.tiles.numbers)]
    values = (*book.values[: book.tiles.numbers], book.values[book.tiles.joker])
    return [TILE + value if objective == "tiles" else value * POINT + 1 for value in values]


class Played:
    """What the kernel found: a score, an upper bound on it, and, if asked for, the table that reaches it."""

    __slots__ = ("bound", "played", "score", "sets")

    def __init__(self, score: int, bound: int, sets: list[FaceSet], played: FaceSet) -> None:
        self.score = score
        self.bound = bound
        self.sets = sets
        self.played = played


class _Arrays(NamedTuple):
    """What one mode of the kernel needs to know of a book, in arrays of its own."""

    kernel: Any
    groups: Any
    weights: dict[Objective | Literal["value"], Any]


class Engine:
    """The kernel for one rule book."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book
        self.colours = len(book.tiles.colours)
        self.numbers = book.tiles.numbers
        self.joker = book.tiles.joker
        self.weights = {name: weigh(book, name) for name in OBJECTIVES}
        self._arrays: dict[str, _Arrays] = {}
        self._checked = book.tiles.copies < MOST_EQUAL or book.tiles.jokers < MOST_EQUAL

    def _now(self) -> _Arrays:
        """The kernel as it runs now."""
        kernel = mode.kernel("best_play")
        found = self._arrays.get(kernel.__name__)
        if found is None:
            weights = {name: kernel.ints(self.weights[name]) for name in OBJECTIVES}
            found = _Arrays(kernel, groups_of(kernel, self.colours), weights)
            self._arrays[kernel.__name__] = found
        return found

    def best(
        self,
        table: Sequence[FaceSet],
        rack: Sequence[Face],
        objective: Objective | Literal["value"],
        floor: int = 0,
        widest: int = UNLIMITED,
    ) -> Played | None:
        """The best play with freely moving jokers, the table rebuilt; None for tiles it cannot count."""
        if self._checked and self.book.tiles.too_many([*chain.from_iterable(table), *rack]) is not None:
            return None
        flat = _SET_END.join(map(bytes, table)) + _SET_END
        kernel, groups, weights = self._now()
        work = workspace(kernel)
        score, bound = kernel.best_play(
            kernel.octets(flat), kernel.octets(bytes(rack)), self.colours, self.numbers,
            weights[objective], floor, widest, True, groups, work,
        )  # fmt: skip
        if score < 0:
            return None
        if score == floor:
            return Played(score, bound, [], ())
        count, loose, sets_end, end = kernel.listed(work.out, 0, 4)
        numbers = kernel.listed(work.out, 4, end)
        sets, at = [], 0
        for _ in range(count):
            size = numbers[at]
            sets.append(tuple(numbers[at + 1 : at + 1 + size]))
            at += 1 + size
        if loose:
            lay_jokers(self.book.tiles, sets, loose, table)
        return Played(score, bound, sets, tuple(numbers[sets_end - 4 :]))

    def score(
        self, have: list[int], old: list[int], objective: Objective, floor: int = 0, widest: int = UNLIMITED
    ) -> tuple[int, int]:
        """The best score above `floor` for counts by face, jokers last, and an upper bound on it.

        With a width of 0 nothing is searched and only the bound is of use. The counts must be `within`.
        """
        kernel, groups, weights = self._now()
        score, bound = kernel.best_choice(
            kernel.ints(have), kernel.ints(old), have[self.joker], old[self.joker],
            self.colours, self.numbers, weights[objective], floor, widest, False, groups,
            workspace(kernel),
        )  # fmt: skip
        return int(score), int(bound)


_ENGINES: dict[int, Engine] = {}
_LOCAL = threading.local()


def engine_of(book: RuleBook) -> Engine:
    """The engine of a book, made once."""
    found = _ENGINES.get(id(book))
    if found is None or found.book is not book:
        if len(_ENGINES) > 64:
            _ENGINES.clear()
        found = _ENGINES[id(book)] = Engine(book)
    return found


_GROUPS: dict[tuple[str, int], Any] = {}


def groups_of(kernel: Any, colours: int) -> Any:
    """A kernel's table of groups for so many colours, made once."""
    found = _GROUPS.get((kernel.__name__, colours))
    if found is None:
        found = _GROUPS[kernel.__name__, colours] = kernel.make_groups(colours)
    return found


def workspace(kernel: Any) -> Any:
    """A kernel's room to work in, one for each thread."""
    held: dict[str, Any] = _LOCAL.__dict__
    found = held.get(kernel.__name__)
    if found is None:
        found = held[kernel.__name__] = kernel.make_workspace()
    return found


def lay_jokers(tiles: TileSet, sets: list[FaceSet], count: int, old: Sequence[FaceSet]) -> None:
    """Lays jokers on sets with room: where an old set comes back, else on changed sets, runs first."""
    joker = tiles.joker
    wanted = [sorted(faces) for faces in old if joker in faces]
    standing = [sorted(faces) for faces in old]
    for _ in range(count):
        place = next((i for i, faces in enumerate(sets) if sorted((*faces, joker)) in wanted), -1)
        if place >= 0:
            sets[place] = _with_joker(tiles, sets[place]) or sets[place]
            continue
        order = sorted(
            range(len(sets)), key=lambda i: (sorted(sets[i]) in standing, not _is_run(tiles, sets[i]))
        )
        for place in order:
            longer = _with_joker(tiles, sets[place])
            if longer is not None:
                sets[place] = longer
                break
        else:
            place = next(i for i in order if _is_run(tiles, sets[i]))
            full = sets[place]
            sets[place] = (*full[:3], joker)
            sets.append(full[3:])


def _is_run(tiles: TileSet, faces: FaceSet) -> bool:
    numbers = {tiles.number_of[face] for face in faces if face != tiles.joker}
    return len(numbers) > 1


def _with_joker(tiles: TileSet, faces: FaceSet) -> FaceSet | None:
    """A set with one joker more, or None if it is full. Runs are given in order."""
    joker = tiles.joker
    if not _is_run(tiles, faces):
        if len(faces) < len(tiles.colours):
            return (*faces, joker)
        # One numbered tile with jokers may be read as a run as well.
        if len({face for face in faces if face != joker}) > 1 or len(faces) >= tiles.numbers:
            return None
        return (*faces, joker)
    first = next(i for i, face in enumerate(faces) if face != joker)
    low = tiles.number_of[faces[first]] - first
    if low + len(faces) <= tiles.numbers:
        return (*faces, joker)
    return (joker, *faces) if low > 1 else None
