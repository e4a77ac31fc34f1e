"""The clocks of all rooms: one alarm each in the one scheduler."""

from __future__ import annotations

from collections.abc import Callable

from meldroom.rooms.ports import Clock
from meldroom.rooms.runtime.scheduler import Alarm, Scheduler


class Deadlines:
    """When which room's turn ends."""

    def __init__(self, scheduler: Scheduler, clock: Clock, ring: Callable[[str], None]) -> None:
        self._scheduler = scheduler
        self._clock = clock
        self._ring = ring
        self._alarms: dict[str, Alarm] = {}

    def set(self, code: str, deadline: int | None) -> None:
        """The turn in a room ends then; None if no clock runs."""
        alarm = self._alarms.get(code)
        if alarm is not None:
            if alarm.due == deadline:
                return
            alarm.cancel()
            del self._alarms[code]
        if deadline is not None:
            self._alarms[code] = self._scheduler.at(deadline, lambda: self._rang(code))

    def _rang(self, code: str) -> None:
        self._alarms.pop(code, None)
        self._ring(code)

    def __len__(self) -> int:
        return len(self._alarms)
