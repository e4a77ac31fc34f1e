"""Rooms over HTTP: open one, the lobby, one's own. What happens inside goes over the socket."""

from __future__ import annotations

import asyncio
from typing import Annotated

from litestar import Response, Router, get, post
from litestar.params import FromPath, JSONBody, QueryParameter

from meldroom.api.errors import HttpError
from meldroom.api.matching import LOOKED_BACK, MatchedLevel, matched
from meldroom.api.rooms import LONGEST_CODE, no_such_room
from meldroom.api.schemas import Lobby, MyRooms, RoomLink, RoomOpened
from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import RoomCard
from meldroom.rooms.protocol.settings import OpenRoom
from meldroom.rules.library import BOOK_IDS
from meldroom.server.container import Container
from meldroom.server.routes.dependencies import Asked, LiveRooms, Person, Stored, Visitor, Whole, scope_of
from meldroom.server.storage import SqlStore
from meldroom.server.topics.values import lobby_cards, rooms_of, shown
from meldroom.server.web.asgi import is_here
from meldroom.server.web.problems import problems
from meldroom.server.web.qr_code import SVG, qr_picture
from meldroom.server.web.reachable import for_others, only_here

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


@get("/rooms/{room:str}/link", opt={"token": "read"}, responses=problems(404))
async def room_link(room: FromPath[str], request: Asked, store: Stored, container: Whole) -> RoomLink:
    """The link to invite others with, also where the page was opened at an address of this computer only."""
    return await _link(room, request, store, container)


@get("/rooms/{room:str}/link.svg", opt={"token": "read"}, media_type=SVG, responses=problems(404))
async def room_link_picture(
    room: FromPath[str], request: Asked, store: Stored, container: Whole
) -> Response[bytes]:
    """That link as a QR code; there is none where only this computer could open it."""
    found = await _link(room, request, store, container)
    if not found.link:
        raise no_such_room(room)
    return qr_picture(found.link)


async def _link(room: str, request: Asked, store: SqlStore, container: Container) -> RoomLink:
    if len(room) > LONGEST_CODE or await store.card(room) is None:
        raise no_such_room(room)
    opened = str(request.base_url).rstrip("/")
    # Whoever is elsewhere and names an address of ours learns nothing about our network.
    if only_here(opened) and not is_here(scope_of(request)):
        return RoomLink("", "only_here")
    found = await asyncio.to_thread(for_others, opened, container.config)
    return RoomLink(f"{found.address}/r/{room}" if found.address else "", found.alone)


router = Router(
    path="/",
    route_handlers=[open_room, lobby, my_rooms, match_me, room_card, room_link, room_link_picture],
    tags=["rooms"],
)
