"""Players who hold back for a while: they wait for a whole rack, then lay what they can."""

from __future__ import annotations

from meldroom.bots.holding import HOLDING, Holding
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.patient import Patient
from meldroom.bots.laying_off.tournament import Tournament
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class Sparing:
    """Patient in its first turns, a tournament player afterwards."""

    def __init__(self, book: RuleBook, holding: Holding) -> None:
        self.holding = holding
        self.patient = Patient(book)
        self.tournament = Tournament(book, "tiles")

    def act(self, view: View, clock: Clock) -> Action:
        """What the one or the other would do."""
        waits = view.turns[view.own_seat] < self.holding.turns
        return (self.patient if waits else self.tournament).act(view, clock)


def make(book: RuleBook, seed: str, level: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Sparing(book, HOLDING[level])
