"""The work on a dask.distributed cluster, named by the address of its scheduler."""

from __future__ import annotations

import hashlib
from collections.abc import Generator, Iterable
from importlib import import_module
from typing import Any

import msgspec

from meldroom.arena.chunks import play_chunk
from meldroom.arena.executors import MOST_DEATHS, Work
from meldroom.arena.messages import ArenaError, shown

SECONDS_TO_ANSWER = 15
RETRIES = 1
"""How often dask itself repeats a chunk that failed for a passing reason."""


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

    def _client(self) -> Any:
        try:
            client: Any = import_module("distributed").Client
        except ImportError:
            raise ArenaError("error.extra", "--scheduler", package="distributed") from None
        try:
            return client(self.address, timeout=SECONDS_TO_ANSWER, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as error:
            reason = shown(error, 120) or type(error).__name__
            raise ArenaError("error.no_scheduler", address=shown(self.address), reason=reason) from None

    def _wait_for_workers(self, client: Any) -> None:
        """Raises ArenaError when nobody comes: a run that waits for ever looks like one that is slow."""
        try:
            client.wait_for_workers(1, timeout=SECONDS_TO_ANSWER)
        except TimeoutError:
            raise ArenaError("error.no_workers", address=shown(self.address)) from None


def _played(client: Any, work: Work, numbers: list[int]) -> Generator[bytes, None, None]:
    import distributed

    as_completed: Any = distributed.as_completed

    def submit(number: int, attempt: int) -> Any:
        # The same chunk asked for twice is one task. A new attempt needs a name of its own.
        return client.submit(
            play_chunk,
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
                times = attempts[number]
                raise ArenaError("error.workers_die", times=times, reason=shown(error, 200)) from None
            attempts[number] += 1
            again = submit(number, attempts[number])
            running[again] = number
            arriving.add(again)
        finally:
            future.release()


def _name_of(work: Work) -> str:
    """A short name for the work, the same wherever the work is the same."""
    return hashlib.sha256(msgspec.msgpack.encode(work)).hexdigest()[:16]
