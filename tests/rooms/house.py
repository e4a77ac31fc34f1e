"""A house of rooms under test: rooms, a clock in the hand, bots in the same process, clients that listen."""

from __future__ import annotations

import asyncio
import random
from itertools import count
from typing import Any

import msgspec

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.levels import make_bot
from meldroom.game.actions import Action
from meldroom.game.from_view import state_from_view
from meldroom.game.legal.actions import legal
from meldroom.game.legal.arrange import find_lay
from meldroom.game.state import State
from meldroom.game.views import View
from meldroom.i18n import Language
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import WorkerError
from meldroom.rooms.ports import BotKey, Player
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, HintStep, Message, Odds, Refused, RoomView, Update
from meldroom.rooms.protocol.settings import OpenRoom, Settings
from meldroom.rooms.runtime.bus import LocalBus
from meldroom.rooms.runtime.room import LiveRoom
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.rooms.worker.outlook import odds, playable
from meldroom.rules.book import BookRef
from meldroom.rules.library import resolve
from tests.rooms.memory_store import MemoryStore

MESSAGE = msgspec.json.Decoder(Message)
START = 1_700_000_000_000
"""When every test begins, in ms."""


class Time:
    """A clock in the hand."""

    def __init__(self, now: int = START) -> None:
        self.now = now

    def __call__(self) -> int:
        return self.now


class Thinker:
    """Thinks at once, in the test's own process. `silent` bots have no answer."""

    def __init__(self) -> None:
        self.bots: dict[tuple[BotKey, str], Bot] = {}
        self.seeds: set[str] = set()
        self.forgotten: list[tuple[str, int]] = []
        self.silent = False
        self.closed = False

    async def bot_action(
        self, key: BotKey, level: str, book: BookRef, seed: str, view: View, seconds: float | None
    ) -> Action | None:
        """What a bot does."""
        self.seeds.add(seed)
        if self.silent:
            return None
        if (key, level) not in self.bots:
            self.bots[key, level] = make_bot(level, resolve(book), seed=seed)
        return self.bots[key, level].act(view, Clock(seconds))

    async def hint(self, book: BookRef, view: View, step: int, language: Language) -> HintStep:
        """A rung that says which one it is."""
        if self.silent:
            raise WorkerError("no_answer")
        return HintStep(step, 4, f"{language} {step}")

    async def can_lay(self, book: BookRef, view: View) -> bool:
        """Whether anything can be laid."""
        return find_lay(state_from_view(resolve(book), view)) is not None

    async def playable(self, book: BookRef, view: View) -> bool | None:
        """Whether anything can be played."""
        if self.silent:
            raise WorkerError("no_answer")
        return playable(resolve(book), view)

    async def odds(self, book: BookRef, view: View) -> Odds:
        """The odds of opening and of going out."""
        if self.silent:
            raise WorkerError("no_answer")
        return odds(resolve(book), view)

    def forget(self, room: str, game: int) -> None:
        """Noted and done."""
        self.forgotten.append((room, game))
        for key, level in [*self.bots]:
            if (key.room, key.game) == (room, game):
                del self.bots[key, level]

    async def close(self) -> None:
        """Noted."""
        self.closed = True


