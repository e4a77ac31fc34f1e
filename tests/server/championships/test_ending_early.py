"""An evening that ends early, over HTTP: what its pages say of it, and the league that counts it (R73)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.championships.at_hall import ROOT, Person, serving

NIGHT: dict[str, Any] = {"name": "Tuesday", "by": "Olga", "date": "2026-11-17"}
CLOSES = "the hall closes"
SITTING: dict[str, Any] = {"stage": "evening", "sitting": 1}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Person]:
    """Seven at two tables, with two games of sitting 1 in at each and table 1 signed."""
    with serving(tmp_path) as client:
        opened = client.post(
            f"{ROOT}/club-night", json={**NIGHT, "names": "Ada\nBen\nChi\nDev\nEve\nFay\nGus"}
        )
        made = Person(client, opened.json()["code"], opened.json()["key"])
        tables = made.get("/export")["seating"][0]["tables"]
        for table, players in enumerate(tables, start=1):
            for game in (1, 2):
                scores = [10 * (len(players) - 1), *[-10] * (len(players) - 1)]
                made.command("enter_result", **SITTING, table=table, game=game, scores=scores)
        made.command("sign_sheet", **SITTING, table=1)
        yield made


def public(host: Person) -> Any:
    return Person(host.client, host.code).get()


def test_the_preview_says_what_counts_and_what_is_left_out(host: Person) -> None:
    told = host.command("end_stage", _preview=True)["told"]
    assert told[0] == "Evening ends now. 2 games on signed sheets count."
    assert any("table 2, game 1, 2: played but not signed" in line for line in told)
    assert any("sitting 3, table 1, game 1, 2: not played" in line for line in told)
    assert public(host)["stages"][0]["ended"] is None


def test_the_evening_ends_and_every_page_says_so(host: Person) -> None:
    host.command("sign_sheet", **SITTING, table=2)
    assert host.command("end_stage", 400)["error"]["code"] == "no_reason"
    host.command("end_stage", _reason=CLOSES)
    steps = host.get("/desk")["next"]
    assert {step["do"] for step in steps} <= {"decide_tie", "close_stage"}
    for step in steps:
        if step["do"] == "decide_tie":
            host.command("decide_tie", stage="evening", order=step["numbers"], how="lot", _reason="no time")
    host.command("close_stage")
    page = public(host)
    assert page["over"]
    (stage,) = page["stages"]
    assert stage["ended"] == CLOSES
    assert stage["standings"]["final"]
    assert [row["games"] for row in stage["standings"]["rows"]] == [2] * 7
    second = stage["seated"][1]["tables"][0]
    assert [line["why"] for line in second["void"]] == [CLOSES] * 2
    assert all(line["early"] and not line["signed"] for line in second["void"])
    person = Person(host.client, host.code).get("/people/1")
    assert [len(each["void"]) for each in person["appointments"]] == [0, 2, 2]
    league = host.client.post(f"{ROOT}/leagues", json={"toml": 'name = "Autumn"'}).json()
    address, key = f"{ROOT}/leagues/{league['code']}", {"X-Championship-Key": league["key"]}
    assert host.client.post(f"{address}/events", json={"code": host.code}, headers=key).status_code == 204
    seen = host.client.get(address).json()
    assert [event["over"] for event in seen["events"]] == [True]
    assert len(seen["rows"]) == 7


def test_a_signed_game_that_becomes_void_is_told_to_its_players(host: Person) -> None:
    host.command("void_game", **SITTING, table=1, game=2, _reason="the wrong deck")
    table = public(host)["stages"][0]["seated"][0]["tables"][0]
    assert table["void"] == [{"game": 2, "why": "the wrong deck", "signed": True, "early": False}]
    assert [game["game"] for game in table["games"]] == [1]
    number = table["players"][0]
    person = Person(host.client, host.code).get(f"/people/{number}")
    assert person["appointments"][0]["void"][0]["signed"]
    device = host.get("/tables/1")
    assert [game["void"] is not None for game in device["sheet"]["games"]] == [False, True]
    host.command("undo_void", **SITTING, table=1, game=2, _reason="it was the right one")
    assert public(host)["stages"][0]["seated"][0]["tables"][0]["void"] == []


def test_a_game_not_played_lets_the_sheet_be_signed(host: Person) -> None:
    place: dict[str, Any] = {"stage": "evening", "sitting": 2, "table": 1}
    size = len(host.get("/export")["seating"][1]["tables"][0])
    scores = [10 * (size - 1), *[-10] * (size - 1)]
    host.command("enter_result", **place, game=1, scores=scores)
    assert host.command("sign_sheet", 409, **place)["error"]["code"] == "not_entered"
    host.command("void_game", **place, game=2, _reason=CLOSES)
    assert host.command("enter_result", 409, **place, game=2, scores=scores)["error"]["code"] == "game_void"
    host.command("sign_sheet", **place)


def test_a_referee_may_not_make_a_game_void(host: Person) -> None:
    referee = host.with_key("referee", "Rita")
    answer = referee.command("void_game", 403, **SITTING, table=1, game=1, _reason="no")
    assert answer["error"]["code"] == "not_allowed"


def test_the_commitment_to_the_next_lot_is_published_before_it_is_drawn(host: Person) -> None:
    """R74: everybody can compare the secret that is shown with the commitment they saw."""
    before = public(host)["lot"]
    assert (len(before), public(host)["drawn_lots"]) == (64, [])
    host.command("withdraw", number=1, _reason="ill")
    host.command("add_entrant", entrant={"name": "Late"})
    host.command("check_in", number=8)
    host.command("seat_sitting", how="late", sitting=2, word="dice 4 2", _reason="came late")
    (drawn,) = public(host)["drawn_lots"]
    assert hashlib.sha256(f"lot {drawn['seed']}".encode()).hexdigest() == before
    assert drawn["word"] == "dice 4 2"
    assert public(host)["lot"] == drawn["next"] != before
