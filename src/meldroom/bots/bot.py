"""What a bot is: something that sees a view and a clock, and answers with an action."""

from __future__ import annotations

from typing import Protocol

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View


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
