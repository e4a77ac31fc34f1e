"""Rooms as a list shows them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import msgspec

from meldroom.api.errors import HttpError
from meldroom.api.schemas import GameCard, MyRooms
from meldroom.rooms.ports import FinishedGame, RoomCard

LONGEST_CODE = 16


def card_for(card: RoomCard, mine: str, ids: Collection[str]) -> RoomCard:
    """A card for a visitor, who sees no ids of people but their own: `mine`, for all the `ids` they have."""
    return msgspec.structs.replace(
        card,
        host=mine if card.host in ids else "",
        players=tuple(mine if player in ids else "" for player in card.players),
    )


def my_rooms(
    cards: Iterable[RoomCard], finished: Iterable[FinishedGame], mine: str, ids: Collection[str]
) -> MyRooms:
    """One's running rooms, newest change first, and the games one has finished."""
    running = sorted((card for card in cards if card.stage != "over"), key=lambda card: -card.changed_at)
    return MyRooms(
        tuple(card_for(card, mine, ids) for card in running),
        tuple(GameCard.of(game, (mine, *ids)) for game in finished),
    )


def no_such_room(room: str) -> HttpError:
    """The refusal of a code that no room has."""
    return HttpError(404, "no_such_room", "room", room=room[:20])
