"""A view as its player thinks of it: faces instead of tiles, in an order that no history can change."""

from __future__ import annotations

import msgspec

from meldroom.game.actions import Action, Draw, Lay, Pass
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, FaceTable


class Position(msgspec.Struct, frozen=True):
    """All that decides what can be laid under a rearranging book: rack, table, whether the player has opened.

    Equal positions offer equal choices, whatever led to them.
    """

    rack: FaceSet
    table: FaceTable
    melded: bool
    pool_empty: bool


def position(book: RuleBook, view: View) -> Position:
    """The position of a rearranging book in a view."""
    face_of = book.tiles.face_of
    return Position(
        rack=tuple(sorted([face_of[tile] for tile in view.rack])),
        table=tuple(sorted([tuple(sorted([face_of[tile] for tile in tiles])) for tiles in view.table])),
        melded=view.melded[view.own_seat],
        pool_empty=view.pool_size == 0,
    )


def lay(book: RuleBook, view: View, table: FaceTable) -> Lay:
    """The action that makes the table look like this."""
    return Lay(view.own_seat, table=with_tiles(book.tiles, view.table, view.rack, table))


def wait(view: View) -> Action:
    """Draw, or pass when there is nothing left to draw."""
    return Draw(view.own_seat) if view.pool_size else Pass(view.own_seat)
