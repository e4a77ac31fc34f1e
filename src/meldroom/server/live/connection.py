"""One open socket as a client of the rooms: what cannot be sent at once is queued, within bounds."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable

import msgspec

from meldroom.i18n import Language, Value, message
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol.answers import Bye, Message
from meldroom.server.counters import Counters
from meldroom.server.identity import Known
from meldroom.server.web.asgi import Send

MOST_QUEUED = 256
MOST_QUEUED_BYTES = 1_000_000
SECONDS_TO_SAY_BYE = 2.0

_encode = msgspec.json.Encoder().encode

CLOSE_CODES = {
    "shutting_down": 1012,
    "too_slow": 1013,
    "flood": 1008,
    "too_many_faults": 1008,
    "hello_late": 1008,
    "signed_out": 4001,
    "idle": 4002,
}
"""Every reason for which the server closes a connection, and the code it closes with."""


class FormerGuest:
    """The same socket under the id of a guest its owner once was: that guest's seats are theirs."""

    def __init__(self, connection: Connection, player: Player) -> None:
        self._connection = connection
        self.player = player
        self.language: Language = connection.language

    def send(self, data: bytes) -> None:
        """Queue an encoded message."""
        self._connection.send(data)


class Connection:
    """A Client of ports.py. `send` never waits: what the network does not take now, a task of its own brings.

    `write` sends a message at once, or says that it cannot.
    """

    def __init__(
        self,
        send: Send,
        abort: Callable[[], None],
        counters: Counters,
        language: Language,
        address: str = "",
        write: Callable[[bytes], bool] = lambda data: False,
    ) -> None:
        self.player = Player("", "")
        self.language: Language = language
        self.known: Known | None = None
        self.address = address
        self.guests: list[FormerGuest] = []
        """The same socket as guests that its owner once was."""
        self.is_stranger = False
        """Whether they have said hello without saying who they are."""
        self.heard_at = 0.0
        self.opened_at = 0.0
        self._send = send
        self.abort = abort
        self._write = write
        self._counters = counters
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._sent = 0
        self._writing = False
        self._marks: deque[tuple[int, float]] = deque()
        self._wake = asyncio.Event()
        self._ending = ""
        self.ended = asyncio.Event()
        """Set as soon as nothing more is read from this client."""

    @property
    def is_ending(self) -> bool:
        """True once the server has closed the connection."""
        return bool(self._ending)

    def send(self, data: bytes) -> None:
        """Send an encoded message, or queue it; a client too far behind is cut off."""
        if self._ending:
            return
        if not self._queue and not self._writing and self._write(data):
            self._count(data)
            return
        self._queue.append(data)
        self._size += len(data)
        if len(self._queue) > MOST_QUEUED or self._size > MOST_QUEUED_BYTES:
            self._queue.clear()
            self.end("too_slow")
        self._wake.set()

    def time_play(self, since: float) -> None:
        """A play that arrived then is answered: it took until all that is queued now has been sent."""
        if not self._ending:
            self._marks.append((self._sent + self._writing + len(self._queue), since))
            self._time_answered()

    def tell(self, answer: Message) -> None:
        """Queue a message that is not encoded yet."""
        self.send(_encode(answer))

    def end(self, code: str, **details: Value) -> None:
        """Close the connection; what is queued is still sent, if the client takes it within two seconds."""
        if self._ending:
            return
        self._counters.cut(code)
        self._queue.append(
            _encode(Bye(code=code, message=message(f"server.{code}", self.language, **details)))
        )
        self._ending = code
        self._wake.set()
        self.ended.set()

    async def write(self) -> None:
        """Send the queue until the connection is closed. Raises whatever the network raises."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._queue:
                if self._ending:
                    await self._write_last()
                    return
                data = self._queue.popleft()
                self._size -= len(data)
                self._writing = True
                await self._send({"type": "websocket.send", "text": data.decode()})
                self._writing = False
                self._count(data)

    def _count(self, data: bytes) -> None:
        self._counters.messages_out += 1
        self._counters.bytes_out += len(data)
        self._sent += 1
        self._time_answered()

    def _time_answered(self) -> None:
        while self._marks and self._marks[0][0] <= self._sent:
            self._counters.plays.observe(time.perf_counter() - self._marks.popleft()[1])

    async def _write_last(self) -> None:
        """The rest of the queue and the end of the connection, within two seconds."""
        try:
            async with asyncio.timeout(SECONDS_TO_SAY_BYE):
                while self._queue:
                    await self._send({"type": "websocket.send", "text": self._queue.popleft().decode()})
                code = CLOSE_CODES[self._ending]
                await self._send({"type": "websocket.close", "code": code, "reason": self._ending})
        except TimeoutError:
            self.abort()
