"""Four people at a table whose plays are timed: from just before one is sent until the last seat has it."""

from __future__ import annotations

import asyncio
import gc
import random
import re
import time
from collections.abc import Sequence
from functools import partial

from meldroom import bot, play
from meldroom.rooms.protocol.answers import Update
from meldroom.rooms.protocol.settings import Settings, TurnClock
from testkit.server.chooser import Chooser
from testkit.server.players import Player, sit_down
from testkit.server.process import ServerProcess

SEATS = 4
LEVEL = "tournament"
SIT_TOGETHER = 10
CONNECTED_A_SECOND = 25
"""Tables whose four clients connect before the first play: nobody plays while a crowd still comes in."""
WARMING = 5.0
"""Seconds at the beginning that are played but not counted."""
LONG = 300
"""Seconds for a turn: nobody is timed out while the last table is still sitting down."""


_SEQ = re.compile(rb'\{"type":"update","room":"\w+","since":\d+,"seq":(\d+)')


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
        if player.view is not None and player.view.stage == "playing" and player.seq is not None:
            self.sent_on, self.sent_at = player.seq, time.perf_counter()

    def glance(self, seat: int, data: bytes) -> float:
        """Bytes for a seat; the last of the four to get a play's update stops its time. It is read later."""
        found = _SEQ.search(data)
        if found is None:
            return 0.0
        self.heard[seat] = int(found[1])
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
    play(book, [bot(LEVEL)] * SEATS, seed=1)  # loads the kernels: no player may wait for that later
    settings = Settings(book=book, seats=SEATS, clock=TurnClock(kind="seconds", amount=LONG))
    seated: list[TimedTable] = []

    async def seat(number: int) -> None:
        names = [f"Player {number}.{seat}" for seat in range(SEATS)]
        room, visitors = await sit_down(server, settings, names)
        table = TimedTable(every)
        for place, visitor in enumerate(visitors):
            chooser = Chooser(book, LEVEL)
            table.players.append(
                Player(
                    server,
                    visitor,
                    room,
                    chooser,
                    think=table.think,
                    pace=table.pace,
                    watcher=table,
                    glance=partial(table.glance, place),
                )
            )
        seated.append(table)

    for first in range(0, tables, SIT_TOGETHER):
        await asyncio.gather(*map(seat, range(first, min(tables, first + SIT_TOGETHER))))
    return seated


async def begin_play(seated: Sequence[TimedTable], *, together: bool = False) -> list[asyncio.Task[None]]:
    """Let everybody connect and play until nothing is unusual any more; the tasks of all players.

    Each table has moments of its own, as on a real evening without a conductor, unless they play `together`.
    """
    gc.collect()
    gc.disable()  # a pause of the clients must not be taken for one of the server
    chance, begin = random.Random(1), time.perf_counter() + 1 + len(seated) / CONNECTED_A_SECOND
    for table in seated:
        table.due = begin + (table.every if together else chance.uniform(0, table.every))
    players = [player for table in seated for player in table.players]
    tasks = [asyncio.create_task(player.run()) for player in players]
    for player in players:
        await player.connected.wait()
    await asyncio.sleep(max(0.0, begin - time.perf_counter()) + WARMING)
    for table in seated:
        table.times.clear()
    return tasks


def percentile(times: Sequence[float], share: float) -> float:
    """The time that so large a share of sorted times does not exceed."""
    return times[min(len(times) - 1, int(len(times) * share))]
