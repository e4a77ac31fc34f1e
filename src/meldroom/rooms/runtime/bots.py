"""Bots at their turns: they think elsewhere, answer in their own pace, and are judged like anybody."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from meldroom.game.actions import Action
from meldroom.game.views import view
from meldroom.rooms.domain.playing import bot_answer, must_ask
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import Clock
from meldroom.rooms.protocol.events import RoomEvent
from meldroom.rooms.runtime.room import LiveRoom
from meldroom.rooms.runtime.scheduler import Scheduler
from meldroom.server.workers.tasks import BotKey, WorkerError, Workers

SHARE_OF_CLOCK = 0.7
UNWATCHED_PACE = 50
"""What a bot takes at least, in ms, when no person plays any more and nobody looks on."""
TRY_AGAIN = 1_000

_LOG = logging.getLogger(__name__)

Happen: TypeAlias = Callable[[LiveRoom, RoomEvent], Awaitable[None]]
"""Writes an event down and publishes it, under the room's lock."""


class Driver:
    """Plays the turns of bots and stand-ins."""

    def __init__(
        self, thinking: Workers, scheduler: Scheduler, clock: Clock, pace: int, happen: Happen
    ) -> None:
        self._thinking = thinking
        self._scheduler = scheduler
        self._clock = clock
        self._pace = pace
        self._happen = happen
        self._tasks: set[asyncio.Task[None]] = set()

    def look(self, live: LiveRoom) -> None:
        """Let the bot to move think, if there is one and it does not yet."""
        room = live.room
        level, seat = room.bot_to_act, room.to_act
        if level is None or seat is None:
            return
        turn = (room.rev, seat, level)
        if live.thinking == turn:
            return
        live.thinking = turn
        task = asyncio.create_task(self._turn(live, room, turn))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def busy(self) -> bool:
        """True while a bot thinks."""
        return bool(self._tasks)

    async def close(self) -> None:
        """No bot thinks any more."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _turn(self, live: LiveRoom, room: Room, turn: tuple[int, int, str]) -> None:
        rev, seat, level = turn
        try:
            action = await self._ask(room, seat, level)
            can_lay = await self._can_lay(room, seat) if must_ask(room, action) else None
            await self._wait_until(room.acted_at + self._pace_of(live))
            async with live.lock:
                now = live.room
                if (now.rev, now.to_act, now.bot_to_act) == (rev, seat, level):
                    await self._happen(live, bot_answer(now, action, self._clock(), can_lay))
        except Exception:  # The store may be back in a moment; a game must not stand still for ever.
            _LOG.exception("a bot's turn in room %s failed", room.code)
            self._scheduler.at(self._clock() + TRY_AGAIN, lambda: self.look(live))
            return
        finally:
            if live.thinking == turn:
                live.thinking = None
        self.look(live)

    def _pace_of(self, live: LiveRoom) -> int:
        """How long a bot takes at least: its pace for people to follow, less where there are none.

        After the last person has withdrawn the bots play on to the end (R50), also for who still looks on.
        """
        game = live.room.game
        people = [
            seat
            for seat, chair in enumerate(live.room.chairs)
            if chair.kind == "person" and game is not None and not game.withdrawn[seat]
        ]
        return self._pace if people or live.listeners else min(self._pace, UNWATCHED_PACE)

    async def _ask(self, room: Room, seat: int, level: str) -> Action | None:
        assert room.game is not None
        seconds = None
        if room.deadline is not None:
            seconds = max(0.1, (room.deadline - self._clock()) / 1000 * SHARE_OF_CLOCK)
        # A bot's chance follows from what is published: a seed with the secret in it would tell the pool.
        seed = f"{room.game.commitment} {room.game.game} {seat}"
        key = BotKey(room.code, room.number, seat)
        return await self._thinking.act(key, level, room.book.ref, seed, view(room.game, seat), seconds)

    async def _can_lay(self, room: Room, seat: int) -> bool:
        assert room.game is not None
        try:
            return await self._thinking.can_lay(room.book.ref, view(room.game, seat))
        except WorkerError:
            return False  # Past the budget the answer is no: nobody is forced.

    async def _wait_until(self, due: int) -> None:
        if self._pace <= 0 or due <= self._clock():
            return
        reached = asyncio.Event()
        alarm = self._scheduler.at(due, reached.set)
        try:
            await reached.wait()
        finally:
            alarm.cancel()
