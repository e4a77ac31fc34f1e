"""Looks every other second what was decided elsewhere, and does it here."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from functools import partial

from sqlalchemy import Connection

from meldroom.rooms.ports import Clock
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.control import ending
from meldroom.server.control.ending import Order
from meldroom.server.control.switches import Switches, all_off
from meldroom.server.storage import SqlStore, StorageError

SECONDS = 2.0
_LOG = logging.getLogger(__name__)


class Watch:
    """Keeps the switches as the database has them, and ends games that are to be ended."""

    def __init__(self, store: SqlStore, rooms: Rooms, clock: Clock) -> None:
        self.switches = Switches()
        self._store = store
        self._rooms = rooms
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    async def start(self) -> None:
        """Look once, then every other second."""
        await self.look()
        self._task = asyncio.create_task(self._run(), name="control")

    async def close(self) -> None:
        """Look no more; what is being done is done to its end."""
        self._stopping.set()
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def _run(self) -> None:
        while not self._stopping.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), SECONDS)
                return
            try:
                await self.look()
            except StorageError:
                continue  # others say so, and it is looked again
            except Exception:
                _LOG.exception("what was decided about this server could not be done")

    async def look(self) -> None:
        """Do what was decided. Raises StorageError."""
        now = self._clock()

        def read(connection: Connection) -> tuple[frozenset[str], list[Order]]:
            return all_off(connection), ending.waiting(connection, now)

        self.switches.off, orders = await self._store.read(read)
        for order in orders:
            if await self._rooms.has(order.room):
                code = await ending.end_game(self._rooms, order.room, order.reason)
                await self._store.write(partial(ending.carried_out, id=order.id, now=now, code=code))
