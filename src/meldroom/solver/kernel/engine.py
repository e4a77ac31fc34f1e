"""The kernel as the rest of the program sees it: one engine a rule book, one workspace a thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple, cast

from meldroom.rules.book import RuleBook
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.threads import on_threads
from meldroom.tiles import Face, TileSet

FaceSet = tuple[Face, ...]
FaceTable = tuple[FaceSet, ...]
Objective = Literal["tiles", "points"]
OBJECTIVES: tuple[Literal["tiles", "points", "value"], ...] = ("tiles", "points", "value")

TILE = 1 << 24
"""One tile in a score of the objective `tiles`: more than all points together."""
POINT = 1 << 10
"""One point in a score of the objective `points`: more than all tiles together."""

UNLIMITED = 1 << 39
LEAST_WORK: dict[mode.Mode, int] = {"compiled": 500, "interpreted": 30}
"""What a search before a deadline is allowed at first, in pairs of choices: well below a millisecond."""
MOST_AT_ONCE = 512
"""So many positions are solved in one call of the kernel, that threads end together."""
_SHORTEST_ANSWER = 4
"""How long the kernel's answer is where no table is asked for."""
_SET_END, _RACK, _NEXT, _COUNTS = (bytes((octet,)) for octet in (255, 254, 253, 252))


MOST_EQUAL, MOST_JOKERS = 2, 4
"""The most tiles of one face, and the most jokers, that the kernel can count."""


def fits(book: RuleBook) -> bool:
    """True if the native kernel knows this book's colours, numbers and sets.

    Positions with more than two equal tiles or four jokers in play are beyond it all the same.
    """
    tiles = book.tiles
    return (
        len(tiles.colours) <= 4
        and 6 <= tiles.numbers <= 16
        and book.sets.shortest == 3
        and not book.sets.one_after_highest
    )


def counts_all(book: RuleBook) -> bool:
    """True if the native kernel can count every position of this book."""
    return fits(book) and book.tiles.copies <= MOST_EQUAL and book.tiles.jokers <= MOST_JOKERS


