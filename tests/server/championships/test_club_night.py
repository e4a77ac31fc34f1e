"""A club night over HTTP: one request, one key that opens everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.server.championships.at_hall import ROOT, Person, serving

NIGHT: dict[str, Any] = {
    "name": "Tuesday",
    "by": "Olga",
    "names": "Ada\nBen\nChi\nDev\nEve\nFay\nGus",
    "date": "2026-11-17",
}


def test_one_request_enters_everybody_and_draws_all_tables(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        opened = client.post(f"{ROOT}/club-night", json=NIGHT)
        assert opened.status_code == 201
        code, key = opened.json()["code"], opened.json()["key"]
        host = Person(client, code, key)
        exported = host.ask("GET", "/export")
        assert [one["status"] for one in exported["entrants"]] == ["present"] * 7
        assert [len(each["tables"]) for each in exported["seating"]] == [2, 2, 2]
        for number, table in enumerate(exported["seating"][0]["tables"], start=1):
            scores = [60, -10, -20, -30] if len(table) == 4 else [30, -10, -20]
            host.command("enter_result", stage="evening", sitting=1, table=number, game=1, scores=scores)
        made = client.post(
            f"{ROOT}/{code}/keys",
            json={"role": "scorer", "label": "Sam"},
            headers={"X-Championship-Key": key},
        )
        assert made.status_code == 201
        last = client.delete(
            f"{ROOT}/{code}/keys/{opened.json()['key_id']}", headers={"X-Championship-Key": key}
        )
        assert (last.status_code, last.json()["error"]["code"]) == (409, "last_key")


def test_it_is_in_the_public_list_only_if_that_is_asked_for(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        codes = [
            client.post(f"{ROOT}/club-night", json=NIGHT | more).json()["code"]
            for more in ({}, {"listed": False}, {"listed": True})
        ]
        assert [card["code"] for card in client.get(ROOT).json()] == codes[2:]
        for code in codes:
            assert client.get(f"{ROOT}/{code}").json()["name"] == "Tuesday"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"names": "Ada, ada, Ben"}, "same_name"),
        ({"names": "Ada"}, "too_few"),
        ({"names": " , ,"}, "empty_list"),
        ({"book": "nonsense"}, "bad_format"),
        ({"sittings": 0}, None),
        ({"names": "x" * 20_001}, None),
        ({"regulations": "none"}, None),
    ],
)
def test_what_cannot_be_played_is_refused_and_leaves_nothing(
    tmp_path: Path, change: dict[str, Any], code: str | None
) -> None:
    with serving(tmp_path) as client:
        answer = client.post(f"{ROOT}/club-night", json=NIGHT | change)
        assert answer.status_code in (400, 409)
        assert code in (None, answer.json()["error"]["code"])
        assert client.get(ROOT).json() == []
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]
