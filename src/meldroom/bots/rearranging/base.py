"""What every bot of the rearranging books shares: the view as faces, and its answers as actions."""

from __future__ import annotations

from collections import Counter

from meldroom.game.actions import Action, Draw, Lay, Pass
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.opening import sets_within
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.solver.best import Objective, Solution, solve_faces
from meldroom.solver.errors import TooLargeError


def best_or_none(
    book: RuleBook,
    table: FaceTable,
    rack: FaceSet,
    melded: bool = True,
    objective: Objective = "tiles",
    time_limit: float | None = None,
) -> Solution:
    """The best play; where an unusual tile set is beyond the exact search, what can be laid set by set."""
    try:
        return solve_faces(book, table, rack, melded, objective, time_limit=time_limit)
    except TooLargeError:
        return _set_by_set(book, table, rack, melded)


def _set_by_set(book: RuleBook, table: FaceTable, rack: FaceSet, melded: bool) -> Solution:
    """The largest set of the rack, the largest of what is left, then single tiles added to sets.

    Not the best play, and not said to be. No set of the table is taken apart, so every joker rule is kept.
    """
    left, sets = list(rack), list(table) if melded else []
    while True:
        made = sets_within(book.reader, tuple(left), every_length=False)
        # Jokers are spent last: they fit the next set as well.
        faces = max(
            made, key=lambda faces: (len(faces) - 2 * faces.count(book.tiles.joker), faces), default=()
        )
        if not faces:
            break
        sets.append(faces)
        for face in faces:
            left.remove(face)
    for face in sorted(set(left), reverse=True) if sets else ():
        place = next((i for i, faces in enumerate(sets) if book.reader.is_set((*faces, face))), None)
        if place is not None:
            longer = (*sets[place], face)
            sets[place] = book.reader.arranged(book.reader.readings(longer)[-1], longer)
            left.remove(face)
    after = tuple(sets) if melded else (*table, *sets)
    if len(left) == len(rack) or verify(book, Turn(table, rack, after, melded)):
        return Solution((), 0, 0, table, False)
    played = tuple(sorted((Counter(rack) - Counter(left)).elements()))
    return Solution(played, len(played), sum(book.values[face] for face in played), after, False)


class Seat:
    """A position as its player sees it, in faces."""

    def __init__(self, book: RuleBook, view: View) -> None:
        face_of = book.tiles.face_of
        self.book = book
        self.view = view
        self.me: int = view.own_seat
        self.rack: FaceSet = tuple([face_of[tile] for tile in view.rack])
        self.table: FaceTable = tuple([tuple([face_of[tile] for tile in tiles]) for tiles in view.table])
        self.melded: bool = view.melded[self.me]

    def best(self, objective: Objective = "tiles", time_limit: float | None = None) -> Solution:
        """The best play of this position, or a plain one where it is beyond the solver."""
        return best_or_none(self.book, self.table, self.rack, self.melded, objective, time_limit)

    def lay(self, table: FaceTable) -> Lay:
        """The action that makes the table look like this."""
        return Lay(self.me, table=with_tiles(self.book.tiles, self.view.table, self.view.rack, table))

    def wait(self) -> Action:
        """Draw, or pass when there is nothing left to draw."""
        return Draw(self.me) if self.view.pool_size else Pass(self.me)
