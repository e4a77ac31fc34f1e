"""NATS between nodes: messages to one node and to all, in order, and gone where nobody is connected."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from meldroom.errors import needs

PREFIX = "meldroom"
EVERYBODY = "all"
MOST_QUEUED_BYTES = 64_000_000
RECONNECT_SECONDS = 0.25
PING_SECONDS = 5

_LOG = logging.getLogger(__name__)


class NatsBus:
    """A connection that is made again whenever it is lost.

    `receive` gets every message to this node or to all. `resumed` is called when messages may have been
    lost: after a reconnection, and when this node was too slow.
    """

    def __init__(self, url: str, node: str) -> None:
        with needs("cluster"):
            from nats.aio.client import Client as Nats
        self._nats: Any = Nats()
        self._url = url
        self._node = node
        self._queue: deque[tuple[str, bytes]] = deque()
        self._size = 0
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._receive: Callable[[bytes], None] = lambda data: None
        self._resumed: Callable[[], None] = lambda: None

    @property
    def connected(self) -> bool:
        """Whether messages go out now."""
        return bool(self._nats.is_connected)

    def start(self, receive: Callable[[bytes], None], resumed: Callable[[], None]) -> None:
        """Connect, as soon as that is possible, and go on."""
        self._receive, self._resumed = receive, resumed
        self._tasks = [asyncio.create_task(self._connect()), asyncio.create_task(self._send())]

    async def _connect(self) -> None:
        while True:
            try:
                await self._nats.connect(
                    self._url.split(","),
                    name=f"meldroom {self._node}",
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
        for name in (self._node, EVERYBODY):
            await self._nats.subscribe(f"{PREFIX}.{name}", cb=self._received)
        await self._nats.flush()
        self._resumed()

    async def _received(self, message: Any) -> None:
        try:
            self._receive(message.data)
        except Exception:  # One message that cannot be read must not end the subscription.
            _LOG.exception("a message of another node failed")

    async def _failed(self, error: Exception) -> None:
        from nats.errors import SlowConsumerError

        _LOG.warning("NATS: %s", str(error) or type(error).__name__)
        if isinstance(error, SlowConsumerError):
            self._resumed()

    async def _disconnected(self) -> None:
        self._queue.clear()
        self._size = 0

    async def _reconnected(self) -> None:
        self._resumed()

    def send(self, node: str, data: bytes) -> None:
        """Queue a message to a node, or to EVERYBODY. Never waits; without a connection it is dropped."""
        if not self.connected or self._size > MOST_QUEUED_BYTES:
            return
        self._queue.append((f"{PREFIX}.{node}", data))
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
        with contextlib.suppress(Exception):
            await self._nats.close()
