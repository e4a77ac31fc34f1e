"""Between two people: friends and blocks, under whatever guests they once were."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Table, delete, func, insert, select, update

from meldroom.api.errors import HttpError
from meldroom.rooms.domain.avatars import profile_of
from meldroom.rooms.ports import Clock
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import blocks, former_guests, friends, invitations, players

MOST_FRIENDS = 200
"""Friends and requests of one's own."""
MOST_BLOCKED = 200


def public_name(player: str, account: str | None) -> str:
    """What names somebody's page: their account, else the public id."""
    return account or profile_of(player)


def owner_of(connection: Connection, player: str) -> str:
    """Who somebody is today: the account that a guest has become, else themselves."""
    became = select(former_guests.c.player).where(former_guests.c.guest == player)
    return connection.execute(became).scalar() or player


class Relations:
    """Friends and blocks in the store. People are named by the ids they have today."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.changed: Callable[[str, str], None] = lambda player, other: None
        """Called when two people stand with each other in another way."""

    async def befriend(self, player: str, other: str) -> bool:
        """Ask somebody to be a friend, or accept; whether they are friends now. Raises HttpError."""
        row = {"player": player, "friend": other, "created_at": self._clock()}

        def write(connection: Connection) -> bool:
            if _has(connection, blocks, player, other):
                raise HttpError(409, "you_blocked", "person")
            if not _has(connection, friends, player, other):
                _check_room(connection, friends, player, "too_many_friends", MOST_FRIENDS)
                connection.execute(insert(friends), row)
            return _has(connection, friends, other, player)

        both = await self._store.write(write)
        self.changed(player, other)
        return both

    async def unfriend(self, player: str, other: str) -> bool:
        """End a friendship, take a request back, or turn theirs down; whether there was anything to end."""

        def write(connection: Connection) -> bool:
            return _unfriend(connection, player, other) > 0

        ended = await self._store.write(write)
        self.changed(player, other)
        return ended

    async def block(self, player: str, other: str) -> None:
        """Neither friends nor invitations from them any more. Raises HttpError for too many blocks."""
        row = {"player": player, "blocked": other, "created_at": self._clock()}

        def write(connection: Connection) -> None:
            if not _has(connection, blocks, player, other):
                _check_room(connection, blocks, player, "too_many_blocked", MOST_BLOCKED)
                connection.execute(insert(blocks), row)
            _unfriend(connection, player, other)
            theirs = (invitations.c.player == player) & (invitations.c.inviter == other)
            mine = (invitations.c.player == other) & (invitations.c.inviter == player)
            connection.execute(delete(invitations).where(theirs | mine))

        await self._store.write(write)
        self.changed(player, other)

    async def unblock(self, player: str, other: str) -> bool:
        """Let somebody be; whether they were blocked."""
        gone = delete(blocks).where(blocks.c.player == player, blocks.c.blocked == other)
        was_blocked = bool(await self._store.change(gone))
        self.changed(player, other)
        return was_blocked

    async def hidden_from(self, player: str) -> frozenset[str]:
        """Every id under which those have sat whom somebody has blocked."""

        def read(connection: Connection) -> frozenset[str]:
            owner = owner_of(connection, player)
            chosen = select(blocks.c.blocked).where(blocks.c.player == owner)
            found = set(connection.execute(chosen).scalars())
            if not found:
                return frozenset()
            guests = select(former_guests.c.guest).where(former_guests.c.player.in_(found))
            return frozenset(found.union(connection.execute(guests).scalars()))

        return await self._store.read(read)

    async def barred(self, host: str, player: str) -> bool:
        """Whether a host has blocked somebody who wants to sit down."""

        def read(connection: Connection) -> bool:
            return _has(connection, blocks, owner_of(connection, host), owner_of(connection, player))

        return await self._store.read(read)

    async def apart(self, player: str) -> frozenset[str]:
        """Every id of those who have blocked somebody, or were blocked by them."""

        def read(connection: Connection) -> frozenset[str]:
            chosen = select(blocks.c.blocked).where(blocks.c.player == player)
            by = select(blocks.c.player).where(blocks.c.blocked == player)
            found = {*connection.execute(chosen).scalars(), *connection.execute(by).scalars()}
            if not found:
                return frozenset()
            guests = select(former_guests.c.guest).where(former_guests.c.player.in_(found))
            return frozenset(found.union(connection.execute(guests).scalars()))

        return await self._store.read(read)


def is_blocked(connection: Connection, player: str, other: str) -> bool:
    """Whether somebody has blocked another."""
    return _has(connection, blocks, player, other)


def are_friends(connection: Connection, player: str, other: str) -> bool:
    """Whether both have said so."""
    return _has(connection, friends, player, other) and _has(connection, friends, other, player)


def _has(connection: Connection, table: Table, player: str, other: str) -> bool:
    own, theirs = list(table.primary_key.columns)
    return connection.execute(select(own).where(own == player, theirs == other)).first() is not None


def _check_room(connection: Connection, table: Table, player: str, code: str, most: int) -> None:
    """Raises HttpError for somebody who has as many already as there may be."""
    own = select(func.count()).select_from(table).where(table.c.player == player)
    if (connection.execute(own).scalar() or 0) >= most:
        raise HttpError(409, code, "person", most=most)


def _unfriend(connection: Connection, player: str, other: str) -> int:
    mine = (friends.c.player == player) & (friends.c.friend == other)
    theirs = (friends.c.player == other) & (friends.c.friend == player)
    return connection.execute(delete(friends).where(mine | theirs)).rowcount


def move_people(connection: Connection, guest: str, player: str) -> None:
    """Friends, blocks, invitations and the avatar of a guest become a player's, who keeps what they have."""
    for table, other in ((friends, friends.c.friend), (blocks, blocks.c.blocked)):
        for column, counterpart in ((table.c.player, other), (other, table.c.player)):
            kept = select(counterpart).where(column == player)
            moved = column == guest
            connection.execute(
                delete(table).where(moved, counterpart.in_(kept.scalar_subquery()) | (counterpart == player))
            )
            connection.execute(update(table).where(moved).values({column.name: player}))
    rooms = select(invitations.c.room).where(invitations.c.player == player)
    moved = invitations.c.player == guest
    connection.execute(delete(invitations).where(moved, invitations.c.room.in_(rooms.scalar_subquery())))
    connection.execute(update(invitations).where(moved).values(player=player))
    connection.execute(update(invitations).where(invitations.c.inviter == guest).values(inviter=player))
    chosen = connection.execute(select(players.c.avatar).where(players.c.id == guest)).scalar()
    if chosen:
        unchosen = (players.c.id == player) & (players.c.avatar == "")
        connection.execute(update(players).where(unchosen).values(avatar=chosen))
