"""What can be wrong with a bot that somebody asked for."""

from __future__ import annotations


class BotError(ValueError):
    """A bot that cannot be made: no such level, or a parameter it does not have."""
