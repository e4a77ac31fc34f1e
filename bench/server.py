"""How many tables one core carries: real socket clients, real moves, a play every two seconds at each table.

    python bench/server.py                          # 50, 100, 200, 400 tables of four, 90 s each
    python bench/server.py --tables 200 --seconds 30
    python bench/server.py --book rummyo
    python bench/server.py --burst --tables 200     # all tables at the same instant

The server is a process of its own on the first core, with its database on disk and every play durable before
it is acknowledged; the clients are this process, on the second core. A play's time runs from just before it
is sent until the last of the four seats has its update. Memory and processor time are those of the
server and everything it started. Afterwards every log in the database is folded, and every shuffle computed
again. The target is 200 tables: 99 of 100 plays within 50 ms, under 300 MB; and with all of them
at the same instant within 100 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import os
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

from meldroom.rules.library import BOOK_IDS  # noqa: E402
from testkit.server.process import ServerProcess, serving  # noqa: E402
from testkit.server.process_tree import processor_time, resident  # noqa: E402
from testkit.server.room_logs import Verdict, check_logs  # noqa: E402
from testkit.server.timed_table import begin_play, percentile, seat_tables  # noqa: E402


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
    parser.add_argument("--burst", action="store_true", help="all tables play at the same instant")
    parser.add_argument("--book", choices=BOOK_IDS, default="wrc11")
    parser.add_argument("--data", type=Path, help="folder for the databases (default: a temporary one)")
    options = parser.parse_args(arguments)
    allow_many_files()
    moment = "all at once" if options.burst else "each at its own time"
    print(f"{options.book}, a play every {options.every:g} s, {moment}, {options.seconds:g} s each size")
    print("tables  plays/s   p50 ms   p99 ms   max ms  server CPU  memory MB  client CPU  logs verified")
    failed = False
    for tables in options.tables:
        counters = measure(
            tables, options.seconds, options.every, options.book, options.data, burst=options.burst
        )
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


def measure(
    tables: int, seconds: float, every: float, book: str, data: Path | None, *, burst: bool
) -> Counters:
    """One size: a fresh server and database, the load, the verification."""
    cores = sorted(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir=data) as folder:
        with serving(
            Path(folder) / "data", "--trusted-load", "--start-phase", "0", cores={cores[0]}
        ) as server:
            os.sched_setaffinity(0, {cores[-1]})
            try:
                load = asyncio.run(run_load(server, tables, seconds, every, book, burst))
            finally:
                os.sched_setaffinity(0, cores)
        return msgspec.structs.replace(load, verdict=check_logs(server.database))


async def run_load(
    server: ServerProcess, tables: int, seconds: float, every: float, book: str, burst: bool
) -> Counters:
    """Seat everybody, play for so long, and give the counters."""
    seated = await seat_tables(server, tables, every, book)
    assert server.process is not None
    process = server.process.pid
    tasks = await begin_play(seated, together=burst)
    began, used, own = time.perf_counter(), processor_time(process), time.process_time()
    memory = 0.0
    while time.perf_counter() - began < seconds:
        await asyncio.sleep(1)
        memory = max(memory, resident(process))
    took = time.perf_counter() - began
    server_share = (processor_time(process) - used) / took
    own_share = (time.process_time() - own) / took
    times = sorted(1000 * each for table in seated for each in table.times)
    faults = tuple(fault for table in seated for fault in table.faults())
    for table in seated:
        for player in table.players:
            player.stop()
    await asyncio.gather(*tasks)
    return Counters(
        tables,
        len(times) / took,
        times[len(times) // 2],
        percentile(times, 0.99),
        times[-1],
        server_share,
        memory,
        own_share,
        faults,
        Verdict(0, 0, 0, ()),
    )


def allow_many_files() -> None:
    """A socket for each client: 400 tables are 1,600."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))


if __name__ == "__main__":
    sys.exit(main())
