"""People who keep their seats: they play real moves, come back by themselves, and note what they are told."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import msgspec

from meldroom.rooms.protocol import commands
from meldroom.rooms.protocol.answers import Bye, Message, RoomView, Update
from meldroom.rooms.protocol.settings import OpenRoom, Settings
from testkit.server.chooser import Chooser
from testkit.server.client import Glance, Live, RefusedError, Visitor, open_room, visit
from testkit.server.process import ServerProcess

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 4.0
"""Seconds between two tries to come back: those of the browser's client."""


class Watcher(Protocol):
    """Whoever wants to know what a player does and hears."""

    def sent(self, player: Player) -> None:
        """They are about to send their action."""
        ...

    def updated(self, player: Player, update: Update) -> None:
        """They were told of something."""
        ...


class Journal(msgspec.Struct):
    """What one player was promised: their acknowledged actions, and every event they were told of."""

    acknowledged: list[tuple[str, int]] = []
    told: dict[int, str] = {}
    refused: list[str] = []
    gaps: list[str] = []
    farewells: list[str] = []
    away: list[float] = []


Pace = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """No pause before a move."""


class Player:
    """One person at one seat of one room, whose connection may break at any moment.

    They play whenever it is their turn: after `think` they choose, after `pace` they send. After a game they
    want the next one, unless `once`.
    """

    def __init__(
        self,
        server: ServerProcess,
        visitor: Visitor,
        room: str,
        chooser: Chooser,
        *,
        think: Pace = at_once,
        pace: Pace = at_once,
        once: bool = False,
        watcher: Watcher | None = None,
        glance: Glance | None = None,
        longest_pause: float = LONGEST_PAUSE,
    ) -> None:
        self.server, self.visitor, self.room, self.chooser = server, visitor, room, chooser
        self.think, self.pace, self.once, self.watcher = think, pace, once, watcher
        self.glance = glance
        self.longest_pause = longest_pause
        self.tries_again = False
        """Whether they send a command again when they are told to try again in a moment."""
        self.journal = Journal()
        self.view: RoomView | None = None
        self.seq: int | None = None
        self.plays = 0
        self.changed = asyncio.Event()
        self.connected = asyncio.Event()
        self.stopping = False
        self._number = 0
        self._answered: int | None = None
        self._pending: commands.Act | commands.Agree | None = None

    async def run(self) -> None:
        """Play, and come back whenever the connection is lost, until told to stop."""
        pause: float = FIRST_PAUSE
        lost: float | None = None
        while not self.stopping:
            live = Live(
                self.server,
                self.visitor,
                hear=self._hear,
                closed=self.changed.set,
                ids=self._connection_ids(),
                glance=self.glance,
            )
            try:
                await live.open()
                await live.do(commands.Enter(id=live.next_id(), room=self.room, since=self.seq))
                if lost is not None:
                    self.journal.away.append(time.monotonic() - lost)
                pause, lost = FIRST_PAUSE, None
                self.connected.set()
                await self._play(live)
            except OSError:  # cut off, turned away, or nobody there
                pass
            except RefusedError as refused:
                if not self.tries_again or refused.error.retry_ms is None:
                    raise
            finally:
                self.connected.clear()
                lost = lost or time.monotonic()
                await live.close()
            if not self.stopping:
                await asyncio.sleep(pause)
                pause = min(self.longest_pause, pause * 2)

    def stop(self) -> None:
        """Play no more."""
        self.stopping = True
        self.changed.set()

    def _connection_ids(self) -> str:
        self._number += 1
        return f"{self.visitor.me.id[-8:]}-{self._number}-"

    async def _play(self, live: Live) -> None:
        """Do what is to be done until the connection ends. An unanswered command is sent again as it was."""
        while not self.stopping and not live.closed:
            self.changed.clear()
            if self._pending is None:
                self._pending = await self._wish(live)
            if self._pending is None:
                await self.changed.wait()
                continue
            if self.watcher is not None:
                self.watcher.sent(self)
            try:
                done = await live.do(self._pending)
            except RefusedError as refused:
                if self.tries_again and refused.error.retry_ms is not None:
                    await asyncio.sleep(refused.error.retry_ms / 1000)
                    continue
                # Those who were there may have begun the next game while this one was cut off.
                begun = isinstance(self._pending, commands.Agree) and refused.error.code == "game_not_over"
                if not begun:
                    self.journal.refused.append(str(refused))
            else:
                if isinstance(self._pending, commands.Act):
                    assert done.rev is not None
                    self.journal.acknowledged.append((self._pending.id, done.rev))
                    self.plays += 1
            self._pending = None

    async def _wish(self, live: Live) -> commands.Act | commands.Agree | None:
        """What the player wants to do now: their move, or the next game; None is to wait."""
        view = self.view
        if view is None or view.me is None or view.game is None or view.rev == self._answered:
            return None
        if view.stage == "playing" and view.game.seat == view.me:
            self._answered = view.rev
            await self.think()
            action = self.chooser.choose(view.game)
            await self.pace()
            return commands.Act(id=live.next_id(), room=self.room, rev=view.rev, action=action)
        if view.stage == "over" and not self.once:
            self._answered = view.rev
            return commands.Agree(id=live.next_id(), room=self.room, to="next")
        return None

    def _hear(self, message: Message) -> None:
        if isinstance(message, Bye):
            self.journal.farewells.append(message.code)
        if not isinstance(message, Update):
            return
        if self.seq is not None and not message.snapshot and message.since != self.seq:
            self.journal.gaps.append(f"told of {message.since}–{message.seq} after {self.seq}")
        self.seq, self.view = message.seq, message.view
        for event in message.events:
            self.journal.told[event.seq] = str(event.__struct_config__.tag)
        self.changed.set()
        if self.watcher is not None:
            self.watcher.updated(self, message)


async def sit_down(
    server: ServerProcess, settings: Settings, names: Sequence[str]
) -> tuple[str, list[Visitor]]:
    """A room in which these people sit and the first game has begun."""
    visitors = [await visit(server, name) for name in names]
    bots = settings.seats - len(names)
    chairs = ("me", *["open"] * (len(names) - 1), *["beginner"] * bots)
    room = await open_room(server, visitors[0], OpenRoom(settings=settings, chairs=chairs, word="ivory"))
    for seat, visitor in enumerate(visitors[1:], start=1):
        async with Live(server, visitor, ids="sit-") as live:
            await live.do(commands.Sit(id=live.next_id(), room=room, seat=seat, word=f"word {seat}"))
    async with Live(server, visitors[0], ids="begin-") as live:
        await live.do(commands.Begin(id=live.next_id(), room=room))
    return room, visitors
