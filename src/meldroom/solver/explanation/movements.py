"""What hands do at the table: the movements that lead from one table to the next, and how to replay them.

Between movements the table holds legal sets only; tiles on their way from one set to another are *in hand*.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple, TypeAlias

import msgspec

from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.errors import MovementError
from meldroom.tiles import Face

Shape = Literal["run", "group"]
DiscardReason = Literal["cost", "begin", "joker", "alone", "chances", "OPEN_RUMMY", "FOOT", "HAND"]


class Lay(msgspec.Struct, frozen=True, tag_field="kind", tag="lay"):
    """A new set wholly from the rack."""

    result: FaceSet
    shape: Shape


class Build(msgspec.Struct, frozen=True, tag_field="kind", tag="build"):
    """A new set from tiles in hand, and from the rack if need be."""

    result: FaceSet
    shape: Shape
    hand: FaceSet
    rack: FaceSet = ()


class Extend(msgspec.Struct, frozen=True, tag_field="kind", tag="extend"):
    """Tiles from the rack or in hand join a set: an end of a run, the missing colour of a group."""

    target: FaceSet
    result: FaceSet
    rack: FaceSet = ()
    hand: FaceSet = ()


class TakeFrom(msgspec.Struct, frozen=True, tag_field="kind", tag="take"):
    """Tiles leave a set that stays legal: the fourth of a group, an end of a longer run."""

    source: FaceSet
    taken: FaceSet
    rest: FaceSet
    shape: Shape


class LiftJoker(msgspec.Struct, frozen=True, tag_field="kind", tag="lift"):
    """A set gives up one or more jokers that it does not need."""

    source: FaceSet
    jokers: FaceSet
    rest: FaceSet


class SwapJoker(msgspec.Struct, frozen=True, tag_field="kind", tag="swap"):
    """A tile takes the place of the joker that stands for it; the joker is then in hand."""

    source: FaceSet
    joker: Face
    result: FaceSet
    rack: FaceSet = ()
    hand: FaceSet = ()


class Split(msgspec.Struct, frozen=True, tag_field="kind", tag="split"):
    """A set becomes two. A tile added may complete one of them; tiles from the middle may be left in hand."""

    source: FaceSet
    left: FaceSet
    right: FaceSet
    rack: FaceSet = ()
    hand: FaceSet = ()
    taken: FaceSet = ()


class Join(msgspec.Struct, frozen=True, tag_field="kind", tag="join"):
    """Two sets become one, tiles added between them if need be."""

    left: FaceSet
    right: FaceSet
    result: FaceSet
    rack: FaceSet = ()
    hand: FaceSet = ()


class MoveTiles(msgspec.Struct, frozen=True, tag_field="kind", tag="move"):
    """Tiles go straight from one set to another; both are legal afterwards."""

    source: FaceSet
    moved: FaceSet
    rest: FaceSet
    target: FaceSet
    result: FaceSet


class BreakUp(msgspec.Struct, frozen=True, tag_field="kind", tag="break"):
    """A set is taken apart; all its tiles are then in hand."""

    source: FaceSet


class Exchange(msgspec.Struct, frozen=True, tag_field="kind", tag="exchange"):
    """Two equal tiles change places. Nothing looks different, but a freed joker's set is then new (R20)."""

    face: Face
    one: FaceSet
    other: FaceSet


class TakeTile(msgspec.Struct, frozen=True, tag_field="kind", tag="take_tile"):
    """Rummy-O: a turn begins with a tile from the stock, or with the last discard.

    `tile` is the last discard, None where there is none; `plays` is how many tiles can be played with it.
    `beside` are tiles of the rack that it goes with, where it is taken for later: that is an estimate.
    """

    source: Literal["stock", "discard"]
    tile: Face | None = None
    plays: int = 0
    beside: FaceSet = ()

    @property
    def estimate(self) -> bool:
        """True where the tile is taken for what it may lead to."""
        return self.source == "discard" and not self.plays


class DiscardTile(msgspec.Struct, frozen=True, tag_field="kind", tag="discard"):
    """Rummy-O: a turn ends with a discard. `reason` says why this tile: what it would cost, or going out.

    `alone` (no other tile of the rack goes with it) and `chances` (the others promise more) are estimates.
    `points` is what the tile would cost on the rack, `bonus` what going out this way brings, and `fits` the
    first meld that others could add the tile to.
    """

    tile: Face
    reason: DiscardReason
    points: int = 0
    bonus: int = 0
    fits: FaceSet = ()

    @property
    def estimate(self) -> bool:
        """True where the tile is discarded for what the others may lead to."""
        return self.reason in ("alone", "chances")


