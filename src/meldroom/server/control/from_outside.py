"""Ends a game from a process that is not the server: ordered from one that runs, else done here."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

from meldroom.server.config import Config
from meldroom.server.container import new_node, rooms_of
from meldroom.server.control import ending
from meldroom.server.storage import DataFolderError, SqlStore, copying, sqlite
from meldroom.server.storage.leases import any_alive
from meldroom.server.workers import WorkerPool

WAIT_SECONDS = 15.0
LOOK_SECONDS = 0.2


def end_game(folder: Path, url: str, room: str, reason: str) -> str | None:
    """End the game of a room: empty if that was done, the code of the refusal, None if nobody did it.

    Raises DataFolderError and StorageError.
    """
    place = url or folder / sqlite.DATABASE
    if url:
        if not copying.reading(url, any_alive):
            return asyncio.run(_here(folder, url, room, reason))
    else:
        if not (folder / sqlite.DATABASE).exists():
            raise DataFolderError("no_database", path=str(place))
        try:
            return asyncio.run(_here(folder, "", room, reason))
        except DataFolderError as error:
            if error.code != "in_use":
                raise
    return _there(place, room, reason)


def _there(place: Path | str, room: str, reason: str) -> str | None:
    """Order it from the server that runs, and wait."""
    now = int(time.time() * 1000)
    id = copying.writing(place, lambda connection: ending.order(connection, room, reason, now))
    end = time.monotonic() + WAIT_SECONDS
    while time.monotonic() < end:
        time.sleep(LOOK_SECONDS)
        code = copying.reading(place, lambda connection: ending.outcome(connection, id))
        if code is not None:
            return code
    copying.writing(place, lambda connection: ending.withdraw(connection, id))
    return None


async def _here(folder: Path, url: str, room: str, reason: str) -> str:
    """Do it, as the only server there is."""
    store = await SqlStore.open(folder, url)
    try:
        workers = WorkerPool()
        try:
            rooms = await rooms_of(Config(folder, folder, database=url), store, workers, None, new_node())
            try:
                return await ending.end_game(rooms, room, reason)
            finally:
                await rooms.close()
        finally:
            await workers.close()
    finally:
        await store.close()
