"""NATS: messages to a subject, in order, and gone where nobody is connected."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from meldroom.errors import needs

PREFIX = "meldroom"
EVERYBODY = "all"
"""The subject that every node listens to; each has one of its own, by its name."""
MOST_QUEUED_BYTES = 64_000_000
RECONNECT_SECONDS = 0.25
PING_SECONDS = 5

_LOG = logging.getLogger(__name__)

Receive = Callable[[bytes], None]


def check_client() -> None:
    """Raises MissingExtraError if the extra `cluster` is not installed."""
    with needs("cluster"):
        import nats.aio.client  # noqa: F401


class NatsBus:
    """A connection that is made again whenever it is lost.

    `resumed` is called when messages may have been lost: after a reconnection, and when this side was too
    slow. `lost` is called when the connection ends.
    """

    def __init__(self, url: str, name: str) -> None:
        check_client()
        from nats.aio.client import Client as Nats

        self._nats: Any = Nats()
        self._url = url
        self._name = name
        self._queue: deque[tuple[str, bytes]] = deque()
        self._size = 0
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._subjects: list[tuple[str, str, Receive]] = []
        self._subscriptions: dict[str, Any] = {}
        self._resumed: list[Callable[[], None]] = []
        self._lost: list[Callable[[], None]] = []

    @property
    def connected(self) -> bool:
        """Whether messages go out now."""
        return bool(self._nats.is_connected)

    @property
    def largest(self) -> int:
        """How many bytes a message may have."""
        return int(self._nats.max_payload)

    def listen(self, subject: str, receive: Receive, *, queue: str = "") -> None:
        """Get every message to a subject, or with a `queue` those that nobody else of it gets.

        Before the start.
        """
        self._subjects.append((subject, queue, receive))

    def watch(self, *, resumed: Callable[[], None], lost: Callable[[], None] = lambda: None) -> None:
        """Be told of what happens to the connection."""
        self._resumed.append(resumed)
        self._lost.append(lost)

    def start(self) -> None:
        """Connect, as soon as that is possible, and go on; nothing if that was begun."""
        if not self._tasks:
            self._tasks = [asyncio.create_task(self._connect()), asyncio.create_task(self._send())]

    async def stop_listening(self, subject: str) -> None:
        """Take nothing more from a subject."""
        subscription = self._subscriptions.pop(subject, None)
        if subscription is not None and self.connected:
            with contextlib.suppress(Exception):
                await subscription.unsubscribe()

    async def _connect(self) -> None:
        while True:
            try:
                await self._nats.connect(
                    self._url.split(","),
                    name=f"meldroom {self._name}",
                    error_cb=self._failed,
                    disconnected_cb=self._disconnected,
                    reconnected_cb=self._reconnected,
                    max_reconnect_attempts=-1,
                    reconnect_time_wait=RECONNECT_SECONDS,
                    connect_timeout=2,
                    ping_interval=PING_SECONDS,
                    max_outstanding_pings=2,
                )
                break
            except Exception as error:
                _LOG.warning("NATS can't be reached: %s", error)
                await asyncio.sleep(1)
        for subject, queue, receive in self._subjects:
            self._subscriptions[subject] = await self._nats.subscribe(
                f"{PREFIX}.{subject}", queue=queue, cb=_heard_by(receive)
            )
        await self._nats.flush()
        self._tell(self._resumed)

    def _tell(self, watchers: list[Callable[[], None]]) -> None:
        for watcher in watchers:
            watcher()

    async def _failed(self, error: Exception) -> None:
        from nats.errors import SlowConsumerError

        _LOG.warning("NATS: %s", str(error) or type(error).__name__)
        if isinstance(error, SlowConsumerError):
            self._tell(self._resumed)

    async def _disconnected(self) -> None:
        self._queue.clear()
        self._size = 0
        self._tell(self._lost)

    async def _reconnected(self) -> None:
        self._tell(self._resumed)

    def send(self, subject: str, data: bytes) -> None:
        """Queue a message to a subject. Never waits; without a connection it is dropped."""
        if not self.connected or self._size > MOST_QUEUED_BYTES:
            return
        self._queue.append((f"{PREFIX}.{subject}", data))
        self._size += len(data)
        self._wake.set()

    async def _send(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                subject, data = self._queue.popleft()
                self._size -= len(data)
                try:
                    await self._nats.publish(subject, data)
                except Exception as error:  # It is made up for after the reconnection.
                    _LOG.warning("NATS: %s", str(error) or type(error).__name__)

    async def close(self) -> None:
        """Send what is queued, then end the connection."""
        with contextlib.suppress(Exception):
            async with asyncio.timeout(2):
                while self._queue and self.connected:
                    await asyncio.sleep(0.01)
                if self.connected:
                    await self._nats.flush()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []
        with contextlib.suppress(Exception):
            await self._nats.close()


def _heard_by(receive: Receive) -> Callable[[Any], Awaitable[None]]:
    async def heard(message: Any) -> None:
        try:
            receive(message.data)
        except Exception:  # One message that cannot be read must not end the subscription.
            _LOG.exception("a message from the bus failed")

    return heard
