"""The container of a running server, made in order and closed in the opposite one."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec

from meldroom.rooms.runtime.bus import LocalBus
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.championships import Championships
from meldroom.server.championships.online.rooms import Online
from meldroom.server.config import Config
from meldroom.server.counters import Counters
from meldroom.server.identity import Identity
from meldroom.server.live.clients import LiveClients
from meldroom.server.msgspec_warmup import make_ready
from meldroom.server.storage import SqlStore
from meldroom.server.web.limits import Allowance
from meldroom.server.workers import WorkerPool, Workers


class Container(msgspec.Struct):
    """Everything that a route or a socket works with."""

    config: Config
    store: SqlStore
    identity: Identity
    rooms: Rooms
    workers: Workers
    clients: LiveClients
    championships: Championships
    counters: Counters


def now_ms() -> int:
    """The time now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def opened(config: Config) -> AsyncIterator[Container]:
    """All container, ready; afterwards everything is durable and nothing runs. Raises DataFolderError."""
    make_ready()
    store = await SqlStore.open(config.data)
    try:
        identity = Identity(store, now_ms)
        await identity.forget_old_sessions()
        workers = WorkerPool()
        try:
            rooms = Rooms(store, LocalBus(), workers, clock=now_ms, bot_pace=config.bot_pace)
            championships = _championships(config)
            online = Online(championships, rooms)
            await rooms.start()
            await online.start()
            counters = Counters()
            clients = LiveClients(rooms, identity, store, config.limits, counters)
            clients.start()
            try:
                yield Container(config, store, identity, rooms, workers, clients, championships, counters)
            finally:
                await clients.close()
                await rooms.close()
                await online.rest()
                await championships.close()
        finally:
            await workers.close()
    finally:
        await store.close()


def _championships(config: Config) -> Championships:
    """The championships kept beside the games; a trusted load may open any number."""
    folder = config.data / "events"
    return (
        Championships(folder, opening=Allowance(1e9, 1e9)) if config.trusted_load else Championships(folder)
    )
