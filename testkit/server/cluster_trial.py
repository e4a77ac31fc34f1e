"""Several nodes on one PostgreSQL and one NATS, and faults in all of them: is anything lost or doubled?"""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from meldroom.rooms.protocol.events import GamePlayed, RoomEvent
from meldroom.rooms.protocol.settings import Settings, TurnClock
from meldroom.server.storage.leases import TTL
from testkit.server.chooser import Chooser
from testkit.server.kill_trial import broken_promises
from testkit.server.nats import Nats
from testkit.server.players import Player, sit_down
from testkit.server.postgres import SETTINGS, Postgres, make_database
from testkit.server.process import ServerProcess
from testkit.server.proxy import Proxy
from testkit.server.room_logs import Verdict, check_logs, room_logs

CLOCK = 300
STUCK_AFTER = 120.0
"""Seconds after which a game that has not gone on never will."""
LINKS = ("clients", "nats", "postgres")
"""Connections of a node that can fail."""
FAULTS = (
    *("kill_node", "pause_node", "kill_nats", "kill_postgres", "restart_node"),
    *(f"{what}_{link}" for what in ("cut", "delay", "stall") for link in LINKS),
)


class Balancer:
    """Looks like a server to a player: each connection goes to the next node, as behind a load balancer."""

    def __init__(self, nodes: Sequence[ServerProcess | Door], first: int) -> None:
        self._nodes = nodes
        self._next = first

    @property
    def live(self) -> str:
        """Where the next connection goes."""
        self._next += 1
        return self._nodes[(self._next - 1) % len(self._nodes)].live


class Door:
    """Where clients reach a node, by way of a connection that can fail."""

    def __init__(self, proxy: Proxy) -> None:
        self._proxy = proxy

    @property
    def live(self) -> str:
        """Where the socket is."""
        return f"ws://127.0.0.1:{self._proxy.port}/api/v1/live"


class Outcome(msgspec.Struct, frozen=True):
    """What a trial found. Times are in seconds."""

    faults: Counter[str]
    plays: int
    acknowledged: int
    longest_still: float
    problems: tuple[str, ...]
    verdict: Verdict


class Cluster:
    """Nodes, their database and their bus. With `links` all connections of a node can fail."""

    def __init__(
        self, folder: Path, count: int = 2, *, settings: tuple[str, ...] = SETTINGS, links: bool = False
    ) -> None:
        self.postgres = Postgres(settings)
        self.nats = Nats()
        self.database = asyncio.run(make_database(self.postgres.url(), "cluster"))
        words = ("--trusted-load", "--bot-pace", "0", "--start-phase", "0", "--bus", self.nats.url)
        self.nodes = [ServerProcess(folder / f"node{n}", arguments=words) for n in range(count)]
        self.doors: list[ServerProcess | Door] = [*self.nodes]
        self.links: list[dict[str, Proxy]] = []
        for node in self.nodes:
            node.folder.mkdir(parents=True, exist_ok=True)
            node.address = self.database
        if links:
            self._link()

    def _link(self) -> None:
        """Put something that can fail between each node and everybody it talks to."""
        ports = {"nats": self.nats.port, "postgres": self.postgres.port}
        for place, node in enumerate(self.nodes):
            links = {name: Proxy(port) for name, port in {**ports, "clients": node.port}.items()}
            node.address = self.database.replace(f":{ports['postgres']}", f":{links['postgres'].port}")
            node.arguments = (*node.arguments[:-1], f"nats://127.0.0.1:{links['nats'].port}")
            self.doors[place] = Door(links["clients"])
            self.links.append(links)

    def start(self) -> None:
        """Start all nodes at once."""
        for node in self.nodes:
            node.launch()
        for node in self.nodes:
            node.wait_until_ready()

    def close(self) -> None:
        """End everything."""
        for node in self.nodes:
            node.kill()
        for links in self.links:
            for proxy in links.values():
                proxy.close()
        self.nats.close()
        self.postgres.close()


def run_trial(
    folder: Path,
    faults: Sequence[str],
    seed: int,
    *,
    nodes: int = 2,
    tables: int = 2,
    playable_within: float = STUCK_AFTER,
    tell: Callable[[int, str, float], None] = lambda number, fault, still: None,
) -> Outcome:
    """Play on all tables while one fault after another happens.

    Once all parts are back, every game must go on within some seconds.
    """
    linked = any(fault.rpartition("_")[2] in LINKS and not fault.startswith("kill") for fault in faults)
    cluster = Cluster(folder, nodes, links=linked)
    try:
        cluster.start()
        return asyncio.run(_trial(cluster, faults, random.Random(seed), tables, playable_within, tell))
    finally:
        cluster.close()


