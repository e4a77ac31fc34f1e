"""Players who overlook things: in some turns they see no more than a beginner does."""

from __future__ import annotations

from meldroom.bots.attention import ATTENTION, Attention, chance
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.beginner import Beginner
from meldroom.bots.laying_off.club import Club
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class Attentive:
    """In an attentive turn it sees what a club player sees."""

    def __init__(self, book: RuleBook, seed: str, attention: Attention) -> None:
        self.seed = seed
        self.attention = attention
        self.beginner = Beginner(book)
        self.club = Club(book)

    def act(self, view: View, clock: Clock) -> Action:
        """The same player for the whole turn, from the tile it takes to its discard."""
        attentive = chance(self.seed, view).random() < self.attention.turns
        return (self.club if attentive else self.beginner).act(view, clock)


def make(book: RuleBook, seed: str, level: str) -> Bot:
    """The bot for one seat; what it overlooks follows from the seed."""
    return Attentive(book, seed, ATTENTION[level])
