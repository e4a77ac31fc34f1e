"""The pool of worker processes: tasks go out, answers come back, dead workers are replaced."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections import OrderedDict
from typing import Any, TypeVar

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import BotKey
from meldroom.rooms.protocol.answers import HintStep, Odds
from meldroom.rooms.worker.tasks import (
    BotTask,
    CanLayTask,
    ForgetTask,
    HintTask,
    OddsTask,
    PlayableTask,
    Reply,
    RunTask,
    Task,
    UseCompiledTask,
    WarmUpTask,
)
from meldroom.rules.book import BookRef
from meldroom.server.workers.frames import frame, receive_frame

MOST_WORKERS = 4
LARGEST_FRAME = 1 << 26
MARGIN = 3.0
"""Seconds a worker may take beyond what a bot was given."""
ANALYSIS_PATIENCE = 120.0
TRIES = 2
MOST_WAITING = 2
"""With so many tasks waiting at a worker, another one is started for further rooms."""
MOST_HOMES = 20_000

Value = TypeVar("Value")
_LOG = logging.getLogger(__name__)
_ENCODE = msgspec.msgpack.Encoder().encode
_REPLY = msgspec.msgpack.Decoder(Reply)


class _Job:
    """A task on its way, and who waits for its answer."""

    __slots__ = ("answer", "patience", "task")

    def __init__(self, task: Task, patience: float) -> None:
        self.task = _ENCODE(task)
        self.patience = patience
        self.answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()


class _Worker:
    """One process, one task at a time. It is started when there is work, and again after it died."""

    def __init__(self) -> None:
        self.waiting = 0
        self._jobs: asyncio.Queue[_Job] = asyncio.Queue()
        self._process: asyncio.subprocess.Process | None = None
        self._runner: asyncio.Task[None] | None = None

    @property
    def running(self) -> bool:
        """True if there is a process."""
        return self._process is not None

    async def ask(self, task: Task, patience: float) -> bytes:
        """The encoded answer. Raises WorkerError."""
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
        """End the process and fail whoever still waits."""
        if self._runner is not None:
            self._runner.cancel()
            await asyncio.gather(self._runner, return_exceptions=True)
        while not self._jobs.empty():
            _fail(self._jobs.get_nowait(), WorkerError("closing"))
        await self._end()

    async def _run(self) -> None:
        while True:
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
            process = self._process = await _start()
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(frame(task))
        await process.stdin.drain()
        return _REPLY.decode(await receive_frame(process.stdout))

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if process.returncode is None:
            process.kill()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()


async def _start() -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "meldroom.server.workers.worker",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=LARGEST_FRAME,
    )


def _fail(job: _Job, error: WorkerError) -> None:
    if not job.answer.done():
        job.answer.set_exception(error)


def _settle(job: _Job, reply: Reply) -> None:
    if job.answer.done():
        return
    if reply.failure:
        job.answer.set_exception(WorkerError("failed", reason=reply.failure))
    else:
        job.answer.set_result(reply.value)


class WorkerPool:
    """Worker processes for bots and hints, and one more for analyses; all are started on first use."""

    def __init__(self, workers: int | None = None, *, patience: float = 20.0) -> None:
        count = workers or max(1, min(MOST_WORKERS, (os.cpu_count() or 2) - 1))
        self._workers = [_Worker() for _ in range(count)]
        self._analyst = _Worker()
        self._patience = patience
        self._homes: OrderedDict[str, _Worker] = OrderedDict()
        self._forgetting: set[asyncio.Task[Any]] = set()

    async def bot_action(
        self, key: BotKey, level: str, book: BookRef, seed: str, view: View, seconds: float | None
    ) -> Action | None:
        """What a bot does now; None if it fails or takes too long."""
        task = BotTask(key.text(), level, book, seed, view, seconds)
        patience = self._patience if seconds is None else seconds + MARGIN
        try:
            data = await self._of(key.room).ask(task, patience)
            action: Action = msgspec.msgpack.decode(data, type=Action)
        except (WorkerError, msgspec.MsgspecError) as error:
            _LOG.warning("a bot of level %s had no answer: %s", level, error)
            return None
        return action

    async def hint(self, book: BookRef, view: View, step: int, language: Language) -> HintStep:
        """A hint. Raises WorkerError."""
        task = HintTask(book, view, step, language)
        data = await self._idlest().ask(task, self._patience)
        return msgspec.msgpack.decode(data, type=HintStep)

    async def can_lay(self, book: BookRef, view: View) -> bool:
        """Whether the player to move can lay anything (R12). Raises WorkerError."""
        data = await self._idlest().ask(CanLayTask(book, view), self._patience)
        return msgspec.msgpack.decode(data, type=bool)

    async def playable(self, book: BookRef, view: View) -> bool | None:
        """Whether anything can be played in this turn, None if that cannot be said. Raises WorkerError."""
        data = await self._idlest().ask(PlayableTask(book, view), self._patience)
        return msgspec.msgpack.decode(data, type=bool | None)

    async def odds(self, book: BookRef, view: View) -> Odds:
        """The odds of opening and of going out. Raises WorkerError."""
        data = await self._idlest().ask(OddsTask(book, view), self._patience)
        return msgspec.msgpack.decode(data, type=Odds)

    async def run(self, function: str, payload: bytes) -> bytes:
        """The answer of `module:function`, called with the payload behind all bots. Raises WorkerError."""
        return await self._analyst.ask(RunTask(function, payload), ANALYSIS_PATIENCE)

    async def warm_up(self) -> None:
        """Start the first worker and load the kernel, so that the first bot need not wait for it."""
        with contextlib.suppress(WorkerError):
            await self._workers[0].ask(WarmUpTask(), ANALYSIS_PATIENCE)

    async def use_compiled(self) -> None:
        """Kernels were compiled: workers that run use them from now on; their bots forget nothing."""
        running = [worker for worker in (*self._workers, self._analyst) if worker.running]
        asked = (worker.ask(UseCompiledTask(), ANALYSIS_PATIENCE) for worker in running)
        await asyncio.gather(*asked, return_exceptions=True)

    def forget(self, room: str, game: int) -> None:
        """A game is over: its bots are no longer needed."""
        worker = self._homes.get(room)
        if worker is None or not worker.running:
            return
        task = asyncio.create_task(worker.ask(ForgetTask(f"{room}-{game}-"), self._patience))
        self._forgetting.add(task)
        task.add_done_callback(self._forgotten)

    def _forgotten(self, task: asyncio.Task[Any]) -> None:
        self._forgetting.discard(task)
        if not task.cancelled():
            task.exception()  # A worker that died has forgotten everything anyway.

    async def close(self) -> None:
        """End the workers."""
        for task in tuple(self._forgetting):
            task.cancel()
        await asyncio.gather(*(worker.close() for worker in (*self._workers, self._analyst)))

    def _of(self, room: str) -> _Worker:
        """The worker that has the bots of a room: they stay where their memories are."""
        worker = self._homes.pop(room, None) or self._roomiest()
        self._homes[room] = worker
        while len(self._homes) > MOST_HOMES:
            self._homes.popitem(last=False)
        return worker

    def _roomiest(self) -> _Worker:
        """A running worker with little to do, else one more as long as there may be more."""
        idlest = self._idlest()
        fresh = [worker for worker in self._workers if not worker.running and not worker.waiting]
        return fresh[0] if fresh and idlest.waiting >= MOST_WAITING else idlest

    def _idlest(self) -> _Worker:
        """The busy or running worker with the least to do; the first one where none has begun."""
        begun = [worker for worker in self._workers if worker.running or worker.waiting]
        return min(begun or self._workers, key=lambda worker: worker.waiting)
