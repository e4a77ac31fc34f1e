"""The referee's tools on a device: the server's answers without a server, also for a house book."""

from __future__ import annotations

import asyncio
import json
from typing import Any

from meldroom.api import referee
from tests.browser_home.tab import Tab
from tests.browser_home.test_house_books import SMALL

QUESTIONS: dict[referee.Tool, dict[str, Any]] = {
    "book": {},
    "position": {"table": [["R1", "R2", "R4"]], "turn": {"rack": ["R1", "R2", "R4"], "melded": False}},
    "count": {"racks": [{}, {"tiles": ["R10", "B10", "K1"], "melded": False}], "winner": 0},
    "charge": {"rack": ["R7", "B7", "K7"]},
    "leftovers": {"leftovers": ["R5"], "pool": 1},
}


def test_a_device_answers_as_the_functions_do() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        for tool, asked in QUESTIONS.items():
            body = json.dumps({"rulebook": "wrc11", **asked}).encode()
            status, _, answer = await tab.raw("POST", f"/referee/{tool}", body, language="fr")
            assert (status, answer) == (200, referee.TOOLS[tool](body, "fr", {}))
        status, refused = await tab.ask("POST", "/referee/charge", {"rulebook": "wrc11", "rack": ["R14"]})
        assert (status, refused["error"]["code"], refused["error"]["place"]) == (400, "tile", "rack[0]")
        status, refused = await tab.ask("POST", "/referee/charge", {"rulebook": "wrc11", "rack": 14})
        assert (status, refused["error"]["code"], refused["error"]["place"]) == (400, "bad_request", "rack")
        await tab.close()

    asyncio.run(run())


def test_a_house_book_of_the_device_is_asked_too() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        assert (await tab.raw("POST", "/books", SMALL))[0] == 201
        sevens = {"rack": ["R7", "B7", "K7"], "last_draw": "nothing"}
        answers = [
            (await tab.ask("POST", "/referee/charge", {"rulebook": name, **sevens}))[1]
            for name in ("wrc11", "kitchen")
        ]
        # 21 points are an opening in the kitchen only.
        assert [each["points"] for each in answers] == [100, 200]
        status, _ = await tab.ask("POST", "/referee/charge", {"rulebook": "cellar", **sevens})
        assert status == 400
        await tab.close()

    asyncio.run(run())
