"""Four people at a table whose plays are timed: from just before one is sent until the last seat read it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec

from meldroom.rooms.protocol.answers import Update
from meldroom.rooms.protocol.settings import Settings, TurnClock
from testkit.server.chooser import Chooser
from testkit.server.players import Player, sit_down
from testkit.server.process import ServerProcess

SEATS = 4
SIT_TOGETHER = 10
LONG = 300
"""Seconds for a turn: nobody is timed out while the last table is still sitting down."""


class _Seen(msgspec.Struct, frozen=True):
    """As much of a view as is needed to stop the time."""

    rev: int
    me: int | None = None


class _Arrived(msgspec.Struct, frozen=True):
    view: _Seen


_UPDATE = msgspec.json.encode({"type": "update"})[:-1]
_GLANCE = msgspec.json.Decoder(_Arrived)


class TimedTable:
    """A table at which a play is due every so many seconds, and all four must hear of it."""

    def __init__(self, every: float) -> None:
        self.every = every
        self.due = 0.0
        self.players: list[Player] = []
        self.heard = [0] * SEATS
        self.sent_at: float | None = None
        self.sent_on = 0
        self.times: list[float] = []

    async def think(self) -> None:
        """Choose no move while updates about other tables' plays are still to be read: their time runs."""
        await asyncio.sleep(max(0.0, self.due - time.perf_counter() - self.every / 2))

    async def pace(self) -> None:
        """Wait until the table's next play is due."""
        now = time.perf_counter()
        wait = self.due - now
        self.due = max(self.due, now - self.every) + self.every
        if wait > 0:
            await asyncio.sleep(wait)

    def sent(self, player: Player) -> None:
        """A play is on its way."""
        if player.view is not None and player.view.stage == "playing":
            self.sent_on, self.sent_at = player.view.rev, time.perf_counter()

    def glance(self, frame: bytes) -> float:
        """A seat has an update; the last of the four to get a play's stops its time.

        The rest of it is read later: one process has the clients of all tables, which are as many machines.
        """
        if not frame.startswith(_UPDATE):
            return 0.0
        seen = _GLANCE.decode(frame).view
        if seen.me is not None:
            self.heard[seen.me] = seen.rev
            if self.sent_at is not None and min(self.heard) > self.sent_on:
                self.times.append(time.perf_counter() - self.sent_at)
                self.sent_at = None
        return self.every / 4

    def updated(self, player: Player, update: Update) -> None:
        """Seen already."""

    def faults(self) -> list[str]:
        """Everything that a player was refused, missed or was cut off for."""
        found: list[str] = []
        for player in self.players:
            journal = player.journal
            found += [f"{player.room}: {what}" for what in (*journal.refused, *journal.gaps)]
            found += [f"{player.room}: cut off, {what}" for what in journal.farewells]
        return found


async def seat_tables(server: ServerProcess, tables: int, every: float, book: str) -> list[TimedTable]:
    """So many tables of four with their games begun."""
    settings = Settings(book=book, seats=SEATS, clock=TurnClock(kind="seconds", amount=LONG))
    seated: list[TimedTable] = []

    async def seat(number: int) -> None:
        names = [f"Player {number}.{seat}" for seat in range(SEATS)]
        room, visitors = await sit_down(server, settings, names)
        table = TimedTable(every)
        for visitor in visitors:
            chooser = Chooser(book, "tournament")
            table.players.append(
                Player(
                    server,
                    visitor,
                    room,
                    chooser,
                    think=table.think,
                    pace=table.pace,
                    watcher=table,
                    glance=table.glance,
                )
            )
        seated.append(table)

    for first in range(0, tables, SIT_TOGETHER):
        await asyncio.gather(*map(seat, range(first, min(tables, first + SIT_TOGETHER))))
    return seated


def percentile(times: Sequence[float], share: float) -> float:
    """The time that so large a share of sorted times does not exceed."""
    return times[min(len(times) - 1, int(len(times) * share))]
