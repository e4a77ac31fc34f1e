"""What every bot of the rearranging books shares: the view as faces, and its answers as actions."""

from __future__ import annotations

from meldroom.game.actions import Action, Draw, Lay, Pass
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable
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
    """The best play, or the table as it is where an unusual tile set is beyond the exact search."""
    try:
        return solve_faces(book, table, rack, melded, objective, time_limit=time_limit)
    except TooLargeError:
        return Solution((), 0, 0, table, False)


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
        """The best play of this position; nothing where it is beyond the solver."""
        return best_or_none(self.book, self.table, self.rack, self.melded, objective, time_limit)

    def lay(self, table: FaceTable) -> Lay:
        """The action that makes the table look like this."""
        return Lay(self.me, table=with_tiles(self.book.tiles, self.view.table, self.view.rack, table))

    def wait(self) -> Action:
        """Draw, or pass when there is nothing left to draw."""
        return Draw(self.me) if self.view.pool_size else Pass(self.me)
