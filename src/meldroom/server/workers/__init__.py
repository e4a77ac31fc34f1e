"""Thinking off the event loop: bots, hints and analyses in worker processes."""

from meldroom.server.workers.pool import ThinkingPool
from meldroom.server.workers.tasks import BotKey, Thinking, ThinkingError

__all__ = ["BotKey", "Thinking", "ThinkingError", "ThinkingPool"]
