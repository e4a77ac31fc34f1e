"""The sessions of a person: listed, ended one by one, or all but the one in use."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, delete, select

from meldroom.rooms.ports import Clock
from meldroom.server.identity.people import Known, last_use
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import sessions

ID_LENGTH = 16
"""Signs of a session's hash that name it: enough to tell them apart, and no way back to the secret."""


class SessionCard(msgspec.Struct, frozen=True):
    """A session in the list: when it began, when it ends unless it is used, and whether it is this one.

    `used_at` is the day of its last use.
    """

    id: str
    created_at: int
    expires_at: int
    current: bool
    used_at: int


class Sessions:
    """Where a person is signed in."""

    def __init__(self, store: SqlStore, clock: Clock, idle: int) -> None:
        self._store = store
        self._clock = clock
        self._idle = idle

    async def of(self, known: Known) -> list[SessionCard]:
        """One's sessions, newest first."""
        query = (
            select(sessions, last_use().label("used"))
            .where(sessions.c.player == known.player.id)
            .order_by(sessions.c.created_at.desc(), sessions.c.hash)
        )
        rows = await self._store.read(lambda connection: connection.execute(query).all())
        cards = [
            SessionCard(
                row.hash[:ID_LENGTH],
                row.created_at,
                row.expires_at if known.account is None else min(row.expires_at, row.used + self._idle),
                row.hash == known.session,
                row.used,
            )
            for row in rows
        ]
        return [card for card in cards if card.expires_at > self._clock()]

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
