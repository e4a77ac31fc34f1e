"""Tasks that come to their end even if whoever started them is gone meanwhile."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

from meldroom.rooms.errors import ConflictError, Refusal

Answer = TypeVar("Answer")

_LOG = logging.getLogger(__name__)


class Tasks:
    """Everything that is under way; unexpected failures are logged."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def start(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        """Start a task."""
        task = self._create(work)
        task.add_done_callback(_log_failure)
        return task

    async def finish(self, work: Coroutine[Any, Any, Answer]) -> Answer:
        """Wait for a task; it goes on if the waiting is cancelled."""
        task = self._create(work)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            task.add_done_callback(_log_failure)
            raise

    def _create(self, work: Coroutine[Any, Any, Answer]) -> asyncio.Task[Answer]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def join(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def cancel(self) -> None:
        """Cancel everything."""
        for task in tuple(self._tasks):
            task.cancel()
        await self.join()


def _log_failure(task: asyncio.Task[Any]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, Refusal | ConflictError):  # Those are answers.
        _LOG.error("a task of a room failed", exc_info=error)
