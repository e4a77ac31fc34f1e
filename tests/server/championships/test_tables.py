"""A table's device: what it needs to work alone, and what it tells the hall."""

from __future__ import annotations

from typing import Any

from tests.server.championships.at_hall import Hall, scores

PLACE: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}
PNG = b"\x89PNG\r\n\x1a\n" + b"not much of a picture"


def test_a_device_gets_everything_for_the_whole_sitting(hall: Hall) -> None:
    page = hall.scorer.get("/tables/2")
    assert (page["stage"], page["sitting"], page["table"]) == ("evening", 1, 2)
    book = page["book"]
    assert (book["id"], book["turn_seconds"], book["joker_value"]) == ("wrc11", 40, 100)
    assert (book["opening_points"], book["unmelded"], book["unmelded_able"]) == (30, 100, 200)
    assert (len(book["tiles"]), len(book["values"]), sum(book["limits"])) == (53, 53, 106)
    assert book["tiles"][-1] == "*"
    sheet = page["sheet"]
    assert [seat["seat"] for seat in sheet["seats"]] == [0, 1, 2, 3]
    assert all(seat["name"] for seat in sheet["seats"])
    assert [(game["game"], game["starter"]) for game in sheet["games"]] == [(1, 0), (2, 1)]
    assert page["next_sheet"]["sitting"] == 2
    assert hall.scorer.get("/tables/9")["sheet"] is None
    second = hall.scorer.get("/tables/1?stage=evening&sitting=2")
    assert (second["sitting"], second["sheet"]["sitting"]) == (2, 2)
    hall.scorer.get("/tables/1?stage=evening&sitting=7", 404)


def test_a_sheet_says_who_entered_what_and_who_signed(hall: Hall) -> None:
    hall.sheets(1, (1,))
    sheet = hall.scorer.get("/tables/1?stage=evening&sitting=1")["sheet"]
    assert sheet["complete"]
    assert [game["entered"]["author"] for game in sheet["games"]] == ["Sam", "Sam"]
    assert (sheet["signed"]["referee"], sheet["signed"]["author"]) == ("Rita", "Rita")


def test_a_call_is_on_every_screen_until_a_referee_answers_it(hall: Hall) -> None:
    call = hall.scorer.command("call_referee", table=2, about="dispute", text="joker")
    for person in (hall.referee, hall.display):
        assert [each["table"] for each in person.get("/desk")["calls"] if not each["answered"]] == [2]
    step = hall.referee.get("/desk")["next"][0]
    assert (step["do"], step["call"], step["may"]) == ("answer_call", call["hall"], True)
    hall.scorer.command("answer_call", 403, call=call["hall"])
    hall.referee.command("answer_call", call=call["hall"])
    refused = hall.director.command("answer_call", 409, call=call["hall"])
    assert refused["conflict"]["theirs"]["answered_by"] == "Rita"
    hall.referee.command("answer_call", 404, call=999)


def test_a_clock_is_paused_with_a_reason_and_gets_extra_time(hall: Hall) -> None:
    hall.scorer.command("pause_clock", table=1, why="a tile fell down")
    refused = hall.referee.command("pause_clock", 409, table=1, why="again")
    assert refused["conflict"]["theirs"]["paused"] == "a tile fell down"
    hall.referee.command("resume_clock", table=1)
    hall.referee.command("resume_clock", 409, table=1)
    hall.scorer.command("pause_clock", 400, table=1, why="")
    for seconds in (60, 30):
        hall.referee.command("extra_time", **PLACE, seconds=seconds, why="late start")
    hall.scorer.command("note_expiry", **PLACE, game=1, seat=2, turn=17)
    sheets = hall.director.get("/desk")["sheets"]
    assert sheets[0]["extra_seconds"] == 90
    assert sheets[1]["extra_seconds"] == 0
    assert sheets[0]["expiries"][0]["seat"] == 2
    assert sheets[0]["clock"]["paused"] == ""


def test_a_position_is_recorded_tile_by_tile_as_the_box_allows(hall: Hall) -> None:
    def record(status: int, sets: list[list[str]]) -> Any:
        return hall.scorer.command("record_position", status, **PLACE, game=1, sets=sets)

    record(200, [["R1", "R2", "R3"], ["K9", "B9", "*"]])
    assert record(400, [["R1", "Z9"]])["error"]["place"] == "command.sets[0][1]"
    assert record(400, [["R1", "R1", "R1"]])["error"]["code"] == "tile_too_often"
    for number in range(1, 8):
        record(200, [[f"K{number}", f"B{number}", f"O{number}"]])
    kept = hall.referee.get("/tables/1")["positions"]
    assert len(kept) == 5
    assert kept[-1]["position"]["sets"] == [["K7", "B7", "O7"]]


