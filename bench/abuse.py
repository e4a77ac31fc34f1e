"""What one script can do to a stranger's table: plays at a quiet time, and while each attack runs.

    python bench/abuse.py                       # about two minutes
    python bench/abuse.py --attacks check flood --seconds 20
    python bench/abuse.py --endpoints           # what one anonymous request costs, at worst, for every route

The server is a process of its own with its usual limits; the table is four real socket clients that play
every 0.2 s. The attacker is a process too, with as many connections as it likes from another address. A
play's time runs from just before it is sent until the last seat has its update. Memory is that of the
server and everything it started, worker processes among them: each attack has run briefly before. The
target: 99 of 100 plays within three times the quiet time, and memory back to where it was.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import resource
import socket
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx
import msgspec
from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from testkit.server.abuse import COSTLY, Request  # noqa: E402
from testkit.server.process import ServerProcess, serving  # noqa: E402
from testkit.server.process_tree import processor_time, resident  # noqa: E402
from testkit.server.timed_table import TimedTable, percentile, seat_tables  # noqa: E402

EVERY = 0.2
STRANGER = "127.0.0.2"
"""The attacker's address: another than the players'."""
MOST_RATIO = 3.0
WARMING = 3.0
"""Seconds of each attack before anything counts: the worker processes it needs are there from then on."""
MORE_MEMORY = 40.0
"""Megabytes that the server may have kept a while after an attack: what it had not yet used before."""


class Times(msgspec.Struct, frozen=True):
    """The plays of one phase, in milliseconds, and the server's memory after it, in megabytes."""

    plays: int
    p50: float
    p99: float
    memory: float
    faults: tuple[str, ...] = ()


# The attacks. Each runs in a process of its own until it is told to stop.


async def _ask_for_ever(url: str, requests: Sequence[Request], at_once: int) -> None:
    """The same requests again and again, so many at once; what the server refuses is asked again."""
    transport = httpx.AsyncHTTPTransport(local_address=STRANGER, limits=httpx.Limits(max_connections=None))
    async with httpx.AsyncClient(base_url=url, timeout=60, transport=transport) as client:

        async def ask() -> None:
            while True:
                for one in requests:
                    with suppress(httpx.HTTPError):
                        await client.request(one.method, one.path, content=one.body, headers=one.headers)
                await asyncio.sleep(0)

        await asyncio.gather(*(ask() for _ in range(at_once)))


def _costly(*names: str, at_once: int = 20) -> Callable[[str], Awaitable[None]]:
    requests = [COSTLY[name] for name in names]
    return lambda url: _ask_for_ever(url, requests, at_once)


async def _silent(url: str) -> None:
    """As many connections as the system gives, none of which says anything."""
    host, port = url.removeprefix("http://").split(":")
    kept: list[socket.socket] = []
    while True:
        try:
            one = socket.socket()
            one.bind((STRANGER, 0))
            one.setblocking(False)
            with suppress(BlockingIOError):
                one.connect((host, int(port)))
            kept.append(one)
        except OSError:
            await asyncio.sleep(0.2)
        if len(kept) >= 4_000:
            for old in kept[:1_000]:
                old.close()
            del kept[:1_000]
        await asyncio.sleep(0.0005)


async def _trickle(url: str) -> None:
    """Requests that never end: a byte of a header now and then."""
    host, port = url.removeprefix("http://").split(":")

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(host, int(port), local_addr=(STRANGER, 0))
                writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
                with suppress(OSError):
                    while not reader.at_eof():
                        writer.write(b"X-A: b\r\n")
                        await writer.drain()
                        await asyncio.sleep(0.5)
                writer.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one() for _ in range(500)))


async def _sockets(url: str) -> None:
    """Sockets that talk nonsense as fast as they are read."""

    async def one() -> None:
        while True:
            with suppress(Exception):
                address = url.replace("http", "ws", 1) + "/api/v1/live"
                async with connect(address, compression=None, local_addr=(STRANGER, 0)) as live:
                    while True:
                        await live.send('{"do": "enter", "id": "x", "room": "zzzzzz"}')
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one() for _ in range(50)))


async def _passwords(url: str) -> None:
    """Passwords tried without end."""
    body = msgspec.json.encode({"account": "ada", "password": "x" * 60})
    await _ask_for_ever(url, [Request("POST", "/api/v1/sign-in", body)], 50)


ATTACKS: dict[str, Callable[[str], Awaitable[None]]] = {
    "toml": _costly("POST /championships"),
    "adopt": _costly("POST /championships/adopt", at_once=5),
    "check": _costly("POST /check"),
    "pictures": _costly("GET /position.svg", "GET /position.png"),
    "referee": _costly("POST /referee/position", "POST /referee/leftovers", "POST /referee/count"),
    "best": _costly("POST /position/best"),
    "ready": _costly("GET /readyz", at_once=50),
    "lists": _costly("GET /championships", "GET /rooms", at_once=50),
    "flood": _costly("GET /catalogue", "GET /", at_once=50),
    "passwords": _passwords,
    "silent": _silent,
    "trickle": _trickle,
    "sockets": _sockets,
}


