"""What a loose tile may yet become: how many unseen tiles would bring it into a meld."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.meld_shapes import additions, smallest_with
from meldroom.tiles import Face

JOKER_PROMISE = 1000.0
ALONE = 0.05
"""What a tile is worth that would need two more tiles, beside one that needs one."""


def promise(seat: Seat, face: Face, rack: Sequence[Face]) -> float:
    """How many unseen tiles would make a meld of this tile and others of the rack; jokers are kept."""
    if face == seat.book.tiles.joker:
        return JOKER_PROMISE
    held, unseen = Counter(rack), seat.unseen
    total = 0.0
    for others in smallest_with(seat.book, face):
        wanted = [other for other in others if not held[other]]
        chance = 1.0
        for other in wanted:
            chance *= unseen[other]
        total += chance if len(wanted) <= 1 else ALONE * chance
    return total


def fits_table(seat: Seat, face: Face) -> bool:
    """True if this tile could be added, alone, to a meld on the table."""
    return any(faces == (face,) for faces, _ in additions(seat.book, seat.melds))
