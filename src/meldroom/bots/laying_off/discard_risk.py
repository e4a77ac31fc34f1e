"""How likely the next player goes out with a discard, from what they took, left and threw.

The weights are those of a logistic regression: patient players of 300 rounds of two, asked about every tile
on the rack before them whether they could go out with it.
"""

from __future__ import annotations

import math
from functools import cache

from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.loose_tiles import fits_table
from meldroom.bots.laying_off.meld_shapes import smallest_with
from meldroom.bots.laying_off.memory import Memory
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face

BASE, WAYS, FEW_WAYS = -4.07, 0.87, 0.06
"""The chance by the ways in which they may hold two tiles that make a meld with this one."""
LEFT_NEAR_OTHERS = -0.11
"""Those two are less likely there for each tile near them that the player left."""
TOOK_HELD = 0.44
"""How much of a tile that they took is free for another meld."""
THREW, THREW_LATELY, LEFT, LEFT_LATELY = -1.28, -1.05, -1.41, -0.92
"""For the same tile thrown or left before; lately, more."""
FADES = 0.92
"""What they did says this much less with every deed since."""
LATE, LATE_TURNS = 3.18, 15
LEFT_NEAR, TOOK_NEAR = -0.14, 0.24

FITS_TABLE = 0.05
"""Of use to a player off board who waits for a foot."""
STAKES_BY_RACK = (1.0, 1.0, 0.6, 0.4)
"""What helping a player on board costs, by the tiles on its rack."""


class Risks:
    """The risk of every discard at one moment."""

    def __init__(self, seat: Seat, memory: Memory) -> None:
        self.seat = seat
        face_of, kinds = seat.book.tiles.face_of, seat.book.tiles.joker
        self._lately: dict[tuple[str, Face], float] = {}
        self._near: dict[str, list[int]] = {deed: [0] * kinds for deed in ("took", "left", "threw")}
        took = [0] * kinds
        weight = 1.0
        for deed, tile in reversed(memory.deeds):
            face = face_of[tile]
            if face < kinds:
                self._lately.setdefault((deed, face), weight)
                for other in near(seat.book, face):
                    self._near[deed][other] += 1
            weight *= FADES
        for deed, tile in memory.deeds:
            face = face_of[tile]
            if face < kinds and deed != "left":
                took[face] = max(0, took[face] + (1 if deed == "took" else -1))
        rate = seat.view.rack_sizes[seat.next] / max(1, sum(seat.unseen))
        self._held = [
            seat.unseen[face] * rate * math.exp(LEFT_NEAR_OTHERS * self._near["left"][face])
            + (TOOK_HELD if took[face] else 0.0)
            for face in range(kinds)
        ]

    def danger(self, face: Face) -> float:
        """The part of the own chances that a discard gives away."""
        seat, view = self.seat, self.seat.view
        fits = fits_table(seat, face) if face != seat.book.tiles.joker else True
        if fits and view.melded[seat.next]:
            size = view.rack_sizes[seat.next]
            chance = STAKES_BY_RACK[size] if size < len(STAKES_BY_RACK) else STAKES_BY_RACK[-1] / 2
        else:
            chance = max(self._goes_out(face), FITS_TABLE if fits else 0.0)
        return min(chance * 2 / len(view.players), 1.0)

    def _goes_out(self, face: Face) -> float:
        """The chance that the next player goes out with a tile."""
        seat = self.seat
        if face == seat.book.tiles.joker:
            return 1.0
        ways = math.fsum(
            math.prod(self._held[other] for other in others) for others in smallest_with(seat.book, face)
        )
        told = BASE + WAYS * math.log(ways + FEW_WAYS)
        threw, left = self._lately.get(("threw", face)), self._lately.get(("left", face))
        if threw is not None:
            told += THREW + THREW_LATELY * threw
        if left is not None:
            told += LEFT + LEFT_LATELY * left
        told += LATE * min(1.0, seat.view.turns[seat.next] / LATE_TURNS)
        told += LEFT_NEAR * self._near["left"][face] + TOOK_NEAR * self._near["took"][face]
        return 1.0 / (1.0 + math.exp(-told))


@cache
def near(book: RuleBook, face: Face) -> frozenset[Face]:
    """The tiles that could lie in a smallest meld with a face."""
    return frozenset(other for others in smallest_with(book, face) for other in others)
