"""Advice for the turn at hand: the ladder of hints, and the play behind it, as its player sees the game."""

from __future__ import annotations

import msgspec

from meldroom.game.actions import TileSets
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.best import solve_faces
from meldroom.solver.hints import Ladder, hint


class Advice(msgspec.Struct, frozen=True):
    """The ladder of hints for a position; `table` is the play it leads to, None if there is none."""

    ladder: Ladder
    table: TileSets | None


def has_hints(book: RuleBook) -> bool:
    """True for the books whose plays the ladder can explain."""
    return book.family == "rearranging"


def advise(book: RuleBook, view: View) -> Advice:
    """The hints for a position as its player sees it at the start of the turn. Slow. Raises SolverError."""
    table = tuple(map(book.tiles.faces_of, view.table))
    rack = book.tiles.faces_of(view.rack)
    melded = view.melded[view.own_seat]
    best = solve_faces(book, table, rack, melded, neat=True)
    ladder = hint(book, table, rack, melded, best)
    play = with_tiles(book.tiles, view.table, view.rack, best.table) if best.played else None
    return Advice(ladder, play)
