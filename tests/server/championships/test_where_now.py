"""Everywhere the same answer to "where do I play now?": what the log says, after every entry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from meldroom.cli.app import app
from testkit.championship.random_events import RandomEvent
from testkit.championship.where_now import Reader, disagreements, of_one
from tests.server.championships.at_hall import ROOT, Person, serving, sheet
from tests.server.championships.test_club_night import NIGHT

EVENTS = 20
FIVE = NIGHT | {"names": "Ada\nBen\nChi\nDev\nEve"}


@pytest.mark.parametrize("seed", range(EVENTS))
def test_all_pages_say_what_the_log_says_after_every_entry(seed: int, tmp_path: Path) -> None:
    event, reader, read = RandomEvent(seed, 60 if seed == 7 else 24), Reader(), 0
    for done in event.steps():
        lines = event.running.lines()
        for line in lines[read:]:
            reader.read(line)
        read, reader.rooms = len(lines), dict(event.running.now.hall.rooms)
        people = {(read + place) % len(reader.status) + 1 for place in range(4)} if reader.status else set()
        assert list(disagreements(event, reader, people)) == [], (read, done)
        if read % 40 == 0:
            _status_agrees(lines, reader, tmp_path / "log.jsonl")
    _status_agrees(event.running.lines(), reader, tmp_path / "log.jsonl")


def _status_agrees(lines: list[bytes], reader: Reader, file: Path) -> None:
    """`meldroom championship status --json`, from the log's file."""
    file.write_bytes(b"".join(line + b"\n" for line in lines))
    done = CliRunner().invoke(app(("championship",)), ["championship", "status", str(file), "--json"])
    told = json.loads(done.stdout)
    assert (told["stage"], told["sitting"]) == reader.sitting()
    for number in reader.status:
        assert list(of_one(told["people"][number - 1], reader, number, staff=True)) == []


def _place(page: dict[str, Any]) -> tuple[Any, ...]:
    """What a player's page says in big letters."""
    at = page["at"]
    return (page["now"]["state"], at and (at["sitting"], at["table"], at["seat"]))


def test_in_a_club_night_of_five_each_page_shows_the_sitting_being_played(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        made = client.post(f"{ROOT}/club-night", json=FIVE).json()
        host = Person(client, made["code"], made["key"])
        public = Person(client, made["code"])
        plan = [each["tables"][0] for each in host.get("/export")["seating"]]
        for sitting, table in enumerate(plan, start=1):
            (resting,) = set(range(1, 6)) - set(table)
            for seat, number in enumerate(table):
                assert _place(public.get(f"/people/{number}")) == ("playing", (sitting, 1, seat))
            after = next(((n, p.index(resting)) for n, p in enumerate(plan[sitting:], sitting + 1)), None)
            page = public.get(f"/people/{resting}")
            told = ("next", (after[0], 1, after[1])) if after else ("finished", None)
            assert _place(page) == told
            assert page["now"]["sits_out"][0] == {"stage": "evening", "sitting": sitting}
            for shown in (public.get(), host.get("/desk")["championship"]):
                assert shown["stages"][0]["seated"][sitting - 1]["sits_out"] == [resting]
                assert shown["sitting"] == sitting
            for game in (1, 2):
                place: dict[str, Any] = {"stage": "evening", "sitting": sitting, "table": 1, "game": game}
                host.command("enter_result", **place, scores=[60, -10, -20, -30])
            host.command("sign_sheet", stage="evening", sitting=sitting, table=1)
        assert {_place(public.get(f"/people/{number}")) for number in range(1, 6)} == {("finished", None)}
        assert public.get()["now"]["phase"] == "between"


def test_a_drawn_sitting_that_fits_no_longer_says_so_before_it_is_played(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        made = client.post(f"{ROOT}/club-night", json=NIGHT).json()
        host = Person(client, made["code"], made["key"])
        sheet(host, "evening", 1, 1)
        assert host.get("/desk")["championship"]["now"]["stale"] == []
        host.command("add_entrant", entrant={"name": "Hal"}, _reason="a guest")
        host.command("check_in", number=8)
        host.command("withdraw", number=7, _reason="left")
        desk = host.get("/desk")
        changed = {"stage": "evening", "how": "late", "numbers": [8]}
        assert desk["championship"]["now"]["stale"] == [{**changed, "sitting": n} for n in (1, 2, 3)]
        (step,) = [each for each in desk["next"] if each["do"] == "seat_sitting"]
        assert (step["sitting"], step["numbers"], step["how"]) == (1, [8], "late")
        host.command("seat_sitting", stage="evening", sitting=1, how="late", _reason="a guest came")
        assert [each["sitting"] for each in host.get("/desk")["championship"]["now"]["stale"]] == [2, 3]
        # What the public sees says nothing of it until there are other seats.
        assert Person(client, made["code"]).get()["now"]["stale"] == []


def test_the_public_is_not_told_which_games_are_in_before_the_sheet_is_signed(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        made = client.post(f"{ROOT}/club-night", json=FIVE).json()
        host, public = Person(client, made["code"], made["key"]), Person(client, made["code"])
        before = public.get()["now"]
        sheet(host, "evening", 1, 1)
        assert public.get()["now"] == before
        staff = host.get("/desk")["championship"]["now"]
        assert (staff["phase"], staff["tables"][0]["state"]) == ("playing", "to_sign")