def _attack(name: str, url: str, stop: Event) -> None:
    _allow_many_files()

    async def run() -> None:
        attack = asyncio.ensure_future(ATTACKS[name](url))
        while not stop.is_set():
            await asyncio.sleep(0.1)
        attack.cancel()

    with suppress(asyncio.CancelledError):
        asyncio.run(run())
    os._exit(0)


@contextmanager
def attacked(name: str, url: str) -> Iterator[None]:
    """An attack in a process of its own."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    process = context.Process(target=_attack, args=(name, url, stop), daemon=True)
    process.start()
    try:
        yield
    finally:
        stop.set()
        process.join(5)
        if process.is_alive():
            process.kill()
            process.join()


def _allow_many_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 65_536)), hard))


# The table.


async def phase(table: TimedTable, server: ServerProcess, seconds: float) -> Times:
    """Play for so long and give the times."""
    assert server.process is not None
    table.times.clear()
    before = [len(player.journal.farewells) + len(player.journal.refused) for player in table.players]
    await asyncio.sleep(seconds)
    times = sorted(1000 * one for one in table.times)
    faults = tuple(
        f"{player.visitor.me.name}: {what}"
        for player, known in zip(table.players, before, strict=True)
        for what in (*player.journal.farewells, *player.journal.refused)[known:]
    )
    memory = resident(server.process.pid)
    if not times:
        return Times(0, float("inf"), float("inf"), memory, (*faults, "no play at all"))
    return Times(len(times), times[len(times) // 2], percentile(times, 0.99), memory, faults)


async def trial(server: ServerProcess, attacks: Sequence[str], seconds: float) -> bool:
    """Every attack in turn, with a quiet phase before; whether all targets were met."""
    (table,) = await seat_tables(server, 1, EVERY, "wrc11")
    tasks = [asyncio.create_task(player.run()) for player in table.players]
    for name in attacks:
        with attacked(name, server.url):
            await phase(table, server, WARMING)
    await phase(table, server, 3)
    quiet = await phase(table, server, seconds * 1.5)
    print("attack      plays   p50 ms   p99 ms   ratio   memory MB: during, after")
    print(f"{'(quiet)':10s} {quiet.plays:6d} {quiet.p50:8.1f} {quiet.p99:8.1f} {'':7s} {quiet.memory:9.0f}")
    met = True
    for name in attacks:
        with attacked(name, server.url):
            await asyncio.sleep(2.0)
            under = await phase(table, server, seconds)
        after = await phase(table, server, 3)
        ratio = under.p99 / quiet.p99
        good = ratio <= MOST_RATIO and not under.faults and after.memory <= quiet.memory + MORE_MEMORY
        met = met and good
        print(
            f"{name:10s} {under.plays:6d} {under.p50:8.1f} {under.p99:8.1f} {ratio:7.1f} {under.memory:9.0f} "
            f"{after.memory:9.0f}{'' if good else '   ←'}",
            flush=True,
        )
        for fault in under.faults[:5]:
            print(f"    {fault}")
    for player in table.players:
        player.stop()
    await asyncio.gather(*tasks)
    return met


# What one request costs.


def _peak(pid: int) -> float:
    """The most memory a process has had since it was last asked, in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    kilobytes = int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
    return kilobytes / 1000


def endpoints(server: ServerProcess, times: int) -> None:
    """For every anonymous route its worst request that we know of: processor time, memory, answer."""
    assert server.process is not None
    pid = server.process.pid
    print("milliseconds of processor time and megabytes at the peak, for one request\n")
    print("    ms     MB  status   bytes  route")
    with httpx.Client(base_url=server.url, timeout=120) as client:
        for name, one in COSTLY.items():

            def ask(one: Request = one) -> httpx.Response:
                return client.request(one.method, one.path, content=one.body, headers=one.headers)

            ask()
            Path(f"/proc/{pid}/clear_refs").write_text("5")
            before, used = _peak(pid), processor_time(pid)
            for _ in range(times):
                answer = ask()
            spent = 1000 * (processor_time(pid) - used) / times
            more, size = _peak(pid) - before, len(one.body)
            print(f"{spent:6.1f} {more:6.1f}  {answer.status_code:6d} {size:7d}  {name}", flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--attacks", nargs="+", choices=ATTACKS, default=list(ATTACKS))
    parser.add_argument("--seconds", type=float, default=4.0, help="how long each attack is measured")
    parser.add_argument("--endpoints", action="store_true")
    parser.add_argument("--times", type=int, default=10, help="requests of each endpoint")
    options = parser.parse_args(arguments)
    _allow_many_files()
    with tempfile.TemporaryDirectory() as folder:
        environment: dict[str, Any] = {"MELDROOM_KERNELS": os.environ.get("MELDROOM_KERNELS", "auto")}
        if options.endpoints:
            with serving(Path(folder) / "data", "--trusted-load", environment=environment) as server:
                endpoints(server, options.times)
            return 0
        with serving(Path(folder) / "data", environment=environment) as server:
            return 0 if asyncio.run(trial(server, options.attacks, options.seconds)) else 1


if __name__ == "__main__":
    sys.exit(main())
