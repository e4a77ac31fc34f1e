"""`SqlStore`: the rooms' Store on SQL, and the database that identity shares with it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Delete, Update, insert, select, update
from sqlalchemy.exc import DBAPIError

from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.rooms.protocol.settings import Stage
from meldroom.server.storage.database import Database, SqliteDatabase
from meldroom.server.storage.errors import StorageError
from meldroom.server.storage.folder_lock import FolderLock
from meldroom.server.storage.leases import Leases
from meldroom.server.storage.rooms import RoomRows, card_of, game_of
from meldroom.server.storage.tables import (
    finished_games,
    meta,
    people_in_games,
    people_in_rooms,
    room_cards,
    room_events,
)
from meldroom.server.storage.writer import Append, GroupWriter, WriterCounters

Answer = TypeVar("Answer")
ALIVE = "alive"
PROBE = "probe"
"""What /readyz writes to see whether it can."""
LONGEST_LIST = 500


def _database(folder: Path, url: str, lock: FolderLock) -> Database:
    """The database at a URL; without one, that of the folder. Raises DataFolderError."""
    if not url:
        return SqliteDatabase(folder, lock)
    from meldroom.server.storage.postgres import PostgresDatabase

    return PostgresDatabase(url)


class SqlStore:
    """Everything durable. Made by `await SqlStore.open(folder, url)`; `close` ends it."""

    def __init__(self, database: Database, lock: FolderLock) -> None:
        self._database = database
        self._lock = lock
        self.leases: Leases | None = None
        """Which rooms are this node's, where several share a database."""
        self._rows = RoomRows()
        self._writer = GroupWriter(database, self._rows.write, self._failed)

    @classmethod
    async def open(cls, folder: Path, url: str = "") -> SqlStore:
        """Lock the folder, upgrade the database, start the writer.

        The database is SQLite in the folder, or PostgreSQL at the URL. Raises DataFolderError.
        """
        lock = FolderLock(folder)
        lock.take()
        try:
            store = cls(_database(folder, url, lock), lock)
        except BaseException:
            lock.free()
            raise
        try:
            await store._database.prepare()
        except BaseException:
            await store._database.close()
            lock.free()
            raise
        store._writer.start()
        return store

    async def close(self) -> None:
        """Write what waits, close the database, give the folder back."""
        await self._writer.close()
        await self._database.close()
        self._lock.free()

    @property
    def place(self) -> str:
        """The database, as messages name it."""
        return self._database.name

    @property
    def counters(self) -> WriterCounters:
        """What the writer has done."""
        return self._writer.counters

    def _failed(self, error: DBAPIError | StorageError) -> StorageError:
        """A commit failed: whatever it would have changed is not so."""
        self._rows.forget()
        return error if isinstance(error, StorageError) else self._database.storage_error(error)

    async def read(self, work: Callable[[Connection], Answer]) -> Answer:
        """Read in one transaction of its own. Raises StorageError."""
        try:
            return await self._database.read(work)
        except DBAPIError as error:
            raise self._database.storage_error(error) from error

    async def write(self, work: Callable[[Connection], Answer]) -> Answer:
        """Write something beside the log, in the next shared commit."""
        return await self._writer.write(work)

    async def share(self, node: str) -> Leases:
        """Be one of several nodes from now on: only rooms that this one has claimed can be written to."""
        self.leases = Leases(self._database, node, self._rows.forget)
        return self.leases

    async def change(self, statement: Update | Delete) -> int:
        """Write one statement in the next shared commit; how many rows it changed."""
        return await self._writer.write(lambda connection: connection.execute(statement).rowcount)

    # The Store of ports.py.

    async def append(
        self, room: str, seq: int, event: bytes, card: RoomCard, finished: FinishedGame | None = None
    ) -> None:
        """Write event number `seq` of a room, with its card, in a shared commit; see ports.Store."""
        epoch = None if self.leases is None else self.leases.epoch(room)
        await self._writer.append(Append(room, seq, event, card, finished, epoch))

    async def events(self, room: str, after: int = 0) -> list[bytes]:
        """The events of a room in order, after a number."""
        query = (
            select(room_events.c.event)
            .where(room_events.c.room == room, room_events.c.seq > after)
            .order_by(room_events.c.seq)
        )

        def found(connection: Connection) -> list[bytes]:
            return list(connection.execute(query).scalars())

        return await self.read(found)

    async def cards(self, stage: Stage | None = None, *, player: str | None = None) -> list[RoomCard]:
        """Cards of rooms, newest change first: of one stage, of one player."""
        query = select(room_cards.c.card).order_by(room_cards.c.changed_at.desc())
        if stage is not None:
            query = query.where(room_cards.c.stage == stage)
        if player is not None:
            query = query.join(people_in_rooms, people_in_rooms.c.room == room_cards.c.room).where(
                people_in_rooms.c.player == player
            )

        def found(connection: Connection) -> list[RoomCard]:
            return [card_of(row) for row in connection.execute(query).scalars()]

        return await self.read(found)

    async def public_cards(self, stage: Stage, limit: int = LONGEST_LIST) -> list[RoomCard]:
        """Cards of public rooms of one stage, newest change first: the lobby."""
        query = (
            select(room_cards.c.card)
            .where(room_cards.c.stage == stage, room_cards.c.public.is_(True))
            .order_by(room_cards.c.changed_at.desc())
            .limit(limit)
        )

        def found(connection: Connection) -> list[RoomCard]:
            return [card_of(row) for row in connection.execute(query).scalars()]

        return await self.read(found)

    async def card(self, room: str) -> RoomCard | None:
        """The card of one room."""
        query = select(room_cards.c.card).where(room_cards.c.room == room)

        def found(connection: Connection) -> RoomCard | None:
            row = connection.execute(query).scalar()
            return None if row is None else card_of(row)

        return await self.read(found)

    async def finished(self, game: str) -> FinishedGame | None:
        """A finished game by id."""
        query = select(finished_games.c.summary, finished_games.c.record).where(finished_games.c.id == game)

        def found(connection: Connection) -> FinishedGame | None:
            row = connection.execute(query).first()
            return None if row is None else game_of(row.summary, row.record)

        return await self.read(found)

    async def finished_of(self, player: str, limit: int = 50) -> list[FinishedGame]:
        """What a player has finished, newest first, without the records' texts."""
        query = (
            select(finished_games.c.summary)
            .join(people_in_games, people_in_games.c.game == finished_games.c.id)
            .where(people_in_games.c.player == player)
            .order_by(people_in_games.c.ended_at.desc())
            .limit(limit)
        )

        def found(connection: Connection) -> list[FinishedGame]:
            return [game_of(row) for row in connection.execute(query).scalars()]

        return await self.read(found)

    async def alive(self, now: int) -> None:
        """Note that the server was alive at this time; several nodes note it with their leases."""
        if self.leases is None:
            await self._note(ALIVE, str(now))

    async def _note(self, key: str, value: str) -> None:
        def note(connection: Connection) -> None:
            known = connection.execute(update(meta).where(meta.c.key == key).values(value=value))
            if not known.rowcount:
                connection.execute(insert(meta).values(key=key, value=value))

        await self.write(note)

    async def check_writable(self) -> None:
        """Write something and see that there is space for more. Raises StorageError."""
        await self._database.check_space()
        if self.leases is None:
            await self._note(PROBE, str(time.time_ns() // 1_000_000))
        else:
            await self.write(self.leases.check_writable)

    async def last_alive(self) -> int | None:
        """The last time noted."""

        def found(connection: Connection) -> int | None:
            value = connection.execute(select(meta.c.value).where(meta.c.key == ALIVE)).scalar()
            return None if value is None else int(value)

        return await self.read(found)
