"""Copies of whole databases: moved between SQLite and PostgreSQL, backed up while a server runs, restored.

A backup is a data folder: a server can be started on it, and `restore` copies it into an empty database.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Connection, Table, func, insert, select

from meldroom.server.storage import migrate, sqlite
from meldroom.server.storage.errors import DataFolderError
from meldroom.server.storage.folder_lock import LOCK, FolderLock
from meldroom.server.storage.leases import any_alive
from meldroom.server.storage.migrations import HEAD
from meldroom.server.storage.replay_check import Verdict, check_logs
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import meta, metadata, nodes, players, room_events, room_leases

Answer = TypeVar("Answer")
ROWS = 1_000
OF_ONE_DATABASE = ("commits", "probe")
"""Notes about the database itself, which do not move with its contents."""
COPIED = [table for table in metadata.sorted_tables if table not in (nodes, room_leases)]
NOT_COPIED = (LOCK, "node", sqlite.BACKUPS, f"{sqlite.DATABASE}*")


class Copied(msgspec.Struct, frozen=True):
    """How much was copied, and what replaying the copy found."""

    rows: dict[str, int]
    verdict: Verdict


def is_url(place: Path | str) -> bool:
    """Whether a place is a server's address; else it is a data folder or a database file."""
    return isinstance(place, str) and "://" in place


def shown(place: Path | str) -> str:
    """A place as messages name it: without a password."""
    if not is_url(place):
        return str(place)
    from meldroom.server.storage.postgres import shown_url

    return shown_url(str(place))


def _check_drivers(*places: Path | str) -> None:
    """Check before anything is made that the places can be opened. Raises MissingExtraError."""
    if any(map(is_url, places)):
        from meldroom.server.storage.postgres import check_driver

        check_driver()


def reading(place: Path | str, work: Callable[[Connection], Answer]) -> Answer:
    """The answer of some work that reads a database file or the database at a URL, wherever it is called."""

    return _beside(place, work, writes=False)


def writing(place: Path | str, work: Callable[[Connection], Answer]) -> Answer:
    """The answer of some work in a transaction on a database that may be in use, when it is durable."""
    return _beside(place, work, writes=True)


def _beside(place: Path | str, work: Callable[[Connection], Answer], *, writes: bool) -> Answer:
    async def run() -> Answer:
        async with _connected(place, writes=writes) as connection:
            return await _run(lambda: work(connection), connection)

    with ThreadPoolExecutor(1) as beside:
        return beside.submit(lambda: asyncio.run(run())).result()


async def move(source: Path | str, target: Path | str, *, running: bool = False) -> Copied:
    """Copy everything into an empty database and replay it there; the source stays as it is.

    A data folder is locked meanwhile; nodes on PostgreSQL may only be `running` for a backup. Raises
    DataFolderError, StorageError and MissingExtraError.
    """
    _check_drivers(source, target)
    locks = [FolderLock(Path(place)) for place in (source, target) if not is_url(place)]
    try:
        for lock in locks:
            lock.take()
        await _prepare(target)
        async with _connected(_file(source)) as old, _connected(_file(target), writes=True) as new:

            def copy() -> Copied:
                if not running and old.dialect.name != "sqlite" and any_alive(old):
                    raise DataFolderError("nodes_running", path=shown(source))
                return _copy(old, new, shown(target))

            return await _run(copy, old, new)
    finally:
        for lock in locks:
            lock.free()


async def back_up(folder: Path, url: str, target: Path) -> Copied:
    """Copy a database that may be in use, and the rest of its data folder, into a new folder; replay it.

    Raises DataFolderError, StorageError and MissingExtraError.
    """
    _check_drivers(url)
    if target.exists() and any(target.iterdir()):
        raise DataFolderError("not_empty", path=str(target))
    target.mkdir(parents=True, exist_ok=True)
    if folder.exists():
        shutil.copytree(folder, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*NOT_COPIED))
    if url:
        return await move(url, target, running=True)
    path = folder / sqlite.DATABASE
    if not path.exists():
        raise DataFolderError("no_database", path=str(path))
    await asyncio.to_thread(_copy_file, path, target / sqlite.DATABASE)
    async with _connected(target / sqlite.DATABASE) as connection:
        _check_revision(connection, str(path))
        return Copied(_counts(connection), check_logs(connection))


