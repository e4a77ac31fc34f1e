"""Who does the work: this process, a pool of processes, or a dask cluster. All give back the same chunks."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Protocol

import msgspec

from meldroom.arena.chunks import play_chunk
from meldroom.arena.messages import ArenaError, shown

MOST_DEATHS = 3
"""A chunk at which so many workers died in a row is given up."""


class Work(msgspec.Struct, frozen=True):
    """What an engine is asked for: the configuration as JSON, whether to write records, the version."""

    configuration: bytes
    records: bool
    version: str


class Engine(Protocol):
    """Plays chunks and yields what came of each, in whatever order they finish."""

    def play(self, work: Work, numbers: Iterable[int]) -> Generator[bytes, None, None]:
        """The finished chunks of these numbers. Raises ArenaError."""
        ...


class Here:
    """One chunk after the other, in this process."""

    def play(self, work: Work, numbers: Iterable[int]) -> Generator[bytes, None, None]:
        """The finished chunks in order."""
        for number in numbers:
            yield play_chunk(work.configuration, number, work.records, work.version)


class Processes:
    """A pool of processes. One that dies is replaced, and its chunk is played again."""

    def __init__(self, jobs: int) -> None:
        self.jobs = jobs

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
                    raise ArenaError("error.workers_die", times=deaths, reason=shown(error, 200)) from None

    def _play(self, work: Work, numbers: Iterable[int]) -> Iterator[tuple[int, bytes]]:
        """The chunks from one pool. Only a few wait in it at a time, so that a stop is felt at once."""
        waiting = iter(tuple(numbers))
        context = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(self.jobs, mp_context=context, initializer=_end_when_told)
        running: dict[Future[bytes], int] = {}
        try:
            while True:
                for number in waiting:
                    asked = pool.submit(play_chunk, work.configuration, number, work.records, work.version)
                    running[asked] = number
                    if len(running) >= 2 * self.jobs:
                        break
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    yield running.pop(future), future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _end_when_told() -> None:
    """Ctrl-C ends a worker at once and without a word; the process that asked says what there is to say."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def engine(jobs: int | None, scheduler: str | None) -> Engine:
    """The engine that was asked for; without a word, a process for each processor. Raises ArenaError."""
    if scheduler is not None:
        from meldroom.arena.dask_executor import Cluster

        return Cluster(scheduler)
    count = cores() if jobs is None else jobs
    if count < 1:
        raise ArenaError("error.jobs", "--jobs")
    return Here() if count == 1 else Processes(count)
