"""What one client and the server say to each other, from hello to the end."""

from __future__ import annotations

import asyncio
import logging
import time

from meldroom.rooms.ports import Client, Player
from meldroom.rooms.protocol.answers import Done, Error, Refused, Welcome
from meldroom.rooms.protocol.commands import VERSION, Command, Hello, Hint, Ping
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.counters import Counters
from meldroom.server.identity import Identity, Known
from meldroom.server.live.connection import Connection, Face
from meldroom.server.live.decode import read
from meldroom.server.messages import say
from meldroom.server.storage import SqlStore, StorageError
from meldroom.server.web.asgi import Receive
from meldroom.server.web.limits import Allowance, Bucket

log = logging.getLogger("meldroom.server")

MOST_UNREADABLE = 50
MOST_REFUSED = 200
"""So many messages above the allowance, with none below it in between, end the connection."""


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


class Conversation:
    """Reads one client's messages in order and answers each."""

    def __init__(
        self,
        connection: Connection,
        visitor: Known | None,
        rooms: Rooms,
        identity: Identity,
        store: SqlStore,
        allowance: Allowance,
        counters: Counters,
    ) -> None:
        self._connection = connection
        self._visitor = visitor
        self._rooms = rooms
        self._identity = identity
        self._store = store
        self._counters = counters
        self._bucket = Bucket(allowance, time.monotonic())
        self._unreadable = 0
        self._over = 0
        self._faces: dict[str, Face] = {}
        self._face_of_room: dict[str, Client] = {}
        self._hint: asyncio.Task[None] | None = None

    async def listen(self, receive: Receive) -> None:
        """Answer until the client goes or is sent away."""
        while not self._connection.is_ending:
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            if message["type"] == "websocket.receive":
                await self._heard(message.get("text"))

    async def leave(self) -> None:
        """Tell the rooms that this client is gone, under every face it had."""
        if self._hint is not None:
            self._hint.cancel()
        if self._connection.known is None:
            return
        clients: list[Client] = [self._connection, *self._faces.values()]
        for client in clients:
            await self._rooms.disconnected(client)

    async def _heard(self, text: str | None) -> None:
        arrived, now = _now_ms(), time.monotonic()
        self._connection.heard_at = now
        self._counters.messages_in += 1
        wait = self._bucket.take(now)
        if wait:
            self._refuse_flood(text, wait)
            return
        self._over = 0
        if text is None:
            self._fault(Refused(id="", error=self._error("binary")))
            return
        command = read(text, self._connection.language)
        if isinstance(command, Refused):
            self._fault(command)
        else:
            await self._obey(command, arrived)

    def _refuse_flood(self, text: str | None, wait: float) -> None:
        self._over += 1
        if self._over > MOST_REFUSED:
            self._connection.end("flood", count=MOST_REFUSED)
            return
        error = self._error("too_many", retry_ms=int(wait * 1000) + 1, seconds=max(1, round(wait + 0.5)))
        command = read(text, self._connection.language) if text is not None else None
        self._answer(Refused(id=command.id if command is not None else "", error=error))

    def _fault(self, refused: Refused) -> None:
        """A frame that is no command; many of them end the connection."""
        self._unreadable += 1
        self._answer(refused)
        if self._unreadable >= MOST_UNREADABLE:
            self._connection.end("too_many_faults")

    async def _obey(self, command: Command, arrived: int) -> None:
        if isinstance(command, Hello):
            await self._hello(command)
        elif self._connection.known is None:
            self._answer(Refused(id=command.id, error=self._error("hello_first", version=VERSION)))
        elif isinstance(command, Ping):
            self._answer(Done(id=command.id, now=_now_ms()))
        elif isinstance(command, Hint):
            self._look_for_hint(command, arrived)
        else:
            await self._carry_out(command, arrived)

    def _look_for_hint(self, command: Hint, arrived: int) -> None:
        """A hint takes its time; meanwhile the client may go on playing."""
        if self._hint is not None and not self._hint.done():
            self._answer(Refused(id=command.id, error=self._error("busy")))
            return
        self._hint = asyncio.create_task(self._carry_out(command, arrived))

    async def _carry_out(self, command: Command, arrived: int) -> None:
        try:
            client = await self._client_for(command)
            answer = await self._rooms.handle(client, command, arrived)
        except StorageError as error:
            log.error("%s", error)
            answer = Refused(id=command.id, error=self._error("storage"))
        except Exception:
            log.exception("the command %s failed", type(command).__name__)
            answer = Refused(id=command.id, error=self._error("server_error"))
        if isinstance(answer, Done | Refused):
            self._answer(answer)

    async def _client_for(self, command: Command) -> Client:
        """This client, or its face as a former guest in a room where that guest has a seat."""
        known, room = self._connection.known, getattr(command, "room", "")
        if known is None or not known.former or not room:
            return self._connection
        if room not in self._face_of_room:
            card = await self._store.card(room)
            seated = [guest for guest in known.former if card is not None and guest in card.players]
            if not seated or (card is not None and known.player.id in card.players):
                return self._connection
            face = Face(self._connection, Player(seated[0], known.player.name, known.player.guest))
            self._face_of_room[room] = self._faces.setdefault(seated[0], face)
        return self._face_of_room[room]

    async def _hello(self, hello: Hello) -> None:
        connection = self._connection
        connection.language = hello.language
        for face in self._faces.values():
            face.language = hello.language
        if hello.version != VERSION:
            error = self._error("version", "version", version=VERSION, asked=hello.version)
            self._answer(Refused(id=hello.id, error=error))
            return
        if connection.known is None:
            known = self._visitor
            if hello.token is not None:
                known = await self._identity.by_token(hello.token)
            if known is None:
                code = "no_session" if hello.token is None else "bad_token"
                self._answer(Refused(id=hello.id, error=self._error(code, "token" if hello.token else "")))
                return
            connection.known, connection.player = known, known.player
        player = connection.player
        connection.tell(
            Welcome(id=hello.id, version=VERSION, player=player.id, name=player.name, now=_now_ms())
        )

    def _answer(self, answer: Done | Refused) -> None:
        if isinstance(answer, Refused):
            self._counters.refuse(answer.error.code)
        self._connection.tell(answer)

    def _error(
        self, code: str, place: str = "", *, retry_ms: int | None = None, **details: str | int
    ) -> Error:
        return Error(code, say(code, self._connection.language, **details), place, retry_ms=retry_ms)
