"""Worker processes for bots, hints and analyses, off the event loop."""

from meldroom.rooms.errors import WorkerError
from meldroom.server.workers.pool import WorkerPool

__all__ = ["WorkerError", "WorkerPool"]
