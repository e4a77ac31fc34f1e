"""`meldroom worker`: processes for bots, hints and analyses that any server on the bus may use."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import time
from collections import Counter
from collections.abc import Callable

from meldroom.rooms.errors import WorkerError
from meldroom.rooms.worker.task_client import encode_task
from meldroom.rooms.worker.tasks import Reply
from meldroom.server.background.kernels import compile_for
from meldroom.server.cluster import jobs
from meldroom.server.cluster.bus import NatsBus
from meldroom.server.cluster.health import watched
from meldroom.server.cluster.jobs import VERSION, Asking, Declined, Finished, Gone, Here, Job, Taken, Unfit
from meldroom.server.histogram import Histogram
from meldroom.server.workers.processes import WorkerProcesses

NEW_WAITING = 3
"""Jobs for each process, those under way among them, beyond which rooms that are new here are declined."""
HOME_WAITING = 32
"""The same for rooms whose bots are here."""
LARGEST_TASK = 4_000_000
DRAIN_SECONDS = 30.0
TOLD_EVERY = 60.0

STATUS = "meldroom.worker"
"""The logger of how a worker is, once a minute."""

_LOG = logging.getLogger(__name__)
_STATUS = logging.getLogger(STATUS)


class WorkerService:
    """Takes jobs from the bus until it is told to end; then it finishes those it has."""

    def __init__(self, bus: NatsBus, name: str, play: int, analysis: int) -> None:
        self.name = name
        self.processes = WorkerProcesses(play, analysis)
        self.done: Counter[str] = Counter()
        self.times = Histogram()
        self._bus = bus
        self._room_for: dict[jobs.Kind, int] = {"play": play, "analysis": analysis}
        self._held: Counter[jobs.Kind] = Counter()
        self._working: set[asyncio.Task[None]] = set()
        self._draining = False
        self._unfit: set[str] = set()
        self._beat: asyncio.Task[None] | None = None
        self._told_at = time.monotonic()
        for kind in jobs.KINDS:
            if self._room_for[kind]:
                bus.listen(jobs.queue_of(kind), self._received, queue=jobs.WORKERS)
        bus.listen(jobs.worker_subject(name), self._received)
        bus.listen(jobs.SERVERS, self._received)
        bus.watch(resumed=self._say_here)

    def start(self) -> None:
        """Connect and take jobs."""
        self._bus.start()
        self._beat = asyncio.create_task(self._beating(), name="beat")

    async def close(self) -> None:
        """Take nothing more, finish what is under way, and go."""
        self._draining = True
        for kind in jobs.KINDS:
            await self._bus.stop_listening(jobs.queue_of(kind))
        self._say_here()
        if self._working:
            await asyncio.wait(self._working, timeout=DRAIN_SECONDS)
        if self._beat is not None:
            self._beat.cancel()
            await asyncio.gather(self._beat, return_exceptions=True)
        await self.processes.close()
        for one in self._working:
            one.cancel()
        await asyncio.gather(*self._working, return_exceptions=True)
        self._send(jobs.WORKERS, Gone(self.name))
        await self._bus.close()

    @property
    def connected(self) -> bool:
        """Whether servers can be reached."""
        return self._bus.connected

    @property
    def waiting(self) -> int:
        """Jobs that wait or are under way."""
        return sum(self._held.values())

    def problem(self) -> str:
        """Why it takes no jobs; empty if it does."""
        return "draining" if self._draining else "" if self.connected else "the bus can't be reached"

    def status(self) -> str:
        """How it is, on one line."""
        answered = sum(self.done.values())
        mean = self.times.total / self.times.count if self.times.count else 0.0
        counted = ", ".join(f"{count} {what}" for what, count in sorted(self.done.items()))
        bus = "connected" if self.connected else "not connected"
        return f"{bus}; {self.waiting} waiting; {answered} jobs ({counted or 'none'}), {mean:.3f} s each"

    # The bus

    def _send(self, subject: str, message: jobs.ToServer) -> None:
        self._bus.send(subject, jobs.encode(message))

    def _say_here(self) -> None:
        play, analysis = (0 if self._draining else self._room_for[kind] for kind in jobs.KINDS)
        self._send(jobs.WORKERS, Here(self.name, VERSION, play, analysis, self.waiting))

    async def _beating(self) -> None:
        while True:
            self._say_here()
            if time.monotonic() - self._told_at >= TOLD_EVERY:
                self._told_at = time.monotonic()
                _STATUS.info("worker %s: %s", self.name, self.status())
            await asyncio.sleep(jobs.BEAT_SECONDS)

    def _received(self, data: bytes) -> None:
        match jobs.decode_for_worker(data):
            case Job() as job:
                self._asked(job)
            case Asking(version, server):
                if version == VERSION:
                    self._say_here()
                else:
                    self._is_unfit(version, server)
            case Unfit(version, server):
                self._is_unfit(version, server)
            case _:
                pass

    def _is_unfit(self, version: str, server: str) -> None:
        if version not in self._unfit:
            self._unfit.add(version)
            _LOG.warning(
                "server %s is of version %s, this worker of %s: it gives no work here",
                server,
                version,
                VERSION,
            )

    # Jobs

    def _asked(self, job: Job) -> None:
        reason = self._objection(job)
        answers = jobs.answers_subject(job.server)
        if reason is not None:
            self.done[f"declined ({reason})"] += 1
            self._send(answers, Declined(self.name, job.number, reason, VERSION))
            return
        if job.number:
            self._send(answers, Taken(self.name, job.number))
        self._held[job.kind] += 1
        work = asyncio.create_task(self._work(job, answers))
        self._working.add(work)
        work.add_done_callback(self._working.discard)

    def _objection(self, job: Job) -> jobs.Reason | None:
        """Why a job is not done here."""
        if job.version != VERSION:
            self._is_unfit(job.version, job.server)
            return "version"
        if self._draining or not self._room_for[job.kind]:
            return "draining"
        waiting = HOME_WAITING if self.processes.has(job.home) else NEW_WAITING
        if self._held[job.kind] >= waiting * self._room_for[job.kind] or len(job.task) > LARGEST_TASK:
            return "busy"
        return None

    async def _work(self, job: Job, answers: str) -> None:
        began = time.monotonic()
        try:
            reply = encode_task(Reply(await self._answer(job)))
            self.done[job.kind] += 1
        except WorkerError as error:
            self.done["failed"] += 1
            if error.code == "closing":
                return  # The server hears that this worker is gone, and has it done elsewhere.
            reply = (
                encode_task(Reply(failure=str(error.details["reason"]))) if error.code == "failed" else b""
            )
        finally:
            self._held[job.kind] -= 1
            self.times.observe(time.monotonic() - began)
        if job.number:
            self._send(answers, Finished(self.name, job.number, reply))

    async def _answer(self, job: Job) -> bytes:
        if not job.number:
            await self.processes.forget(job.task, job.home, job.patience)
            return b""
        if job.kind == "analysis":
            return await self.processes.analyse(job.task, job.patience)
        return await self.processes.answer(job.task, job.home, job.patience)


async def work(
    url: str,
    play: int,
    analysis: int,
    *,
    ready: Callable[[str], None],
    say: Callable[..., None],
    end: asyncio.Event,
    health: socket.socket | None = None,
) -> str:
    """Work until `end`; the last status. `say` is told by code what is made in the background.

    `health` is a bound socket for whoever watches over it.
    """
    name = secrets.token_hex(6)
    _STATUS.setLevel(logging.INFO)
    service = WorkerService(NatsBus(url, f"worker {name}"), name, play, analysis)
    async with watched(service, health):
        await service.processes.warm_up()
        service.start()
        ready(name)
        beside = asyncio.create_task(compile_for(service.processes, say))
        try:
            await end.wait()
        finally:
            beside.cancel()
            await asyncio.gather(beside, return_exceptions=True)
            await service.close()
    return service.status()
