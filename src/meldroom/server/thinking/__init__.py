"""Thinking off the event loop: bots, hints and analyses in worker processes."""

from meldroom.server.thinking.pool import ThinkingPool
from meldroom.server.thinking.questions import BotKey, Thinking, ThinkingError

__all__ = ["BotKey", "Thinking", "ThinkingError", "ThinkingPool"]
