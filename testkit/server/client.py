"""A person at a real socket: a session by HTTP, hello, commands with ids, and whatever the server says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from itertools import count
from types import TracebackType
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from meldroom.api.schemas import Me, RoomOpened
from meldroom.i18n import Language
from meldroom.rooms.protocol import answers, commands
from meldroom.rooms.protocol.settings import OpenRoom
from testkit.server.process import ServerProcess

PATIENCE = 30.0
"""Seconds after which an answer that has not come never will."""

_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[answers.Message] = msgspec.json.Decoder(answers.Message)

Hear = Callable[[answers.Message], None]
Glance = Callable[[bytes], float]
"""Sees bytes the moment they arrive, and says for how many seconds reading them can wait."""


class GlancingConnection(ClientConnection):
    """Shows what arrives before it is read: one process has the clients of many tables, as many machines."""

    glance: Glance

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._unread: list[bytes] = []

    def data_received(self, data: bytes) -> None:
        """Some bytes: read now, or in a while with whatever else has come by then."""
        wait = self.glance(data)
        self._unread.append(data)
        if len(self._unread) == 1 and wait:
            self.loop.call_later(wait, self._read)
        elif not wait:
            self._read()

    def eof_received(self) -> None:
        """Nothing more comes."""
        self._read()
        super().eof_received()

    def _read(self) -> None:
        unread, self._unread = self._unread, []
        if unread:
            super().data_received(b"".join(unread))


class RefusedError(Exception):
    """The server refused a command."""

    def __init__(self, error: answers.Error) -> None:
        super().__init__(f"{error.code}: {error.message}")
        self.error = error


class Visitor(msgspec.Struct, frozen=True):
    """Somebody with a session: who they are, and the cookie that says so."""

    me: Me
    cookie: str


async def visit(server: ServerProcess, name: str, language: Language = "en") -> Visitor:
    """A first visit under a name."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        answer = await http.post("/api/v1/session", json={"name": name, "language": language})
        answer.raise_for_status()
        cookie = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
        return Visitor(msgspec.json.decode(answer.content, type=Me), cookie)


async def open_room(server: ServerProcess, visitor: Visitor, request: OpenRoom) -> str:
    """Open a room and give its code."""
    async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
        answer = await http.post(
            "/api/v1/rooms",
            content=_ENCODER.encode(request),
            headers={"Cookie": visitor.cookie, "Content-Type": "application/json"},
        )
        if answer.is_error:
            raise AssertionError(f"{answer.status_code} {answer.text}")
        return msgspec.json.decode(answer.content, type=RoomOpened).room


class Live:
    """One connection. Every message goes to `hear`; answers go to whoever waits for them as well.

    With `frames`, the bytes of everything received are kept there.
    """

    def __init__(
        self,
        server: ServerProcess,
        visitor: Visitor,
        *,
        hear: Hear | None = None,
        language: Language = "en",
        closed: Callable[[], None] | None = None,
        frames: list[bytes] | None = None,
        ids: str = "",
        glance: Glance | None = None,
    ) -> None:
        self.server = server
        self.visitor = visitor
        self.language: Language = language
        self.hear = hear
        self.glance = glance
        self.frames = frames
        self.last_heard = 0.0
        self._ids = (f"{ids}{number}" for number in count(1))
        self._waiting: dict[str, asyncio.Future[answers.Welcome | answers.Done]] = {}
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task[None] | None = None
        self._tell_closed = closed
        self.closed = False

    async def __aenter__(self) -> Live:
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def open(self) -> answers.Welcome:
        """Connect and say hello. Raises OSError where nobody is there or the door is closed in one's face."""
        try:
            self._socket = await connect(
                self.server.live,
                additional_headers={"Cookie": self.visitor.cookie},
                compression=None,
                max_size=None,
                open_timeout=PATIENCE,
                ping_interval=None,
                create_connection=_shown_to(self.glance),
            )
        except WebSocketException as error:
            raise ConnectionError(str(error)) from error
        self._reader = asyncio.create_task(self._read(self._socket))
        hello = commands.Hello(id=self.next_id(), version=commands.VERSION, language=self.language)
        welcome = await self._ask(hello)
        assert isinstance(welcome, answers.Welcome)
        return welcome

    async def close(self) -> None:
        """End the connection."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    def next_id(self) -> str:
        """An id that this connection has not used."""
        return next(self._ids)

    async def do(self, command: commands.Command) -> answers.Done:
        """Send a command and wait for its answer. Raises RefusedError, or ConnectionError when cut off."""
        done = await self._ask(command)
        assert isinstance(done, answers.Done)
        return done

    async def _ask(self, command: commands.Command) -> answers.Welcome | answers.Done:
        if self.closed:
            raise ConnectionError("the connection is closed")
        future: asyncio.Future[answers.Welcome | answers.Done] = asyncio.get_running_loop().create_future()
        self._waiting[command.id] = future
        try:
            await self.send_text(_ENCODER.encode(command).decode())
            return await asyncio.wait_for(future, PATIENCE)
        finally:
            self._waiting.pop(command.id, None)

    async def send_text(self, text: str | bytes) -> None:
        """Send a frame as it is: text for str, binary for bytes. Raises ConnectionError when cut off."""
        assert self._socket is not None
        try:
            await self._socket.send(text)
        except ConnectionClosed as closed:
            raise ConnectionError(str(closed)) from closed

    async def _read(self, socket: ClientConnection) -> None:
        """Hear until the connection ends; whoever waits then waits in vain and is told."""
        try:
            while True:
                frame = await socket.recv(decode=False)
                self.last_heard = time.perf_counter()
                if self.frames is not None:
                    self.frames.append(frame)
                self._take(frame)
        except ConnectionClosed:
            pass
        finally:
            self.closed = True
            if self._tell_closed is not None:
                self._tell_closed()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ConnectionError("the connection was cut"))

    def _take(self, frame: bytes) -> None:
        message = _DECODER.decode(frame)
        if isinstance(message, answers.Welcome | answers.Done | answers.Refused):
            future = self._waiting.get(message.id)
            if future is not None and not future.done():
                if isinstance(message, answers.Refused):
                    future.set_exception(RefusedError(message.error))
                else:
                    future.set_result(message)
        if self.hear is not None:
            self.hear(message)


def _shown_to(glance: Glance | None) -> type[ClientConnection]:
    """The kind of connection that shows what arrives; the usual one if nobody looks."""
    if glance is None:
        return ClientConnection
    return type("GlancingConnection", (GlancingConnection,), {"glance": staticmethod(glance)})
