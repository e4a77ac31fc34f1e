"""Patient: opens, then draws and waits until the whole rack goes out in one turn."""

from __future__ import annotations

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.best import Objective


class Patient:
    """Lays all or nothing once it has opened; when the pool is empty, whatever takes most points off."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book

    def act(self, view: View, clock: Clock) -> Action:
        """The opening, the whole rack, or a draw."""
        seat = Seat(self.book, view)
        last = view.pool_size == 0
        objective: Objective = "points" if last else "tiles"
        best = seat.best(objective, clock.seconds)
        if best.played and (last or not seat.melded or best.tiles == len(seat.rack)):
            return seat.lay(best.table)
        return seat.wait()


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Patient(book)
