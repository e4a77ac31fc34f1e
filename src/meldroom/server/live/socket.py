"""One client's socket: decodes its commands in order, and answers each."""

from __future__ import annotations

import asyncio
import time

import msgspec

from meldroom.decode import DecodeError
from meldroom.rooms.errors import Refusal, refusal_for
from meldroom.rooms.ports import Client, Player
from meldroom.rooms.protocol.answers import Done, Error, Refused, Welcome
from meldroom.rooms.protocol.commands import LONGEST_ID, VERSION, Command, Hello, Hint, Ping
from meldroom.rooms.rate_limit import Limiter
from meldroom.rooms.runtime.rooms import Rooms, now_ms
from meldroom.server.counters import Counters
from meldroom.server.identity import Identity, Known
from meldroom.server.live.connection import Connection, FormerGuest
from meldroom.server.storage import SqlStore
from meldroom.server.web.asgi import Receive

MOST_UNREADABLE = 50
MOST_REFUSED = 200
"""So many messages above the limit, with none below it in between, end the connection."""


class SocketRefusal(Refusal):
    """A refusal of the connection itself; the messages are the server's."""

    domain = "server"


class _Named(msgspec.Struct):
    """As much of a frame as is needed to answer it."""

    id: str = ""


_decode = msgspec.json.Decoder(Command).decode
_decode_id = msgspec.json.Decoder(_Named).decode


class Socket:
    """What one client and the server exchange, from hello to the end."""

    def __init__(
        self,
        connection: Connection,
        visitor: Known | None,
        rooms: Rooms,
        identity: Identity,
        store: SqlStore,
        limiter: Limiter,
        counters: Counters,
    ) -> None:
        self._connection = connection
        self._visitor = visitor
        self._rooms = rooms
        self._identity = identity
        self._store = store
        self._limiter = limiter
        self._counters = counters
        self._unreadable = 0
        self._over = 0
        self._guests: dict[str, FormerGuest] = {}
        self._client_of_room: dict[str, Client] = {}
        self._hint: asyncio.Task[None] | None = None

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
        if self._hint is not None:
            self._hint.cancel()
        self._rooms.disconnected(self._connection)
        for guest in self._guests.values():
            self._rooms.disconnected(guest)

    async def _received(self, text: str | None) -> None:
        arrived = now_ms()
        self._connection.heard_at = time.monotonic()
        self._counters.messages_in += 1
        wait = self._limiter.wait(self._connection.player.id or f"connection {id(self._connection)}")
        if wait:
            self._refuse_flood(text, wait)
            return
        self._over = 0
        if text is None:
            self._unreadable_frame(Refused(id="", error=self._error(SocketRefusal("binary"))))
            return
        try:
            command = _decode(text)
        except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
            wrong = DecodeError.of(error)
            told = Error("unreadable", wrong.message(self._connection.language), wrong.where)
            self._unreadable_frame(Refused(id=_id_of(text), error=told))
            return
        await self._obey(command, arrived)

    def _refuse_flood(self, text: str | None, wait: float) -> None:
        self._over += 1
        if self._over > MOST_REFUSED:
            self._connection.end("flood", count=MOST_REFUSED)
            return
        refusal = SocketRefusal("too_many", retry_ms=int(wait * 1000) + 1, seconds=max(1, round(wait + 0.5)))
        self._refuse(_id_of(text or ""), refusal)

    def _unreadable_frame(self, refused: Refused) -> None:
        """A frame that is no command; many of them end the connection."""
        self._unreadable += 1
        self._answer(refused)
        if self._unreadable >= MOST_UNREADABLE:
            self._connection.end("too_many_faults")

    async def _obey(self, command: Command, arrived: int) -> None:
        try:
            if isinstance(command, Hello):
                await self._hello(command)
            elif self._connection.known is None:
                raise SocketRefusal("hello_first", version=VERSION)
            elif isinstance(command, Ping):
                self._answer(Done(id=command.id, now=now_ms()))
            elif isinstance(command, Hint):  # It takes its time; meanwhile the client may go on playing.
                if self._hint is not None and not self._hint.done():
                    raise SocketRefusal("busy")
                self._hint = asyncio.create_task(self._carry_out(command, arrived))
            else:
                await self._carry_out(command, arrived)
        except Exception as error:
            self._refuse(command.id, refusal_for(error))

    async def _carry_out(self, command: Command, arrived: int) -> None:
        try:
            client = await self._client_for(command)
            self._answer(await self._rooms.handle(client, command, arrived))
        except Exception as error:
            self._refuse(command.id, refusal_for(error))

    async def _client_for(self, command: Command) -> Client:
        """This client; in a room where a guest it once was has a seat, that guest."""
        known, room = self._connection.known, getattr(command, "room", "")
        if known is None or not known.former or not room:
            return self._connection
        if room not in self._client_of_room:
            card = await self._store.card(room)
            seated = [guest for guest in known.former if card is not None and guest in card.players]
            if not seated or (card is not None and known.player.id in card.players):
                return self._connection
            player = Player(seated[0], known.player.name, known.player.guest)
            guest = self._guests.setdefault(seated[0], FormerGuest(self._connection, player))
            self._client_of_room[room] = guest
        return self._client_of_room[room]

    async def _hello(self, hello: Hello) -> None:
        connection = self._connection
        connection.language = hello.language
        for guest in self._guests.values():
            guest.language = hello.language
        if hello.version != VERSION:
            raise SocketRefusal("version", "version", version=VERSION, asked=str(hello.version))
        if connection.known is None:
            known = self._visitor
            if hello.token is not None:
                known = await self._identity.by_token(hello.token)
            if known is None and hello.token is None:
                raise SocketRefusal("no_session")
            if known is None:
                raise SocketRefusal("bad_token", "token")
            connection.known, connection.player = known, known.player
        player = connection.player
        connection.tell(
            Welcome(id=hello.id, version=VERSION, player=player.id, name=player.name, now=now_ms())
        )

    def _refuse(self, id: str, refusal: Refusal) -> None:
        self._answer(Refused(id=id, error=self._error(refusal)))

    def _answer(self, answer: Done | Refused) -> None:
        if isinstance(answer, Refused):
            self._counters.refuse(answer.error.code)
        self._connection.tell(answer)

    def _error(self, refusal: Refusal) -> Error:
        return refusal.error(self._connection.language)


def _id_of(text: str) -> str:
    """The id of a frame that could not be decoded, if at least that could."""
    try:
        return _decode_id(text).id[:LONGEST_ID]
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return ""
