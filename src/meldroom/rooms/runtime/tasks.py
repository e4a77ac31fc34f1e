"""Work that goes on by itself: it comes to its end even if whoever asked for it is gone meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import ConflictError

Answer = TypeVar("Answer")

_LOG = logging.getLogger(__name__)


class Work:
    """Everything that is under way; what fails is written to the log."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Let work begin."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Wait for work; it goes on if the waiting is called off."""
        return await asyncio.shield(self.begin(work))

    async def rest(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, Refusal | ConflictError):
            _LOG.error("a room's work failed", exc_info=error)
