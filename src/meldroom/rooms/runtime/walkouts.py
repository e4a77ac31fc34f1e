"""Who leaves other people's games again and again waits a while before they sit down with strangers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from meldroom.rooms.ports import Clock
from meldroom.rooms.rate_limit import Allowance, Bucket, Limiter

LEAVING = Allowance(3, 1 / 900)
"""How often one may leave other people's games: thrice, and then once in a quarter of an hour."""
REMEMBERED = 24 * 3600 * 1000
"""Milliseconds after which nobody asks about it any more."""


def cool_down(times: Sequence[int], now: int) -> float:
    """The seconds somebody must wait who left at these times, in ms and in order."""
    if not times:
        return 0.0
    bucket = Bucket(LEAVING, times[0] / 1000)
    for at in times:
        bucket.charge(1, at / 1000)
    return bucket.debt(now / 1000)


class Walkouts(Protocol):
    """Who has left other people's games, lately and how often."""

    async def note(self, player: str, room: str) -> None:
        """Somebody has just left a game that others were playing."""
        ...

    async def wait(self, player: str) -> float:
        """The seconds until somebody may sit down with strangers again; 0.0 if they may."""
        ...


class WalkoutsInMemory:
    """Walkouts that are forgotten with the process: for one device, and for tests."""

    def __init__(self, clock: Clock) -> None:
        self._limiter = Limiter(LEAVING, lambda: clock() / 1000)

    async def note(self, player: str, room: str) -> None:
        """See Walkouts."""
        self._limiter.charge(player)

    async def wait(self, player: str) -> float:
        """See Walkouts."""
        return self._limiter.debt(player)
