"""Runs SQL off the event loop, each piece of work as a whole, so that it crosses threads once.

Work is a plain function of a SQLAlchemy connection. `SqliteDatabase` runs it in threads; on PostgreSQL the
same functions run through `AsyncConnection.run_sync`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from meldroom.server.storage import sqlite

Answer = TypeVar("Answer")
READERS = 2


class Database(Protocol):
    """What the store needs of a database."""

    async def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """The answer of some work that only reads."""
        ...

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """The answer of some work in a transaction of its own, when it is durable."""
        ...

    async def close(self) -> None:
        """Finish what runs, then let go of everything."""
        ...


class SqliteDatabase:
    """SQLite: one thread with the one connection that writes, and a few threads that read."""

    def __init__(self, path: Path, note: Callable[[int], None] = lambda commits: None) -> None:
        """A database; `note` is told after each commit how many there were."""
        self._engine = sqlite.open_engine(path)
        self._note = note
        self._writer = ThreadPoolExecutor(1, "write")
        self._readers = ThreadPoolExecutor(READERS, "read")
        self._writing: Connection | None = None

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
            self._note(commits)
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
