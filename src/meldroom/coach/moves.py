"""A move as a report shows it, whatever the book: what was taken, laid and thrown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from meldroom.game.actions import Action, Discard, Draw, Lay, Pass, Play, Take, TileSets
from meldroom.game.state import State
from meldroom.rules.verify import FaceSet
from meldroom.tiles import Face

Kind = Literal["lay", "draw", "pass", "discard", "none"]


class Move(msgspec.Struct, frozen=True):
    """What a player does in a turn, in faces; `table` is how everything lies then, in physical tiles.

    `took` and `thrown` are Rummy-O's. The kind `none` is a turn that the clock or a penalty ended.
    """

    kind: Kind
    laid: FaceSet = ()
    points: int = 0
    table: TileSets | None = None
    took: Literal["stock", "discard"] | None = None
    thrown: Face | None = None

    def same(self, other: Move) -> bool:
        """True if both lay, take and throw the same tiles; how the table is arranged makes no difference."""
        return (self.laid, self.took, self.thrown) == (other.laid, other.took, other.thrown)


NONE = Move("none")


def move_of(state: State, actions: Sequence[Action]) -> Move:
    """The actions of one turn, decided in a state, as a move."""
    book = state.book
    face_of = book.tiles.face_of
    before = [tile for tiles in state.table for tile in tiles]
    old = Counter(before or [tile for meld in state.melds for tile in meld.tiles])
    kind: Kind = "none"
    laid: FaceSet = ()
    table: TileSets | None = None
    took: Literal["stock", "discard"] | None = None
    thrown: Face | None = None
    for action in actions:
        match action:
            case Draw():
                kind = "draw"
            case Pass():
                kind = "pass"
            case Lay(table=sets):
                kind, table = "lay", sets
            case Take(source=source):
                took = source
            case Discard(tile=tile):
                kind, thrown = "discard", face_of[tile]
            case Play(melds=melds, discard=tile):
                kind, table = "lay", tuple(meld.tiles for meld in melds)
                thrown = None if tile is None else face_of[tile]
            case _:
                pass
    if table is not None:
        new = Counter(tile for tiles in table for tile in tiles) - old
        laid = tuple(sorted(face_of[tile] for tile in new.elements()))
    return Move(kind, laid, sum(book.values[face] for face in laid), table, took, thrown)
