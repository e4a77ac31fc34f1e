"""Who may do what in the hall: the table against the table written out, and over HTTP for every role."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from meldroom.championship.roles import MAY, ROLES, Role
from meldroom.server.championships.commands.perform import name_of
from meldroom.server.championships.commands.requests import Command, LogCommand
from meldroom.server.championships.hall.commands import HallAction
from meldroom.server.championships.storage.keys import HALL_MAY, all_may, may
from tests.server.championships.at_hall import Hall

# organiser, director, referee, scorer, check-in, display, public
TABLE = {
    "opened": "       ",
    "set_options": "od     ",
    "bind_table": " drs   ",
    "release_table": " dr    ",
    "call_referee": " drs   ",
    "answer_call": " dr    ",
    "pause_clock": " drs   ",
    "resume_clock": " drs   ",
    "extra_time": " dr    ",
    "note_expiry": " drs   ",
    "record_position": " drs   ",
    "note_photo": " drs   ",
    "set_countdown": "od     ",
    "plan_sitting": "od     ",
    "set_notice": "od     ",
    "show_name": "od  c  ",
    "open_rooms": " d     ",
    "begin_game": " d     ",
    "game_stopped": "       ",
    "clash": "       ",
    "settle_clash": " d     ",
    "settle_own_clash": " drs   ",
    "make_keys": "od     ",
    "make_organiser_keys": "o      ",
    "see_hall": "odrs   ",
    "see_calls": "odrs d ",
    "see_full_names": "odrsc  ",
    "see_clashes": " dr    ",
    "see_photos": " dr    ",
    "see_table": " drs   ",
    "see_papers": "odrsc  ",
    "see_public": "odrscdp",
}


@pytest.mark.parametrize("what", sorted(HALL_MAY))
def test_every_role_against_every_line_of_the_hall_table(what: str) -> None:
    staff = [role for role, mark in zip(ROLES[:-1], TABLE[what], strict=True) if mark != " "]
    expected = [*staff, "host"] if staff else []  # one person who runs everything
    assert [role for role in ROLES if may(role, what)] == expected


def test_every_hall_act_has_its_line_and_every_log_act_too() -> None:
    assert set(TABLE) == set(HALL_MAY)
    assert {str(kind.__struct_config__.tag) for kind in get_args(HallAction)} <= set(HALL_MAY)
    assert {str(kind.__struct_config__.tag) for kind in get_args(LogCommand)} <= set(MAY)
    assert not set(MAY) & set(HALL_MAY)


def test_what_is_in_no_table_nobody_may() -> None:
    assert not any(may(role, "fly") for role in ROLES)


def test_a_role_is_told_everything_that_it_may() -> None:
    assert "see_public" in all_may("public")
    assert set(all_may("director")) >= {"close_stage", "settle_clash", "make_keys"}


PLACE: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}
EXAMPLES: dict[str, dict[str, Any]] = {
    "import_entrants": {"entrants": [{"name": "Zoe"}]},
    "add_entrant": {"entrant": {"name": "Zoe"}},
    "settle_own_clash": {"table": 1, "command": "no-such-id", "text": "mine"},
    "undo_status": {"number": 1, "undone": "present"},
    "correct_seats": {"stage": "evening", "sitting": 1, "tables": [{"table": 1, "players": [1, 2, 3, 4]}]},
    "amend_entrant": {"number": 1, "entrant": {"name": "Ada L"}},
    "check_in": {"number": 1},
    "decline": {"number": 1},
    "no_show": {"number": 1},
    "withdraw": {"number": 1},
    "disqualify": {"number": 1},
    "announce_deals": {"stage": "evening"},
    "reveal_deals": {"stage": "evening"},
    "arrange": {"arrangements": {}},
    "record_payment": {"number": 1, "amount": 500},
    "substitute": {"number": 1, "by": {"name": "Zoe"}},
    "announce_draw": {"stage": "evening"},
    "add_word": {"stage": "evening", "word": "dice"},
    "reveal": {"stage": "evening"},
    "seat_sitting": {"how": "change", "stage": "evening", "sitting": 1},
    "enter_result": {**PLACE, "game": 1, "scores": [60, -10, -20, -30]},
    "correct_result": {**PLACE, "game": 1, "scores": [60, -10, -20, -30]},
    "sign_sheet": PLACE,
    "void_game": {**PLACE, "game": 1},
    "end_stage": {"stage": "evening"},
    "undo_void": {"stage": "evening"},
    "decide_tie": {"stage": "evening", "order": [1, 2]},
    "close_stage": {"stage": "evening"},
    "penalise": {"number": 1, "kind": "late"},
    "cancel_penalty": {"penalty": 1},
    "erase_entrant": {"number": 1},
    "settle_dispute": {"question": "May they?", "ruling": "No."},
    "set_options": {"standings": "live"},
    "bind_table": {"table": 1, "device": "device-0001"},
    "release_table": {"table": 1},
    "call_referee": {"table": 1},
    "answer_call": {"call": 1},
    "pause_clock": {"table": 1, "why": "tea"},
    "resume_clock": {"table": 1},
    "extra_time": {**PLACE, "seconds": 60, "why": "late start"},
    "note_expiry": {**PLACE, "game": 1, "seat": 0},
    "record_position": {**PLACE, "game": 1, "sets": [["R1", "R2", "R3"]]},
    "note_photo": {"table": 1, "photo": "0" * 64},
    "set_countdown": {"title": "Sitting 1", "ends_at": "2026-11-15T12:00:00Z"},
    "plan_sitting": {"stage": "evening", "sitting": 1, "starts_at": "2026-11-15T12:00:00Z"},
    "set_notice": {"text": "Lunch"},
    "show_name": {"number": 1, "how": "full"},
    "open_rooms": {"stage": "evening", "sitting": 1},
    "begin_game": PLACE,
    "settle_clash": {"clash": 1, "text": "the first stands"},
}


def test_there_is_an_example_of_every_act() -> None:
    assert set(EXAMPLES) == {name_of(kind) for kind in get_args(Command)}


def test_over_http_exactly_the_roles_of_the_table_get_past_the_door(hall: Hall) -> None:
    """Commands are only previewed where they can be, so that one does not stand in the other's way."""
    for role in ROLES:
        if role == "public":
            continue
        person = hall.people[role]
        commands = [person.request_of(do, _preview=True, **command) for do, command in EXAMPLES.items()]
        refused = {
            asked["command"]["do"]
            for asked, answer in zip(commands, person.outbox(commands), strict=True)
            if answer["status"] == 403
        }
        assert refused == {do for do in EXAMPLES if not may(role, do)}, role


