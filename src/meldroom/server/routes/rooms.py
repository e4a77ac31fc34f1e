"""Rooms over HTTP: open one, the lobby, one's own. What happens inside goes over the socket."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from meldroom.api.errors import HttpError
from meldroom.api.matching import LOOKED_BACK, MatchedLevel, matched
from meldroom.api.rooms import LONGEST_CODE, no_such_room
from meldroom.api.schemas import Lobby, MyRooms, RoomOpened
from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import RoomCard
from meldroom.rooms.protocol.settings import OpenRoom
from meldroom.rules.library import BOOK_IDS
from meldroom.server.routes.dependencies import LiveRooms, Person, Stored, Visitor, Whole
from meldroom.server.topics.values import lobby_cards, rooms_of, shown
from meldroom.server.web.problems import problems

BookId = Annotated[str, QueryParameter(max_length=40)]


@post("/rooms", opt={"token": "play"}, responses=problems(400, 401, 403, 503))
async def open_room(
    data: JSONBody[OpenRoom], rooms: LiveRooms, person: Person, container: Whole
) -> RoomOpened:
    """Open a room; its page is /r/CODE."""
    container.watch.switches.check("new_rooms")
    if person.player.guest:
        container.watch.switches.check("guest_games")
    if data.settings.house is not None:
        raise Refusal("no_house_books", "settings.house")
    return RoomOpened(await rooms.open(person.player, data))


@get("/rooms", opt={"token": "read"}, responses=problems())
async def lobby(store: Stored, visitor: Visitor, container: Whole) -> Lobby:
    """Public rooms: those with a free seat, and those that may be watched.

    Tables of people whom one has blocked, or who have blocked one, are not listed.
    """
    apart = frozenset[str]() if visitor is None else await container.relations.apart(visitor.player.id)
    return (await lobby_cards(store)).shown(visitor, apart)


@get("/rooms/mine", opt={"token": "read"}, responses=problems(401))
async def my_rooms(store: Stored, person: Person) -> MyRooms:
    """One's running rooms, and the games one has finished."""
    return await rooms_of(store, person)


@get("/match", opt={"token": "read"}, responses=problems(400, 404))
async def match_me(book: BookId, store: Stored, visitor: Visitor) -> MatchedLevel:
    """The level of bots closest to one's results by a book; without results it is the usual opponent."""
    if book not in BOOK_IDS:
        raise HttpError(404, "no_such_book", "book", book=book, books=", ".join(BOOK_IDS))
    if visitor is None:
        return matched(book, (), ())
    games = await store.finished_of(visitor.player.id, LOOKED_BACK)
    return matched(book, games, (visitor.player.id, *visitor.ids))


@get("/rooms/{room:str}", opt={"token": "read"}, responses=problems(404))
async def room_card(room: FromPath[str], store: Stored, visitor: Visitor) -> RoomCard:
    """What a room is, for somebody who has its link."""
    card = await store.card(room) if len(room) <= LONGEST_CODE else None
    if card is None:
        raise no_such_room(room)
    return shown(card, visitor)


router = Router(path="/", route_handlers=[open_room, lobby, my_rooms, match_me, room_card], tags=["rooms"])
