"""The workers of a server: which task goes where, how long it may take, and what it took."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from typing import Any

from meldroom.rooms.worker.task_client import TaskWorkers, encode_task
from meldroom.rooms.worker.tasks import BotTask, ForgetTask, RunTask, Task
from meldroom.server.histogram import Histogram
from meldroom.server.workers.processes import WorkerProcesses

MARGIN = 3.0
"""Seconds a worker may take beyond what a bot was given."""
ANALYSIS_PATIENCE = 120.0
EMBEDDED = "embedded"


class JobFigures:
    """What the workers of a server were asked, and how long they took."""

    def __init__(self) -> None:
        self.waiting = 0
        self.answered: Counter[str] = Counter()
        """By where it was computed."""
        self.failed = 0
        self.repeated = 0
        """Jobs of workers that went away, done again by others."""
        self.times = Histogram()
        self.analysis_times = Histogram()


class WorkerPool(TaskWorkers):
    """Processes of this machine; analyses have their own, so that no bot waits behind one."""

    def __init__(self, workers: int | None = None, *, patience: float = 20.0) -> None:
        self.processes = WorkerProcesses(workers)
        self.figures = JobFigures()
        self._patience = patience
        self._forgetting: set[asyncio.Task[Any]] = set()

    async def ask(self, task: Task, home: str = "") -> bytes:
        """The encoded answer. Raises WorkerError."""
        figures, began = self.figures, time.monotonic()
        figures.waiting += 1
        try:
            answer, place = await self._answered(task, home)
        except BaseException:
            figures.failed += 1
            raise
        finally:
            figures.waiting -= 1
            times = figures.analysis_times if isinstance(task, RunTask) else figures.times
            times.observe(time.monotonic() - began)
        figures.answered[place] += 1
        return answer

    async def _answered(self, task: Task, home: str) -> tuple[bytes, str]:
        """The encoded answer, and where it was computed. Raises WorkerError."""
        encoded, patience = encode_task(task), self._patience_for(task)
        if isinstance(task, RunTask):
            return await self.processes.analyse(encoded, patience), EMBEDDED
        return await self.processes.answer(encoded, home, patience), EMBEDDED

    def _patience_for(self, task: Task) -> float:
        """How long a task may take, in seconds."""
        if isinstance(task, RunTask):
            return ANALYSIS_PATIENCE
        if isinstance(task, BotTask) and task.seconds is not None:
            return task.seconds + MARGIN
        return self._patience

    async def use_compiled(self) -> None:
        """Kernels were compiled: the processes here use them from now on."""
        await self.processes.use_compiled()

    def let_go(self, task: ForgetTask, home: str) -> None:
        """Have the bots of a game forgotten, behind what is being asked."""
        work = asyncio.create_task(self.processes.forget(encode_task(task), home, self._patience))
        self._forgetting.add(work)
        work.add_done_callback(self._forgotten)

    def _forgotten(self, work: asyncio.Task[Any]) -> None:
        self._forgetting.discard(work)
        if not work.cancelled():
            work.exception()  # A worker that died has forgotten everything anyway.

    async def close(self) -> None:
        """End the workers."""
        for work in tuple(self._forgetting):
            work.cancel()
        await self.processes.close()
