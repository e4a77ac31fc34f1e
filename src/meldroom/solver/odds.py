"""Odds of the next draw: the exact chance that it lets a rack open, play or go out.

>>> from meldroom.rules.library import book
>>> from meldroom.tiles import parse_set
>>> wrc = book("wrc11")
>>> found = after_draw(wrc, (), parse_set("R10 B10 K1 K2", wrc.tiles), "open", melded=False)
>>> found.chance, wrc.tiles.faces_text(found.helping)
(Fraction(1, 17), 'K10 O10 *')
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

import msgspec

from meldroom.rules.book import RuleBook
from meldroom.solver import lay_off
from meldroom.solver.best import check_table, impossible_tiles, possible_tiles, solve_faces
from meldroom.solver.kernel.engine import FaceSet
from meldroom.solver.lay_off import on_board, position_on
from meldroom.solver.opening import can_open
from meldroom.solver.plays import going_out
from meldroom.tiles import Face

Event = Literal["open", "play", "go_out"]


class Draw(msgspec.Struct, frozen=True):
    """What the next tile can do: its chance, the faces that help, and whether the rack needs no draw."""

    chance: Fraction
    helping: FaceSet
    already: bool


def after_draw(
    book: RuleBook,
    table: Sequence[Sequence[Face]],
    rack: Sequence[Face],
    event: Event,
    melded: bool = True,
    seen: Sequence[Face] = (),
) -> Draw:
    """The exact chance that the event is possible with one more tile, all unseen tiles being alike likely.

    `seen` are tiles the player knows besides table and rack. In Rummy-O, to open is to go on board, and
    the melds on the table are taken to be other players'. Raises PositionError for a position that cannot
    exist.
    """
    old = tuple(map(tuple, table))
    check_table(book, old)
    known = [*(face for faces in old for face in faces), *rack, *seen]
    if not possible_tiles(book, (), known):
        raise impossible_tiles(book, (), known)
    unseen = list(book.tiles.limits)
    for face in known:
        unseen[face] -= 1
    total = sum(unseen)
    helping = [
        face
        for face in book.tiles.every_face
        if unseen[face] and _possible(book, old, (*rack, face), event, melded)
    ]
    chance = Fraction(sum(unseen[face] for face in helping), total) if total else Fraction(0)
    return Draw(chance, tuple(helping), _possible(book, old, tuple(rack), event, melded))


def _possible(book: RuleBook, table: tuple[FaceSet, ...], rack: FaceSet, event: Event, melded: bool) -> bool:
    if book.family == "laying_off":
        return _possible_laying_off(book, table, rack, event, melded)
    if event == "open":
        return can_open(book, rack)
    if event == "go_out":
        return going_out(book, table, rack, melded) is not None
    return bool(solve_faces(book, table, rack, melded).played)


def _possible_laying_off(
    book: RuleBook, table: tuple[FaceSet, ...], rack: FaceSet, event: Event, melded: bool
) -> bool:
    """The same in a turn after the tile was taken; a turn ends with a discard."""
    if not rack:
        return False
    on_table = position_on(book, table, [""] * len(table), "A", rack, melded and event != "open")
    if event == "open":
        return on_board(book, on_table) is not None
    if event == "go_out":
        return lay_off.going_out(book, on_table) is not None
    return bool(lay_off.best_play(book, on_table).played)
