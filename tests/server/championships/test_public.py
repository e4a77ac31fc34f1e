"""What everybody sees: nothing that is held back, nobody named who is not to be, and news in time."""

from __future__ import annotations

import io
import re
import threading
import zipfile
from typing import Any

import msgspec

from meldroom.championship import verify
from tests.server.championships.at_hall import LIST, MINOR, NAMES, Hall, Person, opened, scores


def results(page: dict[str, Any]) -> list[Any]:
    return [
        game
        for stage in page["stages"]
        for sitting in stage["seated"]
        for table in sitting["tables"]
        for game in table["games"]
    ]


def wins(page: dict[str, Any]) -> int:
    return sum(row["wins"] for row in page["stages"][0]["standings"]["rows"])


def test_results_are_held_back_until_every_table_of_the_sitting_has_signed(hall: Hall) -> None:
    hall.sheets(1, (1,))
    hall.sheets(1, (2,), sign=False)
    for person in (hall.public, hall.display, hall.door):
        page = person.get() if person is hall.public else person.get("/desk")["championship"]
        assert not results(page)
        assert not wins(page)
        assert [table["signed"] for table in page["stages"][0]["seated"][0]["tables"]] == [True, False]
    assert len(results(hall.scorer.get("/desk")["championship"])) == 4
    hall.referee.command("sign_sheet", stage="evening", sitting=1, table=2)
    assert len(results(hall.public.get())) == 4
    assert wins(hall.public.get()) == 4
    assert not hall.public.get()["stages"][0]["standings"]["final"]


def test_live_standings_show_each_table_as_soon_as_it_has_signed(hall: Hall) -> None:
    hall.organiser.command("set_options", standings="live")
    hall.sheets(1, (2,), sign=False)
    assert not results(hall.public.get())
    hall.sheets(1, (1,))
    assert len(results(hall.public.get())) == 2
    assert wins(hall.public.get()) == 2


def test_no_score_of_an_unsigned_sitting_is_anywhere_in_what_the_public_can_fetch(hall: Hall) -> None:
    secret = [771, -1, -1, -769]
    hall.scorer.command("enter_result", stage="evening", sitting=1, table=1, game=1, scores=secret)
    paths = ["", "/people/1", "/draws/evening", "/bounds/evening", "/changes?wait=0"]
    for person in (hall.public, hall.display, hall.door):
        for path in (*paths, "/desk") if person.key else paths:
            told = msgspec.json.encode(person.get(path)).decode()
            assert re.search(r"\b(771|769)\b", told) is None, path


def test_minors_are_initials_and_hidden_people_a_dash_for_everybody_else(hall: Hall) -> None:
    def name(person: Person, number: int) -> str:
        page = person.get() if person is hall.public else person.get("/desk")["championship"]
        return str(page["people"][number - 1]["name"])

    minor = NAMES.index(MINOR) + 1
    assert name(hall.public, minor) == "E."
    assert name(hall.display, minor) == "E."
    assert name(hall.referee, minor) == MINOR
    assert name(hall.public, 1) == "Ada Lovelace"
    hall.door.command("show_name", number=1, how="initials")
    assert name(hall.public, 1) == "A. L."
    hall.door.command("show_name", number=minor, how="full")
    assert name(hall.public, minor) == MINOR
    hall.organiser.command("show_name", number=1, how="hidden")
    assert name(hall.public, 1) == "–"
    shown = hall.public.get()["people"][0]
    assert (shown["name"], shown["country"], shown["team"]) == ("–", "", "")
    for path in ("/csv.zip", "/site.zip"):
        answer = hall.organiser.get(path)
        assert "Lovelace" not in str(unzipped(answer.content)), path