class Guest:
    """A client: keeps every byte it was sent, and follows the last view."""

    ids = count(1)

    def __init__(self, house: House, name: str, language: Language = "en", player: Player | None = None):
        self.house = house
        self.player = player or Player(f"player-{name.lower()}", name)
        self.language: Language = language
        self.frames: list[bytes] = []

    def send(self, message: bytes) -> None:
        """Keep a message."""
        self.frames.append(message)

    async def do(self, kind: type[Any], room: str, /, **fields: Any) -> Done | Refused:
        """Send a command with a fresh id."""
        command = kind(id=f"{self.player.id}-{next(Guest.ids)}", room=room, **fields)
        return await self.house.rooms.handle(self, command)

    async def done(self, kind: type[Any], room: str, /, **fields: Any) -> Done:
        """Send a command that must be carried out."""
        answer = await self.do(kind, room, **fields)
        assert isinstance(answer, Done), answer
        return answer

    async def refused(self, kind: type[Any], room: str, /, **fields: Any) -> str:
        """Send a command that must be refused; the code."""
        answer = await self.do(kind, room, **fields)
        assert isinstance(answer, Refused), answer
        assert answer.error.message
        return answer.error.code

    def messages(self, kind: type[Any] | None = None) -> list[Any]:
        """Everything received, or all of a kind."""
        decoded = [MESSAGE.decode(frame) for frame in self.frames]
        return [each for each in decoded if kind is None or isinstance(each, kind)]

    @property
    def view(self) -> RoomView:
        """The last view received."""
        for frame in reversed(self.frames):
            message = MESSAGE.decode(frame)
            if isinstance(message, Update):
                return message.view
        raise AssertionError("no view yet")


class House:
    """Rooms over a store in memory. `reopen` is a server that was killed and started again."""

    def __init__(
        self, store: MemoryStore | None = None, time: Time | None = None, start_phase: int = 0
    ) -> None:
        self.store = store or MemoryStore()
        self.time = time or Time()
        self.thinker = Thinker()
        self._serial = count(1)
        self.rooms = Rooms(
            self.store,
            LocalBus(),
            self.thinker,
            clock=self.time,
            new_secret=lambda: f"secret-{next(self._serial)}",
            new_code=lambda: f"room{next(self._serial)}",
            bot_pace=0,
            start_phase=start_phase,
        )

    def guest(self, name: str, language: Language = "en") -> Guest:
        """Somebody with a browser."""
        return Guest(self, name, language)

    async def open(
        self, host: Guest, *chairs: str, begin: bool = False, word: str = "", **settings: Any
    ) -> str:
        """A room of `host`; chairs as in a request."""
        wanted = Settings(seats=len(chairs), **{"book": "wrc11", **settings})
        return await self.rooms.open(host.player, OpenRoom(wanted, chairs, begin, word))

    def live(self, code: str) -> LiveRoom:
        """The room in memory."""
        return self.rooms.in_memory[code]

    def room(self, code: str) -> Room:
        """The room's value."""
        return self.live(code).room

    def state(self, code: str) -> State:
        """The true state of its game."""
        game = self.room(code).game
        assert game is not None
        return game

    async def settle(self) -> None:
        """Let everything that is under way come to rest."""
        quiet = 0
        while quiet < 3:
            await asyncio.sleep(0)
            quiet = 0 if self.rooms.busy else quiet + 1

    async def advance(self, milliseconds: int) -> None:
        """Let time pass and everything happen that is due."""
        self.time.now += milliseconds
        self.rooms.scheduler.ring_due()
        await self.settle()

    async def table(self, *names: str, **settings: Any) -> tuple[str, list[Guest]]:
        """A room in which people sit and are connected, its first game dealt."""
        guests = [self.guest(name) for name in names]
        code = await self.open(guests[0], "me", *["open"] * (len(names) - 1), **settings)
        for seat, guest in enumerate(guests):
            await guest.done(do.Enter, code)
            if seat:
                await guest.done(do.Sit, code, seat=seat, word=f"word of {guest.player.name}")
        await guests[0].done(do.Begin, code)
        return code, guests

    async def play_on(self, code: str, guests: list[Guest], chance: random.Random, most: int = 10_000) -> int:
        """People at the table play some legal action each until the game is over; how many they played."""
        played = 0
        while self.room(code).stage == "playing" and played < most:
            await self.settle()
            room = self.room(code)
            if room.stage != "playing":
                break
            assert room.to_act is not None
            guest = guests[room.to_act]
            action = legal(self.state(code)).sample(chance)
            await guest.done(do.Act, code, rev=room.rev, action=action)
            played += 1
            self.time.now += 100
            await self.settle()
        return played
