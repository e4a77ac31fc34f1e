"""One client's socket: decodes its commands in order, and answers each."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import msgspec

from meldroom.api.errors import HttpError
from meldroom.api.schemas import TokenScope
from meldroom.rooms.errors import ConnectionRefusal
from meldroom.rooms.ports import Client, Player
from meldroom.rooms.protocol.answers import Error, Refused
from meldroom.rooms.protocol.commands import (
    Act,
    Begin,
    Command,
    Enter,
    Follow,
    Hello,
    Leave,
    React,
    Say,
    Sit,
    Unfollow,
)
from meldroom.rooms.protocol.frames import frame_id, read_frame
from meldroom.rooms.rate_limit import Limiter
from meldroom.rooms.runtime.conversation import Conversation
from meldroom.rooms.runtime.rooms import Rooms, now_ms
from meldroom.server.control.switches import Switches
from meldroom.server.counters import Counters
from meldroom.server.identity import Identity, IdentityError, Known, Relations
from meldroom.server.live.connection import Connection, FormerGuest
from meldroom.server.logs import new_request, room_id
from meldroom.server.storage import SqlStore
from meldroom.server.topics import Topics
from meldroom.server.web.asgi import Receive

MOST_UNREADABLE = 50
MOST_REFUSED = 200
"""So many messages above the limit, with none below it in between, end the connection."""

MOST_BEFORE_HELLO = 20
"""Frames of somebody who has not said who they are."""
MOST_FOUND = 100
"""Rooms that a connection is known to have found."""

FindVisitor = Callable[[], Awaitable[Known | None]]
"""Finds out whose cookie or token came with the handshake."""


class Socket:
    """What one client and the server exchange, from hello to the end."""

    def __init__(
        self,
        connection: Connection,
        visitor: FindVisitor,
        rooms: Rooms,
        identity: Identity,
        relations: Relations,
        store: SqlStore,
        limiter: Limiter,
        counters: Counters,
        misses: Limiter,
        switches: Switches,
        topics: Topics,
    ) -> None:
        self._connection = connection
        self._visitor = visitor
        self._rooms = rooms
        self._identity = identity
        self._relations = relations
        self._store = store
        self._limiter = limiter
        self._counters = counters
        self._misses = misses
        self._switches = switches
        self._topics = topics
        self._unreadable = 0
        self._over = 0
        self._missed = 0
        self._before_hello = 0
        self._found: set[str] = set()
        self._guests: dict[str, FormerGuest] = {}
        self._guest_of_room: dict[str, FormerGuest] = {}
        self._conversation = Conversation(
            rooms, connection, now_ms, self._identified, self._client_for, self._refused, self._follow
        )

    async def listen(self, receive: Receive) -> None:
        """Answer until the client goes or is sent away."""
        while not self._connection.is_ending:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive":
                await self._received(message.get("text"))

    def leave(self) -> None:
        """Tell the rooms that this client is gone, under every id it had."""
        self._conversation.end()
        self._topics.gone(self._connection)
        for guest in self._guests.values():
            self._rooms.disconnected(guest)

    async def _received(self, text: str | None) -> None:
        arrived, began = now_ms(), time.perf_counter()
        self._connection.heard_at = time.monotonic()
        self._counters.messages_in += 1
        wait = self._limiter.wait(self._connection.player.id or f"connection {id(self._connection)}")
        if wait:
            self._refuse_flood(text, wait)
            return
        self._over = 0
        if text is None:
            self._unreadable_frame(ConnectionRefusal("binary").error(self._connection.language))
            return
        command = read_frame(text, self._connection.language)
        if self._connection.known is None and not self._connection.is_stranger:
            self._before_hello += 1
            if self._before_hello > MOST_BEFORE_HELLO:
                self._connection.end("too_many_faults")
                return
        if isinstance(command, Refused):
            self._unreadable_frame(command.error, command.id)
            return
        room = command.of if isinstance(command, Follow) else getattr(command, "room", "")
        strange = bool(room) and room not in self._found
        if strange and (wait := self._misses.debt(self._connection.address)):
            # Also where the room is there: who guesses must not tell it by the answer.
            self._conversation.refuse(command.id, _too_many(wait))
            return
        misses = self._missed
        new_request()
        room_id.set("" if isinstance(command, Follow) else room)
        await self._conversation.obey(command, arrived)
        if isinstance(command, Act):
            self._connection.time_play(began)
        if strange and misses == self._missed and len(self._found) < MOST_FOUND:
            self._found.add(room)

    def _refused(self, code: str) -> None:
        self._counters.refuse(code)
        if code in ("no_such_room", "nothing_to_follow"):
            self._missed += 1
            self._misses.charge(self._connection.address)

    def _refuse_flood(self, text: str | None, wait: float) -> None:
        self._over += 1
        if self._over > MOST_REFUSED:
            self._connection.end("flood", count=MOST_REFUSED)
            return
        self._conversation.refuse(frame_id(text or ""), _too_many(wait))

    def _unreadable_frame(self, error: Error, id: str = "") -> None:
        """A frame that is no command; many of them end the connection."""
        self._unreadable += 1
        self._conversation.answer(Refused(id=id, error=error))
        if self._unreadable >= MOST_UNREADABLE:
            self._connection.end("too_many_faults")

    async def _follow(self, command: Follow | Unfollow) -> None:
        """Begin or end to send a list. Raises Refusal."""
        self._check_scope("read")
        if isinstance(command, Follow):
            await self._topics.follow(self._connection, command.topic, command.of)
        else:
            self._topics.unfollow(self._connection, command.topic, command.of)

    def _check_scope(self, scope: TokenScope) -> None:
        known = self._connection.known
        if known is not None and not known.may(scope):
            raise ConnectionRefusal("token_scope", scope=scope)

    async def _client_for(self, command: Command) -> Client:
        """This client; in a room where a guest it once was has a seat, that guest."""
        known, room = self._connection.known, getattr(command, "room", "")
        if known is None:
            raise ConnectionRefusal("no_session")
        self._check_scope("read" if isinstance(command, Enter | Leave) else "play")
        self._check_switches(command)
        if not known.former or not room:
            return self._connection
        if room not in self._guest_of_room:
            card = await self._store.card(room)
            seated = [guest for guest in known.former if card is not None and guest in card.players]
            if not seated or (card is not None and known.player.id in card.players):
                return self._connection
            player = msgspec.structs.replace(self._connection.player, id=seated[0])
            guest = self._guests.setdefault(seated[0], FormerGuest(self._connection, player))
            self._connection.guests = list(self._guests.values())
            self._guest_of_room[room] = guest
        found = self._guest_of_room[room]
        found.language = self._connection.language
        return found

    def _check_switches(self, command: Command) -> None:
        """Raises Refusal for what is switched off here."""
        guest = self._connection.player.guest
        try:
            if isinstance(command, Say | React):
                self._switches.check("chat")
            elif guest and isinstance(command, Sit | Begin):
                self._switches.check("guest_games")
        except HttpError as off:
            refusal = ConnectionRefusal(off.code)
            refusal.details.update(off.details)
            raise refusal from None

    async def _identified(self, hello: Hello) -> Player:
        """Who says hello: whoever the handshake proved, or the token. Raises Refusal."""
        if hello.token is None:
            known = await self._visitor()
        else:
            try:
                known = await self._identity.by_token(hello.token)
            except IdentityError as expired:
                raise _refusal_of(expired) from None
        if known is None and hello.token is None:
            if hello.visitor:
                self._connection.is_stranger = True
                return self._connection.player
            raise ConnectionRefusal("no_session")
        if known is None:
            raise ConnectionRefusal("bad_token", "token")
        self._connection.known = known
        blocked = await self._relations.hidden_from(known.player.id)
        return msgspec.structs.replace(known.player, blocked=blocked)


def _too_many(wait: float) -> ConnectionRefusal:
    retry_ms, seconds = int(wait * 1000) + 1, max(1, round(wait + 0.5))
    return ConnectionRefusal("too_many", retry_ms=retry_ms, seconds=seconds)


def _refusal_of(error: IdentityError) -> ConnectionRefusal:
    """A token that is not taken, told over the socket."""
    refusal = ConnectionRefusal(error.code, "token")
    refusal.details.update(error.details)
    return refusal
