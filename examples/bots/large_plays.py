"""A bot of the arena as a Python class: it lays only when its best play is large enough.

meldroom arena examples/experiments/own_class.toml
"""

from __future__ import annotations

from meldroom.bots import Clock
from meldroom.bots.rearranging.base import Seat
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class LargePlays:
    """Opens at once; after that a play has `at_least` so many tiles, or goes out."""

    def __init__(self, book: RuleBook, seed: str, at_least: int = 3) -> None:
        self.book = book
        self.at_least = at_least

    def act(self, view: View, clock: Clock) -> Action:
        """The best play if it is large enough, else a draw."""
        seat = Seat(self.book, view)
        best = seat.best("tiles", clock.seconds)
        enough = best.tiles >= self.at_least or best.tiles == len(seat.rack) or view.pool_size == 0
        if best.played and (enough or not seat.melded):
            return seat.lay(best.table)
        return seat.wait()
