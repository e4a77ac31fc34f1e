"""What a bot is: something that sees a view and a clock, and answers with an action."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias, runtime_checkable

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class Clock(msgspec.Struct, frozen=True):
    """What a bot knows of time: the seconds it has for this action, or None where nobody measures them."""

    seconds: float | None = None


class Bot(Protocol):
    """A player. It is given its own view whenever it is its turn, and nothing else.

    A bot is made for one seat of one game and may remember the views it was shown there; it keeps nothing
    between games.
    """

    def act(self, view: View, clock: Clock) -> Action:
        """The action this seat takes now."""
        ...


@runtime_checkable
class WantsResult(Protocol):
    """A bot that wants to know how its game ended."""

    def game_over(self, view: View) -> None:
        """The last view of the game: result and racks are in it."""
        ...


@runtime_checkable
class Closes(Protocol):
    """A bot that holds something to be closed after the game, such as a process."""

    def close(self) -> None:
        """Called once the game is over, or was broken off."""
        ...


MakeBot: TypeAlias = Callable[[RuleBook, str], Bot]
"""Makes a bot for one seat of one game, from the rule book and a seed."""
