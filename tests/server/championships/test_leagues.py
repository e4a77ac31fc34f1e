"""A league over HTTP: made with a key, filled with events, seen by everybody; who is hidden stays so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from tests.server.championships.at_hall import ROOT, Person, serving

LEAGUE = """name = "Winter"
points = [10, 6, 3]
others = 1
best = 1

[classes.three]
players = ["Ada", "Ben"]
"""
NAMES = ("Ada", "Ben", "Chi", "Dev")


def night(client: TestClient[Any], day: int, winner: int, *, over: bool = True) -> tuple[str, Person]:
    """A club night of one game that a seat wins."""
    asked: dict[str, Any] = {"name": f"Night {day}", "by": "Olga", "names": ", ".join(NAMES), "sittings": 1}
    opened = client.post(f"{ROOT}/club-night", json=asked | {"games": 1, "date": f"2026-11-{day}"}).json()
    host = Person(client, opened["code"], opened["key"])
    table = host.ask("GET", "/export")["seating"][0]["tables"][0]
    scores = [-10 - number for number in table]
    seat = table.index(winner)
    scores[seat] = -sum(score for place, score in enumerate(scores) if place != seat)
    place: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}
    host.command("enter_result", **place, game=1, scores=scores)
    if over:
        host.command("sign_sheet", **place)
        host.command("close_stage")
    return opened["code"], host


def test_a_league_counts_its_nights_on_a_public_page(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        made = client.post(f"{ROOT}/leagues", json={"toml": LEAGUE})
        assert made.status_code == 201, made.text
        league, key = made.json()["code"], {"X-Championship-Key": made.json()["key"]}
        page = f"{ROOT}/leagues/{league}"
        assert client.get(page).json()["rows"] == []
        first, host = night(client, 10, winner=1)
        second, _ = night(client, 17, winner=2)
        running, _ = night(client, 24, winner=3, over=False)
        for code in (second, first, running):
            assert client.post(f"{page}/events", json={"code": code}, headers=key).status_code == 204
        seen = client.get(page).json()
        assert [(one["code"], one["over"]) for one in seen["events"]] == [
            (first, True),
            (second, True),
            (running, False),
        ]
        totals = {row["name"]: (row["place"], row["total"]) for row in seen["rows"]}
        assert totals["Ada"] == (1, 10)
        assert totals["Ben"] == (1, 10)
        counts = [cell["counts"] for row in seen["rows"] if row["name"] == "Ada" for cell in row["cells"]]
        assert counts == [True, False]
        assert [one["events"] for one in seen["members"]] == [2] * 4
        few = client.get(page, params={"class": "three"}).json()
        assert {row["name"] for row in few["rows"]} == {"Ada", "Ben"}
        # Who is hidden in an event is hidden in the league.
        host.command("show_name", number=1, how="hidden")
        assert "Ada" not in {row["name"] for row in client.get(page).json()["rows"]}
        assert client.delete(f"{page}/events/{second}", headers=key).status_code == 204
        assert len(client.get(page).json()["events"]) == 2


def test_only_the_key_changes_a_league(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        code = client.post(f"{ROOT}/leagues", json={"toml": LEAGUE}).json()["code"]
        event, _ = night(client, 10, winner=1)
        page = f"{ROOT}/leagues/{code}"
        for key in ({}, {"X-Championship-Key": "guess"}):
            assert client.post(f"{page}/events", json={"code": event}, headers=key).status_code == 401
            assert client.delete(f"{page}/events/{event}", headers=key).status_code == 401
        assert client.get(f"{ROOT}/leagues/zzzzzzzz").status_code == 404
        assert client.get(f"{ROOT}/leagues/..%2fx").status_code == 404
        for toml in ("=", "best = 1", 'name = "x"\nevents = ["/etc/passwd"]', 'name = "x"\nbefore = ["y"]'):
            assert client.post(f"{ROOT}/leagues", json={"toml": toml}).status_code == 400
