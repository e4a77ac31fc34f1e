"""Connections, bounded: how many there are, how long a request may take to arrive and an answer to leave."""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

from meldroom.server.web.asgi import Application, network_of

HEAD_SECONDS = 10.0
"""In which the head of a request must arrive."""
HURRIED_SECONDS = 2.0
"""The same while more than half of all connections are taken."""
BODY_SECONDS = 60.0
LARGEST_HEAD = 32_768
"""Bytes of a request's head."""
STALLED_SECONDS = 30.0
"""A client that reads nothing for so long is dropped."""
WANTED_FILES = 65_536
OTHER_FILES = 200
"""Descriptors that are not connections: the database, championships, workers."""
MOST_UNREAD = 8
"""Messages of a socket that wait for their turn before no more are read."""
ABORT = "meldroom.abort"
"""In the scope's state: drops the connection without waiting for a peer that does not read."""
WRITE = "meldroom.write"
"""In the scope's state: sends a text at once; False if it must wait its turn."""


class Connections:
    """All open connections, by address. `proxies` are not counted: everybody comes from their address."""

    def __init__(self, most: int, most_of_address: int, proxies: str = "") -> None:
        self._most = most
        self._most_of_address = most_of_address
        self._proxies = {name.strip() for name in proxies.split(",")}
        self._open: Counter[str] = Counter()
        self.count = 0

    def take(self, address: str) -> bool:
        """Whether there is room for one more from an address."""
        network = network_of(address)
        proxy = address in self._proxies or "*" in self._proxies
        if self.count >= self._most or (self._open[network] >= self._most_of_address and not proxy):
            return False
        self.count += 1
        self._open[network] += 1
        return True

    def free(self, address: str) -> None:
        """One is gone."""
        network = network_of(address)
        self.count -= 1
        self._open[network] -= 1
        if not self._open[network]:
            del self._open[network]

    @property
    def patience(self) -> float:
        """How many seconds the head of a request may take."""
        return HURRIED_SECONDS if self.count * 2 > self._most else HEAD_SECONDS


class LiveProtocol(WebSocketsSansIOProtocol):
    """uvicorn's protocol of sockets, with ways to write at once and to drop a client that does not read."""

    release: Callable[[], None] | None = None

    def handle_connect(self, event: Request) -> None:
        """The handshake."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"][ABORT] = self.transport.abort
            self.scope["state"][WRITE] = self.write

    def write(self, text: bytes) -> bool:
        """Send a text now, without a task's turn of the loop; False if the client is behind, or not there."""
        open_now = self.handshake_complete and not (self.close_sent or self.disconnected)
        if not open_now or not self.writable.is_set() or self.conn.state is not State.OPEN:
            return False
        self.conn.send_text(text)
        self.transport.write(b"".join(self.conn.data_to_send()))
        return True

    def send_receive_event_to_app(self) -> None:
        """Queue a message. Reading goes on while few wait: to pause for each costs as much as to read it."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= MOST_UNREAD:
            self.read_paused = True
            self.transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        if self.release is not None:
            self.release()
            self.release = None
        super().connection_lost(exc)


class _StrictParser(h11.Connection):
    """A parser that believes no request with two lengths, neither of them: proxies read those differently."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next piece of a request. Raises RemoteProtocolError, which closes the connection."""
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                raise h11.RemoteProtocolError("a body of two lengths", error_status_hint=400)
        return event


class HttpProtocol(H11Protocol):
    """uvicorn's protocol of requests, within the bounds above. `of` makes one for a server."""

    connections_open: Connections
    _held = False
    _timer: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None
    _awaiting = ""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.conn = _StrictParser(h11.SERVER, LARGEST_HEAD)

    @classmethod
    def of(cls, connections: Connections) -> type[HttpProtocol]:
        """The protocol of one server."""
        return type("HttpProtocol", (cls,), {"connections_open": connections})

    @property
    def _address(self) -> str:
        return self.client[0] if self.client else ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """A new connection: turned away at once if there are too many."""
        super().connection_made(transport)
        self._held = self.connections_open.take(self._address)
        if self._held:
            self._await("head", self.connections_open.patience)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """The end."""
        self._await("", 0)
        self._cancel_stalled()
        self._release()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes of a request."""
        super().data_received(data)
        if self._held and not self.transport.is_closing() and self.transport.get_protocol() is self:
            state = self.conn.their_state
            if state is h11.IDLE and self._awaiting != "head":
                self._await("head", self.connections_open.patience)
            elif state is h11.SEND_BODY and self._awaiting != "body":
                self._await("body", BODY_SECONDS)
            elif state is not h11.IDLE and state is not h11.SEND_BODY:
                self._await("", 0)

    def on_response_complete(self) -> None:
        """An answer is out: what follows is another request, and its time begins with its first byte."""
        self._await("", 0)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a socket, which keeps its place."""
        self._await("", 0)
        self._held = False
        super().handle_websocket_upgrade(event)
        socket = self.transport.get_protocol()
        address, connections = self._address, self.connections_open
        if isinstance(socket, LiveProtocol):
            socket.release = lambda: connections.free(address)
        else:
            connections.free(address)

    def pause_writing(self) -> None:
        """The client does not read as fast as we write."""
        super().pause_writing()
        self._cancel_stalled()
        self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """It has read."""
        self._cancel_stalled()
        super().resume_writing()

    def _await(self, what: str, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._awaiting = what
        if what:
            self._timer = self.loop.call_later(seconds, self.transport.abort)

    def _cancel_stalled(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None

    def _release(self) -> None:
        if self._held:
            self._held = False
            self.connections_open.free(self._address)


def allow_many_files(wanted: int = WANTED_FILES) -> int:
    """Raise the limit of open files as far as the system lets us; how many there may be now."""
    most = wanted
    if sys.platform != "win32":
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        if hard != resource.RLIM_INFINITY:
            most = min(hard, wanted)
        if soft != resource.RLIM_INFINITY and soft < most:
            try:
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            except (OSError, ValueError):
                most = soft
    return most


class OnceAMinute(logging.Filter):
    """Lets each message through once a minute: what strangers cause must not fill the log."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write it."""
        now, text = self._clock(), str(record.msg)[:60]
        if now - self._said.get(text, -60.0) < 60.0:
            return False
        if len(self._said) > 100:
            self._said.clear()
        self._said[text] = now
        return True


def quieten() -> None:
    """Throttle what the event loop and uvicorn say of bad requests and of connections not accepted."""
    for name in ("asyncio", "uvicorn.error"):
        logger = logging.getLogger(name)
        if not any(isinstance(one, OnceAMinute) for one in logger.filters):
            logger.addFilter(OnceAMinute())


def small_server(site: Application, connections: Connections) -> uvicorn.Server:
    """A server for a few pages beside the real one."""
    options = uvicorn.Config(
        cast("Any", site),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        ws="none",
        http=HttpProtocol.of(connections),
    )
    return uvicorn.Server(options)
