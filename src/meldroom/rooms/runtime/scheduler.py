"""Timers: deadlines of all rooms, paces of bots, delayed messages, in one heap with one timer of the loop."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from typing import TypeAlias

from meldroom.rooms.ports import Clock

Ring: TypeAlias = Callable[[], None]


MOST_CANCELLED = 1_000
"""So many cancelled alarms stay in the heap before it is cleared of them."""


class Alarm:
    """Something that is due; it can be cancelled."""

    __slots__ = ("_scheduler", "due", "ring")

    def __init__(self, scheduler: Scheduler, due: int, ring: Ring) -> None:
        self._scheduler = scheduler
        self.due = due
        self.ring: Ring | None = ring

    def cancel(self) -> None:
        """Cancel it; its place in the heap is cleared later."""
        if self.ring is not None:
            self.ring = None
            self._scheduler.cancelled += 1


class Scheduler:
    """Rings alarms in the order of their times; the event loop has a timer for the first one only."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._heap: list[tuple[int, int, Alarm]] = []
        self._serial = 0
        self.cancelled = 0
        self._handle: asyncio.TimerHandle | None = None
        self._armed_for: int | None = None
        self._closed = False

    def at(self, due: int, ring: Ring) -> Alarm:
        """Ring at a time, or as soon as possible if it has passed."""
        if self.cancelled > MOST_CANCELLED and self.cancelled * 2 > len(self._heap):
            self._clear_cancelled()
        alarm = Alarm(self, due, ring)
        self._serial += 1
        heapq.heappush(self._heap, (due, self._serial, alarm))
        self._arm()
        return alarm

    async def wait_until(self, due: int) -> None:
        """Return at a time, at once if it has passed."""
        if due <= self._clock():
            return
        reached = asyncio.Event()
        alarm = self.at(due, reached.set)
        try:
            await reached.wait()
        finally:
            alarm.cancel()

    def ring_due(self) -> int:
        """Ring everything that is due by now; how many rang."""
        rung = 0
        while self._heap and self._heap[0][0] <= self._clock():
            alarm = heapq.heappop(self._heap)[2]
            ring, alarm.ring = alarm.ring, None
            if ring is None:
                self.cancelled -= 1
            else:
                ring()
                rung += 1
        return rung

    def _clear_cancelled(self) -> None:
        self._heap = [entry for entry in self._heap if entry[2].ring is not None]
        heapq.heapify(self._heap)
        self.cancelled = 0

    def close(self) -> None:
        """Nothing rings any more."""
        self._closed = True
        self._heap.clear()
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _arm(self) -> None:
        while self._heap and self._heap[0][2].ring is None:
            heapq.heappop(self._heap)
            self.cancelled -= 1
        if self._closed or not self._heap:
            return
        due = self._heap[0][0]
        if self._handle is not None and self._armed_for is not None and self._armed_for <= due:
            return
        if self._handle is not None:
            self._handle.cancel()
        self._armed_for = due
        wait = max(0, due - self._clock()) / 1000
        self._handle = asyncio.get_running_loop().call_later(wait, self._wake)

    def _wake(self) -> None:
        self._handle, self._armed_for = None, None
        self.ring_due()
        self._arm()


class Alarms:
    """At most one alarm for each room; it stays set while the room is not in memory."""

    def __init__(self, scheduler: Scheduler, ring: Callable[[str], object]) -> None:
        self._scheduler = scheduler
        self._ring = ring
        self._alarms: dict[str, Alarm] = {}

    def __len__(self) -> int:
        return len(self._alarms)

    def set(self, code: str, due: int | None) -> None:
        """Set a room's alarm; None cancels it."""
        alarm = self._alarms.get(code)
        if alarm is not None:
            if alarm.due == due:
                return
            alarm.cancel()
            del self._alarms[code]
        if due is not None:
            self._alarms[code] = self._scheduler.at(due, lambda: self._rang(code))

    def _rang(self, code: str) -> None:
        self._alarms.pop(code, None)
        self._ring(code)
