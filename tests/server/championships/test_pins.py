"""A referee signs at a table's device with a PIN: only there, only with it, and not by trying."""

from __future__ import annotations

import json
from typing import Any

from meldroom.championship import verify
from meldroom.championship.log.lines import read_lines
from meldroom.championship.log.pins import FREE_TRIES
from tests.server.championships.at_hall import Hall, Person, sheet

PIN = "482193027465"
PLACE: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}


def tablet(hall: Hall) -> Person:
    """The device of table 1, whose games are all entered."""
    device = hall.director.with_key("referee", "Device of table 1", 1, "tablet-aaaa")
    device.ask("POST", "/tables/1/bind", json={"id": "bind-0001", "device": "tablet-aaaa"})
    sheet(device, "evening", 1, 1)
    return device


def test_a_decision_at_the_table_is_confirmed_with_the_pin(hall: Hall) -> None:
    device = tablet(hall)
    assert device.get("/tables/1")["referees"] == []
    hall.referee.ask("POST", "/pins", 204, json={"referee": "Rita", "pin": PIN})
    assert device.get("/tables/1")["referees"] == ["Rita"]
    refused = device.command("sign_sheet", 403, **PLACE)
    assert refused["error"] == {
        "code": "pin_needed",
        "message": "This needs a referee's PIN: Rita.",
        "place": "pin",
    }
    assert device.command("sign_sheet", 403, _by="Rita", _pin="4822", **PLACE)["error"]["code"] == "wrong_pin"
    assert device.command("penalise", 403, **PLACE, number=1, kind="late")["error"]["code"] == "pin_needed"
    other = device.command("sign_sheet", 400, _by="Rita", _pin=PIN, referee="Rob", **PLACE)
    assert other["error"]["code"] == "other_signature"
    device.command("sign_sheet", _by="Rita", _pin=PIN, **PLACE)
    entry = json.loads(read_lines(hall.files / "log.jsonl")[-1])
    assert (entry["confirmed"], entry["action"]["referee"]) == ("Rita", "Rita")
    assert entry["author"] == "Rita (Device of table 1)"
    assert verify(read_lines(hall.files / "log.jsonl"))[1] == []
    held = b"".join(path.read_bytes() for path in hall.files.iterdir() if path.is_file())
    assert PIN.encode() not in held


def test_the_referees_own_phone_and_the_desk_need_none(hall: Hall) -> None:
    tablet(hall)
    hall.director.ask("POST", "/pins", 204, json={"referee": "Rob", "pin": PIN})
    hall.referee.command("sign_sheet", **PLACE)
    assert "confirmed" not in json.loads(read_lines(hall.files / "log.jsonl")[-1])


def test_guessing_at_a_table_is_slowed_down_and_seen_at_the_desk(hall: Hall) -> None:
    device = tablet(hall)
    hall.referee.ask("POST", "/pins", 204, json={"referee": "Rita", "pin": PIN})
    for guess in range(FREE_TRIES):
        device.command("sign_sheet", 403, _by="Rita", _pin=f"500{guess}", **PLACE)
    late = device.command("sign_sheet", 429, _by="Rita", _pin=PIN, **PLACE)
    assert late["error"]["code"] == "pin_wait"
    (card,) = [card for card in hall.director.get("/desk")["keys"] if card["table"] == 1]
    assert card["wrong_pins"] == FREE_TRIES


def test_a_referee_sets_only_their_own(hall: Hall) -> None:
    refused = hall.referee.ask("POST", "/pins", 403, json={"referee": "Rob", "pin": PIN})
    assert refused["error"]["code"] == "pin_of_other"
    bad = hall.referee.ask("POST", "/pins", 400, json={"referee": "Rita", "pin": "1234"})
    assert bad["error"]["code"] == "bad_pin"
    hall.director.ask("POST", "/pins", 204, json={"referee": "Rob", "pin": PIN})
    assert hall.director.get("/desk")["pins"] == ["Rob"]
    hall.referee.ask("DELETE", "/pins/Rob", 403)
    hall.director.ask("DELETE", "/pins/Rob", 204)
    assert hall.director.get("/desk")["pins"] == []
    assert tablet(hall).command("sign_sheet", **PLACE)["action"]["referee"] == "Device of table 1"
