"""What a seat has seen of the player after it: which discards it took, which it left, what it threw."""

from __future__ import annotations

from typing import Literal, TypeAlias

from meldroom.game.views import View
from meldroom.tiles import Tile

Deed: TypeAlias = Literal["took", "left", "threw"]


class Memory:
    """Kept by a bot over one game, from its own views only.

    `deeds` are the next player's, oldest first: own discards that they took, or left, and what they threw,
    as far as it can be told from others' discards.
    """

    def __init__(self) -> None:
        self.deeds: list[tuple[Deed, Tile]] = []
        self._discard: Tile | None = None
        self._place = 0
        self._reshuffles = 0

    def discarded(self, view: View, tile: Tile) -> None:
        """Remember the own discard that is about to lie on the pile."""
        self._discard, self._place, self._reshuffles = tile, len(view.discards), view.reshuffles

    def look(self, view: View) -> None:
        """Learn from the pile at the start of an own turn."""
        pile, others = view.discards, len(view.players) - 1
        mine, self._discard = self._discard, None
        if any(view.withdrawn):
            return
        if mine is None or view.reshuffles != self._reshuffles:
            if others == 1 and pile:
                self.deeds.append(("threw", pile[-1]))
            return
        lies = len(pile) > self._place and pile[self._place] == mine
        self.deeds.append(("left" if lies else "took", mine))
        after = self._place + 1 if lies else self._place
        if len(pile) - after == others:
            self.deeds.append(("threw", pile[after]))
