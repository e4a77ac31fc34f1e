"""Clerks who enter results over HTTP without pause, and note everything that they were promised."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from typing import Any

from testkit.server.process import ServerProcess

ROOT = "/api/v1/championships"
TABLES = 3
GAMES = 24
ENOUGH = 150
"""Commands after which a championship is left as it is and another is opened."""
REPEATS, OUTBOXES = 0.15, 0.15
"""How much of what a clerk sends is an old command, and how much a whole outbox."""
PATIENCE = 60.0
"""Seconds after which a server that does not answer never will."""
FORMAT = f"""
base = "wrc"
id = "long"
version = "1"
name = {{ en = "Long evening", fr = "Longue soirée" }}
about = {{ en = "Many games.", fr = "Beaucoup de parties." }}
conditions = {{}}

[[stages]]
id = "evening"
name = {{ en = "Evening", fr = "Soirée" }}
games = {GAMES}
"""
CLUB = """
base = "wrc"
id = "club"
version = "1"
name = { en = "Club evening", fr = "Soirée du club" }
about = { en = "Two games, then a final.", fr = "Deux parties, puis une finale." }
conditions = {}

[[stages]]
id = "evening"
name = { en = "Evening", fr = "Soirée" }
games = 2
sittings = 2

[[stages]]
id = "final"
name = { en = "Final", fr = "Finale" }
games = 1
takes = 4
"""
"""A short evening."""
LIST = "name\n" + "".join(f"Player {number}\n" for number in range(1, 4 * TABLES + 1))
SCORES = [60, -10, -20, -30]
Answer = dict[str, Any]


def scores(game: int = 0, winner: int = 0) -> list[int]:
    """Scores that add up: some seat wins."""
    turned = [SCORES[(seat - winner) % 4] for seat in range(4)]
    lost = [score if score < 0 else 0 for score in turned]
    lost = [score - game if score else 0 for score in lost]
    return [score if score else -sum(lost) for score in lost]


class StoppedError(Exception):
    """The trial is over; whatever was being asked is left."""


class Promises:
    """What the server has acknowledged for one championship, by command id; one clerk writes at a time."""

    def __init__(self, code: str, key: str) -> None:
        self.code, self.key = code, key
        self.commands: dict[str, tuple[Answer, Answer]] = {}
        """The request and the whole answer, the first time it came."""
        self.keys: dict[int, str] = {}
        """The key of each table's device, …"""
        self.players: dict[int, list[int]] = {}
        """… and who sits there."""
        self.lock = threading.Lock()

    def note(self, request: Answer, answer: Answer) -> str:
        """An acknowledged command; a sentence if it was answered otherwise before."""
        with self.lock:
            first = self.commands.setdefault(request["id"], (request, answer))[1]
        if first == answer:
            return ""
        return f"{self.code}: {request['id']} was answered {first}, and the second time {answer}"

    def promised(self) -> dict[str, tuple[Answer, Answer]]:
        """A copy of all promises so far."""
        with self.lock:
            return dict(self.commands)

    def some(self, chance: random.Random, device: str) -> Answer | None:
        """A request of this device that was acknowledged before."""
        asked = [request for request, _ in self.promised().values() if request.get("device") == device]
        return chance.choice(asked) if asked else None


