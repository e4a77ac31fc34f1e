"""The browsers that want to be told, and the server's key, in the store."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import cast

import msgspec
from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from meldroom.api.errors import HttpError
from meldroom.i18n import Language
from meldroom.rooms.ports import Clock
from meldroom.server.config import PushPolicy
from meldroom.server.identity import Known
from meldroom.server.identity.secret_words import hashed, new_id
from meldroom.server.push.encryption import BadKeyError, BrowserKeys, SigningKey
from meldroom.server.push.endpoint import EndpointError, parse_endpoint
from meldroom.server.push.schemas import NewSubscription, SubscriptionCard
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import former_guests, meta, players, push_subscriptions, sessions

PRIVATE_KEY = "vapid_private_key"
MOST_SUBSCRIPTIONS = 10
"""Browsers of one player; a further one takes the place of the oldest."""


class Subscription(msgspec.Struct, frozen=True):
    """Where a player's messages go, and how they are encrypted."""

    id: str
    endpoint: str
    p256dh: str
    auth: str
    site: str
    language: Language


class Subscriptions:
    """Who is told where. A subscription ends with the session it was made in."""

    def __init__(self, store: SqlStore, clock: Clock, policy: PushPolicy, key: SigningKey | None) -> None:
        self._store = store
        self._clock = clock
        self._policy = policy
        self._key = key

    @classmethod
    async def open(cls, store: SqlStore, clock: Clock, policy: PushPolicy) -> Subscriptions:
        """With the server's key, which is made on its first start. Raises StorageError.

        Where the package `cryptography` is missing, nothing is pushed.
        """
        if find_spec("cryptography") is None:
            return cls(store, clock, policy, None)
        stored = await store.read(_stored_key)
        if stored is None:
            made = await asyncio.to_thread(SigningKey.generate)
            try:
                stored = await store.write(lambda connection: _keep_key(connection, made))
            except IntegrityError:  # another node was faster
                stored = await store.read(_stored_key) or made
        return cls(store, clock, policy, await asyncio.to_thread(SigningKey, stored))

    @property
    def key(self) -> SigningKey:
        """The server's key. Raises HttpError where nothing can be pushed."""
        if self._key is None:
            raise HttpError(404, "push_unavailable")
        return self._key

    async def add(self, known: Known, asked: NewSubscription, site: str) -> SubscriptionCard:
        """Tell this browser from now on; it belongs to this session alone. Raises HttpError.

        `site` is the address under which the player uses Meldroom.
        """
        self._check(known, asked)
        digest = hashed(asked.endpoint)
        card = SubscriptionCard(new_id(), self._clock())
        row = {
            "id": card.id,
            "endpoint_hash": digest,
            "endpoint": asked.endpoint,
            "p256dh": asked.keys.p256dh,
            "auth": asked.keys.auth,
            "site": site,
            "player": known.player.id,
            "session": known.session,
            "created_at": card.created_at,
        }

        def write(connection: Connection) -> None:
            table = push_subscriptions
            connection.execute(delete(table).where(table.c.endpoint_hash == digest))
            owned = select(table.c.id).where(table.c.player == known.player.id)
            newest = connection.execute(owned.order_by(table.c.created_at.desc(), table.c.id)).scalars()
            surplus = list(newest)[MOST_SUBSCRIPTIONS - 1 :]
            if surplus:
                connection.execute(delete(table).where(table.c.id.in_(surplus)))
            connection.execute(insert(table), row)

        await self._store.write(write)
        return card

    def _check(self, known: Known, asked: NewSubscription) -> None:
        _ = self.key
        if not known.session:
            raise HttpError(403, "token_not_enough")
        try:
            parse_endpoint(asked.endpoint, self._policy)
        except EndpointError:
            raise HttpError(400, "bad_push_endpoint", "endpoint") from None
        try:
            BrowserKeys.parse(asked.keys.p256dh, asked.keys.auth)
        except BadKeyError:
            raise HttpError(400, "bad_push_keys", "keys") from None

    async def of(self, known: Known) -> list[SubscriptionCard]:
        """One's subscriptions, newest first."""
        table = push_subscriptions
        query = (
            select(table.c.id, table.c.created_at)
            .where(table.c.player == known.player.id)
            .order_by(table.c.created_at.desc(), table.c.id)
        )

        def read(connection: Connection) -> list[SubscriptionCard]:
            return [SubscriptionCard(row.id, row.created_at) for row in connection.execute(query).all()]

        return await self._store.read(read)

    async def remove(self, known: Known, subscription: str) -> bool:
        """End a subscription of one's own; whether there was one of this id."""
        table = push_subscriptions
        gone = delete(table).where(table.c.id == subscription, table.c.player == known.player.id)
        return bool(await self._store.change(gone))

    async def session_ended(self, session: str, became: Known | None = None) -> None:
        """A session is over: its subscriptions are too, or go on in the session that replaced it."""
        table = push_subscriptions
        ours = table.c.session == session
        if became is None:
            await self._store.change(delete(table).where(ours))
        else:
            values = {"player": became.player.id, "session": became.session}
            await self._store.change(update(table).where(ours).values(**values))

    async def drop(self, subscription: str) -> None:
        """The push service knows this endpoint no longer."""
        await self._store.change(delete(push_subscriptions).where(push_subscriptions.c.id == subscription))

    async def for_player(self, player: str) -> list[Subscription]:
        """Where somebody is told, under whatever id they sit; sessions that are over do not count."""
        table = push_subscriptions

        def read(connection: Connection) -> list[Subscription]:
            became = select(former_guests.c.player).where(former_guests.c.guest == player)
            owner = connection.execute(became).scalar() or player
            query = (
                select(table, players.c.language)
                .join(players, players.c.id == table.c.player)
                .join(sessions, sessions.c.hash == table.c.session)
                .where(table.c.player == owner, sessions.c.expires_at > self._clock())
                .order_by(table.c.created_at, table.c.id)
            )
            return [
                Subscription(
                    row.id, row.endpoint, row.p256dh, row.auth, row.site, cast("Language", row.language)
                )
                for row in connection.execute(query).all()
            ]

        return await self._store.read(read)


def _stored_key(connection: Connection) -> str | None:
    found = connection.execute(select(meta.c.value).where(meta.c.key == PRIVATE_KEY)).scalar()
    return None if found is None else str(found)


def _keep_key(connection: Connection, made: str) -> str:
    """The key that is stored; this one if there was none."""
    known = _stored_key(connection)
    if known is not None:
        return known
    connection.execute(insert(meta), {"key": PRIVATE_KEY, "value": made})
    return made
