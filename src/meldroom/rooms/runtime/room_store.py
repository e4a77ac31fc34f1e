"""Rooms and their log: loading, writing down, and putting away what nobody uses."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from msgspec.structs import replace

from meldroom.rooms.domain.state import Room, evolve_room, opened, steps
from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import Clock, ConflictError, Store
from meldroom.rooms.protocol.events import RoomEvent, decode, encode
from meldroom.rooms.runtime.room import LiveRoom
from meldroom.rooms.views.cards import card_of, finished_game, finishes

IDLE = 300_000
"""How long, in ms, a room stays in memory when nobody is there."""
FAR = 600_000
"""A deadline further away than this, in ms, does not keep a room in memory."""
TRY_AGAIN = 1_000


class Ledger:
    """The rooms in memory, each the fold of its log in the store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self.store = store
        self.rooms: dict[str, LiveRoom] = {}
        self._clock = clock
        self._loading: dict[str, asyncio.Task[LiveRoom | None]] = {}

    async def live(self, code: str) -> LiveRoom:
        """A room, loaded if it is not. Raises Refusal if there is none of this code."""
        live = self.rooms.get(code)
        if live is None:
            task = self._loading.get(code)
            if task is None:
                task = self._loading[code] = asyncio.create_task(self._load(code))
                task.add_done_callback(lambda _: self._loading.pop(code, None))
            live = await asyncio.shield(task)
        if live is None:
            raise Refusal("no_such_room", "room", room=code)
        live.used_at = self._clock()
        return live

    async def _load(self, code: str) -> LiveRoom | None:
        events = [decode(data) for data in await self.store.events(code)]
        if not events:
            return None
        live: LiveRoom | None = None
        for event, room in zip(events, steps(events), strict=True):
            if live is None:
                live = LiveRoom(room)
            live.happened(event, room)
        assert live is not None
        self.rooms[code] = live
        return live

    async def open(self, events: Iterable[RoomEvent]) -> LiveRoom:
        """A new room from its first events. Raises ConflictError if its code is taken."""
        first, *rest = events
        first = replace(first, seq=1)
        room = opened(first)  # type: ignore[arg-type]
        await self.store.append(room.code, 1, encode(first), card_of(room))
        live = self.rooms[room.code] = LiveRoom(room)
        live.happened(first, room)
        live.used_at = self._clock()
        for event in rest:
            await self.commit(live, event)
        return live

    async def commit(self, live: LiveRoom, event: RoomEvent) -> RoomEvent:
        """Write an event down and fold it; gives it as written. Under the room's lock. Raises Refusal."""
        before = live.room
        event = replace(event, seq=before.seq + 1)
        after = evolve_room(before, event)
        finished = None
        if finishes(before, after):
            # Writing a whole game down takes as long as many plays elsewhere: those go on meanwhile.
            finished = await asyncio.to_thread(finished_game, before, after)
        try:
            await self.store.append(before.code, event.seq, encode(event), card_of(after), finished)
        except ConflictError:
            live.behind = True
            raise Refusal("conflict", retry_ms=TRY_AGAIN) from None
        except BaseException:
            live.behind = True  # Whether it was written is not known; the log will tell.
            raise
        live.happened(event, after)
        return event

    async def catch_up(self, live: LiveRoom) -> tuple[Room, list[RoomEvent]]:
        """Fold what the log has and this room has not: the room before, and those events."""
        before = live.room
        events = [decode(data) for data in await self.store.events(before.code, before.seq)]
        for event in events:
            live.happened(event, evolve_room(live.room, event))
        live.behind = False
        return before, events

    def put_away(self) -> int:
        """Forget rooms that nobody uses; the log brings them back. How many were put away."""
        now = self._clock()
        idle = [code for code, live in self.rooms.items() if _is_idle(live, now)]
        for code in idle:
            del self.rooms[code]
        return len(idle)


def _is_idle(live: LiveRoom, now: int) -> bool:
    if live.listeners or live.thinking is not None or live.lock.locked() or now - live.used_at < IDLE:
        return False
    return live.room.deadline is None or live.room.deadline - now > FAR
