"""The ports of the rooms: what they need of storage, of a message bus, of workers and of a client.

Rooms know nothing of HTTP, SQL or processes. The server brings `SqlStore` and `WorkerPool`; a bus in memory
is `runtime.bus.LocalBus`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

import msgspec

from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.protocol.answers import HintStep, Odds
from meldroom.rooms.protocol.settings import Spectators, Stage
from meldroom.rules.book import BookRef

Value = TypeVar("Value")

Clock = Callable[[], int]
"""The time now, in milliseconds since 1970."""


class Player(msgspec.Struct, frozen=True, gc=False):
    """Somebody who may sit down: a guest, an account, or a bot with a token.

    `avatar` is the one they have chosen, empty for their own two tiles; `blocked` are the ids of those whose
    chat they do not see.
    """

    id: str
    name: str
    guest: bool = True
    avatar: str = ""
    blocked: frozenset[str] = frozenset()


class RoomCard(msgspec.Struct, frozen=True, gc=False):
    """What a list of rooms shows; stored beside the log, and always computable from it.

    `players` are the ids of the people by seat, empty for bots and open seats. `waiting_for` is the seat to
    move, None when nobody is.
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
    avatars: tuple[str, ...] = ()


class SharedDeal(msgspec.Struct, frozen=True, gc=False):
    """A deal of a championship that every table of a sitting plays: its place on the sheet."""

    championship: str
    stage: str
    sitting: int
    game: int


class FinishedGame(msgspec.Struct, frozen=True, gc=False):
    """A game that is over. `people` are the ids of the players by seat, empty for bots.

    `levels` are those of the bots by seat, empty for people; games of earlier versions have none.
    A game with `take_backs` counts in no statistics: whoever takes a turn back has seen what comes next.
    Where other tables play the same `deal`, nobody is shown the record before all of them have.
    """

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
    take_backs: int = 0
    levels: tuple[str, ...] = ()
    deal: SharedDeal | None = None


class Store(Protocol):
    """Where rooms are stored. What a call has returned from is durable. Every call may raise StorageError."""

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
    """Fan-out of messages to whoever listens; losing a message loses no data."""

    def publish(self, topic: str, message: bytes) -> None:
        """Send a message to every listener of a topic."""
        ...

    def listen(self, topic: str, receive: Receive) -> Callable[[], None]:
        """Listen to a topic from now on; the answer ends it."""
        ...


class BotKey(msgspec.Struct, frozen=True, gc=False):
    """Which bot: one is made for one seat of one game and remembers what it was shown there."""

    room: str
    game: int
    seat: int

    def text(self) -> str:
        """The key as one word."""
        return f"{self.room}-{self.game}-{self.seat}"


class Workers(Protocol):
    """Bots, hints and searches, computed off the event loop."""

    async def bot_action(
        self, key: BotKey, level: str, book: BookRef, seed: str, view: View, seconds: float | None
    ) -> Action | None:
        """What a bot does now; None if it fails or takes too long."""
        ...

    async def hint(self, book: BookRef, view: View, step: int, language: Language) -> HintStep:
        """A hint. Raises WorkerError."""
        ...

    async def can_lay(self, book: BookRef, view: View) -> bool:
        """Whether the player to move can lay anything (R12). Raises WorkerError."""
        ...

    async def playable(self, book: BookRef, view: View) -> bool | None:
        """Whether anything can be played in this turn, None if that cannot be said. Raises WorkerError."""
        ...

    async def odds(self, book: BookRef, view: View) -> Odds:
        """The odds of opening and of going out. Raises WorkerError."""
        ...

    def forget(self, room: str, game: int) -> None:
        """A game is over: its bots are no longer needed."""
        ...

    async def close(self) -> None:
        """End the workers."""
        ...


class Offload(Protocol):
    """Runs a slow function beside the event loop, as `asyncio.to_thread` does; a browser has no threads."""

    def __call__(self, function: Callable[..., Value], /, *arguments: object) -> Awaitable[Value]:
        """Call the function with its arguments."""
        ...


class Client(Protocol):
    """One connection as the rooms see it."""

    player: Player
    language: Language

    def send(self, message: bytes) -> None:
        """Queue an encoded message. Never waits: a client that does not keep up is cut off."""
        ...
