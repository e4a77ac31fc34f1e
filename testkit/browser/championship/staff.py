"""Staff who work over HTTP: what thirty tables would enter meanwhile, in one request."""

from __future__ import annotations

import json
import random
import urllib.request
from collections.abc import Sequence
from itertools import count
from typing import Any

_ids = count(1)
LOSSES = (4, 96)
"""What a loser of a game loses: at least, and at most."""


class Staff:
    """Somebody with a key, who asks the server without a page."""

    def __init__(self, address: str, code: str, key: str) -> None:
        self.server, self.code, self.key = address, code, key

    def ask(self, path: str = "", body: Any = None) -> Any:
        """An answer's JSON; what is refused is an error."""
        return _answer(f"{self.server}/api/v1/championships/{self.code}{path}", self.key, body)

    def key_for(self, role: str, label: str, table: int | None = None) -> Staff:
        """Somebody else, with a key that this one makes."""
        made = self.ask("/keys", {"role": role, "label": label, "table": table})
        return Staff(self.server, self.code, made["key"])

    def link(self, path: str) -> str:
        """A page of the event with this key."""
        return f"/championship/{self.code}{path}#key={self.key}"

    def do(self, *acts: dict[str, Any]) -> None:
        """Several acts, each of which must be taken."""
        requests = [{"id": f"bulk-{next(_ids):06d}", "command": act} for act in acts]
        answers = self.ask("/outbox", {"commands": requests})["answers"]
        refused = [answer["error"] for answer in answers if answer["status"] != 200]
        assert not refused, refused

    def tables(self, stage: str) -> dict[int, list[int]]:
        """Who sits where, by the number of the table."""
        found = next(each for each in self.ask()["stages"] if each["id"] == stage)
        return {table["table"]: table["players"] for table in found["seated"][0]["tables"]}


def _answer(address: str, key: str, body: Any) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"X-Championship-Key": key, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(address, data, headers)) as answer:
        return json.loads(answer.read())


def open_event(address: str, name: str) -> Staff:
    """The organiser of a new World Championship."""
    asked = {"name": name, "by": "Olga Ferro", "edition": 11, "date": "2026-11-15"}
    made = _answer(f"{address}/api/v1/championships", "", asked)
    return Staff(address, made["code"], made["key"])


def open_club_night(address: str, name: str, names: Sequence[str], *, sittings: int, games: int) -> Staff:
    """The host of a new club night whose tables are drawn."""
    asked = {"name": name, "by": "Olga", "names": "\n".join(names), "sittings": sittings, "games": games}
    made = _answer(f"{address}/api/v1/championships/club-night", "", {**asked, "date": "2026-11-16"})
    return Staff(address, made["code"], made["key"])


def place(stage: str, table: int) -> dict[str, Any]:
    """A table of a stage's one sitting."""
    return {"stage": stage, "sitting": 1, "table": table}


def result(stage: str, table: int, game: int, scores: list[int]) -> dict[str, Any]:
    """A result by its scores."""
    return {"do": "enter_result", **place(stage, table), "game": game, "scores": scores}


def some_scores(chance: random.Random, seats: int) -> list[int]:
    """Scores that add up, as a game gives them."""
    winner = chance.randrange(seats)
    lost = [0 if seat == winner else -chance.randint(*LOSSES) for seat in range(seats)]
    return [-sum(lost) if seat == winner else score for seat, score in enumerate(lost)]


def level_scores(game: int, seats: int = 4) -> list[int]:
    """Scores of a game of a final in which everybody wins once and by as much."""
    return [10 * (seats - 1) if seat == (game - 1) % seats else -10 for seat in range(seats)]
