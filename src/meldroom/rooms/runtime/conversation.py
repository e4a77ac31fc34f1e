"""What one client and the rooms say to each other from hello on; the same over a socket and in a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol

from meldroom.i18n import Language
from meldroom.rooms.errors import ConnectionRefusal, refusal_for
from meldroom.rooms.ports import Client, Player
from meldroom.rooms.protocol.answers import Done, Message, Refused, Welcome
from meldroom.rooms.protocol.commands import (
    VERSION,
    AskOdds,
    Command,
    Follow,
    Hello,
    Hint,
    Ping,
    Playable,
    Unfollow,
)
from meldroom.rooms.runtime.rooms import Rooms


class Speaker(Protocol):
    """The connection that a conversation is held over: a client that is told messages."""

    player: Player
    language: Language

    def send(self, message: bytes) -> None:
        """Queue an encoded message."""
        ...

    def tell(self, answer: Message) -> None:
        """Queue a message that is not encoded yet."""
        ...


class Conversation:
    """Answers commands in their order; hints and odds take their time, and the client may play on meanwhile.

    `identify` finds out who says hello, or raises Refusal; `client_for` chooses the client that a command
    comes from; `follow` begins or ends to tell it of a topic, where there are any.
    """

    def __init__(
        self,
        rooms: Rooms,
        speaker: Speaker,
        clock: Callable[[], int],
        identify: Callable[[Hello], Awaitable[Player]],
        client_for: Callable[[Command], Awaitable[Client]] | None = None,
        refused: Callable[[str], None] = lambda code: None,
        follow: Callable[[Follow | Unfollow], Awaitable[None]] | None = None,
    ) -> None:
        self._rooms = rooms
        self._speaker = speaker
        self._clock = clock
        self._identify = identify
        self._client_for = client_for
        self._refused = refused
        self._follow = follow
        self._greeted = False
        self._slow: dict[type[Command], asyncio.Task[None]] = {}

    async def obey(self, command: Command, arrived: int) -> None:
        """Carry out a command and answer it."""
        try:
            if isinstance(command, Hello):
                await self._hello(command)
            elif not self._greeted:
                raise ConnectionRefusal("hello_first", version=VERSION)
            elif isinstance(command, Ping):
                self.answer(Done(id=command.id, now=self._clock()))
            elif isinstance(command, Follow | Unfollow) and self._follow is not None:
                await self._follow(command)
                self.answer(Done(id=command.id, now=self._clock()))
            elif isinstance(command, Hint | Playable | AskOdds):
                slow = self._slow.get(type(command))
                if slow is not None and not slow.done():
                    raise ConnectionRefusal("busy")
                self._slow[type(command)] = asyncio.create_task(self._carry_out(command, arrived))
            else:
                await self._carry_out(command, arrived)
        except Exception as error:
            self.refuse(command.id, error)

    def end(self) -> None:
        """The client is gone."""
        for task in self._slow.values():
            task.cancel()
        self._rooms.disconnected(self._speaker)

    async def _carry_out(self, command: Command, arrived: int) -> None:
        try:
            client = self._speaker if self._client_for is None else await self._client_for(command)
            self.answer(await self._rooms.handle(client, command, arrived))
        except Exception as error:
            self.refuse(command.id, error)

    async def _hello(self, hello: Hello) -> None:
        speaker = self._speaker
        speaker.language = hello.language
        if hello.version != VERSION:
            raise ConnectionRefusal("version", "version", version=VERSION, asked=str(hello.version))
        if not self._greeted:
            speaker.player = await self._identify(hello)
            self._greeted = True
        player = speaker.player
        speaker.tell(
            Welcome(id=hello.id, version=VERSION, player=player.id, name=player.name, now=self._clock())
        )

    def refuse(self, id: str, error: Exception) -> None:
        """Answer that something is not carried out, and why."""
        self.answer(Refused(id=id, error=refusal_for(error).error(self._speaker.language)))

    def answer(self, answer: Done | Refused) -> None:
        """Send an answer."""
        if isinstance(answer, Refused):
            self._refused(answer.error.code)
        self._speaker.tell(answer)