class Line:
    """A connection that is made again until there is an answer: a device whose laptop restarts."""

    def __init__(self, server: ServerProcess, stopped: threading.Event) -> None:
        self.server, self.stopped = server, stopped
        self._connection: http.client.HTTPConnection | None = None
        self.lost = 0
        """Requests that broke off or found nobody, and were sent again."""

    def ask(self, method: str, path: str, key: str = "", body: Any = None) -> tuple[int, Any]:
        """Status and JSON. Raises StoppedError when the trial ends first."""
        headers = {"Content-Type": "application/json", **({"X-Championship-Key": key} if key else {})}
        data = json.dumps(body) if body is not None else None
        began, broke = time.monotonic(), False
        while time.monotonic() - began < PATIENCE:
            if self.stopped.is_set():
                raise StoppedError
            try:
                self._connection = self._connection or http.client.HTTPConnection(
                    "127.0.0.1", self.server.port, timeout=PATIENCE
                )
                self._connection.request(method, ROOT + path, data, headers)
                answer = self._connection.getresponse()
                return answer.status, json.loads(answer.read() or b"null")
            except (OSError, http.client.HTTPException, ValueError):
                self.close()
                self.lost += not broke
                broke = True
                time.sleep(0.02)
        raise AssertionError(f"{method} {path} had no answer for {PATIENCE:.0f} s")

    def close(self) -> None:
        """Let go of the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class House:
    """Championships one after the other, each with its tables, for the clerks of one group."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.championships: list[Promises] = []

    def now(self, line: Line, faults: list[str]) -> tuple[int, Promises]:
        """The championship to work at and its number; another one when this one has had enough."""
        with self.lock:
            if not self.championships or len(self.championships[-1].commands) >= ENOUGH:
                self.championships.append(opened(line, f"{self.name} {len(self.championships) + 1}", faults))
            return len(self.championships) - 1, self.championships[-1]


def opened(line: Line, name: str, faults: list[str]) -> Promises:
    """A new championship with its draw made and a key for every table; each command is a promise too."""
    asked = {"name": name, "by": "Olga", "date": "2026-11-15", "format_toml": FORMAT}
    status, made = line.ask("POST", "", body=asked)
    assert status == 201, made
    championship = Promises(made["code"], made["key"])
    director = made_key(line, championship, {"role": "director", "label": "Dana"})
    for table in range(1, TABLES + 1):
        asked_key = {"role": "referee", "label": f"Rita {table}", "table": table}
        championship.keys[table] = made_key(line, championship, asked_key)
    command(
        line,
        championship,
        championship.key,
        {"id": "import-01", "command": {"do": "import_entrants", "csv": LIST}},
        faults,
    )
    everybody = [
        {"id": f"check-in-{number}", "command": {"do": "check_in", "number": number}}
        for number in range(1, 4 * TABLES + 1)
    ]
    outbox(line, championship, championship.key, everybody, faults)
    command(line, championship, director, {"id": "announce-1", "command": {"do": "announce_draw"}}, faults)
    command(line, championship, director, {"id": "reveal-01", "command": {"do": "reveal"}}, faults)
    page = line.ask("GET", f"/{championship.code}")[1]
    for seats in page["stages"][0]["seated"][0]["tables"]:
        championship.players[seats["table"]] = seats["players"]
    for table, key in championship.keys.items():
        bind = {"do": "bind_table", "table": table, "device": device_of(table)}
        command(
            line,
            championship,
            key,
            {"id": f"binding-{table}", "command": bind, "device": device_of(table)},
            faults,
        )
    return championship


def made_key(line: Line, championship: Promises, asked: Answer) -> str:
    """A key's secret; one whose answer was lost is simply never used."""
    status, made = line.ask("POST", f"/{championship.code}/keys", championship.key, asked)
    assert status == 201, made
    secret: str = made["key"]
    return secret


def device_of(table: int) -> str:
    """The name of a table's device."""
    return f"device-of-{table}"


def command(line: Line, championship: Promises, key: str, request: Answer, faults: list[str]) -> bool:
    """Ask for a command until it is answered, and note the promise; whether it is done."""
    status, answer = line.ask("POST", f"/{championship.code}/commands", key, request)
    return settled(championship, request, status, answer, faults)


def outbox(line: Line, championship: Promises, key: str, requests: list[Answer], faults: list[str]) -> None:
    """Several commands at once, each with its own answer."""
    status, told = line.ask("POST", f"/{championship.code}/outbox", key, {"commands": requests})
    if status != 200:
        faults.append(f"{championship.code}: an outbox was answered {status} {told}")
        return
    for request, answer in zip(requests, told["answers"], strict=True):
        settled(championship, request, answer["status"], answer["done"] or answer["error"], faults)


