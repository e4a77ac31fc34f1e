"""A game on a Python that has nothing but msgspec, as in a browser. As a program, it prints what it saw."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from importlib.util import find_spec
from typing import Any

BLOCKED = (
    *("sqlite3", "multiprocessing", "concurrent.futures.thread", "concurrent.futures.process"),
    *("socketserver", "http.server", "importlib.metadata"),
    *("meldroom.server", "meldroom.cli", "meldroom.arena", "meldroom.env", "meldroom.papers"),
)
"""What a browser does not have, or need not load; packages that are not installed need not be blocked."""
ABSENT = ("numpy", "numba", "litestar", "sqlalchemy")
LATER = (
    *("meldroom.solver", "meldroom.record", "meldroom.championship", "meldroom.referee"),
    *("meldroom.api.games", "meldroom.api.referee", "meldroom.rules.describe", "meldroom.bots.game_loop"),
)
"""What the first move does not need."""
POSITION = "wrc11 / table R1 R2 R3 / racks K9 R4, ?x14 / turn 1 / melded 1"


class Block:
    """Finds nothing of what a browser does not have."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Raises ModuleNotFoundError for what is blocked."""
        if any(name == each or name.startswith(f"{each}.") for each in BLOCKED):
            raise ModuleNotFoundError(f"{name} is not there", name=name)


def _no_thread(thread: threading.Thread) -> None:
    raise RuntimeError("there are no threads here")


async def play() -> dict[str, Any]:
    """A game against a bot, looked at in every way."""
    from meldroom.browser import open_home
    from tests.browser_home.js_store import MemoryJsStore

    home = await open_home(MemoryJsStore(), bot_pace=0, start_phase=0)
    views: list[dict[str, Any]] = []
    answers: dict[str, dict[str, Any]] = {}

    def hear(text: str) -> None:
        told = json.loads(text)
        if told["type"] == "update":
            views.append(told["view"])
        answers[told.get("id", "")] = told

    async def ask(method: str, path: str, query: str = "", body: Any = None) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        status, _, answer = await home.request(method, path, query, sent)
        assert status < 400, (path, status, answer)
        return json.loads(answer)

    await ask("POST", "/session", "", {"name": "Ada"})
    await ask("GET", "/catalogue")
    connection = home.connect(hear)

    async def do(do: str, **fields: Any) -> dict[str, Any]:
        name = str(len(answers) + 1_000 * len(views))
        connection.receive(json.dumps({"do": do, "id": name, **fields}))
        while name not in answers:
            await asyncio.sleep(0)
        return answers[name]

    await do("hello", version=2)
    settings = {"book": "tml", "clock": {"kind": "off"}}
    opened = {"settings": settings, "chairs": ["me", "tournament"], "begin": True}
    room = (await ask("POST", "/rooms", "", opened))["room"]
    await do("enter", room=room)
    while views[-1]["stage"] != "over":
        game = views[-1]["game"]
        if game["seat"] == 0:
            action = {"action": "draw" if game["pool_size"] else "pass", "seat": 0}
            answer = await do("act", room=room, rev=views[-1]["rev"], action=action)
            assert answer["type"] == "done", answer
        await asyncio.sleep(0)
    turns = (await ask("GET", f"/games/{room}-1/analysis", "seat=1"))["turns"]
    charge = {"rulebook": "wrc11", "rack": ["R10", "B10", "K10"], "last_draw": "nothing"}
    found = {
        "laid": sum(turn["laid"] for turn in turns),
        "verified": (await ask("GET", f"/games/{room}-1/verification"))["ok"],
        "charge": (await ask("POST", "/referee/charge", "", charge))["points"],
        "best": (await ask("POST", "/position/best", "", {"text": POSITION}))["tiles"],
        "rules": (await ask("GET", "/books/wrc11/page"))["title"],
    }
    await home.close()
    return found


def main() -> None:
    """Take everything away, then play."""
    sys.meta_path.insert(0, Block())
    assert not any(find_spec(name) for name in ABSENT)
    setattr(threading.Thread, "start", _no_thread)  # noqa: B010 - there are none here
    sys.stdout.write(json.dumps(asyncio.run(play())))


if __name__ == "__main__":
    main()
