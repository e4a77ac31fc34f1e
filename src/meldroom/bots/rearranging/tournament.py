"""Tournament player: always the most tiles, or the most points, found exactly."""

from __future__ import annotations

from typing import cast

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.best import Objective


class Tournament:
    """Lays the best play of every turn; draws when there is none."""

    def __init__(self, book: RuleBook, objective: Objective) -> None:
        self.book = book
        self.objective = objective

    def act(self, view: View, clock: Clock) -> Action:
        """The best play, or a draw."""
        seat = Seat(self.book, view)
        best = seat.best(self.objective, clock.seconds)
        return seat.lay(best.table) if best.played else seat.wait()


def make(book: RuleBook, seed: str, objective: str = "tiles") -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Tournament(book, cast(Objective, objective))
