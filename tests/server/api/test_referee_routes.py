"""The referee's tools over HTTP: answered without a session, off the event loop, and refused in one shape."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.server.api.near import Near, with_server

RACK = ["R10", "B10", "K10", "O3"]
QUESTIONS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "book": ({}, {"id": "wrc11", "box": 106, "unmelded_able": 200}),
    "position": ({"table": [["R1", "R2", "R4"]]}, {"legal": False}),
    "count": (
        {"racks": [{}, {"tiles": RACK, "melded": False, "last_draw": "nothing"}], "winner": 0},
        {"check": "Check: the winner has what the others lost, so the scores add up to 0."},
    ),
    "charge": ({"rack": RACK, "last_draw": "nothing"}, {"points": 200, "able": True}),
    "leftovers": ({"leftovers": ["R5"], "pool": 1}, {"to_rack": 1, "draws": 1, "pool_after": 0}),
}


def test_every_tool_answers_anybody(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for tool, (body, expected) in QUESTIONS.items():
            answer = await browser.post(
                f"/api/v1/referee/{tool}", json={"rulebook": "wrc11", **body}, params={"language": "en"}
            )
            assert answer.status_code == 200, answer.text
            found = answer.json()
            assert {key: found[key] for key in expected} == expected

    with_server(tmp_path, test)


def test_refusals_have_a_code_a_place_and_the_language_asked_for(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        browser = near.browser()
        for tool, body, code, place in (
            ("charge", {"rack": ["R14"]}, "tile", "rack[0]"),
            ("charge", {"rack": "R1"}, "bad_request", "rack"),
            ("position", {"table": [["x"]]}, "tile", "table[0][0]"),
            ("position", {}, "bad_request", ""),
        ):
            texts = set()
            for language in ("en", "fr"):
                answer = await browser.post(
                    f"/api/v1/referee/{tool}",
                    json={"rulebook": "wrc11", **body},
                    params={"language": language},
                )
                assert answer.status_code == 400
                error = answer.json()["error"]
                assert (error["code"], error["place"]) == (code, place)
                texts.add(error["message"])
            assert len(texts) == 2
        answer = await browser.post("/api/v1/referee/raffle", json={})
        assert answer.status_code == 404

    with_server(tmp_path, test)
