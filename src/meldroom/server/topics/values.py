"""What each topic shows: read once for all who follow it, then shown to each as their route would."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from msgspec.structs import replace

from meldroom.api import rooms as told
from meldroom.api.profiles.schemas import Invitation, MyProfile, Presence
from meldroom.api.rooms import card_for
from meldroom.api.schemas import Lobby, MyRooms
from meldroom.rooms.ports import RoomCard
from meldroom.rooms.protocol.commands import Topic
from meldroom.rooms.runtime.rooms import now_ms
from meldroom.server.championships.leagues.page import LeaguePage
from meldroom.server.championships.runtime.archive import ChampionshipCard
from meldroom.server.championships.runtime.live import Championships
from meldroom.server.identity import Known
from meldroom.server.profiles import Invitations, Profiles
from meldroom.server.profiles.invitations import to_answer, without_ids
from meldroom.server.profiles.people import FriendLists
from meldroom.server.storage import SqlStore

LONGEST_LOBBY = 100
FORGOTTEN_AFTER = 24 * 3600 * 1000
"""A room nobody has touched for so many milliseconds waits for nobody any more."""


class LobbyCards(msgspec.Struct, frozen=True):
    """The public rooms that have a free seat or may be watched, with the ids of people."""

    open: tuple[RoomCard, ...]
    watch: tuple[RoomCard, ...]

    def shown(self, visitor: Known | None, apart: frozenset[str]) -> Lobby:
        """The lobby for a visitor, without the tables of people they are to have nothing to do with."""
        return Lobby(
            open=tuple(shown(card, visitor) for card in self.open if card.host not in apart),
            watch=tuple(shown(card, visitor) for card in self.watch),
        )


class Stored(msgspec.Struct, frozen=True):
    """The invitations of somebody, those at full tables among them."""

    known: Known
    invitations: list[Invitation]


Value = LobbyCards | MyRooms | FriendLists | Stored | MyProfile | tuple[ChampionshipCard, ...] | LeaguePage


def shown(card: RoomCard, visitor: Known | None) -> RoomCard:
    """A card for a visitor, who sees no ids of people but their own."""
    return card_for(card, "", ()) if visitor is None else card_for(card, visitor.player.id, visitor.ids)


async def lobby_cards(store: SqlStore) -> LobbyCards:
    """The public rooms now, newest change first."""
    fresh = now_ms() - FORGOTTEN_AFTER
    waiting = await store.public_cards("waiting", LONGEST_LOBBY)
    playing = await store.public_cards("playing", LONGEST_LOBBY)
    return LobbyCards(
        open=tuple(card for card in waiting if not all(card.names) and card.changed_at > fresh),
        watch=tuple(card for card in playing if card.spectators != "off"),
    )


async def rooms_of(store: SqlStore, person: Known) -> MyRooms:
    """One's running rooms, also those in which one sits as a guest one was before, and finished games."""
    finished = await store.finished_of(person.player.id)
    found = {card.room: card for one in person.ids for card in await store.cards(player=one)}
    return told.my_rooms(found.values(), finished, person.player.id, person.ids)


class Values:
    """Reads what topics are about. `presence` says who is here."""

    def __init__(
        self, store: SqlStore, profiles: Profiles, invitations: Invitations, championships: Championships
    ) -> None:
        self._store = store
        self._profiles = profiles
        self._invitations = invitations
        self._championships = championships
        self.presence: Callable[[Iterable[str]], dict[str, Presence]] = lambda players: {}

    async def read(self, topic: Topic, of: str, known: Known | None) -> Value:
        """What a topic is about now; one's own for those that need a person. Raises MeldroomError."""
        if topic == "lobby":
            return await lobby_cards(self._store)
        if topic == "championships":
            return await self._championships.listed()
        if topic == "league":
            code, _, class_id = of.partition("/")
            return await self._championships.league(code, class_id)
        assert known is not None
        match topic:
            case "games":
                return await rooms_of(self._store, known)
            case "friends":
                return await self._profiles.friend_lists(known.player.id)
            case "invitations":
                return Stored(known, await self._invitations.unanswered(known))
            case "profile":
                return await self._profiles.mine(known.player.id)


def about(value: Value) -> frozenset[str]:
    """What a value depends on besides whose it is: people, rooms, championships."""
    match value:
        case FriendLists():
            return value.people
        case Stored():
            return frozenset(one.room.room for one in value.invitations)
        case LeaguePage():
            return frozenset((value.code, *(event.code for event in value.events)))
        case _:
            return frozenset()


def for_page(value: Value, apart: frozenset[str], here: dict[str, Presence]) -> object:
    """What the route of a topic would answer; of the lobby, what it answers to a stranger."""
    match value:
        case LobbyCards():
            return value.shown(None, apart)
        case FriendLists():
            return value.shown(here)
        case Stored():
            return [without_ids(one) for one in to_answer(value.invitations, value.known)]
        case _:
            return value


def compared(page: object) -> object:
    """By what one tells that there is something new: in the lobby a turn at a table is nothing new."""
    if not isinstance(page, Lobby):
        return page
    return tuple(
        sorted((replace(card, changed_at=0, waiting_for=None) for card in cards), key=lambda card: card.room)
        for cards in (page.open, page.watch)
    )