def unzipped(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


def test_players_find_their_tables_their_starts_and_their_published_results(hall: Hall) -> None:
    page = hall.public.get("/people/3")
    assert page["person"]["name"] == "Chi"
    assert [meeting["sitting"] for meeting in page["appointments"]] == [1, 2]
    first = page["appointments"][0]
    assert first["players"][first["seat"]] == 3
    assert set(page["names"]) >= {str(number) for number in first["players"]}
    assert not first["games"]
    hall.sheets(1)
    page = hall.public.get("/people/3")
    assert len(page["appointments"][0]["games"]) == 2
    assert page["standing"]["number"] == 3
    hall.public.get("/people/99", 404)


def test_the_draw_can_be_checked_by_anyone(hall: Hall) -> None:
    page = hall.public.get("/draws/evening")
    assert page["draw"]["seed"] == "an example"
    assert len(page["numbers"]) == 8
    assert len(page["plan"]) == 2
    assert hall.public.get("/draws/final", 404)["error"]["code"] == "no_such_draw"


def test_the_seed_stays_hidden_until_it_is_revealed(client: Any) -> None:
    organiser = opened(client)
    director = organiser.with_key("director", "Dana")
    organiser.command("import_entrants", csv=LIST)
    for number in range(1, 9):
        organiser.command("check_in", number=number)
    seed = director.command("announce_draw", id="announce-1")["seed"]
    assert director.command("announce_draw", id="announce-1")["seed"] == seed
    for path in ("/desk", "/export", "/log"):
        answer = director.get(path)
        assert seed not in (msgspec.json.encode(answer).decode() if isinstance(answer, dict) else answer.text)
    public = Person(client, organiser.code)
    assert public.get()["stages"][0]["draw"]["seed"] is None
    assert director.command("reveal", 400, _preview=True)["error"]["code"] == "no_preview"
    director.command("reveal")
    assert public.get()["stages"][0]["draw"]["seed"] == seed


def test_places_that_can_still_be_reached(hall: Hall) -> None:
    hall.sheets(1)
    rows = hall.public.get()["stages"][0]["standings"]["rows"]
    assert all(1 <= row["best"] <= row["place"] <= row["worst"] <= 8 for row in rows)
    bounds = hall.scorer.get("/bounds/evening")
    assert bounds[str(rows[0]["number"])]["best"] == rows[0]["best"]
    assert hall.scorer.get("/desk")["championship"]["stages"][0]["standings"]["rows"][0]["best"] is None


def test_news_comes_when_it_happens_and_only_if_the_public_may_see_it(hall: Hall) -> None:
    since = hall.public.get()["version"]
    hall.scorer.command("call_referee", table=1)
    hall.scorer.command("enter_result", stage="evening", sitting=1, table=1, game=1, scores=scores(1))
    unseen = hall.public.get(f"/changes?since={since}&wait=0")
    assert (unseen["version"], unseen["changed"]) == (since, False)
    staff = hall.scorer.get(f"/changes?since={since}&wait=0")
    assert staff["changed"]
    assert staff["version"] == hall.scorer.get("/desk")["championship"]["version"]
    answers: list[dict[str, Any]] = []
    waiting = threading.Thread(
        target=lambda: answers.append(hall.public.get(f"/changes?since={since}&wait=20"))
    )
    waiting.start()
    hall.organiser.command("set_notice", text="Lunch until two")
    waiting.join(timeout=10)
    assert not waiting.is_alive()
    assert answers[0]["changed"]
    page = hall.public.get()
    assert (page["notice"], page["version"]) == ("Lunch until two", answers[0]["version"])


def test_waiting_ends_with_its_time(hall: Hall) -> None:
    since = hall.public.get()["version"]
    assert not hall.public.get(f"/changes?since={since}&wait=0.05")["changed"]
    assert hall.public.get(f"/changes?since={since}&wait=26", 400)["error"]["code"] == "bad_request"


def test_a_countdown_is_for_everybody(hall: Hall) -> None:
    hall.director.command("set_countdown", title="Sitting 1 ends", ends_at="2026-11-15T12:30:00Z")
    assert hall.public.get()["countdown"] == {"title": "Sitting 1 ends", "ends_at": "2026-11-15T12:30:00Z"}
    refused = hall.director.command("set_countdown", 400, title="x", ends_at="2026-11-15T12:30:00+02:00")
    assert refused["error"]["code"] == "not_utc"
    hall.director.command("set_countdown")
    assert hall.public.get()["countdown"] is None


def test_planned_times_are_on_the_events_page_and_on_every_players_own(hall: Hall) -> None:
    later, sooner = "2026-11-15T15:00:00Z", "2026-11-15T13:00:00Z"
    hall.organiser.command("plan_sitting", stage="evening", sitting=2, starts_at=later)
    hall.organiser.command("plan_sitting", stage="evening", sitting=1, starts_at=sooner)
    hall.organiser.command("plan_sitting", 404, stage="evening", sitting=3, starts_at=later)
    hall.organiser.command("plan_sitting", 400, stage="evening", sitting=1, starts_at="2026-11-15T13:00:00")
    assert [each["starts_at"] for each in hall.public.get()["schedule"]] == [sooner, later]
    assert [each["starts_at"] for each in hall.public.get("/people/1")["appointments"]] == [sooner, later]
    hall.organiser.command("plan_sitting", stage="evening", sitting=1)
    assert [each["sitting"] for each in hall.public.get()["schedule"]] == [2]


def test_the_list_of_events_shows_those_that_want_to_be_listed(client: Any) -> None:
    shown = opened(client, name="Shown Open", language="fr")
    unlisted = opened(client, name="Hidden Open", listed=False)
    cards = {card["code"]: card for card in client.get("/api/v1/championships").json()}
    assert cards[shown.code]["name"] == "Shown Open"
    assert cards[shown.code]["language"] == "fr"
    assert unlisted.code not in cards
    unlisted.command("set_options", listed=True)
    assert unlisted.code in {card["code"] for card in client.get("/api/v1/championships").json()}
    assert Person(client, unlisted.code).get()["name"] == "Hidden Open"


def test_an_event_that_is_not_there_is_said_in_the_language_asked_for(client: Any) -> None:
    for code, status in (("zzzzzz", 404), ("..", 404), ("ABCDEF", 404)):
        answer = client.get(f"/api/v1/championships/{code}?language=fr")
        assert answer.status_code in (status, 200)
        if code == "zzzzzz":
            assert answer.json()["error"]["message"] == "Il n’y a pas de tournoi « zzzzzz » ici."


def test_who_asks_to_be_erased_leaves_every_file_and_the_chain_holds(hall: Hall) -> None:
    hall.scorer.command("call_referee", table=1, text="Ada Lovelace has a question")
    hall.sheets(1)
    refused = hall.organiser.command("erase_entrant", 400, number=1)
    assert refused["error"]["code"] == "no_reason"
    assert b"Lovelace" in b"".join(hall.lines("hall.jsonl"))
    hall.door.command("erase_entrant", 403, number=1, _reason="asked for it")
    asked = hall.organiser.request_of("erase_entrant", number=1, _reason="asked for it")
    done = hall.organiser.ask("POST", "/commands", json=asked)
    assert hall.organiser.ask("POST", "/commands", json=asked) == done
    for name in ("log.jsonl", "hall.jsonl", "ids.jsonl"):
        assert b"Lovelace" not in b"".join(hall.lines(name)), name
    assert not verify(hall.lines("log.jsonl"))[1]
    assert hall.public.get()["people"][0]["name"] == "Entrant 1"
    assert len(results(hall.public.get())) == 4
    hall.sheets(2)
    assert not verify(hall.lines("log.jsonl"))[1]


def test_an_exported_event_goes_on_elsewhere(hall: Hall) -> None:
    hall.sheets(1)
    asked = {"by": "Otto", "reason": "another laptop", "document": hall.director.get("/export")}
    answer = hall.client.post("/api/v1/championships/adopt", json=asked)
    assert answer.status_code == 201, answer.text
    there = Person(hall.client, answer.json()["code"], answer.json()["key"])
    assert there.get()["stages"] == hall.public.get()["stages"]
    assert there.code in {card["code"] for card in hall.client.get("/api/v1/championships").json()}
    scorer = there.with_key("scorer", "Sam")
    game: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1, "game": 1}
    assert scorer.command("enter_result", 409, **game, scores=scores(5))["error"]["code"] == "result_there"
    refused = hall.client.post("/api/v1/championships/adopt", json={**asked, "document": {"format": "x"}})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "bad_document")