async def _trial(
    cluster: Cluster,
    faults: Sequence[str],
    chance: random.Random,
    tables: int,
    playable_within: float,
    tell: Callable[[int, str, float], None],
) -> Outcome:
    seats = await seat_everybody(cluster, chance, tables)
    tasks = [asyncio.create_task(seat.run()) for seat in seats]
    problems: list[str] = []
    longest = await _all_play(seats, tasks, "before the first fault", problems)
    for number, fault in enumerate(faults, start=1):
        await cause(cluster, fault, chance)
        still = await _all_play(seats, tasks, f"fault {number}, {fault}", problems)
        longest = max(longest, still)
        if still > playable_within:
            problems.append(f"fault {number}, {fault}: the last table went on after {still:.1f} s")
        tell(number, fault, still)
    for seat in seats:
        seat.stop()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    problems += [f"a player failed: {one!r}" for one in outcomes if isinstance(one, BaseException)]
    for node in cluster.nodes:
        if await asyncio.to_thread(node.stop) != 0:
            problems.append(f"a node did not end well:\n{node.read_log()[-2000:]}")
    return await asyncio.to_thread(_verdict, cluster, faults, seats, longest, problems)


def _verdict(
    cluster: Cluster, faults: Sequence[str], seats: Sequence[Player], longest: float, problems: list[str]
) -> Outcome:
    logs = dict(room_logs(cluster.database))
    for seat in seats:
        problems += broken_promises(seat, logs[seat.room])
    for room, log in logs.items():
        problems += [f"{room}: {fault}" for fault in doubled(log)]
    return Outcome(
        Counter(faults),
        sum(seat.plays for seat in seats),
        sum(len(seat.journal.acknowledged) for seat in seats),
        longest,
        tuple(problems),
        check_logs(cluster.database),
    )


def doubled(log: Sequence[RoomEvent]) -> list[str]:
    """Commands that were carried out twice."""
    requests = Counter(
        (one.player, one.request) for one in log if isinstance(one, GamePlayed) and one.request
    )
    return [f"{request} was carried out {count} times" for request, count in requests.items() if count > 1]


async def seat_everybody(cluster: Cluster, chance: random.Random, tables: int) -> list[Player]:
    """People at their tables, each of them with the next node; the games have begun."""

    async def pace() -> None:
        await asyncio.sleep(chance.uniform(0.02, 0.1))

    seats: list[Player] = []
    for number in range(tables):
        settings = Settings(book="wrc11", seats=3, clock=TurnClock(kind="seconds", amount=CLOCK))
        home = cluster.nodes[number % len(cluster.nodes)]
        room, visitors = await sit_down(home, settings, [f"T{number} {one}" for one in "ABC"])
        for seat, visitor in enumerate(visitors):
            server: Any = Balancer(cluster.doors, seat)
            player = Player(server, visitor, room, Chooser("wrc11", "tournament"), pace=pace)
            player.tries_again, player.longest_pause = True, 1.0
            seats.append(player)
    return seats


async def cause(cluster: Cluster, fault: str, chance: random.Random) -> None:
    """Let something go wrong, and put it right again."""
    node = chance.choice(cluster.nodes)
    what, _, link = fault.partition("_")
    if what in ("cut", "delay", "stall"):
        await _disturb(cluster.links[cluster.nodes.index(node)][link], what, chance)
    elif fault == "kill_node":
        node.kill()
        await asyncio.sleep(chance.uniform(0, 1))
        node.launch()
        await asyncio.to_thread(node.wait_until_ready)
    elif fault == "restart_node":
        await asyncio.to_thread(node.stop)
        await asyncio.to_thread(node.start)
    elif sys.platform != "win32" and fault == "pause_node":
        assert node.process is not None
        os.kill(node.process.pid, signal.SIGSTOP)
        await asyncio.sleep(TTL / 1000 + chance.uniform(0.5, 2))
        os.kill(node.process.pid, signal.SIGCONT)
    elif fault == "kill_nats":
        cluster.nats.kill()
        await asyncio.sleep(chance.uniform(0, 2))
        await asyncio.to_thread(cluster.nats.start)
    elif fault == "kill_postgres":
        cluster.postgres.kill()
        await asyncio.sleep(chance.uniform(0, 1))
        await asyncio.to_thread(cluster.postgres.start)
    else:
        raise ValueError(fault)


async def _disturb(proxy: Proxy, what: str, chance: random.Random) -> None:
    """Let the connections of a link fail for a while."""
    if what == "cut":
        proxy.cut()
        return
    if what == "delay":
        proxy.delay(chance.uniform(0.05, 0.5))
    else:
        proxy.stall()
    await asyncio.sleep(chance.uniform(1, TTL / 1000 + 2))
    proxy.flow()


async def _all_play(
    seats: Sequence[Player], tasks: Sequence[asyncio.Task[None]], when: str, problems: list[str]
) -> float:
    """Wait until a play was acknowledged at every table; the seconds that took. Raises what a player met."""
    began = time.monotonic()
    rooms = {seat.room: [one for one in seats if one.room == seat.room] for seat in seats}
    before = {room: sum(one.plays for one in players) for room, players in rooms.items()}
    waiting = set(rooms)
    while waiting:
        await asyncio.sleep(0.02)
        waiting = {room for room in waiting if sum(one.plays for one in rooms[room]) < before[room] + 2}
        for ended in (task for task in tasks if task.done()):
            ended.result()
        if time.monotonic() - began > STUCK_AFTER:
            problems.append(f"{when}: rooms {sorted(waiting)} stand still")
            break
    return time.monotonic() - began
