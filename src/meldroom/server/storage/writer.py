"""The one writer: whatever waits is written in one transaction, made durable once, then acknowledged."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from meldroom.rooms.errors import ConflictError, FencedError
from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.server.histogram import Histogram
from meldroom.server.storage.database import Database
from meldroom.server.storage.errors import StorageError

Answer = TypeVar("Answer")
Work = Callable[[Connection], Any]
MOST_TOGETHER = 500


class Append(msgspec.Struct, frozen=True):
    """One event of a room on its way into the log, with its card and perhaps the game it ended."""

    room: str
    seq: int
    event: bytes
    card: RoomCard
    finished: FinishedGame | None = None
    epoch: int | None = None
    """Of the lease under which it is written; None where there is one server."""


WriteAppends = Callable[[Connection, Sequence[Append]], None]


class WriterCounters(msgspec.Struct):
    """What the writer has done since it was started; for the metrics."""

    commits: int = 0
    writes: int = 0
    appends: int = 0
    conflicts: int = 0
    failures: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    waits: Histogram = msgspec.field(default_factory=Histogram)
    commit_times: Histogram = msgspec.field(default_factory=Histogram)


class _Waiting(msgspec.Struct, eq=False):
    """Something to write, and who waits for it."""

    what: Append | Work
    done: asyncio.Future[Any]
    since: float


class GroupWriter:
    """Takes what is to be written from any number of tasks and commits it in groups."""

    def __init__(
        self,
        database: Database,
        write_appends: WriteAppends,
        failed: Callable[[DBAPIError | StorageError], StorageError],
    ) -> None:
        self.counters = WriterCounters()
        self._database = database
        self._write_appends = write_appends
        self._failed = failed
        self._waiting: list[_Waiting] = []
        self._something = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to write."""
        self._task = asyncio.create_task(self._run(), name="group-commit")

    async def close(self) -> None:
        """Write what still waits, then stop."""
        self._closing = True
        self._something.set()
        if self._task is not None:
            await self._task
            self._task = None

    async def append(self, append: Append) -> None:
        """Return when the event is durable. Raises ConflictError or StorageError; then it is not there."""
        await self._queue(append)

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """Do some work in the next transaction; its answer comes when that is durable.

        An exception of the work undoes this work only and is raised here.
        """
        answer: Answer = await self._queue(work)
        return answer

    async def _queue(self, what: Append | Work) -> Any:
        if self._closing or self._task is None or self._task.done():
            raise StorageError("closing")
        waiting = _Waiting(what, asyncio.get_running_loop().create_future(), time.perf_counter())
        self._waiting.append(waiting)
        self._something.set()
        return await waiting.done

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            while self._waiting:
                group = self._waiting[:MOST_TOGETHER]
                del self._waiting[:MOST_TOGETHER]
                await self._commit(group)
            if self._closing:
                return

    async def _commit(self, group: list[_Waiting]) -> None:
        """Write a group and tell everybody in it what became of their part."""
        wanted, began = [waiting.what for waiting in group], time.perf_counter()
        try:
            outcomes = await self._write(wanted)
        except Exception as error:
            self.counters.failures += 1
            outcomes = [self._failure(error) for _ in group]
        now = time.perf_counter()
        self.counters.commits += 1
        self.counters.commit_times.observe(now - began)
        for waiting, outcome in zip(group, outcomes, strict=True):
            took = now - waiting.since
            self.counters.writes += 1
            self.counters.seconds += took
            self.counters.slowest = max(self.counters.slowest, took)
            self.counters.waits.observe(took)
            if waiting.done.done():  # whoever waited was cancelled; it is written all the same
                continue
            if isinstance(outcome, Exception):
                waiting.done.set_exception(outcome)
            else:
                waiting.done.set_result(outcome)

    def _failure(self, error: Exception) -> StorageError:
        if isinstance(error, DBAPIError | StorageError):
            return self._failed(error)
        return StorageError("failed", path="", reason=str(error))

    async def _write(self, wanted: list[Append | Work]) -> list[Any]:
        """The outcomes of a group in its order, after the commit. Raises if the whole group failed."""
        try:
            outcomes = await self._database.write(lambda connection: self._together(connection, wanted))
        except (IntegrityError, FencedError):  # a place is taken: find out whose, and spare the others
            outcomes = await self._database.write(lambda connection: self._apart(connection, wanted))
        appends = sum(isinstance(what, Append) for what in wanted)
        lost = sum(isinstance(outcome, ConflictError | FencedError) for outcome in outcomes)
        self.counters.appends += appends - lost
        self.counters.conflicts += lost
        return outcomes

    # What follows runs in the thread that writes.

    def _together(self, connection: Connection, wanted: list[Append | Work]) -> list[Any]:
        """Write all events at once. Raises IntegrityError if a place was taken."""
        appends = [what for what in wanted if isinstance(what, Append)]
        if appends:
            self._write_appends(connection, appends)
        return [None if isinstance(what, Append) else _worked(connection, what) for what in wanted]

    def _apart(self, connection: Connection, wanted: list[Append | Work]) -> list[Any]:
        """Write events one by one; one whose place is taken has an error as its outcome."""
        return [
            self._appended(connection, what) if isinstance(what, Append) else _worked(connection, what)
            for what in wanted
        ]

    def _appended(self, connection: Connection, append: Append) -> ConflictError | FencedError | None:
        try:
            with connection.begin_nested():
                self._write_appends(connection, [append])
        except IntegrityError:
            return ConflictError(append.room, append.seq)
        except FencedError as error:
            return error
        return None


def _worked(connection: Connection, work: Work) -> Any:
    """The answer of one piece of work, or the exception that undid it alone."""
    try:
        with connection.begin_nested():
            return work(connection)
    except DBAPIError as error:
        if isinstance(error, IntegrityError):
            return error
        raise
    except Exception as error:
        return error
