"""The tables of the device: one person plays at them, against bots."""

from __future__ import annotations

from msgspec.structs import replace

from meldroom.api.answers import Answer
from meldroom.api.rooms import LONGEST_CODE, card_for, my_rooms, no_such_room
from meldroom.api.schemas import RoomOpened
from meldroom.browser.errors import DeviceRefusal
from meldroom.browser.levels import check_level
from meldroom.browser.router import Asked, Route
from meldroom.rooms.ports import RoomCard
from meldroom.rooms.protocol.settings import SEAT_ME, SEAT_OPEN, OpenRoom


async def open_room(asked: Asked) -> Answer:
    """Open a room."""
    player, request = asked.device.player.player, asked.body(OpenRoom)
    _check_offline(request)
    house = asked.device.house_books.definition(request.settings.book)
    if house is not None:
        request = replace(request, settings=replace(request.settings, house=house))
    return Answer.of(RoomOpened(await asked.device.rooms.open(player, request)), status=201)


def _check_offline(request: OpenRoom) -> None:
    """Raises Refusal for a room that needs other people."""
    if request.settings.public:
        raise DeviceRefusal("not_public", "settings.public")
    for index, chair in enumerate(request.chairs):
        if chair == SEAT_OPEN:
            raise DeviceRefusal("only_bots", f"chairs[{index}]")
        if chair != SEAT_ME:
            check_level(chair, f"chairs[{index}]")
    check_level(request.settings.stand_in, "settings.stand_in")


async def mine(asked: Asked) -> Answer:
    """The running rooms, and the games that were finished here or opened from files."""
    store, me = asked.device.store, asked.device.player.player.id
    return Answer.of(my_rooms(await store.cards(), await store.finished_of(me), me, (me,)))


async def room_card(asked: Asked) -> Answer:
    """What a room is."""
    me = asked.device.player.id
    return Answer.of(card_for(await _card(asked), me, (me,) if me else ()))


async def delete_room(asked: Asked) -> Answer:
    """Delete a room and its log; games that were finished in it stay."""
    card = await _card(asked)
    await asked.device.rooms.discard(card.room)
    await asked.device.store.delete_room(card.room)
    return Answer(b"", status=204)


async def _card(asked: Asked) -> RoomCard:
    room = asked.parts["room"]
    card = await asked.device.store.card(room) if len(room) <= LONGEST_CODE else None
    if card is None:
        raise no_such_room(room)
    return card


ROUTES = (
    Route("POST", "/rooms", open_room),
    Route("GET", "/rooms/mine", mine),
    Route("GET", "/rooms/{room}", room_card),
    Route("DELETE", "/rooms/{room}", delete_room),
)
