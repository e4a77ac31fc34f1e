"""Walkouts in the store: a restart, or another node, forgives nobody."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from meldroom.rooms.ports import Clock
from meldroom.rooms.runtime.walkouts import REMEMBERED, cool_down
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import former_guests, walkouts


class StoredWalkouts:
    """See Walkouts in rooms. What a guest did is counted for the account they have become."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def note(self, player: str, room: str) -> None:
        """See Walkouts. What is old enough is forgotten at the same time."""
        now = self._clock()
        row = {"player": player, "at": now, "room": room}

        def write(connection: Connection) -> None:
            connection.execute(delete(walkouts).where(walkouts.c.at < now - REMEMBERED))
            there = update(walkouts).where(
                walkouts.c.player == player, walkouts.c.at == now, walkouts.c.room == room
            )
            if not connection.execute(there.values(at=now)).rowcount:
                connection.execute(insert(walkouts), row)

        await self._store.write(write)

    async def wait(self, player: str) -> float:
        """See Walkouts."""
        now = self._clock()
        guests = select(former_guests.c.guest).where(former_guests.c.player == player)
        query = (
            select(walkouts.c.at)
            .where(walkouts.c.player.in_(guests) | (walkouts.c.player == player))
            .where(walkouts.c.at >= now - REMEMBERED)
            .order_by(walkouts.c.at)
        )
        times = await self._store.read(lambda connection: connection.execute(query).scalars().all())
        return cool_down(times, now)