def settled(championship: Promises, request: Answer, status: int, answer: Answer, faults: list[str]) -> bool:
    """Note an answer: a promise, or a fault, since no clerk asks for anything that is not allowed."""
    fault = (
        championship.note(request, answer)
        if status == 200
        else f"{championship.code}: {request['id']} was answered {status} {answer}"
    )
    if fault:
        faults.append(fault)
    return status == 200


class Clerk:
    """One table's device of a house: results, corrections, penalties, calls, positions, and repeats."""

    def __init__(self, server: ServerProcess, house: House, table: int, seed: str) -> None:
        self.house, self.table = house, table
        self.stopped = threading.Event()
        self.line = Line(server, self.stopped)
        self.chance = random.Random(seed)
        self.faults: list[str] = []
        self.done = 0
        self.repeats = 0
        self._at = -1
        self._next_game = 1
        self._count: Counter[str] = Counter()
        self._task = threading.Thread(target=self.work, daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._task.start()

    def stop(self) -> None:
        """Stop after the answer that is waited for, if there is a server to give it."""
        self.stopped.set()
        self._task.join()
        self.line.close()

    def work(self) -> None:
        """Command after command until told to stop; what goes wrong ends up among the faults."""
        try:
            while not self.stopped.is_set():
                number, championship = self.house.now(self.line, self.faults)
                if number != self._at:
                    self._at, self._next_game = number, 1
                self._one(championship)
                time.sleep(self.chance.uniform(0, 0.01))
        except StoppedError:
            pass
        except Exception as error:  # a thread's error would be lost
            self.faults.append(f"{self.house.name}, table {self.table}: {error!r}")

    def _one(self, championship: Promises) -> None:
        """One request: an old command again, an outbox, or a single command."""
        key, chosen = championship.keys[self.table], self.chance.random()
        if chosen < REPEATS:
            request = championship.some(self.chance, device_of(self.table))
            if request is not None:
                self.repeats += 1
                command(self.line, championship, key, request, self.faults)
        elif chosen < REPEATS + OUTBOXES:
            requests = [self._act(championship) for _ in range(3)]
            outbox(self.line, championship, key, requests, self.faults)
            self.done += len(requests)
        else:
            self.done += command(self.line, championship, key, self._act(championship), self.faults)

    def _act(self, championship: Promises) -> Answer:
        """Some command that must be taken; its text is its own, so that it can be found and counted."""
        self._count["commands"] += 1
        id = f"{self.house.name}-{self._at}-{self.table}-{self._count['commands']:05d}"
        place: Answer = {"stage": "evening", "sitting": 1, "table": self.table}
        request: Answer = {"id": id, "device": device_of(self.table)}
        chosen = self.chance.choice(("result", "result", "correction", "penalty", "call", "position"))
        if chosen == "result" and self._next_game <= GAMES:
            game, self._next_game = self._next_game, self._next_game + 1
            return {
                **request,
                "command": {"do": "enter_result", **place, "game": game, "scores": self._scores()},
            }
        if chosen == "correction" and self._next_game > 1:
            game = self.chance.randrange(1, self._next_game)
            corrected = {"do": "correct_result", **place, "game": game, "scores": self._scores()}
            return {**request, "command": corrected, "reason": id}
        if chosen == "position":
            sets = [["R1", "R2", "R3"]]
            return {**request, "command": {"do": "record_position", **place, "game": 1, "sets": sets}}
        if chosen == "penalty":
            number = self.chance.choice(championship.players[self.table])
            return {
                **request,
                "command": {"do": "penalise", "number": number, "kind": "late", **place, "note": id},
            }
        return {**request, "command": {"do": "call_referee", "table": self.table, "text": id}}

    def _scores(self) -> list[int]:
        """Scores that nobody entered before."""
        self._count["scores"] += 1
        return scores(self._count["scores"], self._count["scores"] % 4)
