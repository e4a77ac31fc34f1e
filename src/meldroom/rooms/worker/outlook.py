"""What players could work out from their own view: whether anything can be played, and the odds.

Everything is exact or not said: where a search is cut short there is no answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec.structs import replace

from meldroom.bots.laying_off.base import Seat
from meldroom.game.views import View
from meldroom.rooms.protocol.answers import DrawChance, Odds, Prospect
from meldroom.rules.book import RuleBook
from meldroom.solver import lay_off, solve_faces
from meldroom.solver.errors import SolverError
from meldroom.solver.opening import can_open
from meldroom.solver.plays import going_out
from meldroom.tiles import Face

SECONDS = 5.0
"""How long an answer may take before there is none."""


def playable(book: RuleBook, view: View) -> bool | None:
    """Whether the player to move can lay anything, None if that cannot be said.

    In a laying-off book a tile may still be to be taken: then it is whether the last discard lets them.
    """
    try:
        if book.family == "rearranging":
            table = tuple(map(book.tiles.faces_of, view.table))
            rack, melded = book.tiles.faces_of(view.rack), view.melded[view.own_seat]
            best = solve_faces(book, table, rack, melded, time_limit=SECONDS)
            return bool(best.played) or (False if best.optimal else None)
        if view.phase not in ("take", "play"):
            return None
        seat = Seat(book, view)
        offered = seat.offered if view.phase == "take" else None
        position = seat.position if offered is None else seat.with_tile(offered)
        found = lay_off.best_play(book, position, time_limit=SECONDS)
        return bool(found.played) or (False if found.optimal else None)
    except SolverError:
        return None


Test = Callable[[tuple[Face, ...]], bool]
"""Whether something can be done with a rack. Raises SolverError."""


def odds(book: RuleBook, view: View) -> Odds:
    """The odds of opening and of going out, all tiles that the player does not see being alike likely."""
    opened = view.melded[view.own_seat]
    outlook = _LayOffOutlook(book, view) if book.family == "laying_off" else _Outlook(book, view)
    return Odds(None if opened else outlook.of(outlook.opens), outlook.of(outlook.goes_out))


class _Outlook:
    """A position in which a tile that is drawn ends the turn: it can be played in the next one."""

    def __init__(self, book: RuleBook, view: View) -> None:
        self.book, self.view = book, view
        self.rack = book.tiles.faces_of(view.rack)
        self.table = tuple(map(book.tiles.faces_of, view.table))
        self.melded = view.melded[view.own_seat]
        self.unseen = list(book.tiles.limits)
        laid = [tile for tiles in (*view.table, *(meld.tiles for meld in view.melds)) for tile in tiles]
        for tile in (*view.rack, *view.discards, *laid):
            self.unseen[book.tiles.face_of[tile]] -= 1
        self._ends = time.monotonic() + SECONDS

    def opens(self, rack: tuple[Face, ...]) -> bool:
        """Whether a rack can open."""
        return can_open(self.book, rack)

    def goes_out(self, rack: tuple[Face, ...]) -> bool:
        """Whether a rack can be laid as a whole."""
        return going_out(self.book, self.table, rack, self.melded) is not None

    def of(self, test: Test) -> Prospect:
        """What a test says of the rack as it is, and after one more tile."""
        return Prospect(self.now(test), self.after_draw(test))

    def now(self, test: Test) -> bool | None:
        """What a test says of the rack as it is."""
        return _said(test, self.rack)

    def after_draw(self, test: Test) -> DrawChance | None:
        """How many of the unseen tiles would do; None without a pool, or if that takes too long."""
        if not self.view.pool_size:
            return None
        helping: list[Face] = []
        for face in self.book.tiles.every_face:
            if not self.unseen[face]:
                continue
            said = _said(test, (*self.rack, face)) if time.monotonic() < self._ends else None
            if said is None:
                return None
            if said:
                helping.append(face)
        good = sum(self.unseen[face] for face in helping)
        names = tuple(self.book.tiles.face_names[face] for face in helping)
        return DrawChance(good, sum(self.unseen), names)


class _LayOffOutlook(_Outlook):
    """A position in which a tile is taken first and can be played at once."""

    def __init__(self, book: RuleBook, view: View) -> None:
        super().__init__(book, view)
        self.seat = Seat(book, view)

    def opens(self, rack: tuple[Face, ...]) -> bool:
        """Whether a rack can go on board."""
        return lay_off.on_board(self.book, replace(self.seat.position, rack=rack)) is not None

    def goes_out(self, rack: tuple[Face, ...]) -> bool:
        """Whether a rack can go out."""
        return lay_off.going_out(self.book, replace(self.seat.position, rack=rack)) is not None

    def now(self, test: Test) -> bool | None:
        """With the last discard while a tile is to be taken, else with the rack as it is."""
        offered = self.seat.offered
        match self.view.phase:
            case "play":
                return _said(test, self.rack)
            case "take" if offered is not None:
                return _said(test, (*self.rack, offered))
            case _:
                return None

    def after_draw(self, test: Test) -> DrawChance | None:
        """With a tile from the stock. Once one was taken, the next turn depends on what is discarded."""
        return super().after_draw(test) if self.view.phase == "take" else None


def _said(test: Test, rack: tuple[Face, ...]) -> bool | None:
    try:
        return test(rack)
    except SolverError:
        return None
