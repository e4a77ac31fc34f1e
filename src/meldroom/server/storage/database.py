"""Runs SQL off the event loop, each piece of work as a whole, so that it crosses threads once.

Work is a plain function of a SQLAlchemy connection. `SqliteDatabase` runs it in threads; `PostgresDatabase`
(postgres.py) runs the same functions through `AsyncConnection.run_sync`.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from meldroom.i18n import Message
from meldroom.server.storage import migrate, sqlite
from meldroom.server.storage.errors import DataFolderError, StorageError
from meldroom.server.storage.folder_lock import FolderLock

Answer = TypeVar("Answer")
READERS = 2
LEAST_FREE = 16_000_000
"""Bytes; with less the disk is as good as full."""


class Database(Protocol):
    """What the store needs of a database. Every call may raise StorageError."""

    name: str
    """As messages name it."""

    async def prepare(self) -> None:
        """Look for damage and take the migrations that are missing. Raises DataFolderError."""
        ...

    async def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """The answer of some work that only reads."""
        ...

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """The answer of some work in a transaction of its own, when it is durable."""
        ...

    async def check_space(self) -> None:
        """See that there is space for more, where the database is on this machine."""
        ...

    def storage_error(self, error: DBAPIError) -> StorageError:
        """An error of the driver in our own words."""
        ...

    async def close(self) -> None:
        """Finish what runs, then let go of everything."""
        ...


class SqliteDatabase:
    """SQLite: one thread with the one connection that writes, and a few threads that read.

    The lock of its folder notes after each commit how many there were.
    """

    def __init__(self, folder: Path, lock: FolderLock) -> None:
        self.path = folder / sqlite.DATABASE
        self.name = str(self.path)
        self._lock = lock
        self._engine = sqlite.open_engine(self.path)
        self._writer = ThreadPoolExecutor(1, "write")
        self._readers = ThreadPoolExecutor(READERS, "read")
        self._writing: Connection | None = None

    async def prepare(self) -> None:
        """See Database."""
        lock = str(self._lock.path)
        if self._lock.noted and not self.path.exists():
            raise DataFolderError("database_missing", path=str(self.path), lock=lock)
        try:
            await self.read(sqlite.check_pages)
            missing = self._lock.noted - await self.read(sqlite.commits)
            if missing > 0:
                raise DataFolderError("commits_missing", path=str(self.path), count=missing, lock=lock)
            found = await self.read(migrate.revision)
            if migrate.steps_to_take(found):
                if found is not None:
                    await asyncio.to_thread(sqlite.back_up, self.path)
                await self.write(migrate.upgrade)
        except DBAPIError as error:
            cause = self.storage_error(error)
            reason = Message(f"{cause.domain}.{cause.code}", cause.details)
            raise DataFolderError("database", reason=reason) from error

    async def check_space(self) -> None:
        """See Database."""
        free = await asyncio.to_thread(lambda: shutil.disk_usage(self.path.parent).free)
        if free < LEAST_FREE:
            raise StorageError("disk_full", path=str(self.path))

    def storage_error(self, error: DBAPIError) -> StorageError:
        """See Database."""
        return sqlite.storage_error(error, self.path)

    async def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """See Database."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read, work)

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """See Database. One after another, in the order of the calls."""
        return await asyncio.get_running_loop().run_in_executor(self._writer, self._write, work)

    async def close(self) -> None:
        """See Database."""
        await asyncio.get_running_loop().run_in_executor(self._writer, self._close)
        self._writer.shutdown()
        self._readers.shutdown()
        self._engine.dispose()

    def _read(self, work: Callable[[Connection], Answer]) -> Answer:
        with self._engine.connect() as connection:
            return work(connection)

    def _write(self, work: Callable[[Connection], Answer]) -> Answer:
        try:
            if self._writing is None:
                self._writing = self._engine.connect().execution_options(**{sqlite.WRITES: True})
            with self._writing.begin():
                answer = work(self._writing)
                commits = sqlite.count_commit(self._writing)
            self._lock.note(commits)
            return answer
        except BaseException:
            self._forget()
            raise

    def _forget(self) -> None:
        """After a failure the next work starts on a fresh connection."""
        connection, self._writing = self._writing, None
        if connection is not None:
            try:
                connection.invalidate()
            except DBAPIError:
                return
            finally:
                connection.close()

    def _close(self) -> None:
        if self._writing is not None:
            self._writing.close()
            self._writing = None
