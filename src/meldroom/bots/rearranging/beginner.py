"""Beginner: lays whole sets from the rack as soon as it has them, and never touches the table."""

from __future__ import annotations

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class Beginner:
    """Sees the sets on its own rack, all of them, and nothing else."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book

    def act(self, view: View, clock: Clock) -> Action:
        """Every set on the rack, or a draw."""
        seat = Seat(self.book, view)
        mine = best_or_none(self.book, (), seat.rack, seat.melded, time_limit=clock.seconds)
        return seat.lay((*seat.table, *mine.table)) if mine.played else seat.wait()


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Beginner(book)
