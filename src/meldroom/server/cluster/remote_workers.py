"""The workers of a server that `meldroom worker` processes help; without them its own do everything."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from msgspec.structs import replace

from meldroom.rooms.errors import WorkerError
from meldroom.rooms.worker.task_client import decode_reply, encode_task, value_of
from meldroom.rooms.worker.tasks import BotTask, ForgetTask, RunTask, Task
from meldroom.server.cluster import jobs
from meldroom.server.cluster.bus import NatsBus
from meldroom.server.cluster.jobs import VERSION, Declined, Finished, Gone, Here, Job, Kind, Taken
from meldroom.server.workers.pool import MARGIN, WorkerPool
from meldroom.server.workers.processes import MOST_HOMES

REMOTE = "remote"
TRIES = 3
TAKEN_SECONDS = 1.0
"""A job that no worker has taken after so long is lost."""
ENVELOPE = 1_000
"""Bytes that a message has beside its task, and some more."""
LEAST_SECONDS = 0.1
MOST_WARNED = 100

_LOG = logging.getLogger(__name__)


class _Pending:
    """A job on its way, and who has it."""

    __slots__ = ("answer", "home", "limit", "patience", "worker")

    def __init__(self, home: str, patience: float, limit: asyncio.Timeout) -> None:
        self.home = home
        self.patience = patience
        self.limit = limit
        self.worker = ""
        self.answer: asyncio.Future[bytes | None] = asyncio.get_running_loop().create_future()

    def settle(self, reply: bytes | None) -> None:
        """End the wait; with None the job is to be done elsewhere."""
        if not self.answer.done():
            self.answer.set_result(reply)


class _Colleague(msgspec.Struct):
    """A worker as the server knows it."""

    play: int
    analysis: int
    waiting: int
    heard_at: float


class RemoteWorkers(WorkerPool):
    """Jobs go to workers on any machine; what they do not do is done by processes here.

    A job is done again where its worker died, declined it or cannot be reached: a game never waits for one
    that is gone. The bots of a room stay with the worker that has them.
    """

    def __init__(self, bus: NatsBus, server: str, workers: int | None = None) -> None:
        super().__init__(workers)
        self._bus = bus
        self._server = server
        self._number = 0
        self._pending: dict[int, _Pending] = {}
        self._there: dict[str, _Colleague] = {}
        self._homes_of: OrderedDict[str, str] = OrderedDict()
        self._warned: set[tuple[str, str]] = set()
        bus.listen(jobs.WORKERS, self._received)
        bus.listen(jobs.answers_subject(server), self._received)
        bus.watch(resumed=self._ask_around, lost=self._cut_off)
        self._watch: asyncio.Task[None] | None = None

    @property
    def there(self) -> int:
        """How many workers of this version take jobs."""
        return sum(bool(each.play or each.analysis) for each in self._there.values())

    @property
    def busy_there(self) -> int:
        """How many jobs the workers had waiting or under way when they were last heard of."""
        return sum(each.waiting for each in self._there.values())

    def start(self) -> None:
        """Look after workers that fall silent."""
        self._watch = asyncio.create_task(self._watching(), name="workers")
        self._bus.start()

    async def close(self) -> None:
        """Wait for nobody any more."""
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)
        self._cut_off()
        await super().close()

    # Asking

    async def _answered(self, task: Task, home: str) -> tuple[bytes, str]:
        began, left = time.monotonic(), task
        for _ in range(TRIES):
            if not self._may_help(task):
                break
            reply = await self._elsewhere(left, home)
            if reply is not None:
                return reply, REMOTE
            self.figures.repeated += 1
            left = _shortened(task, time.monotonic() - began)
        return await super()._answered(left, home)

    def _may_help(self, task: Task) -> bool:
        if not self._bus.connected:
            return False
        kind = _kind(task)
        return any(each.play if kind == "play" else each.analysis for each in self._there.values())

    async def _elsewhere(self, task: Task, home: str) -> bytes | None:
        """The answer of another machine, None if nobody there does it. Raises WorkerError if it failed."""
        encoded, kind, patience = encode_task(task), _kind(task), self._patience_for(task)
        if len(encoded) + ENVELOPE > self._bus.largest:
            return None
        worker = self._homes_of.get(home, "")
        at_home = worker in self._there and self._there[worker].play > 0
        subject = jobs.worker_subject(worker) if at_home else jobs.queue_of(kind)
        try:
            async with asyncio.timeout(TAKEN_SECONDS) as limit:
                with self._waiting(_Pending(home, patience, limit)) as (number, pending):
                    job = Job(VERSION, self._server, number, kind, home, patience, encoded)
                    self._bus.send(subject, jobs.encode(job))
                    reply = await pending.answer
        except TimeoutError:
            if at_home:
                self._forget_worker(worker)  # Should it live after all, it is heard of again.
            return None
        if reply is None:
            return None
        if not reply:
            raise WorkerError("no_answer")
        return value_of(decode_reply(reply))

    @contextmanager
    def _waiting(self, pending: _Pending) -> Iterator[tuple[int, _Pending]]:
        self._number += 1
        number = self._number
        self._pending[number] = pending
        try:
            yield number, pending
        finally:
            del self._pending[number]

    def let_go(self, task: ForgetTask, home: str) -> None:
        """Have the bots of a game forgotten wherever they are."""
        super().let_go(task, home)
        worker = self._homes_of.get(home, "")
        if worker in self._there:
            job = Job(VERSION, self._server, 0, "play", home, self._patience, encode_task(task))
            self._bus.send(jobs.worker_subject(worker), jobs.encode(job))

    # Hearing

    def _received(self, data: bytes) -> None:
        match jobs.decode_for_server(data):
            case Here() as here:
                self._is_here(here)
            case Gone(worker):
                self._forget_worker(worker)
            case Taken(worker, number) if number in self._pending:
                self._taken(worker, self._pending[number])
            case Declined(worker, number, reason, version):
                if reason == "version":
                    self._warn(worker, version)
                if number in self._pending:
                    self._homes_of.pop(self._pending[number].home, None)
                    self._pending[number].settle(None)
            case Finished(_, number, reply) if number in self._pending:
                self._pending[number].settle(reply)
            case _:
                pass

    def _is_here(self, here: Here) -> None:
        if here.version != VERSION:
            self._warn(here.worker, here.version)
            return
        known = _Colleague(here.play, here.analysis, here.waiting, time.monotonic())
        self._there[here.worker] = known

    def _warn(self, worker: str, version: str) -> None:
        """Say once that a worker of another version gets nothing, here and there."""
        if (worker, version) in self._warned or len(self._warned) >= MOST_WARNED:
            return
        self._warned.add((worker, version))
        _LOG.warning(
            "worker %s is of version %s, this server of %s: it is given no work", worker, version, VERSION
        )
        self._bus.send(jobs.worker_subject(worker), jobs.encode(jobs.Unfit(VERSION, self._server)))

    def _taken(self, worker: str, pending: _Pending) -> None:
        if pending.limit.expired():
            return
        pending.worker = worker
        pending.limit.reschedule(asyncio.get_running_loop().time() + pending.patience + MARGIN)
        if pending.home:
            self._homes_of[pending.home] = worker
            self._homes_of.move_to_end(pending.home)
            while len(self._homes_of) > MOST_HOMES:
                self._homes_of.popitem(last=False)

    async def _watching(self) -> None:
        while True:
            await asyncio.sleep(jobs.BEAT_SECONDS)
            silent = time.monotonic() - jobs.SILENCE_SECONDS
            for worker in [one for one, each in self._there.items() if each.heard_at < silent]:
                _LOG.warning("worker %s is not heard of any more", worker)
                self._forget_worker(worker)

    def _forget_worker(self, worker: str) -> None:
        """A worker is gone: what it had is done again."""
        self._there.pop(worker, None)
        for pending in self._pending.values():
            if pending.worker == worker:
                pending.settle(None)

    def _cut_off(self) -> None:
        """The connection is lost: nothing comes back."""
        self._there.clear()
        for pending in self._pending.values():
            pending.settle(None)

    def _ask_around(self) -> None:
        self._bus.send(jobs.SERVERS, jobs.encode(jobs.Asking(VERSION, self._server)))


def _kind(task: Task) -> Kind:
    return "analysis" if isinstance(task, RunTask) else "play"


def _shortened(task: Task, seconds: float) -> Task:
    """A bot's task after some of its time has gone."""
    if isinstance(task, BotTask) and task.seconds is not None:
        return replace(task, seconds=max(LEAST_SECONDS, task.seconds - seconds))
    return task
