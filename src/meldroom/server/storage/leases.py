"""Which node a live room belongs to, where several share a database.

A room has one owner, by a lease whose epoch grows with each change of hands. The epoch is part of the
condition under which an event is inserted, and the insertion holds the lease until it is committed: the
database has the last word, whatever a node that slept believes. When a lease may be taken over is decided by
the database's clock; a wrong clock costs patience, never an event.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec
from sqlalchemy import Connection, and_, delete, func, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError

from meldroom.rooms.errors import FencedError
from meldroom.server.storage.tables import nodes, room_cards, room_leases

if TYPE_CHECKING:
    from meldroom.server.storage.database import Database
    from meldroom.server.storage.writer import Append

Answer = TypeVar("Answer")

TTL = 4_000
"""For so long, in ms, a node that says nothing is taken to be alive."""
FORGOTTEN = 24 * 3600 * 1000
MOST_ORPHANS = 100

_NOW = text("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")

# One statement for a whole group. FOR SHARE holds each lease until the commit: whoever takes a room over
# waits for what is under way, and then reads it. A lease that has changed hands joins nothing.
_APPEND = text(
    """
    INSERT INTO room_events (room, seq, event)
    SELECT new.room, new.seq, new.event
    FROM unnest(CAST(:rooms AS varchar[]), CAST(:seqs AS integer[]), CAST(:events AS bytea[]),
                CAST(:epochs AS bigint[])) AS new (room, seq, event, epoch)
    JOIN room_leases AS lease ON lease.room = new.room AND lease.epoch = new.epoch
    FOR SHARE OF lease
    RETURNING room, seq
    """
)


def append_fenced(connection: Connection, appends: Sequence[Append]) -> None:
    """Insert events, each on condition that its epoch is the present one.

    Raises IntegrityError if a place is taken and FencedError if a lease has changed hands.
    """
    rows = connection.execute(
        _APPEND,
        {
            "rooms": [one.room for one in appends],
            "seqs": [one.seq for one in appends],
            "events": [one.event for one in appends],
            "epochs": [one.epoch for one in appends],
        },
    )
    written = {(row.room, row.seq) for row in rows}
    for one in appends:
        if (one.room, one.seq) not in written:
            raise FencedError(one.room)


class Claim(msgspec.Struct, frozen=True):
    """What asking for a room led to: `owner` has it; that may be oneself, under `epoch`.

    `last_alive` is until when the one before looked after it; None for a room that nobody had.
    """

    owner: str
    epoch: int = 0
    last_alive: int | None = None


class Leases:
    """The rooms of one node."""

    def __init__(self, database: Database, node: str, forget: Callable[[str], None]) -> None:
        self.node = node
        self._database = database
        self._forget = forget
        self._epochs: dict[str, int] = {}
        self._renewed = 0.0

    # What the node believes.

    @property
    def rooms(self) -> frozenset[str]:
        """The rooms that were claimed and not lost so far."""
        return frozenset(self._epochs)

    def __contains__(self, room: str) -> bool:
        return room in self._epochs

    @property
    def valid(self) -> bool:
        """Whether this node was alive for the others all the time since it last said so."""
        return time.monotonic() - self._renewed < TTL / 1000

    def epoch(self, room: str) -> int:
        """Under which epoch a room is written to. Raises FencedError for one that is not ours."""
        found = self._epochs.get(room)
        if found is None:
            raise FencedError(room)
        return found

    def lose(self, room: str) -> None:
        """A room is no longer ours."""
        self._epochs.pop(room, None)

    def check_writable(self, connection: Connection) -> None:
        """Write something that changes nothing."""
        same = update(nodes).where(nodes.c.id == self.node).values(seen_at=nodes.c.seen_at)
        connection.execute(same)

    # What the database says. Each may raise StorageError.

    async def renew(self) -> frozenset[str]:
        """Say that this node is alive; the rooms it has lost, where it was silent for too long."""
        began, was_valid = time.monotonic(), self.valid

        def work(connection: Connection) -> dict[str, int] | None:
            now = _now(connection)
            alive = insert(nodes).values(id=self.node, seen_at=now, expires_at=now + TTL)
            values = {"seen_at": now, "expires_at": now + TTL}
            connection.execute(alive.on_conflict_do_update(index_elements=[nodes.c.id], set_=values))
            return None if was_valid else _owned(connection, self.node)

        owned = await self._run(work)
        self._renewed = began
        if owned is None:
            return frozenset()
        lost = frozenset(room for room, epoch in self._epochs.items() if owned.get(room) != epoch)
        for room in lost:
            self.lose(room)
        return lost

    async def bury(self, node: str) -> None:
        """A node is known to be dead: nobody has to wait until its lease has run out."""

        def work(connection: Connection) -> None:
            connection.execute(update(nodes).where(nodes.c.id == node).values(expires_at=0))

        await self._run(work)

    async def claim(self, room: str, *, force: bool = False) -> Claim:
        """Ask for a room: it is given to whoever asks if its owner is gone; by `force`, in any case."""
        claim = await self._run(lambda connection: _claim(connection, room, self.node, force))
        if claim.owner == self.node:
            self._forget(room)
            self._epochs[room] = claim.epoch
        else:
            self.lose(room)
        return claim

    async def owner(self, room: str) -> str:
        """The live node that has a room; empty if there is none."""

        def work(connection: Connection) -> str:
            return _owner(connection, room)

        return await self._run(work)

    async def orphans(self) -> list[str]:
        """Rooms with a running game that no live node looks after."""

        def work(connection: Connection) -> list[str]:
            query = (
                select(room_cards.c.room)
                .outerjoin(room_leases, room_leases.c.room == room_cards.c.room)
                .outerjoin(nodes, nodes.c.id == room_leases.c.node)
                .where(room_cards.c.stage == "playing")
                .where(or_(nodes.c.id.is_(None), nodes.c.expires_at <= _now(connection)))
                .order_by(func.random())
                .limit(MOST_ORPHANS)
            )
            return list(connection.execute(query).scalars())

        return await self._run(work)

    async def alive(self) -> frozenset[str]:
        """The nodes that are alive."""

        def work(connection: Connection) -> frozenset[str]:
            query = select(nodes.c.id).where(nodes.c.expires_at > _now(connection))
            return frozenset(connection.execute(query).scalars())

        return await self._run(work)

    async def release(self, rooms: Sequence[str] | None = None) -> None:
        """Give rooms back, all of them and the node's place too if none are named."""
        given = dict(self._epochs) if rooms is None else {one: self._epochs.get(one, -1) for one in rooms}

        def work(connection: Connection) -> None:
            now = _now(connection)
            for room, epoch in sorted(given.items()):
                ours = and_(room_leases.c.room == room, room_leases.c.epoch == epoch)
                connection.execute(
                    update(room_leases).where(ours, room_leases.c.node == self.node).values(
                        node="", left_at=now
                    )
                )  # fmt: skip
            if rooms is None:
                connection.execute(delete(nodes).where(nodes.c.id == self.node))
                connection.execute(delete(nodes).where(nodes.c.expires_at < now - FORGOTTEN))

        for room in given:
            self.lose(room)
        await self._run(work)
        if rooms is None:
            self._renewed = 0.0

    async def _run(self, work: Callable[[Connection], Answer]) -> Answer:
        """A transaction of its own: it does not wait for what rooms write, nor they for it."""
        try:
            return await self._database.write(work)
        except DBAPIError as error:
            raise self._database.storage_error(error) from error


