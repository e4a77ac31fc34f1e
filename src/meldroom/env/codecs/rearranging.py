"""The choices of a turn under a rearranging book: waiting, and plays worth comparing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from meldroom.env.codecs.beside import Beside
from meldroom.env.codecs.choices import Choice, Gathering, Kind, without
from meldroom.env.codecs.position import Position
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable, set_points
from meldroom.solver.best import Objective, Solution, solve_faces
from meldroom.solver.errors import TooLargeError
from meldroom.solver.kernel.engine import counts_all
from meldroom.solver.opening import Goal, best_opening, best_openings, sets_and_kinds
from meldroom.solver.plays import could_be_laid, exactly
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
    beside = Beside(book, table)
    gathered.add(Choice(("minimal",), _minimal(book, beside, table, largest.played)))
    for face in _worth_holding(book, largest.played):
        best("hold", without(rack, face))
    single = [(face,) for face in _dearest_first(book, set(rack))]
    for alone, possible in zip(single, _possible(book, beside, table, single), strict=True):
        if possible:
            gathered.add(Choice(("single",), alone))
    for faces, _ in _sets(book, rack):
        gathered.add(Choice(("one_set",), tuple(sorted(faces)), (*table, faces)))


def _minimal(book: RuleBook, beside: Beside, table: FaceTable, play: FaceSet) -> FaceSet:
    """A part of a play of which no single tile can be left out: dear tiles are laid, cheap ones kept."""
    for face in reversed(_dearest_first(book, set(play))):
        while face in play and len(play) > 1:
            fewer = list(play)
            fewer.remove(face)
            if not _possible(book, beside, table, [fewer])[0]:
                break
            play = tuple(fewer)
    return play


def _possible(
    book: RuleBook, beside: Beside, table: FaceTable, choices: Sequence[Sequence[Face]]
) -> list[bool]:
    """Which choices of tiles are legal plays; the solver is asked only about those it takes to know."""
    known = [counts_all(book) and beside.take(chosen) for chosen in choices]
    asked = [chosen for chosen, sure in zip(choices, known, strict=True) if not sure]
    free = book.jokers.reuse == "any_set" or not any(book.tiles.joker in faces for faces in table)
    if free and counts_all(book):
        answers = iter(could_be_laid(book, table, asked))
    else:
        answers = iter([exactly(book, table, chosen) is not None for chosen in asked])
    return [sure or next(answers) for sure in known]


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
    for found in best_openings(
        book, [without(rack, face) for face in _worth_holding(book, largest)], "tiles"
    ):
        if found is not None:
            gathered.add(Choice(("hold",), found.played, (*position.table, *found.sets)))
    needed = book.opening
    for faces, run in _sets(book, rack):
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


def _sets(book: RuleBook, rack: FaceSet) -> list[tuple[FaceSet, bool]]:
    """Sets that the rack holds, and which are runs: with few jokers first, then those of most points."""
    held = Counter(rack)
    counts = [held[face] for face in book.tiles.every_face]
    joker = book.tiles.joker

    def order(entry: tuple[FaceSet, bool]) -> tuple[int, int, FaceSet]:
        faces = entry[0]
        return faces.count(joker), -sum([book.values[face] for face in faces]), faces

    return sorted(sets_and_kinds(book, counts), key=order)
