"""Keys: shown once, kept as hashes, revoked at once, and none without the other's right."""

from __future__ import annotations

from pathlib import Path

from tests.server.championships.at_hall import Hall, Person, serving


def test_a_key_is_shown_once_and_kept_only_as_a_hash(hall: Hall) -> None:
    made = hall.director.with_key("scorer", "Tom")
    for path in hall.files.iterdir():
        assert made.key.encode() not in path.read_bytes()
    assert made.key not in str(hall.organiser.get("/keys"))
    assert hall.organiser.get("/keys")[-1]["label"] == "Tom"
    assert (hall.files / "access.json").stat().st_mode & 0o077 == 0


def test_a_revoked_key_opens_nothing(hall: Hall) -> None:
    made = hall.director.with_key("scorer", "Tom")
    assert made.get("/desk")["role"] == "scorer"
    card = hall.organiser.get("/keys")[-1]
    hall.director.ask("DELETE", f"/keys/{card['id']}", 204)
    assert made.get("/desk", 401)["error"]["code"] == "key_revoked"
    assert made.command("call_referee", 401, table=1)["error"]["code"] == "key_revoked"
    made.get("/changes?wait=0", 401)
    assert hall.organiser.get("/keys")[-1]["revoked"]
    hall.director.ask("DELETE", "/keys/nothing", 404)


def test_a_wrong_key_is_told_from_none(hall: Hall) -> None:
    assert Person(hall.client, hall.public.code, "wrong").get("/desk", 401)["error"]["code"] == "wrong_key"
    assert hall.public.get("/desk", 401)["error"]["code"] == "key_needed"
    assert Person(hall.client, hall.public.code, "wrong").get()["name"] == "Club Open"


def test_the_director_makes_no_organiser_and_unmakes_none(hall: Hall) -> None:
    for role in ("organiser", "host"):
        hall.director.ask("POST", "/keys", 403, json={"role": role, "label": "Mallory"})
    first, host = (
        next(one for one in hall.organiser.get("/keys") if one["role"] == role)
        for role in ("organiser", "host")
    )
    for key in (first, host):
        hall.director.ask("DELETE", f"/keys/{key['id']}", 403)
    hall.organiser.ask("DELETE", f"/keys/{host['id']}", 204)
    refused = hall.organiser.ask("DELETE", f"/keys/{first['id']}", 409)
    assert refused["error"]["code"] == "last_key"
    hall.organiser.with_key("organiser", "Oscar").ask("DELETE", f"/keys/{first['id']}", 204)
    hall.organiser.get("/desk", 401)


def test_keys_for_one_table_are_for_referees_and_scorers(hall: Hall) -> None:
    refused = hall.director.ask("POST", "/keys", 400, json={"role": "display", "label": "x", "table": 3})
    assert refused["error"]["code"] == "table_of_role"
    hall.director.ask("POST", "/keys", 400, json={"role": "juggler", "label": "x"})
    hall.director.ask("POST", "/keys", 400, json={"role": "scorer", "label": " x\n"})
    hall.scorer.ask("POST", "/keys", 403, json={"role": "scorer", "label": "x"})


def test_a_key_of_another_event_is_wrong_here(hall: Hall, tmp_path: Path) -> None:
    with serving(tmp_path / "other") as other:
        asked = {"name": "Other", "by": "Otto", "date": "2026-01-01"}
        code = other.post("/api/v1/championships", json=asked).json()["code"]
        Person(other, code, hall.organiser.key).get("/desk", 401)


def test_events_of_a_wrong_shape_are_refused_with_the_place(hall: Hall) -> None:
    def refused(**more: object) -> dict[str, str]:
        asked = {"name": "X", "by": "Olga", "date": "2026-11-15", **more}
        answer = hall.client.post("/api/v1/championships", json=asked)
        assert answer.status_code == 400, answer.text
        error: dict[str, str] = answer.json()["error"]
        return error

    assert refused(format="chess")["code"] == "no_format"
    assert refused(format_toml="stages = [")["code"] == "bad_toml"
    assert refused(format_toml='base = "wrc"\nid = "own"\nstages = []')["code"] == "bad_format"
    assert refused(date="tomorrow")["place"] == "date"
    assert refused(unknown=1)["code"] == "bad_request"
    assert refused(name="")["place"] == "name"
