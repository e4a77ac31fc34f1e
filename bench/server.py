"""How many tables one core carries: real socket clients, real moves, a play every two seconds at each table.

    python bench/server.py                          # 50, 100, 200, 400 tables of four, 90 s each
    python bench/server.py --tables 200 --seconds 30
    python bench/server.py --book rummyo

The server is a process of its own on the first core, with its database on disk and every play durable before
it is acknowledged; the clients are this process, on the second core. A play's time runs from just before it
is sent until the last of the four seats has read its update. Memory and processor time are those of the
server and everything it started. Afterwards every log in the database is folded, and every shuffle computed
again. The target is 200 tables: 99 of 100 plays within 50 ms, under 300 MB.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from meldroom.rooms.protocol.answers import Update  # noqa: E402
from meldroom.rooms.protocol.settings import Settings, TurnClock  # noqa: E402
from meldroom.rules.library import BOOK_IDS  # noqa: E402
from testkit.server.chooser import Chooser  # noqa: E402
from testkit.server.players import Player, sit_down  # noqa: E402
from testkit.server.process import ServerProcess, serving  # noqa: E402
from testkit.server.process_tree import processor_time, resident  # noqa: E402
from testkit.server.room_logs import Verdict, check_logs  # noqa: E402

SEATS = 4
SIT_TOGETHER = 10
WARMING = 5.0
"""Seconds at the beginning that are played but not counted."""


class Table:
    """Four people at a table: a play is due every two seconds, and all four must hear of it."""

    def __init__(self, every: float) -> None:
        self.every = every
        self.due = 0.0
        self.players: list[Player] = []
        self.heard = [0] * SEATS
        self.sent_at: float | None = None
        self.sent_on = 0
        self.times: list[float] = []

    async def pace(self) -> None:
        """Wait until the table's next play is due."""
        wait = self.due - time.perf_counter()
        self.due += self.every
        if wait > 0:
            await asyncio.sleep(wait)

    def sent(self, player: Player) -> None:
        """A play is on its way."""
        if player.view is not None and player.view.stage == "playing":
            self.sent_on, self.sent_at = player.view.rev, time.perf_counter()

    def updated(self, player: Player, update: Update) -> None:
        """A seat has read an update; the last of the four to read a play's stops its time."""
        seat = update.view.me
        if seat is None:
            return
        self.heard[seat] = update.view.rev
        if self.sent_at is not None and min(self.heard) > self.sent_on:
            self.times.append(time.perf_counter() - self.sent_at)
            self.sent_at = None


class Counters(msgspec.Struct, frozen=True):
    """What one size of load gave. Times are in milliseconds, memory in megabytes."""

    tables: int
    plays_a_second: float
    p50: float
    p99: float
    worst: float
    server_processor: float
    server_memory: float
    client_processor: float
    faults: tuple[str, ...]
    verdict: Verdict


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every size asked for and print a line each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[50, 100, 200, 400])
    parser.add_argument("--seconds", type=float, default=90)
    parser.add_argument("--every", type=float, default=2.0, help="seconds between two plays at a table")
    parser.add_argument("--book", choices=BOOK_IDS, default="wrc11")
    parser.add_argument("--data", type=Path, help="folder for the databases (default: a temporary one)")
    options = parser.parse_args(arguments)
    _allow_many_files()
    print(f"{options.book}, a play every {options.every:g} s at each table, {options.seconds:g} s each size")
    print("tables  plays/s   p50 ms   p99 ms   max ms  server CPU  memory MB  client CPU  logs verified")
    failed = False
    for tables in options.tables:
        counters = measure(tables, options.seconds, options.every, options.book, options.data)
        failed = failed or bool(counters.faults or counters.verdict.faults)
        print(line(counters), flush=True)
        for fault in (*counters.faults[:10], *counters.verdict.faults[:10]):
            print(f"    {fault}")
    return int(failed)


