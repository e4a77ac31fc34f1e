"""Worker processes: encoded tasks go out, answers come back, dead workers are replaced.

A server has them beside it, and `meldroom worker` has nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress

import msgspec

from meldroom.rooms.errors import WorkerError
from meldroom.rooms.worker.task_client import decode_reply, encode_task, value_of
from meldroom.rooms.worker.tasks import Reply, UseCompiledTask, WarmUpTask
from meldroom.server.workers.frames import frame, receive_frame

MOST_WORKERS = 4
LARGEST_FRAME = 1 << 26
LOADING_PATIENCE = 120.0
"""Seconds that loading kernels may take."""
TRIES = 2
MOST_WAITING = 2
"""With so many tasks waiting at a worker, another one is started for further rooms."""
MOST_HOMES = 20_000
BOTS, ANALYSTS = 5, 15
"""The niceness of processes: on a machine with few cores everybody's table goes before one player's bot, and
that before an analysis."""

_LOG = logging.getLogger(__name__)


class _Job:
    """A task on its way, and who waits for its answer."""

    __slots__ = ("answer", "patience", "task")

    def __init__(self, task: bytes, patience: float) -> None:
        self.task = task
        self.patience = patience
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()


class WorkerProcess:
    """One process, one task at a time. It is started when there is work, and again after it died."""

    def __init__(self, niceness: int = BOTS) -> None:
        self.waiting = 0
        self._niceness = niceness
        self._closed = False
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._process: asyncio.subprocess.Process | None = None
        self._runner: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """True if there is a process."""
        return self._process is not None

    async def ask(self, task: bytes, patience: float) -> bytes:
        """The encoded answer. Raises WorkerError."""
        if self._closed:
            raise WorkerError("closing")
        job = _Job(task, patience)
        self.waiting += 1
        self._jobs.put_nowait(job)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())
        try:
            return await job.answer
        finally:
            self.waiting -= 1

    async def close(self) -> None:
        """End the process and fail whoever still waits, or asks later."""
        self._closed = True
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        while not self._jobs.empty():
            _fail(self._jobs.get_nowait(), WorkerError("closing"))
        await self._end()

    async def _run(self) -> None:
        while not self._closed:  # Python 3.11 may lose the cancellation if an answer comes at that moment
            job = await self._jobs.get()
            if job.answer.done():
                continue  # Nobody waits for it any more.
            try:
                await self._answer(job)
            except BaseException:
                _fail(job, WorkerError("closing"))
                raise

    async def _answer(self, job: _Job) -> None:
        """One task; a worker that was found dead gets a successor, one that is too slow is ended."""
        for _ in range(TRIES):
            try:
                reply = await asyncio.wait_for(self._exchange(job.task), job.patience)
            except TimeoutError:
                _LOG.warning("a worker took longer than %.1f s and was ended", job.patience)
                await self._end()
                break
            except (OSError, EOFError, msgspec.MsgspecError) as error:
                _LOG.warning("a worker had to be replaced: %s", type(error).__name__)
                await self._end()
            else:
                _settle(job, reply)
                return
        _fail(job, WorkerError("no_answer"))

    async def _exchange(self, task: bytes) -> Reply:
        process = self._process
        if process is None:
            process = self._process = await _start(self._niceness)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(frame(task))
        await process.stdin.drain()
        return decode_reply(await receive_frame(process.stdout))

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()


async def _start(niceness: int) -> asyncio.subprocess.Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "meldroom.server.workers.worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LARGEST_FRAME,
    )
    if sys.platform != "win32":
        with suppress(OSError):
            own = os.getpriority(os.PRIO_PROCESS, 0)
            os.setpriority(os.PRIO_PROCESS, process.pid, max(own, niceness))
    return process


def _fail(job: _Job, error: WorkerError) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


def _settle(job: _Job, reply: Reply) -> None:
    if job.answer.done():
        return
    try:
        job.answer.set_result(value_of(reply))
    except WorkerError as error:
        job.answer.set_exception(error)


class WorkerProcesses:
    """Processes for bots and hints, and further ones for analyses; all are started on first use."""

    def __init__(self, workers: int | None = None, analysts: int = 1) -> None:
        count = workers or max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1))
        self.workers = [WorkerProcess() for _ in range(count)]
        self.analysts = [WorkerProcess(ANALYSTS) for _ in range(analysts)]
        self._homes: OrderedDict[str, WorkerProcess] = OrderedDict()

    @property
    def waiting(self) -> int:
        """How many tasks are not answered yet."""
        return sum(worker.waiting for worker in (*self.workers, *self.analysts))

    def has(self, home: str) -> bool:
        """Whether the bots of a room are here."""
        return home in self._homes

    async def answer(self, task: bytes, home: str, patience: float) -> bytes:
        """The encoded answer of a task; a bot stays where it is at home. Raises WorkerError."""
        return await (self._of(home) if home else _roomiest(self.workers)).ask(task, patience)

    async def analyse(self, task: bytes, patience: float) -> bytes:
        """The encoded answer of a task that bots do not wait for. Raises WorkerError."""
        return await _roomiest(self.analysts).ask(task, patience)

    async def forget(self, task: bytes, home: str, patience: float) -> None:
        """Have bots forgotten; a worker that died has forgotten everything anyway. Raises WorkerError."""
        worker = self._homes.get(home)
        if worker is not None and worker.running:
            await worker.ask(task, patience)

    async def warm_up(self) -> None:
        """Start all processes and load the kernels, so that no bot has to wait for them."""
        await self._tell((*self.workers, *self.analysts), WarmUpTask())

    async def use_compiled(self) -> None:
        """Kernels were compiled: workers that run use them from now on; their bots forget nothing."""
        await self._tell([one for one in (*self.workers, *self.analysts) if one.running], UseCompiledTask())

    async def _tell(self, workers: Iterable[WorkerProcess], task: WarmUpTask | UseCompiledTask) -> None:
        told = encode_task(task)
        asked = (worker.ask(told, LOADING_PATIENCE) for worker in workers)
        await asyncio.gather(*asked, return_exceptions=True)

    async def close(self) -> None:
        """End the workers."""
        await asyncio.gather(*(worker.close() for worker in (*self.workers, *self.analysts)))

    def _of(self, home: str) -> WorkerProcess:
        """The worker that has the bots of a room: they stay where their memories are."""
        worker = self._homes.pop(home, None) or _roomiest(self.workers)
        self._homes[home] = worker
        while len(self._homes) > MOST_HOMES:
            self._homes.popitem(last=False)
        return worker


def _roomiest(workers: list[WorkerProcess]) -> WorkerProcess:
    """A running worker with little to do, else one more as long as there may be more."""
    begun = [worker for worker in workers if worker.running or worker.waiting]
    idlest = min(begun or workers, key=lambda worker: worker.waiting)
    fresh = [worker for worker in workers if not worker.running and not worker.waiting]
    return fresh[0] if fresh and idlest.waiting >= MOST_WAITING else idlest
