"""Bots in any language: JSON Lines over a program's standard input and output (docs/bot-protocol.md)."""

from meldroom.bots.stdio.failure import BotFailure
from meldroom.bots.stdio.messages import Limits
from meldroom.bots.stdio.player import StdioBot

__all__ = ["BotFailure", "Limits", "StdioBot"]