def _now(connection: Connection) -> int:
    return int(connection.execute(_NOW).scalar() or 0)


def any_alive(connection: Connection) -> bool:
    """Whether any node uses this database."""
    alive = select(nodes.c.id).where(nodes.c.expires_at > _now(connection))
    return connection.execute(alive.limit(1)).first() is not None


def _owned(connection: Connection, node: str) -> dict[str, int]:
    query = select(room_leases.c.room, room_leases.c.epoch).where(room_leases.c.node == node)
    return {row.room: row.epoch for row in connection.execute(query)}


def _owner(connection: Connection, room: str) -> str:
    query = (
        select(room_leases.c.node)
        .join(nodes, nodes.c.id == room_leases.c.node)
        .where(room_leases.c.room == room, nodes.c.expires_at > _now(connection))
    )
    return str(connection.execute(query).scalar() or "")


def _claim(connection: Connection, room: str, node: str, force: bool) -> Claim:
    fresh = insert(room_leases).values(room=room, node="", epoch=0)
    connection.execute(fresh.on_conflict_do_nothing())
    held = connection.execute(select(room_leases).where(room_leases.c.room == room).with_for_update()).one()
    last_alive = held.left_at
    if held.node not in ("", node):
        now = _now(connection)
        owner = connection.execute(select(nodes).where(nodes.c.id == held.node)).first()
        if owner is not None and owner.expires_at > now and not force:
            return Claim(held.node)
        last_alive = None if owner is None else min(now, owner.seen_at)
    connection.execute(
        update(room_leases)
        .where(room_leases.c.room == room)
        .values(node=node, epoch=held.epoch + 1, left_at=None)
    )
    return Claim(node, held.epoch + 1, last_alive)
