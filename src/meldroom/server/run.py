"""A running server: a bound socket, the container, uvicorn, and an orderly shutdown."""

from __future__ import annotations

import asyncio
import ctypes
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import uvicorn

from meldroom.rooms.protocol.commands import LARGEST_FRAME
from meldroom.server import idle_collector
from meldroom.server.app import site_of
from meldroom.server.background.checkout import run_program
from meldroom.server.background.engine import make_engine
from meldroom.server.background.kernels import compile_for
from meldroom.server.config import Config
from meldroom.server.container import Container, opened
from meldroom.server.https.trust_site import TrustSite
from meldroom.server.web.http_protocol import (
    OTHER_FILES,
    Connections,
    HttpProtocol,
    LiveProtocol,
    allow_many_files,
    quieten,
    small_server,
)

PING_SECONDS = 20.0
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
"""Of mallopt."""
SWITCH_SECONDS = 0.0005
SECONDS_TO_FINISH = 5


class _Server(uvicorn.Server):
    """Tells clients before it shuts down; a signal ends it in order and is not raised again."""

    def __init__(self, config: uvicorn.Config, container: Container) -> None:
        super().__init__(config)
        self._container = container

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        before = {one: signal.signal(one, self.handle_exit) for one in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._container.draining = True
        if self._container.config.drain and not self.force_exit:
            await asyncio.sleep(self._container.config.drain)
        for server in self.servers:
            server.close()
        self._container.championships.let_go()
        await self._container.clients.close()
        await super().shutdown(sockets)


def bind(host: str, port: int) -> socket.socket:
    """A socket bound to an address, so that a taken port is known at once. Raises OSError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named as TCP, so that the event loop switches Nagle's delay off for every connection it accepts.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        # A restart may take the port of connections that are still ending; on Windows the same option would
        # let a second server take it from a first.
        if sys.platform == "win32":
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
    except BaseException:
        bound.close()
        raise
    return bound


def _connections(config: Config, proxies: str) -> Connections:
    """How many connections there may be: as many as are allowed, and as the system has files for."""
    most = min(config.limits.connections, allow_many_files() - OTHER_FILES)
    return Connections(most, config.limits.connections_of_address, proxies)


def _uvicorn(container: Container, proxies: str) -> _Server:
    config = uvicorn.Config(
        site_of(container),
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        ssl_certfile=container.config.certificate,
        ssl_keyfile=container.config.key,
        http=HttpProtocol.of(_connections(container.config, proxies)),
        ws=LiveProtocol,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        timeout_graceful_shutdown=SECONDS_TO_FINISH,
    )
    return _Server(config, container)


async def serve(
    config: Config,
    bound: socket.socket,
    *,
    proxies: str = "127.0.0.1",
    trust: tuple[TrustSite, socket.socket] | None = None,
    ready: Callable[[], None],
    say: Callable[..., None],
) -> None:
    """Serve until a signal ends it; `say` is told by code what is made in the background.

    With `trust`, a hall's page about its certificate is served on a socket of its own. Raises DataFolderError
    if the data folder cannot be used.
    """
    _prepare_process()
    async with opened(config) as container:
        server = _uvicorn(container, proxies)
        beside = [
            asyncio.create_task(_work_beside(server, container, ready, say)),
            asyncio.create_task(idle_collector.collect_when_idle()),
        ]
        try:
            async with _beside(server, trust):
                await server.serve(sockets=[bound])
        finally:
            for task in beside:
                task.cancel()
            await asyncio.gather(*beside, return_exceptions=True)


@asynccontextmanager
async def _beside(
    server: uvicorn.Server, trust: tuple[TrustSite, socket.socket] | None
) -> AsyncIterator[None]:
    """The hall's plain http address, as long as the server itself runs."""
    if trust is None:
        yield
        return
    site, bound = trust
    beside = small_server(site, Connections(500, 20))

    async def serve_page() -> None:
        await _started(server)
        await beside._serve([bound])

    running = asyncio.create_task(serve_page())
    try:
        yield
    finally:
        beside.should_exit = True
        await running


async def _work_beside(
    server: uvicorn.Server, container: Container, ready: Callable[[], None], say: Callable[..., None]
) -> None:
    """Tell when the server is ready; then make, one after the other, what it can do without so far."""
    await _tell_when_started(server, ready)
    await compile_for(container.workers, say)
    await make_engine(run_program(), container.config.pages, say)
    await container.printing.fetch(say)


def _prepare_process() -> None:
    """Let the thread that commits have its turn soon, though the event loop is busy; keep the log short."""
    sys.setswitchinterval(SWITCH_SECONDS)
    quieten()
    _give_memory_back()


def _give_memory_back() -> None:
    """Let glibc return the memory of large bodies to the system, instead of keeping it for the next ones.

    What the event loop reads into, 256 KiB each time, is below that: to map it costs more than to read.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            allocator = ctypes.CDLL(None)
            allocator.mallopt(_M_MMAP_THRESHOLD, 1 << 19)
            allocator.mallopt(_M_TRIM_THRESHOLD, 1 << 20)


async def _started(server: uvicorn.Server) -> None:
    while not server.started and not server.should_exit:
        await asyncio.sleep(0.005)


async def _tell_when_started(server: uvicorn.Server, ready: Callable[[], None]) -> None:
    await _started(server)
    idle_collector.prepare()
    ready()


@asynccontextmanager
async def serving(config: Config, *, proxies: str = "127.0.0.1") -> AsyncIterator[tuple[str, Container]]:
    """A server in this very loop on a free port, for tests: its address, and its container."""
    bound = bind("127.0.0.1", 0)
    async with opened(config) as container:
        server = _uvicorn(container, proxies)
        running = asyncio.create_task(server._serve([bound]))
        while not server.started and not running.done():
            await asyncio.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{bound.getsockname()[1]}", container
        finally:
            server.should_exit = True
            await running
