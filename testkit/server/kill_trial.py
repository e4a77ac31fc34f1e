"""Kill the server without warning in the middle of games, again and again: is anything lost?"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from meldroom.game.events import TimedOut
from meldroom.rooms.protocol.answers import Update
from meldroom.rooms.protocol.events import ClockRestored, GamePlayed, RoomEvent, StoodIn
from meldroom.rooms.protocol.settings import Settings, TurnClock
from testkit.server.chooser import Chooser
from testkit.server.players import LONGEST_PAUSE, Player, sit_down
from testkit.server.process import ServerProcess
from testkit.server.process_tree import family, is_running
from testkit.server.room_logs import Verdict, check_logs, room_logs

CLOCK = 60
BACK_WITHIN = 5.0
"""Seconds after which a player must be back at a server that is ready again."""
STUCK_AFTER = 60.0
"""Seconds after which a game that has not gone on never will."""
GONE_WITHIN = 10.0
"""Seconds after which whatever a killed server had started must have ended by itself."""
KILLED_WHILE_STARTING = 0.1
"""How often it happens; the second kill is always such a one."""

TABLES = (("wrc11", 4, 4), ("nzrc2024", 3, 3), ("rummyo", 2, 2), ("tml", 2, 3))
"""Book, people, seats; the other seats are bots'."""


class Outcome(msgspec.Struct, frozen=True):
    """What a trial found. Times are in seconds."""

    kills: int
    plays: int
    acknowledged: int
    restarts: tuple[float, ...]
    longest_away: float
    faults: tuple[str, ...]
    verdict: Verdict


class ClockWatcher:
    """Notes every deadline that a player is told and that cannot be right."""

    def __init__(self) -> None:
        self.faults: list[str] = []

    def sent(self, player: Player) -> None:
        """Nothing to note."""

    def updated(self, player: Player, update: Update) -> None:
        """A deadline lies ahead, and no further than the clock allows."""
        if update.view.stage == "playing" and update.view.deadline is not None:
            left = update.view.deadline - update.now
            if not 0 < left <= CLOCK * 1000:
                self.faults.append(f"{update.room}: {left} ms left of {CLOCK} s")


def run_trial(
    folder: Path,
    kills: int,
    seed: int,
    tell: Callable[[int], None] = lambda kill: None,
    *,
    longest_pause: float = LONGEST_PAUSE,
) -> Outcome:
    """So many kills on a fresh data folder. `longest_pause` is how long a player waits to try again."""
    server = ServerProcess(folder, arguments=("--trusted-load", "--bot-pace", "0", "--start-phase", "0"))
    server.start()
    try:
        return asyncio.run(_trial(server, kills, random.Random(seed), tell, longest_pause))
    finally:
        server.kill()


async def _trial(
    server: ServerProcess,
    kills: int,
    chance: random.Random,
    tell: Callable[[int], None],
    longest_pause: float,
) -> Outcome:
    watcher = ClockWatcher()
    seats = await seat_everybody(server, chance, watcher)
    for seat in seats:
        seat.longest_pause = longest_pause
    tasks = [asyncio.create_task(seat.run()) for seat in seats]
    faults: list[str] = []
    longest = 0.0
    for kill in range(1, kills + 1):
        await some_plays(seats, chance)
        twice = kill == 2 or chance.random() < KILLED_WHILE_STARTING
        await kill_and_restart(server, chance, faults, twice=twice)
        longest = max(longest, await everybody_back(seats, faults))
        tell(kill)
    await games_go_on(seats, faults)
    for seat in seats:
        seat.stop()
    await asyncio.gather(*tasks)
    if server.stop() != 0:
        faults.append(f"the server did not end well:\n{server.read_log()[-2000:]}")
    faults += watcher.faults
    # The database is read in a loop of its own.
    logs = await asyncio.to_thread(lambda: dict(room_logs(server.database)))
    for seat in seats:
        faults += broken_promises(seat, logs[seat.room])
    for room, log in logs.items():
        faults += [f"{room}: {fault}" for fault in wrong_clocks(log)]
    return Outcome(
        kills,
        sum(seat.plays for seat in seats),
        sum(len(seat.journal.acknowledged) for seat in seats),
        tuple(server.started_in[1:]),
        longest,
        tuple(faults),
        await asyncio.to_thread(check_logs, server.database),
    )


