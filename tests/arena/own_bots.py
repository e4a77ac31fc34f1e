"""Bots as people write them, for experiments that name them by module and class."""

from __future__ import annotations

from random import Random

from meldroom.bots import Bot, Clock, make_bot
from meldroom.game.actions import Action, Draw, Lay, Pass, TimeOut
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class Moody:
    """Lays all it can, or draws: a coin decides, and the coin follows from the seed."""

    def __init__(self, book: RuleBook, seed: str, lays: float = 0.5, level: str = "tournament") -> None:
        self.lays = lays
        self.coin = Random(seed)
        self.inner: Bot = make_bot(level, book, seed=seed)

    def act(self, view: View, clock: Clock) -> Action:
        """A play or a draw."""
        if self.coin.random() < self.lays:
            return self.inner.act(view, clock)
        seat = view.own_seat
        return Draw(seat) if view.pool_size else Pass(seat)


class Illegal:
    """Lays its first tile as a set, whatever it is told."""

    def __init__(self, book: RuleBook, seed: str, foul: bool = False) -> None:
        self.foul = foul

    def act(self, view: View, clock: Clock) -> Action:
        """An illegal table, or the deliberate foul that a time-out is."""
        seat, table = view.own_seat, (*view.table, view.rack[:1])
        return TimeOut(seat, table=table) if self.foul else Lay(seat, table=table)


class Wrong:
    """Classes that cannot play, each for a reason of its own."""

    class NoSeed:
        """It does not want a seed."""

        def __init__(self, book: RuleBook) -> None: ...

    class NoAct:
        """It has nothing to say."""

        def __init__(self, book: RuleBook, seed: str) -> None: ...

    class Broken:
        """It fails at once."""

        def __init__(self, book: RuleBook, seed: str) -> None:
            raise LookupError("no weights")


NUMBER = 7
