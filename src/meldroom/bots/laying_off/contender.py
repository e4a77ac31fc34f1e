"""Contender: plays like the master on a good day, like the strategist on a bad one."""

from __future__ import annotations

from random import Random

from meldroom.bots.interface import Bot
from meldroom.bots.laying_off import master, strategist
from meldroom.rules.book import RuleBook

GOOD_DAYS = 0.5


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; what day it has follows from the seed."""
    good = Random(f"{seed} day").random() < GOOD_DAYS
    return master.make(book, seed) if good else strategist.make(book, seed)
