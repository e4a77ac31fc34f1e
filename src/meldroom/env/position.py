"""A view as its player thinks of it: faces instead of tiles, in an order that no history can change."""

from __future__ import annotations

import msgspec

from meldroom.game.actions import Action, Draw, Lay, Pass
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.state import State
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable


class Position(msgspec.Struct, frozen=True):
    """All that decides what can be laid under a rearranging book: rack, table, whether he has opened.

    Equal positions offer equal choices, whatever led to them.
    """

    rack: FaceSet
    table: FaceTable
    melded: bool
    pool_empty: bool


def seat_of(view: View) -> int:
    """Whose view this is. Raises ValueError for a spectator's."""
    if view.me is None:
        raise ValueError("a spectator has nothing to decide")
    return view.me


def position(book: RuleBook, view: View) -> Position:
    """The position of a rearranging book in a view."""
    face_of = book.tiles.face_of
    return Position(
        rack=tuple(sorted([face_of[tile] for tile in view.rack])),
        table=tuple(sorted([tuple(sorted([face_of[tile] for tile in tiles])) for tiles in view.table])),
        melded=view.melded[seat_of(view)],
        pool_empty=view.pool_size == 0,
    )


def lay(book: RuleBook, view: View, table: FaceTable) -> Lay:
    """The action that makes the table look like this."""
    return Lay(seat_of(view), table=with_tiles(book.tiles, view.table, view.rack, table))


def wait(view: View) -> Action:
    """Draw, or pass when there is nothing left to draw."""
    return Draw(seat_of(view)) if view.pool_size else Pass(seat_of(view))


def seen_state(book: RuleBook, view: View) -> State:
    """What a view shows in the shape of a state: the pool and the others' racks are empty.

    The engine's own lists of plays can be asked about it, and nothing hidden can be in their answers.
    """
    me = seat_of(view)
    return State(
        book=book,
        players=view.players,
        phase=view.phase,
        seat=me,
        racks=tuple(view.rack if seat == me else () for seat in range(len(view.players))),
        melds=view.melds,
        discards=view.discards,
        melded=view.melded,
    )