def line(counters: Counters) -> str:
    """A line of the table."""
    verdict = counters.verdict
    return (
        f"{counters.tables:6d} {counters.plays_a_second:8.1f} {counters.p50:8.1f} {counters.p99:8.1f} "
        f"{counters.worst:8.1f} {counters.server_processor:10.0%} {counters.server_memory:10.0f} "
        f"{counters.client_processor:11.0%}  {verdict.rooms} rooms, {verdict.events} events, "
        f"{verdict.finished} games finished, {len(verdict.faults)} faults"
    )


def measure(tables: int, seconds: float, every: float, book: str, data: Path | None) -> Counters:
    """One size: a fresh server and database, the load, the verification."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=data) as folder:
        with serving(Path(folder) / "data", "--trusted-load", cores={cores[0]}) as server:
            os.sched_setaffinity(0, {cores[-1]})
            try:
                load = asyncio.run(run_load(server, tables, seconds, every, book))
            finally:
                os.sched_setaffinity(0, cores)
        return msgspec.structs.replace(load, verdict=check_logs(server.database))


async def run_load(server: ServerProcess, tables: int, seconds: float, every: float, book: str) -> Counters:
    """Seat everybody, play for so long, and give the counters."""
    seated = await seat_everybody(server, tables, every, book)
    gc.collect()
    gc.freeze()  # what was set up stays; a pause of the clients must not be taken for one of the server
    assert server.process is not None
    process = server.process.pid
    chance, begin = random.Random(1), time.perf_counter()
    for table in seated:  # at as many moments as there are tables: a real evening has no conductor
        table.due = begin + chance.uniform(1, 1 + every)
    tasks = [asyncio.create_task(player.run()) for table in seated for player in table.players]
    await asyncio.sleep(WARMING)
    for table in seated:
        table.times.clear()
    began, used, own = time.perf_counter(), processor_time(process), time.process_time()
    memory = 0.0
    while time.perf_counter() - began < seconds:
        await asyncio.sleep(1)
        memory = max(memory, resident(process))
    took = time.perf_counter() - began
    server_share = (processor_time(process) - used) / took
    own_share = (time.process_time() - own) / took
    times = sorted(1000 * each for table in seated for each in table.times)
    faults = faults_of(seated)
    for table in seated:
        for player in table.players:
            player.stop()
    await asyncio.gather(*tasks)
    return Counters(
        tables,
        len(times) / took,
        times[len(times) // 2],
        times[int(len(times) * 0.99)],
        times[-1],
        server_share,
        memory,
        own_share,
        faults,
        Verdict(0, 0, 0, ()),
    )


async def seat_everybody(server: ServerProcess, tables: int, every: float, book: str) -> list[Table]:
    """All tables with their games begun."""
    # Long enough that nobody is timed out while the last table is still sitting down.
    settings = Settings(book=book, seats=SEATS, clock=TurnClock(kind="seconds", amount=300))
    seated: list[Table] = []

    async def seat(number: int) -> None:
        names = [f"Player {number}.{seat}" for seat in range(SEATS)]
        room, visitors = await sit_down(server, settings, names)
        table = Table(every)
        for visitor in visitors:
            chooser = Chooser(book, "tournament")
            table.players.append(Player(server, visitor, room, chooser, pace=table.pace, watcher=table))
        seated.append(table)

    for first in range(0, tables, SIT_TOGETHER):
        await asyncio.gather(*map(seat, range(first, min(tables, first + SIT_TOGETHER))))
    return seated


def faults_of(seated: Sequence[Table]) -> tuple[str, ...]:
    """Everything that a player was refused, missed or was cut off for."""
    faults: list[str] = []
    for table in seated:
        for player in table.players:
            journal = player.journal
            faults += [f"{player.room}: {what}" for what in (*journal.refused, *journal.gaps)]
            faults += [f"{player.room}: cut off, {what}" for what in journal.farewells]
    return tuple(faults)


def _allow_many_files() -> None:
    """A socket for each client: 400 tables are 1,600."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))


if __name__ == "__main__":
    sys.exit(main())
