"""The live connection of a page: the same conversation as over a server's socket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import msgspec

from meldroom.browser.crossing import as_text
from meldroom.browser.device import Device
from meldroom.browser.levels import check_level
from meldroom.rooms.errors import ConnectionRefusal
from meldroom.rooms.ports import Client, Player
from meldroom.rooms.protocol.answers import Message, Refused
from meldroom.rooms.protocol.commands import Command, Hello, SeatBot
from meldroom.rooms.protocol.frames import read_frame
from meldroom.rooms.runtime.conversation import Conversation

_LOG = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class Connection:
    """A Client of ports.py. Commands are carried out in the order in which they were received."""

    def __init__(self, device: Device, send: Callable[[str], object], closed: Callable[[Connection], None]):
        self.player = Player("", "")
        self.language = device.player.language
        self._device = device
        self._send = send
        self._closed = closed
        self._open = True
        self._conversation = Conversation(
            device.rooms, self, device.clock, self._identified, self._client_for
        )
        self._frames: asyncio.Queue[tuple[str | None, int]] = asyncio.Queue()
        self._listening = asyncio.create_task(self._listen())

    def receive(self, text: Any) -> None:
        """Begin to carry out a command; its answer is sent."""
        self._frames.put_nowait((as_text(text), self._device.clock()))

    def close(self) -> None:
        """The page is gone; what it began is brought to an end."""
        if self._open:
            self._open = False
            self._listening.cancel()
            self._conversation.end()
            self._closed(self)

    def send(self, message: bytes) -> None:
        """Send an encoded message."""
        if not self._open:
            return
        try:
            self._send(message.decode())
        except Exception:  # A page that cannot hear must not stop the game.
            _LOG.exception("a message could not be sent")

    def tell(self, answer: Message) -> None:
        """Send a message."""
        self.send(_encode(answer))

    async def _listen(self) -> None:
        while True:
            text, arrived = await self._frames.get()
            if text is None:
                self._conversation.refuse("", ConnectionRefusal("binary"))
                continue
            command = read_frame(text, self.language)
            if isinstance(command, Refused):
                self._conversation.answer(command)
            else:
                await self._conversation.obey(command, arrived)

    async def _identified(self, hello: Hello) -> Player:
        """Whoever plays on this device. Raises Refusal before there is a session."""
        if not self._device.player.id:
            raise ConnectionRefusal("no_session")
        return self._device.player.player

    async def _client_for(self, command: Command) -> Client:
        """This connection, under the player's latest name. Raises Refusal for a bot that cannot play here."""
        if isinstance(command, SeatBot):
            check_level(command.level, "level")
        if self._device.player.id:
            self.player = self._device.player.player
        return self
