"""Positions given as text: shown, drawn, solved, or refused with the token that is wrong; turns checked."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from litestar.testing import TestClient

from meldroom.api.schemas import BestPlay, PositionPage
from meldroom.rules.library import book
from meldroom.rules.requests import check

Client = TestClient[Any]
TEXT = "table R1 R2 R3 | K9 R9 O9 / racks R4 B9 K1, ?x14 / pool 83 / turn 1 / melded 1"
RUMMYO = "melds 1: R10 R11 R12 | 2: K9 R9 O9 / racks R13 B9 K1, ?x14 / pool 60 / turn 1 play / melded 1 2"


def test_a_position_may_leave_its_book_to_the_address(client: Client) -> None:
    answer = client.get("/position", params={"text": TEXT, "book": "wrc11"})
    found = msgspec.json.decode(answer.content, type=PositionPage)
    assert found.text == f"wrc11@{book('wrc11').version} / {TEXT}"
    again = client.get("/position", params={"text": found.text})
    assert again.content == answer.content
    assert (found.seat, found.moment, found.pool) == (0, "turn", 83)
    assert found.racks[1] == (-1,) * 14


@pytest.mark.parametrize(
    ("text", "code", "wrong"),
    [
        (TEXT.replace("O9", "O99"), "unknown_tile", "O99"),
        (TEXT.replace("pool 83", "pool x"), "expected_number", "x / turn"),
        (TEXT.replace("pool", "pond"), "unknown_field", "pond"),
        (TEXT + " / nonsense", "unknown_field", "nonsense"),
    ],
)
def test_a_wrong_token_is_named_with_its_column(client: Client, text: str, code: str, wrong: str) -> None:
    for language in ("en", "fr"):
        answer = client.get("/position", params={"text": text, "book": "wrc11", "language": language})
        assert answer.status_code == 400
        error = answer.json()["error"]
        assert error["code"] == code
        assert error["place"] == f"column {text.index(wrong) + 1}"
        assert f"{wrong.split()[0]}" in error["message"]


def test_an_unknown_book_and_no_text_are_refused(client: Client) -> None:
    answer = client.get("/position", params={"text": TEXT, "book": "wrc12"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "unknown_book"
    assert client.get("/position", params={"book": "wrc11"}).status_code == 400
    assert client.get("/position", params={"text": "x" * 5000}).status_code == 400


def test_a_position_is_a_picture(client: Client) -> None:
    for text, name in ((TEXT, "wrc11"), (RUMMYO, "rummyo")):
        answer = client.get("/position.svg", params={"text": text, "book": name})
        assert ElementTree.fromstring(answer.text).tag.endswith("svg")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert client.get("/position.svg", params={"text": "nonsense"}).status_code == 400


def best(client: Client, text: str, name: str, language: str = "en") -> BestPlay:
    answer = client.post("/position/best", json={"text": text, "book": name}, params={"language": language})
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=BestPlay)


def test_the_best_play_lays_most_tiles_and_says_how(client: Client) -> None:
    found = best(client, TEXT, "wrc11")
    assert (found.tiles, found.points, found.optimal) == (2, 13, True)
    assert len(found.played) == 2
    assert "R4" in found.text
    assert found.steps
    assert best(client, TEXT, "wrc11", "fr").text != found.text


def test_the_best_play_of_a_laying_off_book_has_owners_and_a_discard(client: Client) -> None:
    found = best(client, RUMMYO, "rummyo")
    assert found.tiles == 2
    assert found.owners == (0, 1)
    assert found.discard is not None
    assert found.steps[0].startswith("Add R13 ")
    assert found.steps[-1].startswith("Discard ")
    assert best(client, RUMMYO, "rummyo", "fr").steps[-1].startswith("Défaussez ")


def test_before_the_opening_a_rack_without_one_has_nothing_to_lay(client: Client) -> None:
    found = best(client, TEXT.replace(" / melded 1", ""), "wrc11")
    assert (found.tiles, found.played) == (0, ())
    assert "30" in found.text


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        (TEXT.replace(" / turn 1", ""), "wrc11", "nobody_to_move"),
        (TEXT.replace("turn 1", "turn 2"), "wrc11", "hidden_rack"),
        (RUMMYO.replace("turn 1 play", "turn 1 take"), "rummyo", "take_first"),
        (TEXT.replace("R1 R2 R3", "R1 R2 R4"), "wrc11", "bad_position"),
        ("nonsense", "wrc11", "unknown_field"),
    ],
)
def test_a_position_without_a_best_play_says_why(client: Client, text: str, name: str, code: str) -> None:
    answer = client.post("/position/best", json={"text": text, "book": name})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code
    assert answer.json()["error"]["message"]


TURN = {
    "id": "x",
    "rulebook": "wrc11",
    "table_before": [["R1", "R2", "R3"]],
    "rack": ["R4", "K9", "K10", "K11"],
    "table_after": [["R1", "R2", "R3", "R4"], ["K9", "K10"]],
    "has_melded": False,
}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_turn_is_answered_exactly_as_on_the_command_line(client: Client, language: Any) -> None:
    answer = client.post("/check", json=TURN, params={"language": language})
    assert answer.status_code == 200
    assert answer.json() == check(TURN, language)
    assert not answer.json()["legal"]


def test_a_turn_may_be_asked_for_its_standing(client: Client) -> None:
    after = [["R1", "R2", "R3"], ["K9", "K10", "K11"]]
    answer = client.post("/check", json={**TURN, "table_after": after}, params={"standing": True})
    assert answer.json()["legal"]
    assert answer.json()["standing"] == {"marks": [True, True], "points": 30, "needed": 30}
    lay_off = {**TURN, "rulebook": "rummyo", "table_after": after, "extra": {"discard": "R4"}}
    assert client.post("/check", json=lay_off, params={"standing": True}).json()["standing"]["points"] == 29


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rack": ["R44"]}, "bad_tile"),
        ({"rulebook": "wrc12"}, "unknown_book"),
        ({"rack": ["R4", "R4", "R4"]}, "too_many_copies"),
        ({"rack": 3}, "bad_request"),
    ],
)
def test_a_request_that_cannot_be_read_is_refused(client: Client, change: dict[str, Any], code: str) -> None:
    answer = client.post("/check", json={**TURN, **change}, params={"standing": True})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code


def test_an_oversized_or_malformed_turn_is_refused(client: Client) -> None:
    large = {**TURN, "rack": ["R4"] * 20_000}
    assert client.post("/check", json=large).status_code == 413
    assert (
        client.post("/check", content=b"{", headers={"content-type": "application/json"}).status_code == 400
    )
    assert client.post("/check", json=[1]).status_code == 400