def test_without_a_key_nothing_is_done(hall: Hall) -> None:
    for do, command in EXAMPLES.items():
        refused = hall.public.command(do, 401, **command)
        assert refused["error"]["code"] == "key_needed"


DESK: tuple[Role, ...] = ("organiser", "director", "host")
SEEN: dict[str, tuple[Role, ...]] = {
    "/export": DESK,
    "/log": DESK,
    "/csv.zip": DESK,
    "/site.zip": DESK,
    "/keys": DESK,
    "/links": DESK,
    "/tables/1": ("director", "referee", "scorer", "host"),
}


def test_what_a_role_may_not_see_is_not_sent(hall: Hall) -> None:
    for path, roles in SEEN.items():
        for role, person in hall.people.items():
            person.get(path, 200 if role in roles else 403)
        hall.public.get(path, 401)


def test_personal_data_are_for_the_desk_and_the_door_alone(hall: Hall) -> None:
    for role, person in hall.people.items():
        told = person.get("/desk")
        assert bool(told["data"]) == (role in (*DESK, "check_in")), role
        assert ("1990-01-01" in str(told)) == bool(told["data"])
        assert bool(told["keys"]) == (role in DESK)
        assert bool(told["log"]) == (role in (*DESK, "referee"))


def test_a_tables_key_sees_its_table_only(hall: Hall) -> None:
    hall.sheets(1)
    hall.referee.command("call_referee", table=2)
    device = hall.director.with_key("scorer", "Tablet 1", 1, "device-0001")
    device.get("/tables/1")
    device.get("/tables/2", 403)
    device.get("/papers/sheets.pdf", 403)
    device.ask("POST", "/piles", 403, json={"first": [], "second": []})
    device.get("/photos/" + "0" * 64, 403)
    desk = device.get("/desk")
    assert (desk["role"], desk["table"]) == ("scorer", 1)
    assert [sheet["table"] for sheet in desk["sheets"]] == [1]
    assert desk["calls"] == []
    assert desk["log"] == desk["hall"] == desk["devices"] == []
    public = hall.public.get("")
    assert {**desk["championship"], "stages": 0} == {**public, "stages": 0}
    shown = [stage["seated"] for stage in desk["championship"]["stages"]]
    assert shown == [stage["seated"] for stage in public["stages"]]
    whole = hall.scorer.get("/desk")
    assert [sheet["table"] for sheet in whole["sheets"]] == [1, 2]


def test_rooms_that_a_client_brings_are_not_a_fault_of_the_server(hall: Hall) -> None:
    own = {"1": "aaaaaa", "2": "bbbbbb"}
    done = hall.director.command("open_rooms", id="rooms-000001", stage="evening", sitting=1, rooms=own)
    assert set(done["action"]["rooms"]) == {"1", "2"}
    assert not set(done["action"]["rooms"].values()) & set(own.values())
    again = hall.director.command("open_rooms", id="rooms-000001", stage="evening", sitting=1, rooms=own)
    assert again["action"] == done["action"]
