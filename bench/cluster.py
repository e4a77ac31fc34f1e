"""How fast several nodes are: real PostgreSQL and NATS, real socket clients spread over all nodes.

    python bench/cluster.py                             # 1,000 tables, two nodes, ten minutes
    python bench/cluster.py --tables 50 100 --seconds 60 --nodes 1

A play is due every five seconds at each table of four. Its time runs from just before it is sent until the
last of the four seats has its update; the seats of a table are on different nodes. PostgreSQL syncs
every commit to the disk. Afterwards every log in the database is folded, and every shuffle computed again.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from bench.server import allow_many_files  # noqa: E402
from testkit.server.cluster_trial import Balancer, Cluster  # noqa: E402
from testkit.server.postgres import SETTINGS  # noqa: E402
from testkit.server.process_tree import processor_time, resident  # noqa: E402
from testkit.server.room_logs import check_logs  # noqa: E402
from testkit.server.timed_table import TimedTable, begin_play, percentile, seat_tables  # noqa: E402

DURABLE = tuple(one for one in SETTINGS if not one.startswith(("fsync", "full_page_writes")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run every size asked for and print a line each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, nargs="+", default=[1000])
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between two plays at a table")
    parser.add_argument("--nodes", type=int, default=2)
    options = parser.parse_args(arguments)
    allow_many_files()
    print(
        f"{options.nodes} nodes, a play every {options.every:g} s at each table, {options.seconds:g} s each"
    )
    print("tables  plays/s   p50 ms   p99 ms   max ms  node CPU  KB/table  client CPU  logs verified")
    failed = False
    for tables in options.tables:
        failed = measure(tables, options.seconds, options.every, options.nodes) or failed
    return int(failed)


def measure(tables: int, seconds: float, every: float, nodes: int) -> bool:
    """One size: fresh parts, the load, the verification; whether anything was wrong."""
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder), nodes, settings=DURABLE)
        try:
            cluster.start()
            figures, faults = asyncio.run(_load(cluster, tables, seconds, every))
            for node in cluster.nodes:
                node.stop()
            verdict = check_logs(cluster.database)
        finally:
            cluster.close()
    print(
        f"{tables:6d} {figures}  {verdict.rooms} rooms, {verdict.events} events, "
        f"{verdict.finished} games finished, {len(verdict.faults)} faults",
        flush=True,
    )
    for fault in (*faults[:10], *verdict.faults[:10]):
        print(f"    {fault}")
    return bool(faults or verdict.faults)


async def _load(cluster: Cluster, tables: int, seconds: float, every: float) -> tuple[str, tuple[str, ...]]:
    processes = [node.process.pid for node in cluster.nodes if node.process is not None]
    empty = sum(map(resident, processes))
    seated = await _seat_everybody(cluster, tables, every)
    tasks = await begin_play(seated)
    began, own = time.perf_counter(), time.process_time()
    used = sum(map(processor_time, processes))
    memory = 0.0
    while time.perf_counter() - began < seconds:
        await asyncio.sleep(1)
        memory = max(memory, sum(map(resident, processes)))
    took = time.perf_counter() - began
    share = (sum(map(processor_time, processes)) - used) / took
    own_share = (time.process_time() - own) / took
    times = sorted(1000 * each for table in seated for each in table.times)
    faults = tuple(fault for table in seated for fault in table.faults())
    for table in seated:
        for player in table.players:
            player.stop()
    await asyncio.gather(*tasks)
    return (
        f"{len(times) / took:8.1f} {times[len(times) // 2]:8.1f} {percentile(times, 0.99):8.1f} "
        f"{times[-1]:8.1f} {share:8.0%} {(memory - empty) * 1000 / tables:9.0f} {own_share:11.0%}",
        faults,
    )


async def _seat_everybody(cluster: Cluster, tables: int, every: float) -> list[TimedTable]:
    """Tables on all nodes, each with people of all nodes."""
    count = len(cluster.nodes)
    seated: list[TimedTable] = []
    for place, node in enumerate(cluster.nodes):
        seated += await seat_tables(node, (tables + count - 1 - place) // count, every, "wrc11")
    for table in seated:
        for seat, player in enumerate(table.players):
            server: Any = Balancer(cluster.nodes, seat)
            player.server = server
    return seated


if __name__ == "__main__":
    sys.exit(main())