async def seat_everybody(server: ServerProcess, chance: random.Random, watcher: ClockWatcher) -> list[Player]:
    """Everybody at the tables, with the games begun."""

    async def pace() -> None:
        await asyncio.sleep(chance.uniform(0, 0.03))

    seats: list[Player] = []
    for book, people, places in TABLES:
        settings = Settings(book=book, seats=places, clock=TurnClock(kind="seconds", amount=CLOCK))
        names = [f"{book} {number}" for number in range(people)]
        room, visitors = await sit_down(server, settings, names)
        for visitor in visitors:
            chooser = Chooser(book, "tournament")
            seats.append(Player(server, visitor, room, chooser, pace=pace, watcher=watcher))
    return seats


async def some_plays(seats: Sequence[Player], chance: random.Random) -> None:
    """Wait for a few plays, then for a moment in which anything may be going on."""
    before, wanted = sum(seat.plays for seat in seats), chance.randint(1, 12)
    began = time.monotonic()
    while sum(seat.plays for seat in seats) < before + wanted and time.monotonic() - began < 5:
        await asyncio.sleep(0.005)
    await asyncio.sleep(chance.uniform(0, 0.04))


async def kill_and_restart(
    server: ServerProcess, chance: random.Random, faults: list[str], *, twice: bool = False
) -> None:
    """Kill it, and start it again; if wanted, it is killed once more before it is ready."""
    assert server.process is not None
    helpers = family(server.process.pid)[1:]
    server.kill()
    if twice:
        server.launch()
        await asyncio.sleep(chance.uniform(0, 1))
        server.kill()
    server.launch()
    await asyncio.to_thread(server.wait_until_ready)
    for pid in helpers:
        began = time.monotonic()
        while is_running(pid) and time.monotonic() - began < GONE_WITHIN:
            await asyncio.sleep(0.05)
        if is_running(pid):
            faults.append(f"a process outlived the server that had started it by {GONE_WITHIN:.0f} s")


async def everybody_back(seats: Sequence[Player], faults: list[str]) -> float:
    """Wait until every player is back, and say how long that took."""
    began = time.monotonic()
    for seat in seats:
        try:
            await asyncio.wait_for(seat.connected.wait(), STUCK_AFTER)
        except TimeoutError:
            faults.append(f"{seat.room}: a player never came back")
    took = time.monotonic() - began
    if took > BACK_WITHIN:
        faults.append(f"the last player was back after {took:.1f} s")
    return took


async def games_go_on(seats: Sequence[Player], faults: list[str]) -> None:
    """After the last restart, every table plays the game on it to the end."""
    for room in sorted({seat.room for seat in seats}):
        seat = next(seat for seat in seats if seat.room == room)
        assert seat.view is not None
        assert seat.view.game is not None
        game, began = seat.view.game.commitment, time.monotonic()
        while seat.view.stage != "over" and seat.view.game.commitment == game:
            await asyncio.sleep(0.02)
            if time.monotonic() - began > STUCK_AFTER:
                faults.append(f"{room}: the game is stuck at {seat.view.rev}")
                break


def broken_promises(seat: Player, log: Sequence[RoomEvent]) -> list[str]:
    """What a player was promised and the log does not hold, or holds twice."""
    where = f"{seat.room}, {seat.visitor.me.name}"
    faults = [f"{where}: refused, {what}" for what in seat.journal.refused]
    faults += [f"{where}: {what}" for what in seat.journal.gaps]
    mine = [event for event in log if event.player == seat.visitor.me.id and isinstance(event, GamePlayed)]
    requests = [event.request for event in mine]
    faults += [f"{where}: {each} was carried out twice" for each in {*requests} if requests.count(each) > 1]
    for request, rev in seat.journal.acknowledged:
        if rev > len(log) or log[rev - 1].request != request:
            faults.append(f"{where}: {request} was acknowledged as {rev}, and is not there")
    for number, kind in seat.journal.told.items():
        if number > len(log) or log[number - 1].__struct_config__.tag != kind:
            faults.append(f"{where}: was told of {kind} as {number}, which is not there")
    return faults


def wrong_clocks(log: Sequence[RoomEvent]) -> list[str]:
    """Clocks that ran while the server did not, or that were given too little or too much."""
    faults: list[str] = []
    deadline: int | None = None
    for event in log:
        if isinstance(event, ClockRestored):
            if deadline is not None and event.deadline < deadline:
                faults.append(f"event {event.seq}: the restart took {deadline - event.deadline} ms away")
            if event.deadline - event.at > CLOCK * 1000:
                faults.append(f"event {event.seq}: the restart gave more than the whole clock")
        if isinstance(event, GamePlayed) and any(isinstance(each, TimedOut) for each in event.events):
            faults.append(f"event {event.seq}: somebody was timed out")
        if isinstance(event, StoodIn):
            faults.append(f"event {event.seq}: a bot stood in")
        deadline = getattr(event, "deadline", deadline)
    return faults
