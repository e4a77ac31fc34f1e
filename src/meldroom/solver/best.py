"""The best play of a turn: the front of the solver."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.solver.errors import PositionError
from meldroom.solver.kernel.engine import FaceSet, FaceTable, Objective, Played, engine_of, fits
from meldroom.tiles import Face

__all__ = ["Neat", "Objective", "Solution", "solve_faces", "solve_many"]

Neat: TypeAlias = bool | Literal["thorough"]
"""Whether an answer changes few old sets, and how much is asked for that."""


class Solution(msgspec.Struct, frozen=True):
    """A play: the tiles from the rack, what they count, and the table that holds them.

    `optimal` is true only when no better play exists under the book. With nothing to play, `played` is empty
    and `table` is the table as it was. `unique` says whether only this choice of tiles is best, where that
    was asked for (`meldroom.solver.plays`); `fewest`, in a `neat` answer, whether
    changing fewer old sets is proven impossible.
    """

    played: FaceSet
    tiles: int
    points: int
    table: FaceTable
    optimal: bool
    unique: bool | None = None
    fewest: bool | None = None


def solve_faces(
    book: RuleBook,
    table: Sequence[Sequence[Face]],
    rack: Sequence[Face],
    melded: bool = True,
    objective: Objective = "tiles",
    *,
    time_limit: float | None = None,
    neat: Neat = False,
) -> Solution:
    """The best legal play from a rack.

    `tiles` plays most tiles and among those most points, `points` the other way round; a tile's points are
    what it would cost if left on the rack. A player who has not melded lays sets from the rack alone that
    reach the book's opening. With a time limit in seconds the best play found in time is given. A `neat`
    answer also changes few old sets, for little more time, and says whether fewer are proven impossible; a
    `"thorough"` one asks the kernel more on small tables too, for up to a millisecond.

    Raises PositionError for a position that cannot exist, TooLargeError where an unusual tile set is beyond
    the exact search.
    """
    old, held = tuple(map(tuple, table)), tuple(rack)
    check_table(book, old)
    if held and not 0 <= min(held) <= max(held) <= book.tiles.joker:
        raise impossible_tiles(book, old, held)
    deadline = None if time_limit is None else time.monotonic() + time_limit
    best = _best(book, old, held, melded, objective, deadline)
    if not neat:
        return best
    if not best.played or not melded or not fits(book):
        return msgspec.structs.replace(best, fewest=not best.played or not melded or not old)
    from meldroom.solver.fewest_changes import tidy

    neater = tidy(book, old, held, objective, best.table, best.played, deadline, thorough=neat == "thorough")
    return Solution(neater.played, best.tiles, best.points, neater.table, best.optimal, fewest=neater.fewest)


def _best(
    book: RuleBook, old: FaceTable, rack: FaceSet, melded: bool, objective: Objective, deadline: float | None
) -> Solution:
    """The best play, whichever old sets it changes."""
    if not melded:
        from meldroom.solver.opening import open_best

        return open_best(book, old, rack, objective, deadline)
    if not fits(book):
        from meldroom.solver.any_tile_set import solve_general

        return solve_general(book, old, rack, objective, deadline)
    found = engine_of(book).best(old, rack, objective, 0, deadline)
    if found is None:
        if possible_tiles(book, old, rack):
            from meldroom.solver.any_tile_set import solve_general

            return solve_general(book, old, rack, objective, deadline)
        raise impossible_tiles(book, old, rack)
    if found.played and book.jokers.reuse == "new_set" and any(book.tiles.joker in faces for faces in old):
        from meldroom.solver.joker_rule import solve_lawful

        return solve_lawful(book, old, rack, objective, found, deadline)
    return solution(book, old, found)


def solve_many(
    book: RuleBook,
    positions: Iterable[tuple[Sequence[Sequence[Face]], Sequence[Face]]],
    objective: Objective = "tiles",
    *,
    threads: int = 1,
) -> list[Solution]:
    """What `solve_faces` answers for each of many positions, a table and a rack, of players who have melded.

    Compiled kernels solve hundreds in one call, and threads run side by side; the answers are the same for
    any number of threads.

    Raises PositionError and TooLargeError as `solve_faces` does.
    """
    given = [(tuple(map(tuple, table)), tuple(rack)) for table, rack in positions]
    for table, rack in given:
        check_table(book, table)
        if rack and not 0 <= min(rack) <= max(rack) <= book.tiles.joker:
            raise impossible_tiles(book, table, rack)
    if not fits(book):
        return [solve_faces(book, table, rack, True, objective) for table, rack in given]
    strict = book.jokers.reuse == "new_set"
    solved: list[Solution] = []
    plays = engine_of(book).best_of_many(given, objective, threads)
    for (table, rack), found in zip(given, plays, strict=True):
        if found is None or (strict and found.played and any(book.tiles.joker in faces for faces in table)):
            solved.append(solve_faces(book, table, rack, True, objective))
        else:
            solved.append(solution(book, table, found))
    return solved


def solution(book: RuleBook, table: FaceTable, found: Played) -> Solution:
    """A kernel's answer as a public value."""
    if not found.played:
        return Solution((), 0, 0, table, found.score == found.bound)
    values = book.values
    points = sum([values[face] for face in found.played])
    return Solution(found.played, len(found.played), points, tuple(found.sets), found.score == found.bound)


def check_table(book: RuleBook, table: FaceTable) -> None:
    """Raises PositionError if a set of the table is not legal."""
    if book.reader.are_sets(table):
        return
    for index, faces in enumerate(table):
        if not book.reader.is_set(faces):
            known = [face for face in faces if 0 <= face < len(book.tiles.face_names)]
            text = book.tiles.faces_text(known)
            raise PositionError("set", f"table[{index}]", faces=text)


def possible_tiles(book: RuleBook, table: FaceTable, rack: Sequence[Face]) -> bool:
    """True if the box holds all these tiles."""
    counts = Counter(face for faces in table for face in faces) + Counter(rack)
    limits = book.tiles.limits
    return all(0 <= face < len(limits) and count <= limits[face] for face, count in counts.items())


def impossible_tiles(book: RuleBook, table: FaceTable, rack: Sequence[Face]) -> PositionError:
    """Why these tiles cannot all be in play."""
    tiles = book.tiles
    counts = Counter(face for faces in table for face in faces) + Counter(rack)
    for face, count in counts.items():
        if not 0 <= face < len(tiles.limits):
            return PositionError("face", "rack", face=str(face))
        if count > tiles.limits[face]:
            name, limit = tiles.face_names[face], tiles.limits[face]
            return PositionError("too_many", "rack", count=count, face=name, limit=limit)
    raise AssertionError("these tiles are possible")
