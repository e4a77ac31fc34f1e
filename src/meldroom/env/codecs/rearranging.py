"""The choices of a turn under a rearranging book: waiting, and plays worth comparing."""

from __future__ import annotations

from collections import Counter

from meldroom.env.codecs.choices import Choice, Gathering, Kind, without
from meldroom.env.codecs.position import Position
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, set_points
from meldroom.solver.best import Objective, Solution, solve_faces
from meldroom.solver.errors import TooLargeError
from meldroom.solver.opening import Goal, best_opening, sets_within
from meldroom.solver.plays import exactly
from meldroom.tiles import Face

MOST_HELD = 8
"""How many faces are held back, one at a time, from the largest play."""

MOST_SEARCHED = 20
"""On larger racks the smallest and the dearest opening are not looked for: that search grows fast."""


def rearranging_choices(book: RuleBook, position: Position, slots: int) -> tuple[Choice | None, ...]:
    """Waiting first (None where the book forbids it), then up to `slots - 1` different plays.

    An empty choice of plays means that nothing can be laid at all. Raises TooLargeError where an unusual tile
    set is beyond the solver.
    """
    gathered = Gathering(position.rack)
    if position.melded:
        _plays(book, position, gathered)
    else:
        _openings(book, position, gathered)
    plays = tuple(gathered.all())[: slots - 1]
    must = position.pool_empty and book.pool_end.must_play_if_able and bool(plays)
    return (None if must else Choice(("wait",)), *plays)


def _plays(book: RuleBook, position: Position, gathered: Gathering) -> None:
    """Plays of a seat that has opened."""
    table, rack, joker = position.table, position.rack, book.tiles.joker

    def best(kind: Kind, held: FaceSet, objective: Objective = "tiles") -> Solution:
        found = solve_faces(book, table, held, True, objective)
        _add(gathered, kind, found)
        return found

    largest = best("most_tiles", rack)
    if not largest.played:
        return
    best("most_points", rack, "points")
    if joker in rack:
        best("keep_jokers", without(rack, joker))
    own = solve_faces(book, (), rack, True)
    if own.played:
        gathered.add(Choice(("from_rack",), own.played, (*table, *own.table)))
    _add(gathered, "minimal", _minimal(book, position, largest))
    for face in _worth_holding(book, largest.played):
        best("hold", without(rack, face))
    for face in _dearest_first(book, set(rack)):
        alone = exactly(book, table, (face,))
        if alone is not None:
            _add(gathered, "single", alone)
    for faces in _sets(book, rack):
        gathered.add(Choice(("one_set",), tuple(sorted(faces)), (*table, faces)))


def _minimal(book: RuleBook, position: Position, play: Solution) -> Solution:
    """A play from which no single tile can be left out: dear tiles are laid, cheap ones kept."""
    for face in reversed(_dearest_first(book, set(play.played))):
        while face in play.played:
            fewer = list(play.played)
            fewer.remove(face)
            smaller = exactly(book, position.table, tuple(fewer)) if fewer else None
            if smaller is None:
                break
            play = smaller
    return play


def _openings(book: RuleBook, position: Position, gathered: Gathering) -> None:
    """Plays of a seat that has not opened: sets from the rack that reach the threshold."""
    rack, joker = position.rack, book.tiles.joker

    def best(kind: Kind, goal: Goal, held: FaceSet) -> FaceSet:
        found = best_opening(book, held, goal)
        if found is None:
            return ()
        gathered.add(Choice((kind,), found.played, (*position.table, *found.sets)))
        return found.played

    largest = best("most_tiles", "tiles", rack)
    if not largest:
        return
    best("most_points", "points", rack)
    for kind, goal in _SEARCHED if len(rack) <= MOST_SEARCHED else ():
        try:
            best(kind, goal, rack)
        except TooLargeError:
            continue  # One way to open less; the largest is there.
    if joker in rack:
        best("keep_jokers", "tiles", without(rack, joker))
    for face in _worth_holding(book, largest):
        best("hold", "tiles", without(rack, face))
    needed = book.opening
    for faces in _sets(book, rack):
        run = any(reading.is_run for reading in book.reader.readings(faces))
        if set_points(book, faces) >= needed.points and (run or not needed.run_required):
            gathered.add(Choice(("one_set",), tuple(sorted(faces)), (*position.table, faces)))


_SEARCHED: tuple[tuple[Kind, Goal], ...] = (("fewest", "fewest"), ("most_value", "value"))


def _add(gathered: Gathering, kind: Kind, found: Solution) -> None:
    if found.played:
        gathered.add(Choice((kind,), found.played, found.table))


def _worth_holding(book: RuleBook, played: FaceSet) -> list[Face]:
    """The numbered faces of a play, the cheapest to be caught with first."""
    numbered = [face for face in _dearest_first(book, set(played)) if face != book.tiles.joker]
    return numbered[::-1][:MOST_HELD]


def _dearest_first(book: RuleBook, faces: set[Face]) -> list[Face]:
    return sorted(faces, key=lambda face: (-book.values[face], face))


def _sets(book: RuleBook, rack: FaceSet) -> list[FaceSet]:
    """Sets that the rack holds: with few jokers first, then those that take most points off it."""
    held = Counter(rack)
    counts = [held[face] for face in book.tiles.every_face]
    joker = book.tiles.joker

    def order(faces: FaceSet) -> tuple[int, int, FaceSet]:
        return faces.count(joker), -sum([book.values[face] for face in faces]), faces

    return sorted(sets_within(book, counts), key=order)
