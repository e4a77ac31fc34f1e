"""What a seat has seen of the player after it: which discards it took, which it left, what it threw."""

from __future__ import annotations

from meldroom.game.views import View
from meldroom.tiles import Tile


class Memory:
    """Kept by a bot over one game, from its own views only.

    `took` are own discards that the next player took, `left` those they did not want, `discards` that
    player's own as far as they can be told from others', oldest first.
    """

    def __init__(self) -> None:
        self.took: list[Tile] = []
        self.left: list[Tile] = []
        self.discards: list[Tile] = []
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
                self.discards.append(pile[-1])
            return
        lies = len(pile) > self._place and pile[self._place] == mine
        (self.left if lies else self.took).append(mine)
        after = self._place + 1 if lies else self._place
        if len(pile) - after == others:
            self.discards.append(pile[after])
