"""Invitations to a table: who may invite whom, and what waits for an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from meldroom.api.errors import HttpError
from meldroom.api.profiles.schemas import Invitation, PersonCard
from meldroom.rooms.ports import Clock, RoomCard
from meldroom.server.config import DAY
from meldroom.server.identity import Known
from meldroom.server.identity.relations import are_friends, is_blocked
from meldroom.server.profiles.people import Someone, last_game_of, people_by_id
from meldroom.server.storage.rooms import card_of
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import invitations, room_cards

OPEN_DAYS = 2
MOST_IN_ROOM = 12
MOST_LISTED = 20


class Invitations:
    """Who is asked to which table. Whoever was blocked by the invited person is not told so."""

    def __init__(self, store: SqlStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self.changed: Callable[[str], None] = lambda player: None
        """Called when somebody is invited or has declined."""

    async def invite(self, known: Known, card: RoomCard, invited: Someone) -> bool:
        """Ask somebody to a table; whether they are to be told. Raises HttpError."""
        inviter, now = known.player.id, self._clock()
        if invited.id == inviter:
            raise HttpError(400, "invite_yourself", "person")

        def write(connection: Connection) -> bool:
            if is_blocked(connection, inviter, invited.id):
                raise HttpError(409, "you_blocked", "person")
            known_well = are_friends(connection, inviter, invited.id)
            if not known_well and not last_game_of(connection, inviter, invited.id):
                raise HttpError(403, "not_a_friend", "person", name=invited.card.name)
            if is_blocked(connection, invited.id, inviter):
                return False
            here = invitations.c.room == card.room
            asked = connection.execute(
                select(invitations.c.player).where(here, invitations.c.player == invited.id)
            ).first()
            if asked is not None:
                return False
            number = connection.execute(select(func.count()).select_from(invitations).where(here)).scalar()
            if (number or 0) >= MOST_IN_ROOM:
                raise HttpError(409, "too_many_invited", most=MOST_IN_ROOM)
            row = {"room": card.room, "player": invited.id, "inviter": inviter, "created_at": now}
            connection.execute(insert(invitations), row)
            return True

        told = await self._store.write(write)
        if told:
            self.changed(invited.id)
        return told

    async def of(self, known: Known) -> list[Invitation]:
        """What waits for one's answer, the newest first: tables with an open seat that have not begun."""
        return to_answer(await self.unanswered(known), known)

    async def unanswered(self, known: Known) -> list[Invitation]:
        """All that one is invited to, the newest first: tables that have not begun, also full ones."""
        since = self._clock() - OPEN_DAYS * DAY
        query = (
            select(invitations.c.inviter, invitations.c.created_at, room_cards.c.card)
            .join(room_cards, room_cards.c.room == invitations.c.room)
            .where(
                invitations.c.player == known.player.id,
                invitations.c.created_at > since,
                room_cards.c.stage == "waiting",
            )
            .order_by(invitations.c.created_at.desc(), invitations.c.room)
            .limit(MOST_LISTED)
        )

        def read(connection: Connection) -> list[Invitation]:
            rows = connection.execute(query).all()
            people = people_by_id(connection, {row.inviter for row in rows})
            return [
                Invitation(card_of(row.card), people[row.inviter].card, row.created_at)
                for row in rows
                if row.inviter in people
            ]

        return await self._store.read(read)

    async def to_room(self, room: str) -> list[PersonCard]:
        """Who is invited to a table."""
        query = select(invitations.c.player).where(invitations.c.room == room)

        def read(connection: Connection) -> list[PersonCard]:
            found = people_by_id(connection, connection.execute(query).scalars())
            return sorted((one.card for one in found.values()), key=lambda card: card.name.casefold())

        return await self._store.read(read)

    async def decline(self, known: Known, room: str) -> bool:
        """Take an invitation of one's own away; whether there was one."""
        mine = (invitations.c.player == known.player.id) & (invitations.c.room == room)
        declined = bool(await self._store.change(delete(invitations).where(mine)))
        if declined:
            self.changed(known.player.id)
        return declined

    async def forget_old(self) -> None:
        """Delete what nobody sees any more."""
        since = self._clock() - OPEN_DAYS * DAY
        await self._store.change(delete(invitations).where(invitations.c.created_at <= since))


def to_answer(found: Iterable[Invitation], known: Known) -> list[Invitation]:
    """Those of one's invitations that one can still accept."""
    return [one for one in found if _can_join(one.room, known)]


def _can_join(card: RoomCard, known: Known) -> bool:
    """There is an open seat, and one does not sit there already."""
    return not all(card.names) and not set(known.ids) & set(card.players)


def without_ids(one: Invitation) -> Invitation:
    """An invitation whose card tells no ids of people."""
    card = msgspec.structs.replace(one.room, host="", players=("",) * len(one.room.players))
    return msgspec.structs.replace(one, room=card)
