"""Everything that is true of PostgreSQL only: how it is reached, migrated, and what its errors mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import URL, Connection, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from meldroom.errors import needs
from meldroom.server.storage import migrate
from meldroom.server.storage.errors import DataFolderError, StorageError

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncEngine

Answer = TypeVar("Answer")

SCHEMES = ("postgresql", "postgres", "postgresql+asyncpg")
DRIVER = "postgresql+asyncpg"
POOL = 6
SECONDS_TO_CONNECT = 5
SECONDS_FOR_WORK = 15
"""Nothing we ask takes so long; a database that says nothing is as good as gone."""
IDLE_IN_TRANSACTION_MS = 4_000
"""A process that is paused within a transaction holds up nobody for longer."""
MIGRATING = 0x6D656C64
"""The advisory lock under which one node migrates and the others wait."""
TRIES = 3
_SQLSTATE_AGAIN = ("40001", "40P01")
"""Transactions that PostgreSQL undid for the sake of another one: they may be tried again."""

# By the beginning of an SQLSTATE.
_CODES = {"53100": "disk_full", "25006": "read_only", "42501": "read_only"}


def parse_url(text: str) -> URL:
    """The address of a database. Raises DataFolderError for one that is not PostgreSQL's."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise DataFolderError("bad_url", url=text.partition("://")[0]) from None
    if url.drivername not in SCHEMES or not url.database:
        raise DataFolderError("bad_url", url=url.render_as_string(hide_password=True))
    if "sslmode" in url.query:  # as everybody writes it; asyncpg takes the same words as `ssl`
        mode = url.normalized_query["sslmode"][-1]
        url = url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode})
    return url.set(drivername=DRIVER)


def shown_url(text: str) -> str:
    """The address of a database without its password. Raises DataFolderError."""
    return parse_url(text).set(drivername="postgresql").render_as_string(hide_password=True)


def check_driver() -> None:
    """Raises MissingExtraError if the extra `cluster` is not installed."""
    with needs("cluster"):
        import asyncpg  # noqa: F401 - SQLAlchemy loads it by name
        import greenlet  # noqa: F401 - and waits for it in one of these


def open_engine(url: URL, *, patient: bool = False) -> AsyncEngine:
    """An engine for a database; nothing is connected yet. Raises MissingExtraError.

    A `patient` one is for copies, which take as long as they take.
    """
    check_driver()
    from sqlalchemy.ext.asyncio import create_async_engine

    settings = {"application_name": "meldroom", "jit": "off"}
    if not patient:
        settings["idle_in_transaction_session_timeout"] = str(IDLE_IN_TRANSACTION_MS)
        settings["lock_timeout"] = str(IDLE_IN_TRANSACTION_MS * 2)
    engine = create_async_engine(
        url,
        pool_size=POOL,
        max_overflow=POOL,
        pool_timeout=SECONDS_FOR_WORK,
        hide_parameters=True,  # there are secrets among them, and errors are logged
        connect_args={
            "timeout": SECONDS_TO_CONNECT,
            "command_timeout": None if patient else SECONDS_FOR_WORK,
            "server_settings": settings,
        },
    )
    event.listen(engine.sync_engine, "before_cursor_execute", _without_nul, retval=True)
    return engine


def _without_nul(
    _connection: object, _cursor: object, statement: str, parameters: Any, _context: object, many: bool
) -> tuple[str, Any]:
    """PostgreSQL has no NUL in its texts: nobody has such a name, and whoever asks for one finds nothing."""
    if many:
        return statement, [_replaced(row) for row in parameters]
    return statement, _replaced(parameters)


def _replaced(parameters: Any) -> Any:
    if not any(isinstance(one, str) and "\0" in one for one in parameters):
        return parameters
    return tuple(one.replace("\0", "\ufffd") if isinstance(one, str) else one for one in parameters)


class PostgresDatabase:
    """PostgreSQL: a small pool of connections on the event loop. See Database."""

    def __init__(self, url: str) -> None:
        parsed = parse_url(url)
        self.name = shown_url(url)
        self._engine = open_engine(parsed)
        # A list is read from one state of the database, as SQLite's readers see it.
        self._reading = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    async def prepare(self) -> None:
        """See Database. Of several nodes that start at once, one migrates and the others wait."""
        try:
            if migrate.steps_to_take(await self.read(migrate.revision)):
                await self._once(_upgrade)
        except StorageError as error:
            if isinstance(error, DataFolderError):
                raise
            raise DataFolderError("database", reason=error.as_message()) from error
        except DBAPIError as error:
            reason = self.storage_error(error).as_message()
            raise DataFolderError("database", reason=reason) from error

    async def check_space(self) -> None:
        """See Database: the disk is another machine's, and a write will tell."""

    async def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """See Database. A connection that died unnoticed is replaced once."""
        try:
            return await self._read(work)
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
        except StorageError as error:
            if error.code != "unreachable":
                raise
        return await self._read(work)

    async def _read(self, work: Callable[[Connection], Answer]) -> Answer:
        try:
            async with self._reading.connect() as connection:
                return await connection.run_sync(work)
        except (OSError, TimeoutError) as error:
            raise self._unreachable(error) from error

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """See Database. What was undone for another transaction's sake is tried again."""
        for _ in range(TRIES - 1):
            try:
                return await self._once(work)
            except DBAPIError as error:
                if sqlstate(error) not in _SQLSTATE_AGAIN:
                    raise
        return await self._once(work)

    async def _once(self, work: Callable[[Connection], Answer]) -> Answer:
        try:
            async with self._engine.begin() as connection:
                return await connection.run_sync(work)
        except (OSError, TimeoutError) as error:
            raise self._unreachable(error) from error

    async def close(self) -> None:
        """See Database."""
        await self._engine.dispose()

    def storage_error(self, error: DBAPIError) -> StorageError:
        """See Database."""
        code = _CODES.get(sqlstate(error), "")
        if code:
            return StorageError(code, path=self.name)
        if error.connection_invalidated:
            return self._unreachable(error.orig or error)
        return StorageError("failed", path=self.name, reason=_first_line(error.orig or error))

    def _unreachable(self, error: BaseException) -> StorageError:
        return StorageError("unreachable", path=self.name, reason=_first_line(error))


def _upgrade(connection: Connection) -> None:
    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({MIGRATING})")
    if migrate.steps_to_take(migrate.revision(connection)):
        migrate.upgrade(connection)


def sqlstate(error: DBAPIError) -> str:
    """PostgreSQL's code of an error."""
    return str(getattr(error.orig, "sqlstate", "") or "")


def _first_line(error: BaseException) -> str:
    text = str(error).strip().partition("\n")[0]
    return text.rpartition(">: ")[2] or type(error).__name__
