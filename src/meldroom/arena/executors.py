"""Who does the work: this process, a pool of processes, or a dask cluster. All give back the same chunks."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from importlib import import_module
from typing import Any, Protocol

import msgspec

from meldroom.arena.errors import ArenaError
from meldroom.errors import needs

MOST_DEATHS = 3
"""A chunk at which so many workers died in a row is given up."""

SECONDS_TO_ANSWER = 15
RETRIES = 1
"""How often dask itself repeats a chunk that failed for a passing reason."""


class Work(msgspec.Struct, frozen=True):
    """What an engine is asked for: the configuration as JSON, whether to write records, the version.

    `task` names the function, as `module:function`, that does a chunk: `play_chunk`, or another with the same
    arguments.
    """

    configuration: bytes
    records: bool
    version: str
    task: str = "meldroom.arena.chunks:play_chunk"

    def function(self) -> Callable[[bytes, int, bool, str], bytes]:
        """The function that does a chunk."""
        module, _, name = self.task.partition(":")
        found: Callable[[bytes, int, bool, str], bytes] = getattr(import_module(module), name)
        return found


class Engine(Protocol):
    """Plays chunks and yields what came of each, in whatever order they finish. It is closed at the end."""

    def play(self, work: Work, numbers: Iterable[int]) -> Generator[bytes, None, None]:
        """The finished chunks of these numbers. Raises ArenaError."""
        ...

    def close(self) -> None:
        """Ends whatever was started."""
        ...


class Here:
    """One chunk after the other, in this process."""

    def play(self, work: Work, numbers: Iterable[int]) -> Generator[bytes, None, None]:
        """The finished chunks in order."""
        do_chunk = work.function()
        for number in numbers:
            yield do_chunk(work.configuration, number, work.records, work.version)

    def close(self) -> None:
        """There is nothing to end."""


class Processes:
    """A pool of processes. One that dies is replaced, and its chunk is played again."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs
        self._pool: ProcessPoolExecutor | None = None

    def close(self) -> None:
        """Ends the processes; what they have not begun is not played."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def play(self, work: Work, numbers: Iterable[int]) -> Generator[bytes, None, None]:
        """The finished chunks as they come."""
        left = dict.fromkeys(numbers)
        deaths = 0
        while left:
            before = len(left)
            try:
                for number, done in self._play(work, left):
                    yield done
                    del left[number]
            except BrokenProcessPool as error:
                # The pool does not say whose process died: what counts is whether anything gets done.
                deaths = deaths + 1 if len(left) == before else 1
                if deaths >= MOST_DEATHS:
                    raise ArenaError("error.workers_die", count=deaths, reason=str(error)) from None

    def _play(self, work: Work, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """The chunks from one pool. Only a few wait in it at a time, so that a stop is felt at once."""
        waiting = iter(tuple(numbers))
        if self._pool is None:
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_end_with_us)
        pool = self._pool
        running: dict[Future[bytes], int] = {}
        do_chunk = work.function()
        try:
            while True:
                for number in waiting:
                    asked = pool.submit(do_chunk, work.configuration, number, work.records, work.version)
                    running[asked] = number
                    if len(running) >= 2 * self.jobs:
                        break
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        except BaseException:
            self.close()
            raise


def _end_with_us() -> None:
    """Ctrl-C ends a worker at once and without a word, and so does the end of the process that asked.

    A pool's workers would wait for more for ever if that process was killed.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_after_parent, daemon=True).start()


def _end_after_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Cluster:
    """Workers anywhere, each with meldroom installed. Nothing is shared with them but the chunks' bytes."""

    def __init__(self, address: str) -> None:
        """Raises ArenaError if the address cannot be one."""
        if "://" not in address:
            raise ArenaError("error.bad_address", "--scheduler")
        self.address = address

    def play(self, work: Work, numbers: Iterable[int]) -> Generator[bytes, None, None]:
        """The finished chunks as they come. Dask repeats elsewhere what was lost with a worker."""
        client = self._client()
        try:
            self._wait_for_workers(client)
            yield from _played(client, work, list(numbers))
        finally:
            client.close()

    def close(self) -> None:
        """Every play has closed its own connection."""

    def _client(self) -> Any:
        with needs("arena"):
            client: Any = import_module("distributed").Client
        try:
            return client(self.address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            reason = str(error) or type(error).__name__
            raise ArenaError("error.no_scheduler", address=self.address, reason=reason) from None

    def _wait_for_workers(self, client: Any) -> None:
        """Raises ArenaError when nobody comes: a run that waits for ever looks like one that is slow."""
        try:
            client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
        except TimeoutError:
            raise ArenaError("error.no_workers", address=self.address) from None


def _played(client: Any, work: Work, numbers: list[int]) -> Generator[bytes, None, None]:
    import distributed

    as_completed: Any = distributed.as_completed
    do_chunk = work.function()

    def submit(number: int, attempt: int) -> Any:
        # The same chunk asked for twice is one task. A new attempt needs a name of its own.
        return client.submit(
            do_chunk,
            work.configuration,
            number,
            work.records,
            work.version,
            key=f"meldroom-{_name_of(work)}-{number}-{attempt}",
            retries=RETRIES,
        )

    attempts = dict.fromkeys(numbers, 1)
    running = {submit(number, 1): number for number in numbers}
    arriving = as_completed(list(running), loop=client.loop)
    for future in arriving:
        number = running.pop(future)
        try:
            yield future.result()
        except distributed.KilledWorker as error:
            if attempts[number] >= MOST_DEATHS:
                raise ArenaError("error.workers_die", count=attempts[number], reason=str(error)) from None
            attempts[number] += 1
            again = submit(number, attempts[number])
            running[again] = number
            arriving.add(again)
        finally:
            future.release()


def _name_of(work: Work) -> str:
    """A short name for the work, the same wherever the work is the same."""
    return hashlib.sha256(msgspec.msgpack.encode(work)).hexdigest()[:16]


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def engine(jobs: int | None, scheduler: str | None) -> Engine:
    """The engine that was asked for; without a word, a process for each processor. Raises ArenaError."""
    if scheduler is not None:
        return Cluster(scheduler)
    count = cores() if jobs is None else jobs
    if count < 1:
        raise ArenaError("error.jobs", "--jobs")
    return Here() if count == 1 else Processes(count)
