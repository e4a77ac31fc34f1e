"""Bot games without end: does the server's memory stay flat?

    python bench/server_soak.py                     # an hour
    python bench/server_soak.py --minutes 5 --tables 6

Every table has bots on all seats but one, whose player asks a bot of their own; when a game is over everybody
wants the next one, and after a few games a table closes and a new one opens, as on a real evening. A line a
minute says how much memory the server and its workers hold, how many games have been finished and how much
processor time they took. The verdict is the slope of memory over the second half, in MB an hour: the first
half fills caches that have their limit.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import count, cycle
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from meldroom.rooms.protocol.answers import Update  # noqa: E402
from meldroom.rooms.protocol.settings import OpenRoom, Settings  # noqa: E402
from meldroom.rules.library import BOOK_IDS  # noqa: E402
from testkit.server.chooser import Chooser  # noqa: E402
from testkit.server.client import open_room, visit  # noqa: E402
from testkit.server.players import Player  # noqa: E402
from testkit.server.process import ServerProcess, serving  # noqa: E402
from testkit.server.process_tree import processor_time, resident  # noqa: E402
from testkit.server.room_logs import check_logs  # noqa: E402

GAMES_A_TABLE = 3
LEVELS = ("beginner", "club", "tournament")
FLAT = 20.0
"""Megabytes an hour below which memory counts as flat."""
SHORTEST = 30
"""Minutes below which no verdict is given: a room stays in memory for five after its last visitor."""


class Count:
    """How many games have been finished; each is told of once."""

    def __init__(self) -> None:
        self.finished: set[str] = set()

    def sent(self, player: Player) -> None:
        """Nothing to count."""

    def updated(self, player: Player, update: Update) -> None:
        """A finished game has a record."""
        if update.view.record is not None:
            self.finished.add(update.view.record)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play for so long, print a line a minute and the verdict."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--pace", type=int, default=50, help="milliseconds that each bot waits")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        arguments_of_server = ("--trusted-load", "--bot-pace", str(options.pace), "--start-phase", "0")
        with serving(Path(folder) / "data", *arguments_of_server) as server:
            samples = asyncio.run(soak(server, options.minutes * 60, options.tables))
        verdict = check_logs(server.database)
    half = samples[len(samples) // 2 :]
    slope = slope_of(half)
    print(
        f"{verdict.finished} games in {verdict.rooms} rooms, {verdict.events} events, "
        f"{len(verdict.faults)} faults in the logs\n"
        f"memory over the second half: {slope:+.1f} MB an hour, "
        f"{'flat' if slope < FLAT else 'NOT flat'} (limit {FLAT:.0f})"
    )
    if options.minutes < SHORTEST:
        print(f"Less than {SHORTEST} minutes say little: rooms and caches are still filling.")
        return int(bool(verdict.faults))
    return int(slope >= FLAT or bool(verdict.faults))


async def soak(server: ServerProcess, seconds: float, tables: int) -> list[tuple[float, float]]:
    """Keep so many tables busy; the samples of time and memory."""
    assert server.process is not None
    process, counted, began = server.process.pid, Count(), time.monotonic()
    books = cycle(BOOK_IDS)
    numbers = count(1)

    async def keep_busy() -> None:
        while time.monotonic() - began < seconds:
            await evening(server, next(books), next(numbers), counted, began + seconds)

    tasks = [asyncio.create_task(keep_busy()) for _ in range(tables)]
    samples: list[tuple[float, float]] = []
    minutes = 0
    print("minute  games  memory MB  own MB  CPU s")
    while time.monotonic() - began < seconds:
        await asyncio.sleep(5)
        now = time.monotonic() - began
        samples.append((now, resident(process)))
        if now >= 60 * (minutes + 1) or now >= seconds:
            minutes += 1
            own = resident_alone(process)
            used = processor_time(process)
            print(
                f"{minutes:6d} {len(counted.finished):6d} {samples[-1][1]:10.0f} {own:7.0f} {used:6.0f}",
                flush=True,
            )
    await asyncio.gather(*tasks)
    return samples


async def evening(server: ServerProcess, book: str, number: int, counted: Count, until: float) -> None:
    """One table for a few games: a person and two bots, looked at by HTTP as a person would."""
    visitor = await visit(server, f"Guest {number}")
    settings = Settings(book=book, seats=3)
    chairs = ("me", LEVELS[number % 3], LEVELS[(number + 1) % 3])
    room = await open_room(server, visitor, OpenRoom(settings=settings, chairs=chairs, begin=True))
    player = Player(server, visitor, room, Chooser(book, "club"), watcher=counted)
    task = asyncio.create_task(player.run())
    while time.monotonic() < until and f"{room}-{GAMES_A_TABLE}" not in counted.finished:
        await asyncio.sleep(0.5)
    player.stop()
    await task
    async with httpx.AsyncClient(base_url=server.url, headers={"Cookie": visitor.cookie}, timeout=60) as http:
        for path in ("/rooms", "/rooms/mine", "/catalogue", f"/games/{room}-1", f"/games/{room}-1/record"):
            await http.get(f"/api/v1{path}")


def resident_alone(process: int) -> float:
    """Megabytes of the server without its workers."""
    for row in Path(f"/proc/{process}/status").read_text().splitlines():
        if row.startswith("VmRSS:"):
            return int(row.split()[1]) / 1000
    return 0.0


def slope_of(samples: Sequence[tuple[float, float]]) -> float:
    """Megabytes an hour, by least squares."""
    times = [when / 3600 for when, _ in samples]
    sizes = [size for _, size in samples]
    middle, mean = sum(times) / len(times), sum(sizes) / len(sizes)
    spread = sum((when - middle) ** 2 for when in times)
    return sum((when - middle) * (size - mean) for when, size in zip(times, sizes, strict=True)) / spread


if __name__ == "__main__":
    sys.exit(main())
