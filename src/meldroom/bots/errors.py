"""What can be wrong with a bot that somebody asks for."""

from __future__ import annotations

from meldroom.errors import MeldroomError


class BotError(MeldroomError, ValueError):
    """A bot that cannot be made: no such level, or a parameter it does not have."""

    domain = "bots.error"
