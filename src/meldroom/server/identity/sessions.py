"""The sessions of a person: listed, ended one by one, or all but the one in use."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, delete, select

from meldroom.rooms.ports import Clock
from meldroom.server.identity.people import Known
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import sessions

ID_LENGTH = 16
"""Signs of a session's hash that name it: enough to tell them apart, and no way back to the secret."""


class SessionCard(msgspec.Struct, frozen=True):
    """A session in the list: when it began, when it ends, and whether it is the one that asks."""

    id: str
    created_at: int
    expires_at: int
    current: bool


class Sessions:
    """Where a person is signed in."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def of(self, known: Known) -> list[SessionCard]:
        """One's sessions, newest first."""
        query = (
            select(sessions)
            .where(sessions.c.player == known.player.id, sessions.c.expires_at > self._clock())
            .order_by(sessions.c.created_at.desc(), sessions.c.hash)
        )

        def read(connection: Connection) -> list[SessionCard]:
            return [
                SessionCard(row.hash[:ID_LENGTH], row.created_at, row.expires_at, row.hash == known.session)
                for row in connection.execute(query).all()
            ]

        return await self._store.read(read)

    async def end(self, known: Known, session: str) -> list[str]:
        """End one of one's sessions by its id; the hashes of those that ended."""
        return await self._end(known, lambda each: each[:ID_LENGTH] == session)

    async def end_all(self, known: Known, *, but: str = "") -> list[str]:
        """End all of one's sessions but one; the hashes of those that ended."""
        return await self._end(known, lambda each: each != but)

    async def _end(self, known: Known, chosen: Callable[[str], bool]) -> list[str]:
        mine = select(sessions.c.hash).where(sessions.c.player == known.player.id)

        def write(connection: Connection) -> list[str]:
            ended = [each for each in connection.execute(mine).scalars() if chosen(each)]
            if ended:
                connection.execute(delete(sessions).where(sessions.c.hash.in_(ended)))
            return ended

        return await self._store.write(write)
