"""Kill the server without warning while clerks enter results: is anything lost?"""

from __future__ import annotations

import random
import socket
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from meldroom.championship import read_lines, verify
from testkit.server.clerks import TABLES, Clerk, House, Line, Promises, command, device_of
from testkit.server.process import ServerProcess

HOUSES = ("north", "south")
KILLED_WHILE_STARTING = 0.1
QUIET_PORTS = (20_000, 30_000)
SOON = 5.0
"""Seconds after which a kill comes even if little was done."""


class Outcome(msgspec.Struct, frozen=True):
    """What a trial found."""

    kills: int
    championships: int
    acknowledged: int
    repeats: int
    interrupted: int
    """Requests that broke off or found no server; each was sent again with its id."""
    torn: int
    """Kills that left half a line at the end of a file."""
    unanswered: int
    """Commands that were on the disk before anybody was told: their repeats were answered, not done again."""
    restarts: tuple[float, ...]
    faults: tuple[str, ...]


def run_trial(
    folder: Path, kills: int, seed: int, tell: Callable[[int], None] = lambda kill: None
) -> Outcome:
    """So many kills on a fresh data folder."""
    server = ServerProcess(folder, port=quiet_port(seed), arguments=("--trusted-load",))
    server.start()
    trial = Trial(server, seed)
    try:
        for kill in range(1, kills + 1):
            trial.kill_once()
            tell(kill)
        return trial.end(kills)
    finally:
        server.kill()
        trial.stop()


def quiet_port(seed: int) -> int:
    """A free port that no outgoing connection gets by itself.

    Clerks who knock at a closed port of the usual range connect to themselves sooner or later, and keep it.
    """
    chance = random.Random(f"port {seed}")
    for _ in range(100):
        port = chance.randrange(*QUIET_PORTS)
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("no port is free")


class Trial:
    """The clerks at work, and what was seen after each kill."""

    def __init__(self, server: ServerProcess, seed: int) -> None:
        self.server = server
        self.chance = random.Random(seed)
        self.houses = [House(name) for name in HOUSES]
        self.clerks = [
            Clerk(server, house, table, f"{seed}/{house.name}/{table}")
            for house in self.houses
            for table in range(1, TABLES + 1)
        ]
        self.faults: list[str] = []
        self.torn = 0
        self.repeats = 0
        self.unanswered: set[tuple[str, str]] = set()
        for clerk in self.clerks:
            clerk.start()

    def kill_once(self) -> None:
        """Some work, a kill, a look at the files, a restart, and an old command of every table."""
        before, wanted = self._done(), self.chance.randint(1, 20)
        began = time.monotonic()
        while self._done() < before + wanted and time.monotonic() - began < SOON:
            time.sleep(0.002)
        time.sleep(self.chance.uniform(0, 0.05))
        self._check_alive()
        self.server.kill()
        # The clerks add promises only with a server: what is promised now was promised before the kill.
        for house in self.houses:
            for championship in house.championships[-1:]:
                self.look_at(championship)
        if self.chance.random() < KILLED_WHILE_STARTING:
            self.server.launch()
            time.sleep(self.chance.uniform(0, 1))
            self.server.kill()
        self.server.launch()
        self.server.wait_until_ready()
        self._repeat()

    def _check_alive(self) -> None:
        """Nobody but this trial may end the server. Raises AssertionError."""
        assert self.server.process is not None
        status = self.server.process.poll()
        assert status is None, f"the server ended by itself with status {status}"

    def _done(self) -> int:
        return sum(clerk.done for clerk in self.clerks)

    def _repeat(self) -> None:
        """Old commands again: they are answered as the first time."""
        for house in self.houses:
            if not house.championships:
                continue
            championship = house.championships[-1]
            line = Line(self.server, self.clerks[0].stopped)
            for table, key in championship.keys.items():
                request = championship.some(self.chance, device_of(table))
                if request is not None:
                    command(line, championship, key, request, self.faults)
                    self.repeats += 1
            line.close()

    def look_at(self, championship: Promises) -> None:
        """The championship's files as they lie on the disk."""
        folder = self.server.folder / "events" / championship.code
        self.torn += sum(
            not data.endswith(b"\n")
            for data in (path.read_bytes() for path in folder.glob("*.jsonl"))
            if data
        )
        self.faults += broken_promises(championship, folder)
        known = {*ids_of_log(folder), *(each["id"] for each in read(folder / "hall.jsonl"))}
        self.unanswered |= {
            (championship.code, id) for id in known - set(championship.promised()) - {"opened"}
        }

    def stop(self) -> None:
        """Nobody asks any more."""
        for clerk in self.clerks:
            clerk.stop()

    def end(self, kills: int) -> Outcome:
        """Stop everybody and the server, and look at every championship once more."""
        self.stop()
        if self.server.stop() != 0:
            self.faults.append(f"the server did not end well:\n{self.server.read_log()[-2000:]}")
        championships = [championship for house in self.houses for championship in house.championships]
        for championship in championships:
            self.faults += broken_promises(championship, self.server.folder / "events" / championship.code)
        return Outcome(
            kills=kills,
            championships=len(championships),
            acknowledged=sum(len(championship.commands) for championship in championships),
            repeats=self.repeats + sum(clerk.repeats for clerk in self.clerks),
            interrupted=sum(clerk.line.lost for clerk in self.clerks),
            torn=self.torn,
            unanswered=len(self.unanswered),
            restarts=tuple(self.server.started_in[1:]),
            faults=(*self.faults, *(fault for clerk in self.clerks for fault in clerk.faults)),
        )


def read(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a file; one that is torn was never acknowledged."""
    data = path.read_bytes() if path.exists() else b""
    return [msgspec.json.decode(line) for line in data.split(b"\n")[:-1]]


def ids_of_log(folder: Path) -> dict[str, list[int]]:
    """Each id with the entries that it became: the last id noted for a number, if its entry follows."""
    entries = read(folder / "log.jsonl")
    found: dict[str, list[int]] = {}
    for number, intent in {each["number"]: each for each in read(folder / "ids.jsonl")}.items():
        if number <= len(entries):
            entry = entries[number - 1]
            if (entry["previous"], entry["time"]) == (intent["previous"], intent["time"]):
                found.setdefault(intent["id"], []).append(number)
    return found


def broken_promises(championship: Promises, folder: Path) -> list[str]:
    """What was acknowledged and is not there, or is there twice or otherwise; and faults of the chain."""
    lines = read_lines(folder / "log.jsonl")
    faults = [
        f"{championship.code}: line {fault.line} of the log, {fault.error}" for fault in verify(lines)[1]
    ]
    log = [msgspec.json.decode(line) for line in lines]
    entries = read(folder / "hall.jsonl")
    hall = {entry["number"]: entry for entry in entries}
    of_log = ids_of_log(folder)
    for id, (_, answer) in championship.promised().items():
        if (number := answer.get("log")) is not None:
            found = of_log.get(id, [])
            there = found == [number] and log[number - 1]["action"] == answer["action"]
        else:
            number = answer["hall"]
            found = [entry["number"] for entry in entries if entry["id"] == id]
            there = found == [number] and hall[number]["act"] == answer["action"]
        if not there:
            faults.append(
                f"{championship.code}: {id} was acknowledged as {number}; the files have it as {found}"
            )
    notes = Counter(entry["action"]["note"] for entry in log if entry["action"]["do"] == "penalise")
    reasons = Counter(entry["reason"] for entry in log if entry["action"]["do"] == "correct_result")
    faults += [
        f"{championship.code}: {what} was done twice"
        for what, times in (notes + reasons).items()
        if times > 1
    ]
    return faults
