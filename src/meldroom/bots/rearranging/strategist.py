"""Strategist: waits like a patient player, and counts the pool so that the last turn is its own."""

from __future__ import annotations

from meldroom.bots.attention import chance
from meldroom.bots.interface import Clock
from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.patient import Patient
from meldroom.bots.rearranging.sparing import single_tile
from meldroom.game.actions import Action, Draw
from meldroom.game.views import View
from meldroom.rules.book import RuleBook

COUNTS = 0.7
"""In how many of its turns it remembers to count."""


class Strategist:
    """Lays a tile instead of drawing when the last draw would fall to the player before it.

    Whoever draws the last tile has the last turn. With as many tiles to draw as there are players, and
    everybody drawing, that is the player before this one; a turn without a draw hands it on.
    """

    def __init__(self, book: RuleBook, seed: str) -> None:
        self.book = book
        self.seed = seed
        self.patient = Patient(book)

    def act(self, view: View, clock: Clock) -> Action:
        """What a patient player does, but for the last draw."""
        action = self.patient.act(view, clock)
        playing = len(view.players) - sum(view.withdrawn)
        if isinstance(action, Draw) and view.pool_size == playing and view.melded[view.own_seat]:
            seat = Seat(self.book, view)
            table = single_tile(seat) if chance(self.seed, view).random() < COUNTS else None
            return action if table is None else seat.lay(table)
        return action