def test_a_photo_is_sent_then_named_and_seen_by_referees(hall: Hall) -> None:
    hall.scorer.ask("POST", "/photos", 400, content=b"<svg onload=alert(1)>")
    photo = hall.scorer.ask("POST", "/photos", content=PNG)["photo"]
    assert hall.scorer.ask("POST", "/photos", content=PNG)["photo"] == photo
    hall.scorer.command("note_photo", table=1, photo=photo, text="before")
    hall.scorer.command("note_photo", 404, table=1, photo="f" * 64)
    seen = hall.referee.get(f"/photos/{photo}")
    assert (seen.content, seen.headers["content-type"]) == (PNG, "image/png")
    hall.referee.get(f"/photos/{'f' * 64}", 404)
    hall.display.get(f"/photos/{photo}", 403)
    assert hall.referee.get("/tables/1")["photos"][0]["photo"] == photo


def test_a_device_that_binds_itself_again_adds_nothing(hall: Hall) -> None:
    asked = {"device": "tablet-aaaa", "label": "grey"}
    first = hall.scorer.ask("POST", "/tables/1/bind", json={"id": "binding-1", **asked})
    again = hall.scorer.ask("POST", "/tables/1/bind", json={"id": "binding-2", **asked})
    assert (first["written"], again["written"]) == (True, False)
    hall.referee.command("release_table", table=1)
    hall.referee.command("release_table", 409, table=1)
    assert not hall.director.get("/desk")["devices"]


def test_penalties_follow_a_player_from_table_to_table(hall: Hall) -> None:
    player = hall.scorer.get("/tables/1")["sheet"]["seats"][0]["number"]
    hall.referee.command("penalise", number=player, kind="time_out", tiles=3, **PLACE, game=1)
    sittings = [
        hall.scorer.get(f"/tables/{table}?stage=evening&sitting=2")["sheet"]["penalties"] for table in (1, 2)
    ]
    assert sorted(map(len, sittings)) == [0, 1]
    hall.director.command("cancel_penalty", penalty=1, _reason="the clock was wrong")
    (line,) = hall.director.get("/desk")["penalties"]
    assert (line["number"], line["given"]["cancelled_by"]) == (1, "Dana")
    assert hall.public.get().get("penalties") is None


def test_a_dispute_cites_rules_that_exist(hall: Hall) -> None:
    asked: dict[str, Any] = {
        "question": "May a joker go back to the rack?",
        "ruling": "No.",
        "parties": [1, 2],
    }
    done = hall.referee.command("settle_dispute", **asked, cites=["#9"], **PLACE)
    assert done["action"]["clauses"] == ["WRC 11 #9"]
    assert done["action"]["referee"] == "Rita"
    refused = hall.referee.command("settle_dispute", 400, **asked, cites=["#99"])
    assert refused["error"]["code"] == "referee_cite"


def test_the_referees_questions_are_answered_by_the_book(hall: Hall) -> None:
    def ruled(status: int = 200, language: str = "en", **asked: Any) -> Any:
        return hall.referee.ask("POST", f"/rulings?language={language}", status, json=asked)

    legal = ruled(ask="position", sets=[["R1", "R2", "R3"]])
    assert (legal["granted"], legal["faults"]) == (True, [])
    wrong = ruled(ask="position", sets=[["R1", "R2", "R4"]], language="fr")
    assert wrong["faults"][0]["clause"].startswith("WRC 11")
    assert wrong["text"].startswith("Cette table n’est pas")
    cost = ruled(ask="penalty", kind="time_out", pool=2)
    assert (cost["draws"], cost["restore"]) == (2, True)
    charge = ruled(ask="charge", rack=["R10", "B10", "K10", "O3"], last_draw="nothing")
    assert (charge["points"], charge["at_end"]["sets"]) == (200, [["K10", "R10", "B10"]])
    assert ruled(ask="charge", rack=["R10", "B10", "K10", "O3"], drawn_last=["K10"])["points"] == 100
    assert ruled(ask="redeal", rack=["R7", "R7", "K1", "K1", "B2", "B2"])["granted"]
    assert ruled(ask="leftovers", leftovers=["R7"], pool=50)["to_rack"] == 1
    assert ruled(400, ask="charge", rack=["R99"])["error"]["place"] == "rack[0]"
    ruled(400, ask="riddle")
    hall.public.ask("POST", "/rulings", 401, json={"ask": "position", "sets": []})


def test_texts_must_be_one_clean_line(hall: Hall) -> None:
    for text in ("two\nlines", " space", "\u202eright to left"):
        hall.scorer.command("call_referee", 400, table=1, text=text)
    hall.scorer.command("enter_result", 400, **PLACE, game=1, scores=scores(), _reason="x" * 300)
