"""A moment of a laying-off game to be solved: the melds, whose they are, a rack with the tile just taken."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, exposed
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.errors import PositionError, TooLargeError
from meldroom.tiles import Face

MOST_TILES = 150


class LayOffPosition(msgspec.Struct, frozen=True):
    """A turn after the tile was taken: the melds in order, the player, their rack, whether they are on board.

    `holders` says for each tile of each meld in front of whom it counts (R56, R60); without it, the owner.
    """

    player: str
    melds: tuple[Exposed, ...]
    rack: FaceSet
    on_board: bool
    holders: tuple[tuple[str, ...], ...] | None = None


def position_on(
    rules: RuleBook,
    table: FaceTable,
    owners: Sequence[str],
    player: str,
    rack: Sequence[Face],
    on_board: bool,
) -> LayOffPosition:
    """A position from melds as they are written: a joker in a run stands for its place (R56)."""
    if len(owners) != len(table):
        raise PositionError("owners", "owners")
    melds = tuple(exposed(rules, tuple(faces), owner) for faces, owner in zip(table, owners, strict=True))
    return LayOffPosition(player, melds, tuple(rack), on_board)


def position_of(rules: RuleBook, seen: View) -> LayOffPosition:
    """The position of the player whose view this is, seats as names."""
    if seen.me is None:
        raise PositionError("spectator", "me")
    face_of = rules.tiles.face_of
    melds = tuple(Exposed(tuple(face_of[t] for t in m.tiles), str(m.owner), (m.reading,)) for m in seen.melds)
    holders = tuple(tuple(map(str, meld.holders)) for meld in seen.melds)
    rack = tuple(face_of[tile] for tile in seen.rack)
    return LayOffPosition(str(seen.me), melds, rack, seen.melded[seen.me], holders)


def check_position(rules: RuleBook, position: LayOffPosition) -> None:
    """Raises PositionError for a position that cannot exist or cannot be played by this book."""
    tiles = rules.tiles
    if rules.family != "laying_off":
        raise PositionError("not_laying_off", "rulebook", book=rules.id)
    if not position.rack:
        raise PositionError("empty_rack", "rack")
    if len(position.rack) > MOST_TILES:
        raise TooLargeError("rack_large", "rack", count=MOST_TILES)
    everything = [*position.rack, *(face for meld in position.melds for face in meld.faces)]
    for face in everything:
        if not 0 <= face < len(tiles.limits):
            raise PositionError("face", "rack or melds", face=str(face))
    surplus = tiles.too_many(everything)
    if surplus is not None:
        count, limit = everything.count(surplus), tiles.limits[surplus]
        raise PositionError(
            "too_many", "rack and melds", count=count, face=tiles.face_names[surplus], limit=limit
        )
    for index, meld in enumerate(position.melds):
        if not rules.reader.is_set(meld.faces):
            raise PositionError("meld", f"melds.{index}", faces=tiles.faces_text(meld.faces))
        if not set(meld.readings) <= set(rules.reader.readings(meld.faces)):
            raise PositionError("reading", f"melds.{index}", faces=tiles.faces_text(meld.faces))
    if position.holders is not None and [len(each) for each in position.holders] != [
        len(meld.faces) for meld in position.melds
    ]:
        raise PositionError("holders", "holders")
