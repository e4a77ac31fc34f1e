"""Everything that is true of SQLite only: how it is opened, copied, and what its errors mean."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, inspect
from sqlalchemy.exc import DBAPIError

from meldroom.server.storage.errors import DataFolderError, StorageError

DATABASE = "meldroom.db"
BACKUPS = "backups"
KEPT_BACKUPS = 5
BUSY_MS = 10_000
LARGEST_CHECKED = 100_000_000
"""Bytes of a database that is looked through at every start: a second's work."""
WRITES = "meldroom_writes"
"""Execution option of a connection that will write: it takes its turn at once, not at its first change."""

_CODES = {
    "SQLITE_FULL": "disk_full",
    "SQLITE_READONLY": "read_only",
    "SQLITE_CANTOPEN": "read_only",
    "SQLITE_PERM": "read_only",
    "SQLITE_NOTADB": "damaged",
    "SQLITE_CORRUPT": "damaged",
    "SQLITE_BUSY": "locked",
    "SQLITE_LOCKED": "locked",
}
"""What SQLite's errors mean, by the beginning of their names."""

# A write-ahead log so that readers never wait; FULL so that what is acknowledged survives a power cut.
PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    f"PRAGMA busy_timeout = {BUSY_MS}",
    "PRAGMA foreign_keys = ON",
)


def open_engine(path: Path) -> Engine:
    """An engine on a database file, which need not exist yet."""
    engine = create_engine(f"sqlite+pysqlite:///{path}", pool_size=4, max_overflow=4, hide_parameters=True)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    """Set a fresh connection up; transactions are ours to begin, not the driver's."""
    connection.isolation_level = None
    cursor = connection.cursor()
    for pragma in PRAGMAS:
        cursor.execute(pragma)
    cursor.close()


def _begin(connection: Connection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def back_up(path: Path, now: datetime | None = None) -> Path:
    """Copy a database into the folder of backups under a dated name; only the last five are kept."""
    folder = path.parent / BACKUPS
    folder.mkdir(exist_ok=True)
    stamp = (now or datetime.now(UTC)).strftime("%Y%m%d-%H%M%S-%f")
    target = folder / f"{path.stem}-{stamp}.db"
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)
    for old in sorted(folder.glob(f"{path.stem}-*.db"))[:-KEPT_BACKUPS]:
        old.unlink()
    return target


def count_commit(connection: Connection) -> int:
    """Count this transaction among all there were; how many there are with it."""
    counted = connection.exec_driver_sql(
        "UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'commits' RETURNING value"
    ).scalar()
    if counted is None:
        connection.exec_driver_sql("INSERT INTO meta (key, value) VALUES ('commits', '1')")
    return int(counted or 1)


def commits(connection: Connection) -> int:
    """How many transactions there were; 0 in a database that has not counted them."""
    if not inspect(connection).has_table("meta"):
        return 0
    return int(connection.exec_driver_sql("SELECT value FROM meta WHERE key = 'commits'").scalar() or 0)


def check_pages(connection: Connection) -> None:
    """Look for damage in a database that is not too large for it. Raises DataFolderError and DBAPIError."""
    pages = connection.exec_driver_sql("PRAGMA page_count").scalar() or 0
    size = connection.exec_driver_sql("PRAGMA page_size").scalar() or 0
    if pages * size > LARGEST_CHECKED:
        return
    found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    if found != "ok":
        path = connection.engine.url.database or ""
        raise DataFolderError("damaged", path=path, reason=str(found), backups=BACKUPS)


def storage_error(error: DBAPIError, path: Path) -> StorageError:
    """A database error in our own words, by its cause where that is hidden (“no such savepoint”)."""
    cause: BaseException | None = error
    while cause is not None:
        name = getattr(getattr(cause, "orig", None), "sqlite_errorname", "")
        for start, code in _CODES.items():
            if name.startswith(start):
                return StorageError(code, path=str(path), backups=BACKUPS)
        cause = cause.__context__
    return StorageError("failed", path=str(path), reason=str(error.orig))
