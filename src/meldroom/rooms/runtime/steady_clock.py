"""The time now, which never jumps: deadlines follow it, whatever happens to the machine's own clock."""

from __future__ import annotations

import time
from collections.abc import Callable

SLEPT = 10_000
"""The machine's clock being so many milliseconds ahead means that it slept, or was set."""


class SteadyClock:
    """Milliseconds since 1970 as they were at the start, going on with the monotonic clock.

    That one stands still while a machine sleeps on most systems; `catch_up` then ends the difference.
    """

    def __init__(
        self, wall: Callable[[], int] = time.time_ns, monotonic: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._ahead = wall() - monotonic()

    def __call__(self) -> int:
        """The time now, in milliseconds since 1970."""
        return (self._monotonic() + self._ahead) // 1_000_000

    @property
    def slept(self) -> bool:
        """Whether the machine slept, or its clock was set ahead. One that was set back is not followed."""
        return self._wall() // 1_000_000 - self() > SLEPT

    def catch_up(self) -> None:
        """Follow the machine's clock again."""
        self._ahead = max(self._ahead, self._wall() - self._monotonic())


now_ms = SteadyClock()
"""The clock of this process."""
