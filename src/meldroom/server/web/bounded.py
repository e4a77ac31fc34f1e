"""Work for strangers, bounded: so many at once, so many for one address, and so much processor time.

Who is asking is noted once, by the gateway; what runs for them is charged to their address.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from contextvars import ContextVar
from typing import TypeVar

import msgspec

from meldroom.api.errors import HttpError
from meldroom.rooms import rate_limit as limits
from meldroom.rooms.rate_limit import Allowance, Limiter

Value = TypeVar("Value")

THREADS = 1
"""Python computes in one thread at a time: a second one would only take turns away from the tables."""
MOST_WAITING = 512
MOST_WAITING_OF_ADDRESS = 128
"""A hall of phones behind one address fits; each waits for a few milliseconds of work."""
MOST_TASKS = 24
MOST_TASKS_OF_ADDRESS = 6
PATIENCE = 2.0
"""Seconds after which to ask again what was refused because too much was waiting."""


class Asking(msgspec.Struct):
    """Who sent the request that is being answered; with a key they may compute as much as it takes."""

    address: str
    trusted: bool = False


_ASKING: ContextVar[Asking | None] = ContextVar("asking", default=None)


def note_asking(address: str) -> None:
    """A request begins."""
    _ASKING.set(Asking(address))


def trust() -> None:
    """Whoever is asking has shown a key: their address has no limit any more for this request."""
    asking = _ASKING.get()
    if asking is not None:
        asking.trusted = True


def _charged_address() -> str:
    """The address that pays; empty for those who need not, the server itself among them."""
    asking = _ASKING.get()
    return "" if asking is None or asking.trusted else asking.address


class Places:
    """So many at once, and so many of them for one address."""

    def __init__(self, most: int, most_of_address: int) -> None:
        self._places = limits.Places(most, most_of_address)

    def of_asking(self) -> AbstractContextManager[None]:
        """Hold a place for whoever sent the request that is being answered. Raises HttpError."""
        return self.place(_charged_address())

    @contextmanager
    def place(self, address: str) -> Iterator[None]:
        """Hold a place; an empty address shares with nobody. Raises HttpError if there is none."""
        with ExitStack() as held:
            try:
                held.enter_context(self._places.place(address))
            except limits.NoPlaceError as error:
                if error.of_key:
                    raise HttpError(429, "too_many", wait=PATIENCE, seconds=math.ceil(PATIENCE)) from None
                raise HttpError(503, "overloaded", wait=PATIENCE) from None
            yield


class BoundedThreads:
    """An `Offload` for requests of strangers: one thread, a bounded queue, an allowance for each address."""

    def __init__(self, allowance: Allowance) -> None:
        self._places = Places(MOST_WAITING, MOST_WAITING_OF_ADDRESS)
        self._spent = Limiter(allowance)
        self._threads = ThreadPoolExecutor(THREADS, "computing")

    async def __call__(self, function: Callable[..., Value], /, *arguments: object) -> Value:
        """Call the function beside the event loop. Raises HttpError if too much is asked for."""
        address = _charged_address()
        if address and (wait := self._spent.debt(address)):
            raise HttpError(429, "too_many", wait=wait, seconds=math.ceil(wait))
        with self._places.place(address):
            value, spent = await asyncio.get_running_loop().run_in_executor(
                self._threads, _measured, function, arguments
            )
        if address:
            self._spent.charge(address, spent)
        if isinstance(value, _Raised):
            raise value.error
        return value

    def close(self) -> None:
        """Let what waits go, and end when the last is done."""
        self._threads.shutdown(wait=False, cancel_futures=True)


class _Raised(msgspec.Struct, frozen=True):
    error: Exception


def _measured(function: Callable[..., Value], arguments: tuple[object, ...]) -> tuple[Value | _Raised, float]:
    """What a function returned or raised, and the milliseconds of processor time it took."""
    began = time.thread_time()
    value: Value | _Raised
    try:
        value = function(*arguments)
    except Exception as error:
        value = _Raised(error)
    return value, 1000 * (time.thread_time() - began)


Run = Callable[[str, bytes], Awaitable[bytes]]


class BoundedTasks:
    """The worker for analyses and searches, with a short queue in which one address has few places."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._places = Places(MOST_TASKS, MOST_TASKS_OF_ADDRESS)

    async def __call__(self, function: str, payload: bytes) -> bytes:
        """The answer of `module:function`. Raises HttpError and WorkerError."""
        with self._places.place(_charged_address()):
            return await self._run(function, payload)