async def restore(backup: Path, folder: Path, url: str) -> Copied:
    """Copy a backup into an empty database, and the rest into the data folder; replay it.

    Raises DataFolderError and StorageError.
    """
    if not (backup / sqlite.DATABASE).exists():
        raise DataFolderError("no_database", path=str(backup / sqlite.DATABASE))
    if (folder / sqlite.DATABASE).exists():
        raise DataFolderError("not_empty", path=str(folder))
    copied = await move(backup, url or folder)
    shutil.copytree(backup, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns(*NOT_COPIED))
    return copied


def _copy_file(path: Path, target: Path) -> None:
    """SQLite's own copy of a database in use: one state of it, whoever writes meanwhile."""
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


async def _prepare(target: Path | str) -> None:
    """Bring an empty database to our shape. Raises DataFolderError."""
    if not isinstance(target, Path) and is_url(target):
        from meldroom.server.storage.postgres import PostgresDatabase

        database = PostgresDatabase(target)
        try:
            await database.prepare()
        finally:
            await database.close()
        return
    engine = sqlite.open_engine(_file(target))
    with engine.execution_options(**{sqlite.WRITES: True}).begin() as connection:
        if migrate.steps_to_take(migrate.revision(connection)):
            migrate.upgrade(connection)
    engine.dispose()


def _file(place: Path | str) -> Any:
    return place if is_url(place) else Path(place) / sqlite.DATABASE


@asynccontextmanager
async def _connected(place: Path | str, *, writes: bool = False) -> AsyncIterator[Connection]:
    """A connection in a transaction of its own, which is committed unless something is raised."""
    if isinstance(place, str) and is_url(place):
        from meldroom.server.storage.postgres import open_engine, parse_url

        pool = open_engine(parse_url(place), patient=True)
        options: dict[str, Any] = {} if writes else {"isolation_level": "REPEATABLE READ"}
        try:
            async with pool.execution_options(**options).begin() as wrapped:
                assert wrapped.sync_connection is not None
                yield wrapped.sync_connection
        finally:
            await pool.dispose()
        return
    if not Path(place).exists():
        raise DataFolderError("no_database", path=str(place))
    engine = sqlite.open_engine(Path(place))
    try:
        with engine.execution_options(**{sqlite.WRITES: writes}).begin() as connection:
            yield connection
    finally:
        engine.dispose()


async def _run(work: Callable[[], Answer], *connections: Connection) -> Answer:
    """Do some work; where one of its connections is asyncpg's, in a greenlet that may wait for it."""
    if all(one.dialect.name == "sqlite" for one in connections):
        return work()
    from sqlalchemy.util import greenlet_spawn

    return await greenlet_spawn(work)


def _check_revision(connection: Connection, place: str) -> None:
    found = migrate.revision(connection)
    if migrate.steps_to_take(found):
        raise DataFolderError("older", path=place, found=found or "", known=HEAD)


def _copy(source: Connection, target: Connection, place: str) -> Copied:
    """Every row of every table, in an order that keeps every reference whole."""
    _check_revision(source, str(source.engine.url.database))
    for table in (room_events, players):
        if target.execute(select(table).limit(1)).first() is not None:
            raise DataFolderError("not_empty", path=place)
    for table in COPIED:
        rows = source.execute(select(table), execution_options={"yield_per": ROWS})
        for part in rows.mappings().partitions(ROWS):
            kept = [dict(row) for row in part if table is not meta or row["key"] not in OF_ONE_DATABASE]
            if kept:
                target.execute(insert(table), kept)
    missing = [table.name for table in COPIED if _digest(source, table) != _digest(target, table)]
    if missing:
        raise DataFolderError("copy_differs", tables=", ".join(missing))
    return Copied(_counts(target), check_logs(target))


def _digest(connection: Connection, table: Table) -> tuple[int, int]:
    """How many rows there are and what is in them, in whatever order."""
    count = total = 0
    for row in connection.execute(select(table), execution_options={"yield_per": ROWS}):
        if table is meta and row.key in OF_ONE_DATABASE:
            continue
        count += 1
        total ^= int.from_bytes(blake2b(repr(tuple(row)).encode(), digest_size=16).digest())
    return count, total


def _counts(connection: Connection) -> dict[str, int]:
    return {
        table.name: connection.execute(select(func.count()).select_from(table)).scalar() or 0
        for table in COPIED
    }


async def upgrade(folder: Path, url: str) -> None:
    """Take the migrations that are missing. Raises DataFolderError and StorageError."""
    await (await SqlStore.open(folder, url)).close()
