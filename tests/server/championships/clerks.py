"""Clerks who enter acts into events over HTTP without pause, and note everything that they were promised."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
from collections import Counter
from typing import Any

from tests.server.championships.at_hall import ROOT, scores
from tests.server.trials.serving import ServerProcess

TABLES = 3
GAMES = 24
ENOUGH = 150
"""Acts after which an event is left as it is and another is opened."""
REPEATS, OUTBOXES = 0.15, 0.15
"""How much of what a clerk sends is an old act, and how much a whole outbox."""
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
LIST = "name\n" + "".join(f"Player {number}\n" for number in range(1, 4 * TABLES + 1))
Answer = dict[str, Any]


class StoppedError(Exception):
    """The trial is over; whatever was being asked is left."""


class Promises:
    """What the server has acknowledged for one event, by the id of the act; one clerk writes at a time."""

    def __init__(self, code: str, key: str) -> None:
        self.code, self.key = code, key
        self.acts: dict[str, tuple[Answer, Answer]] = {}
        """The request and the whole answer, the first time it came."""
        self.keys: dict[int, str] = {}
        """The key of each table's device, …"""
        self.players: dict[int, list[int]] = {}
        """… and who sits there."""
        self.lock = threading.Lock()

    def note(self, request: Answer, answer: Answer) -> str:
        """An acknowledged act; a sentence if it was answered otherwise before."""
        with self.lock:
            first = self.acts.setdefault(request["id"], (request, answer))[1]
        if first == answer:
            return ""
        return f"{self.code}: {request['id']} was answered {first}, and the second time {answer}"

    def promised(self) -> dict[str, tuple[Answer, Answer]]:
        """A copy of all promises so far."""
        with self.lock:
            return dict(self.acts)

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
    """Events one after the other, each with its tables, for the clerks of one group."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.lock = threading.Lock()
        self.events: list[Promises] = []

    def now(self, line: Line, faults: list[str]) -> tuple[int, Promises]:
        """The event to work at and its number; another one when this one has had enough."""
        with self.lock:
            if not self.events or len(self.events[-1].acts) >= ENOUGH:
                self.events.append(opened(line, f"{self.name} {len(self.events) + 1}", faults))
            return len(self.events) - 1, self.events[-1]


def opened(line: Line, name: str, faults: list[str]) -> Promises:
    """A new event with its draw made and a key for every table; each act of that is a promise too."""
    asked = {"name": name, "by": "Olga", "date": "2026-11-15", "format_toml": FORMAT}
    status, made = line.ask("POST", "", body=asked)
    assert status == 201, made
    event = Promises(made["code"], made["key"])
    director = made_key(line, event, {"role": "director", "label": "Dana"})
    for table in range(1, TABLES + 1):
        asked_key = {"role": "referee", "label": f"Rita {table}", "table": table}
        event.keys[table] = made_key(line, event, asked_key)
    act(
        line, event, event.key, {"id": "import-01", "command": {"do": "import_entrants", "csv": LIST}}, faults
    )
    everybody = [
        {"id": f"check-in-{number}", "command": {"do": "check_in", "number": number}}
        for number in range(1, 4 * TABLES + 1)
    ]
    outbox(line, event, event.key, everybody, faults)
    act(line, event, director, {"id": "announce-1", "command": {"do": "announce_draw"}}, faults)
    act(line, event, director, {"id": "reveal-01", "command": {"do": "reveal"}}, faults)
    page = line.ask("GET", f"/{event.code}")[1]
    for seats in page["stages"][0]["seated"][0]["tables"]:
        event.players[seats["table"]] = seats["players"]
    for table, key in event.keys.items():
        bind = {"do": "bind_table", "table": table, "device": device_of(table)}
        act(line, event, key, {"id": f"binding-{table}", "command": bind, "device": device_of(table)}, faults)
    return event


def made_key(line: Line, event: Promises, asked: Answer) -> str:
    """A key's secret; one whose answer was lost is simply never used."""
    status, made = line.ask("POST", f"/{event.code}/keys", event.key, asked)
    assert status == 201, made
    secret: str = made["key"]
    return secret


def device_of(table: int) -> str:
    """The name of a table's device."""
    return f"device-of-{table}"


def act(line: Line, event: Promises, key: str, request: Answer, faults: list[str]) -> bool:
    """Ask for an act until it is answered, and note the promise; whether it is done."""
    status, answer = line.ask("POST", f"/{event.code}/commands", key, request)
    return settled(event, request, status, answer, faults)


def outbox(line: Line, event: Promises, key: str, requests: list[Answer], faults: list[str]) -> None:
    """Several acts at once, each with its own answer."""
    status, told = line.ask("POST", f"/{event.code}/outbox", key, {"commands": requests})
    if status != 200:
        faults.append(f"{event.code}: an outbox was answered {status} {told}")
        return
    for request, answer in zip(requests, told["answers"], strict=True):
        settled(event, request, answer["status"], answer["done"] or answer["error"], faults)


def settled(event: Promises, request: Answer, status: int, answer: Answer, faults: list[str]) -> bool:
    """Note an answer: a promise, or a fault, since no clerk asks for anything that is not allowed."""
    fault = (
        event.note(request, answer)
        if status == 200
        else f"{event.code}: {request['id']} was answered {status} {answer}"
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
        """Act after act until told to stop; what goes wrong ends up among the faults."""
        try:
            while not self.stopped.is_set():
                number, event = self.house.now(self.line, self.faults)
                if number != self._at:
                    self._at, self._next_game = number, 1
                self._one(event)
                time.sleep(self.chance.uniform(0, 0.01))
        except StoppedError:
            pass
        except Exception as error:  # a thread's error would be lost
            self.faults.append(f"{self.house.name}, table {self.table}: {error!r}")

    def _one(self, event: Promises) -> None:
        """One request: an old act again, an outbox, or a single act."""
        key, chosen = event.keys[self.table], self.chance.random()
        if chosen < REPEATS:
            request = event.some(self.chance, device_of(self.table))
            if request is not None:
                self.repeats += 1
                act(self.line, event, key, request, self.faults)
        elif chosen < REPEATS + OUTBOXES:
            requests = [self._act(event) for _ in range(3)]
            outbox(self.line, event, key, requests, self.faults)
            self.done += len(requests)
        else:
            self.done += act(self.line, event, key, self._act(event), self.faults)

    def _act(self, event: Promises) -> Answer:
        """Some act that must be taken; its text is its own, so that it can be found and counted."""
        self._count["acts"] += 1
        id = f"{self.house.name}-{self._at}-{self.table}-{self._count['acts']:05d}"
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
            number = self.chance.choice(event.players[self.table])
            return {
                **request,
                "command": {"do": "penalise", "number": number, "kind": "late", **place, "note": id},
            }
        return {**request, "command": {"do": "call_referee", "table": self.table, "text": id}}

    def _scores(self) -> list[int]:
        """Scores that nobody entered before."""
        self._count["scores"] += 1
        return scores(self._count["scores"], self._count["scores"] % 4)
