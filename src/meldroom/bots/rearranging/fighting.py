"""The levels between patient and master: each fights better for the last draw than the one before."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from meldroom.bots.interface import Bot
from meldroom.bots.rearranging.base import Seat
from meldroom.bots.rearranging.last_draws import SmallPlays
from meldroom.bots.rearranging.master import Master
from meldroom.bots.rearranging.strategist import Strategist
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet

GOOD_DAYS: dict[str, float] = {"challenger": 0.5, "contender": 0.25}
"""In how many games a level plays as a better one does: a challenger as a contender, a contender as a master.

Slips in one turn of five were tried instead. They cost 78 per cent of the games against a player without
them in WRC 11, and 93 in WRC 9, where fights go on with an empty pool; whole games cost about the same.
"""
LONG_FIGHT = 0.45
"""A contender's good days where fights go on with an empty pool: on the others it loses nearly all games to a
master there.
"""


class Smallest(Master):
    """A master who waits with the smallest play, whatever that leaves to the others."""

    def _in_order(self, seat: Seat, plays: SmallPlays) -> Iterator[FaceSet]:
        return iter(plays.smallest_first())


def make(book: RuleBook, seed: str, level: str) -> Bot:
    """The bot for one seat; what day it has follows from the seed."""
    if level == "strategist":
        return Strategist(book, seed)
    share = GOOD_DAYS[level]
    if level == "contender" and book.pool_end.ending == "all_pass":
        share = LONG_FIGHT
    good = Random(f"{seed} {level} day").random() < share
    if level == "challenger":
        return make(book, seed, "contender" if good else "strategist")
    return Master(book, seed) if good else Smallest(book, seed)