def within(counts: Sequence[int]) -> bool:
    """True if the kernel can count these tiles, given by face."""
    return max(counts[:-1], default=0) <= MOST_EQUAL and counts[-1] <= MOST_JOKERS


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
    rules: Any
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

    def _now(self) -> _Arrays:
        """The kernel as it runs now."""
        kernel = mode.kernel("best_play")
        found = self._arrays.get(kernel.__name__)
        if found is None:
            weights = {name: kernel.ints(self.weights[name]) for name in OBJECTIVES}
            tiles = self.book.tiles
            most = min(tiles.copies, MOST_EQUAL), min(tiles.jokers, MOST_JOKERS)
            rules = kernel.ints((self.colours, self.numbers, *most))
            found = _Arrays(kernel, rules, groups_of(kernel, self.colours), weights)
            self._arrays[kernel.__name__] = found
        return found

    def best(
        self,
        table: Sequence[FaceSet],
        rack: Sequence[Face],
        objective: Objective | Literal["value"],
        floor: int = 0,
        deadline: float | None = None,
        widest: int = UNLIMITED,
    ) -> Played | None:
        """The best play with freely moving jokers, the table rebuilt; None for tiles it cannot count.

        With a deadline, on the monotonic clock, the best one found by then; with a width, the best one that a
        search no wider finds. Its score is the floor if none is better.
        """
        answer = self._answer(packed(table, rack), objective, floor, widest, True, deadline)
        return None if answer[0] < floor else self._played(answer, table)

    def score(
        self,
        have: list[int],
        old: list[int],
        objective: Objective,
        floor: int = 0,
        widest: int = UNLIMITED,
        deadline: float | None = None,
    ) -> tuple[int, int]:
        """The best score above `floor` for counts by face, jokers last, and an upper bound on it.

        With a width of 0 nothing is searched and only the bound is of use. The counts must be `within`.
        """
        counts = _COUNTS + bytes(have) + bytes(old)
        answer = self._answer(counts, objective, floor, widest, False, deadline)
        return answer[0], answer[1]

    def best_of_many(
        self,
        positions: Sequence[tuple[FaceTable, FaceSet]],
        objective: Objective | Literal["value"],
        threads: int,
    ) -> list[Played | None]:
        """The best play of each position, solved by so many threads; one call of the kernel a share."""
        kernel, rules, groups, weights = self._now()
        size = max(1, min(MOST_AT_ONCE, -(-len(positions) // threads)))
        shares = [positions[at : at + size] for at in range(0, len(positions), size)]

        def solve(share: Sequence[tuple[FaceTable, FaceSet]]) -> list[int]:
            flat = _NEXT.join([packed(table, rack) for table, rack in share])
            answers = kernel.zeros(kernel.LONGEST_ANSWER * len(share))
            end = kernel.best_plays(
                kernel.octets(flat), rules, weights[objective], 0, UNLIMITED, UNLIMITED, True, groups,
                _room(kernel)[0], answers,
            )  # fmt: skip
            return cast(list[int], kernel.listed(answers, 0, end))

        solved = on_threads(solve, shares, threads)
        found: list[Played | None] = []
        for share, numbers in zip(shares, solved, strict=True):
            at = 0
            for table, _ in share:
                answer = numbers[at + 1 : at + numbers[at]]
                found.append(None if answer[0] < 0 else self._played(answer, table))
                at += numbers[at]
        return found

    def scores_of_many(self, positions: Sequence[bytes], objective: Objective) -> list[int]:
        """The best score of each packed position, in one call; negative for impossible tiles."""
        return self._many(positions, objective, 0, UNLIMITED)[1::_SHORTEST_ANSWER]

    def bounds_of_many(
        self, positions: Sequence[bytes], objective: Objective, floor: int, widest: int
    ) -> list[int]:
        """An upper bound on the score of each packed position, in one call; `floor` where it is no better."""
        return self._many(positions, objective, floor, widest)[2::_SHORTEST_ANSWER]

    def _many(self, positions: Sequence[bytes], objective: Objective, floor: int, widest: int) -> list[int]:
        kernel, rules, groups, weights = self._now()
        answers = kernel.zeros(_SHORTEST_ANSWER * len(positions))
        end = kernel.best_plays(
            kernel.octets(_NEXT.join(positions)), rules, weights[objective], floor, widest, UNLIMITED, False,
            groups, _room(kernel)[0], answers,
        )  # fmt: skip
        return cast(list[int], kernel.listed(answers, 0, end))

    def _answer(
        self,
        position: bytes,
        objective: Objective | Literal["value"],
        floor: int,
        widest: int,
        build: bool,
        deadline: float | None,
    ) -> list[int]:
        """The kernel's answer to one position: score, bound, work left, then the table if it was asked for.

        The kernel has no clock. It is allowed little work, then as much more as there is time for by what the
        last call took.
        """
        kernel, rules, groups, weights = self._now()
        room, answer = _room(kernel)
        octets, weight = kernel.octets(position), weights[objective]
        work = UNLIMITED if deadline is None else LEAST_WORK[mode.current()]
        best: list[int] = []
        while True:
            start = 0.0 if deadline is None else time.monotonic()
            end = kernel.best_plays(octets, rules, weight, floor, widest, work, build, groups, room, answer)
            found: list[int] = kernel.listed(answer, 1, end)
            if not best or found[0] > floor:
                best = found
            best[1] = min(best[1], found[1])
            if deadline is None or found[2] >= 0:
                return best
            now = time.monotonic()
            floor, before = best[0], work
            work = min(16 * work, int(0.7 * work * (deadline - now) / (now - start)))
            if work <= before:
                return best

    def _played(self, answer: list[int], table: Sequence[FaceSet]) -> Played:
        """An answer as a value."""
        score, bound = answer[0], answer[1]
        if len(answer) == 3:
            return Played(score, bound, [], ())
        count, loose, sets_end = answer[3:6]
        faces = cast(list[Face], answer)
        sets, at = [], 7
        for _ in range(count):
            after = at + 1 + answer[at]
            sets.append(tuple(faces[at + 1 : after]))
            at = after
        if loose:
            lay_jokers(self.book.tiles, sets, loose, table)
        return Played(score, bound, sets, tuple(faces[sets_end + 3 :]))


def packed(table: Sequence[FaceSet], rack: Sequence[Face]) -> bytes:
    """A position as the kernel reads it."""
    if not table:
        return _RACK + bytes(rack)
    return _SET_END.join(map(bytes, table)) + _SET_END + _RACK + bytes(rack)


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
    return _room(kernel)[0]


def _room(kernel: Any) -> tuple[Any, Any]:
    """This thread's workspace, and room for one answer."""
    held: dict[str, Any] = _LOCAL.__dict__
    found: tuple[Any, Any] | None = held.get(kernel.__name__)
    if found is None:
        found = held[kernel.__name__] = (kernel.make_workspace(), kernel.zeros(kernel.LONGEST_ANSWER))
    return found


def lay_jokers(tiles: TileSet, sets: list[FaceSet], count: int, old: Sequence[FaceSet]) -> None:
    """Lays jokers on sets with room: where an old set comes back, else on changed sets, runs first."""
    joker = tiles.joker
    standing = {tuple(sorted(faces)) for faces in old}
    wanted = [sorted(faces) for faces in old if joker in faces]
    for _ in range(count):
        place = _place_of_old(sets, wanted, joker)
        if place >= 0:
            sets[place] = _with_joker(tiles, sets[place]) or sets[place]
            continue
        for place in _changed_first(tiles, sets, standing):
            longer = _with_joker(tiles, sets[place])
            if longer is not None:
                sets[place] = longer
                break
        else:
            place = next(i for i in _changed_first(tiles, sets, standing) if _is_run(tiles, sets[i]))
            sets[place : place + 1] = _in_two(tiles, sets[place])


def _place_of_old(sets: list[FaceSet], wanted: list[list[Face]], joker: Face) -> int:
    """The first set that is one of the wanted ones with a joker more, or -1."""
    for i, faces in enumerate(sets):
        for whole in wanted:
            if len(whole) == len(faces) + 1 and sorted((*faces, joker)) == whole:
                return i
    return -1


def _changed_first(tiles: TileSet, sets: list[FaceSet], standing: set[FaceSet]) -> Iterator[int]:
    """The places of all sets: changed ones before those that were there, in each kind runs before groups."""
    for unchanged in (False, True):
        for run in (True, False):
            for i, faces in enumerate(sets):
                if _is_run(tiles, faces) == run and (tuple(sorted(faces)) in standing) == unchanged:
                    yield i


def _in_two(tiles: TileSet, full: FaceSet) -> list[FaceSet]:
    """A run from the lowest number to the highest cut in two, with one joker more."""
    joker = tiles.joker
    for cut in range(3, len(full) - 2):
        if {*full[:cut]} != {joker} != {*full[cut:]}:
            return [(*full[:cut], joker), full[cut:]]
    # Few numbers and many jokers: the first tile leaves with two of them.
    first, *others = (face for face in full if face != joker)
    low = full.index(others[0])
    rest = full[low : full.index(others[-1]) + 1]
    for _ in range(len(full) + 1 - 3 - len(rest)):
        rest = _with_joker(tiles, rest) or rest
    return [(first, joker, joker), rest]


def _is_run(tiles: TileSet, faces: FaceSet) -> bool:
    natural = [tiles.number_of[face] for face in faces if face != tiles.joker]
    return natural[0] != natural[-1]


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
