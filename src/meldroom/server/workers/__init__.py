"""Workers off the event loop: bots, hints and analyses in worker processes."""

from meldroom.server.workers.pool import WorkerPool
from meldroom.server.workers.tasks import BotKey, WorkerError, Workers

__all__ = ["BotKey", "WorkerError", "WorkerPool", "Workers"]
