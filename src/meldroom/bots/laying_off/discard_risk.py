"""How much a discard may help the next player, from what it took, left and threw."""

from __future__ import annotations

from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.loose_tiles import fits_table
from meldroom.bots.laying_off.meld_shapes import smallest_with
from meldroom.bots.laying_off.memory import Memory
from meldroom.tiles import Face

# Measured between bots that collect: a tile tells nothing in a fifth of the cases; a face that the player has
# discarded before is of use to it once in fifty; next to a tile it took, more often than usual.
USUAL = 0.2
USUAL_WAYS = 15.0
THROWN = 0.12
LEFT = 0.25
TOOK_NEAR = 1.6
FITS_TABLE = 0.5
"""Of use to a player off board who waits for a foot."""

OFF_BOARD_STAKE = 0.1
"""What helping a player off board costs: caution that slows the own rack down loses more than it saves."""
STAKES_BY_RACK = (1.0, 1.0, 0.6, 0.4)
"""What helping a player on board costs, by the tiles on its rack."""


def danger(seat: Seat, memory: Memory, face: Face) -> float:
    """The part of the own chances that a discard gives away."""
    return min(_use(seat, memory, face) * _stake(seat), 1.0)


def _use(seat: Seat, memory: Memory, face: Face) -> float:
    """The chance that the next player can use a tile."""
    if face == seat.book.tiles.joker:
        return 1.0
    fits = fits_table(seat, face)
    if fits and seat.view.melded[seat.next]:
        return 1.0
    face_of = seat.book.tiles.face_of
    took = [face_of[tile] for tile in memory.took]
    ways, near = 0.0, False
    for others in smallest_with(seat.book, face):
        chance = 1.0
        for other in others:
            chance *= seat.unseen[other]
        ways += chance
        near = near or any(other in took for other in others)
    use: float = USUAL * (ways / USUAL_WAYS) ** 0.6
    if any(face_of[tile] == face for tile in memory.discards):
        use *= THROWN
    elif any(face_of[tile] == face for tile in memory.left):
        use *= LEFT
    elif near:
        use *= TOOK_NEAR
    return max(use, FITS_TABLE if fits else 0.0)


def _stake(seat: Seat) -> float:
    """What it costs if the next player can use it: more if they are near the end, less if others are too."""
    view = seat.view
    if view.melded[seat.next]:
        size = view.rack_sizes[seat.next]
        stake = STAKES_BY_RACK[size] if size < len(STAKES_BY_RACK) else STAKES_BY_RACK[-1] / 2
    else:
        stake = OFF_BOARD_STAKE
    return stake * 2 / len(view.players)