OnTable: TypeAlias = (
    Lay | Build | Extend | TakeFrom | LiftJoker | SwapJoker | Split | Join | MoveTiles | BreakUp | Exchange
)
Movement: TypeAlias = OnTable | TakeTile | DiscardTile


class Placed(NamedTuple):
    """Where every tile is between two movements: the table's sets, the tiles in hand, the rack."""

    table: FaceTable
    loose: FaceSet
    rack: FaceSet


class Change(NamedTuple):
    """What a movement says: sets that go and come, tiles given from rack and hand, tiles then in hand."""

    gone: FaceTable
    made: FaceTable
    rack: FaceSet = ()
    hand: FaceSet = ()
    freed: FaceSet = ()


def apply_movement(table: FaceTable, loose: FaceSet, rack: FaceSet, movement: Movement) -> Placed:
    """The table, the tiles in hand and the rack after one movement.

    Made sets stand where the sets stood that they come from, new ones at the end. Whether sets are legal is
    not judged here. A tile from the stock is not known and changes nothing. Raises MovementError if the
    movement does not fit or loses a tile.
    """
    match movement:
        case TakeTile(source="discard", tile=tile) if tile is not None:
            return Placed(table, loose, (*rack, tile))
        case TakeTile():
            return Placed(table, loose, rack)
        case DiscardTile(tile=tile):
            return Placed(table, loose, _without(rack, (tile,)))
        case _:
            change = change_of(movement)
    if _counts((*change.gone, change.rack, change.hand)) != _counts((*change.made, change.freed)):
        raise MovementError("tiles", movement=str(movement))
    return Placed(
        _replaced(table, change),
        tuple(sorted((*_without(loose, change.hand), *change.freed))),
        _without(rack, change.rack),
    )


def change_of(movement: OnTable) -> Change:
    """What a movement on the table uses and makes."""
    match movement:
        case Lay(result=result):
            return Change((), (result,), rack=result)
        case Build(result=result, hand=hand, rack=rack):
            return Change((), (result,), rack, hand)
        case Extend(target=target, result=result, rack=rack, hand=hand):
            return Change((target,), (result,), rack, hand)
        case TakeFrom(source=source, taken=taken, rest=rest):
            return Change((source,), (rest,), freed=taken)
        case LiftJoker(source=source, jokers=jokers, rest=rest):
            return Change((source,), (rest,), freed=jokers)
        case SwapJoker(source=source, joker=joker, result=result, rack=rack, hand=hand):
            return Change((source,), (result,), rack, hand, (joker,))
        case Split(source=source, left=left, right=right, rack=rack, hand=hand, taken=taken):
            return Change((source,), (left, right), rack, hand, taken)
        case Join(left=left, right=right, result=result, rack=rack, hand=hand):
            return Change((left, right), (result,), rack, hand)
        case MoveTiles(source=source, moved=moved, rest=rest, target=target, result=result):
            if _counts((rest, moved)) != Counter(source):
                raise MovementError("moved", movement=str(movement))
            return Change((source, target), (rest, result))
        case BreakUp(source=source):
            return Change((source,), (), freed=source)
        case Exchange(face=face, one=one, other=other):
            if face not in one or face not in other:
                raise MovementError("no_pair", movement=str(movement))
            return Change((one, other), (one, other))


def _counts(sets: Iterable[FaceSet]) -> Counter[int]:
    return Counter(face for faces in sets for face in faces)


def _without(tiles: FaceSet, used: FaceSet) -> FaceSet:
    left = list(tiles)
    for face in used:
        if face not in left:
            raise MovementError("not_at_hand", face=str(face))
        left.remove(face)
    return tuple(left)


def _replaced(table: FaceTable, change: Change) -> FaceTable:
    """The table with sets gone and made, each made set in the place of one that goes if there is one."""
    sets: list[FaceTable] = [(faces,) for faces in table]
    places: list[int] = []
    for faces in change.gone:
        alike = (i for i, here in enumerate(table) if i not in places and sorted(here) == sorted(faces))
        place = next(alike, None)
        if place is None:
            raise MovementError("no_set", faces=str(faces))
        places.append(place)
        sets[place] = ()
    made = list(change.made)
    for place in places[: len(made)]:
        sets[place] = (made.pop(0),)
    if places:
        sets[places[-1]] += tuple(made)
    else:
        sets.append(tuple(made))
    return tuple(faces for here in sets for faces in here)
