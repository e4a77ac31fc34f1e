"""The seams: what the rooms need from storage, from fan-out and from a client, and nothing more.

The embedded defaults are `storage.SqlStore` and `rooms.bus.LocalBus`; PostgreSQL and NATS fit behind the same
names without touching a game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from meldroom.i18n import Language
from meldroom.rooms.protocol.settings import Spectators, Stage


class Player(msgspec.Struct, frozen=True):
    """Somebody who may sit down: a guest, an account, or a bot with a token."""

    id: str
    name: str
    guest: bool = True


class RoomCard(msgspec.Struct, frozen=True):
    """What a list of rooms shows; kept beside the log, and always computable from it.

    `players` are the ids of the people by seat, empty for bots and open seats. `waiting_for` is the seat to
    act, None when nobody is.
    """

    room: str
    host: str
    stage: Stage
    public: bool
    book: str
    seats: int
    names: tuple[str, ...]
    players: tuple[str, ...]
    opened_at: int
    changed_at: int
    waiting_for: int | None = None
    clock: str = ""
    spectators: Spectators = "off"


class FinishedGame(msgspec.Struct, frozen=True):
    """A game that is over, under the id that its pages and its record have."""

    id: str
    room: str
    game: int
    book: str
    players: tuple[str, ...]
    people: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_at: int
    record: str


class ConflictError(RuntimeError):
    """Somebody else has written this place of the log."""


class Store(Protocol):
    """Where rooms live. Whatever a call has returned from is durable."""

    async def append(
        self, room: str, seq: int, event: bytes, card: RoomCard, finished: FinishedGame | None = None
    ) -> None:
        """Write the event number `seq` (from 1) of a room, with its card, in one commit.

        Commits are shared between rooms. Raises ConflictError if that number is taken.
        """
        ...

    async def events(self, room: str, after: int = 0) -> list[bytes]:
        """The events of a room in order, after a number."""
        ...

    async def cards(self, stage: Stage | None = None, *, player: str | None = None) -> list[RoomCard]:
        """Cards of rooms, newest change first: of one stage, of one player; for the lobby `waiting` ones."""
        ...

    async def finished(self, game: str) -> FinishedGame | None:
        """A finished game by id."""
        ...

    async def finished_of(self, player: str, limit: int = 50) -> list[FinishedGame]:
        """What a player has finished, newest first, without the records' texts."""
        ...

    async def alive(self, now: int) -> None:
        """Note that the server was alive at this time; clocks do not run while it is not."""
        ...

    async def last_alive(self) -> int | None:
        """The last time noted."""
        ...


Receive = Callable[[bytes], None]


class Bus(Protocol):
    """Fan-out of what happens in a room to whoever listens; losing a message loses no data."""

    def publish(self, topic: str, message: bytes) -> None:
        """Hand a message to every listener of a topic."""
        ...

    def listen(self, topic: str, receive: Receive) -> Callable[[], None]:
        """Hear a topic from now on; the answer ends it."""
        ...


class Client(Protocol):
    """One connection as the rooms see it."""

    player: Player
    language: Language

    def send(self, message: bytes) -> None:
        """Queue an encoded message. Never waits: a client that does not keep up is cut off."""
        ...


Clock = Callable[[], int]
"""The time now, in milliseconds since 1970."""

Names = Sequence[str]
