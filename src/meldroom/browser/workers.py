"""Bots, hints and searches in the same thread: a browser's worker is the process that they run in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import Value
from meldroom.rooms.worker.task_client import TaskWorkers, decode_reply, encode_task, value_of
from meldroom.rooms.worker.tasks import ForgetTask, Task

if TYPE_CHECKING:
    from meldroom.rooms.worker.worker import Worker

TURNS_TO_WAIT = 8
"""Rounds of the event loop in which what was answered leaves before a computation holds everything up."""


async def at_once(function: Callable[..., Value], /, *arguments: object) -> Value:
    """Call a slow function where there are no threads."""
    return function(*arguments)


class LocalWorkers(TaskWorkers):
    """One worker, one task at a time. It is loaded with the first task."""

    def __init__(self) -> None:
        self._worker: Worker | None = None
        self._closed = False

    async def ask(self, task: Task, home: str = "") -> bytes:
        """The encoded answer. Raises WorkerError."""
        for _ in range(TURNS_TO_WAIT):
            await asyncio.sleep(0)
        if self._closed:
            raise WorkerError("closing")
        if self._worker is None:
            from meldroom.rooms.worker.worker import Worker

            self._worker = Worker()
        return value_of(decode_reply(self._worker.answer(encode_task(task))))

    def let_go(self, task: ForgetTask, home: str) -> None:
        """Forget the bots of a game now."""
        if self._worker is not None:
            self._worker.answer(encode_task(task))

    async def close(self) -> None:
        """Answer nothing more."""
        self._closed = True
        self._worker = None
