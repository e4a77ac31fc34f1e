"""The worst request we know of for every route that needs neither a session nor a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote

import msgspec

JSON = {"content-type": "application/json"}
DAY = "2026-11-15"
MOST = 65_536
"""Bytes of a body, unless a route takes more."""


class Request(NamedTuple):
    """A request as it is sent."""

    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = JSON


def dotted_toml(keys: int) -> str:
    """One key of so many parts: a parser that keeps all its beginnings takes quadratic time and memory."""
    return ".".join("a" * keys) + " = 1"


def _post(path: str, body: object) -> Request:
    return Request("POST", f"/api/v1{path}", msgspec.json.encode(body))


def _get(path: str) -> Request:
    return Request("GET", f"/api/v1{path}", headers={})


def _adopt(entries: int) -> Request:
    document = {"entries": [{"a": [1, 2, 3]}] * entries}
    return _post("/championships/adopt", {"by": "B", "reason": "C", "document": document})


_RACK = [f"{colour}{value}" for colour in "KRBO" for value in range(1, 14)]
_TABLE = [[f"{colour}{value}" for value in range(1, 14)] for colour in "KRBO"]
_BOOK = {"rulebook": "wrc11"}
_TURN = {**_BOOK, "has_melded": False}
_WHOLE = {**_TURN, "table_before": _TABLE, "rack": _RACK, "table_after": _TABLE * 2}
_MANY = {**_TURN, "table_before": [["R1"]] * 150, "rack": ["K9"], "table_after": [["R1"]] * 148}
_TOO_MANY = {**_TURN, "table_before": [["R1"]] * 4_700, "rack": ["K9"], "table_after": [["R1"]] * 4_700}
_JOKERS = {**_TURN, "table_before": [], "rack": ["K9"], "table_after": [["*"] * 590]}
_RUNS = " | ".join(" ".join(f"{colour}{value}" for value in range(1, 14)) for colour in "KRBO")
_TEXT = f"wrc11 / table {_RUNS} / racks {_RUNS.replace(' |', '')}, ?x2 / turn 1 / melded 1"

_PROOF = {"credential": "A" * 1_400} | dict.fromkeys(
    ("client_data", "authenticator_data", "signature"), "A" * 4_000
)
_WIDE = "".join(f"a{number} = 1\n" for number in range(1_900))
_NEW = {"name": "A", "by": "B", "date": DAY}

COSTLY: dict[str, Request] = {
    "GET /": Request("GET", "/", headers={}),
    "GET /healthz": Request("GET", "/healthz", headers={}),
    "GET /readyz": Request("GET", "/readyz", headers={}),
    "GET /metrics": Request("GET", "/metrics", headers={}),
    "GET /openapi.json": _get("/openapi.json"),
    "GET /catalogue": _get("/catalogue"),
    "GET /books/{book}/page": _get("/books/wrc11/page"),
    "GET /books/{book}/against/{other}": _get("/books/wrc11/against/rummyo"),
    "GET /rulings/{ruling}": _get("/rulings/R20"),
    "GET /rooms": _get("/rooms"),
    "GET /rooms/{room}": _get("/rooms/zzzzzz"),
    "GET /rooms/{room}/link": _get("/rooms/zzzzzz/link"),
    "GET /rooms/{room}/link.svg": _get("/rooms/zzzzzz/link.svg"),
    "POST /session": _post("/session", {}),
    "POST /sign-in": _post("/sign-in", {"account": "ada", "password": "x" * 60}),
    "POST /sign-in/passkey": _post("/sign-in/passkey", _PROOF),
    "POST /sign-in/passkey/challenge": _post("/sign-in/passkey/challenge", {}),
    "GET /match": _get("/match"),
    "GET /switches": _get("/switches"),
    "GET /games/{game}": _get("/games/none"),
    "POST /check": _post("/check?standing=true", _WHOLE),
    "POST /check, many sets": _post("/check?standing=true", _MANY),
    "POST /check, too many sets": _post("/check?standing=true", _TOO_MANY),
    "POST /check, jokers": _post("/check?standing=true", _JOKERS),
    "GET /notation": _get("/notation?book=wrc11&text=" + quote(" | ".join(["R1 R2 R3"] * 150))),
    "GET /position": _get("/position?text=" + quote(_TEXT)),
    "GET /position.svg": _get("/position.svg?text=" + quote(_TEXT)),
    "GET /position.png": _get("/position.png?text=" + quote(_TEXT)),
    "POST /position/best": _post("/position/best", {"text": _TEXT, "book": ""}),
    "POST /referee/book": _post("/referee/book", _BOOK),
    "POST /referee/position": _post(
        "/referee/position",
        {**_BOOK, "table": _TABLE, "turn": {"rack": _RACK, "table": _TABLE, "melded": False}},
    ),
    "POST /referee/position, jokers": _post("/referee/position", {**_BOOK, "table": [["*"] * 110] * 60}),
    "POST /referee/count": _post("/referee/count", {**_BOOK, "racks": [{"tiles": _RACK}] * 4}),
    "POST /referee/charge": _post("/referee/charge", {**_BOOK, "rack": _RACK}),
    "POST /referee/leftovers": _post("/referee/leftovers", {**_BOOK, "leftovers": _RACK}),
    "GET /puzzles": _get("/puzzles"),
    "GET /puzzles/daily": _get("/puzzles/daily?date=2026-11-16"),
    "POST /puzzles/next": _post("/puzzles/next", {}),
    "GET /puzzles/progress": _get("/puzzles/progress"),
    "POST /puzzles/progress": _post("/puzzles/progress", {}),
    "GET /puzzles/row": _get("/puzzles/row?mode=streak&seed=x"),
    "GET /puzzles/{id}": _get("/puzzles/none"),
    "POST /puzzles/{id}/attempt": _post("/puzzles/none/attempt", {}),
    "GET /puzzles/{id}/solution": _get("/puzzles/none/solution"),
    "GET /people/{profile}": _get("/people/none"),
    "GET /push/key": _get("/push/key"),
    "GET /championships": _get("/championships"),
    "POST /championships": _post("/championships", {**_NEW, "format_toml": dotted_toml(24_000)}),
    "POST /championships, wide": _post("/championships", {**_NEW, "format_toml": _WIDE}),
    "GET /championships/printing": _get("/championships/printing"),
    "POST /championships/format": _post("/championships/format", {"players": 2000, "format_toml": _WIDE}),
    "POST /championships/leagues": _post("/championships/leagues", {"toml": _WIDE}),
    "GET /championships/leagues/{league}": _get("/championships/leagues/zzzzzzzz"),
    "POST /championships/club-night": _post("/championships/club-night", {}),
    "POST /championships/adopt": _adopt(100_000),
    "POST /championships/adopt, fewer": _adopt(39_000),
    "GET /championships/{code}": _get("/championships/zzzzzz"),
}
