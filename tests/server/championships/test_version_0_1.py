"""A championship that version 0.1 kept opens today, and shows what it showed then."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.server.championships.at_hall import Person, serving

FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "v0.1" / "hall"
SHOWN: dict[str, Any] = json.loads((FIXTURE / "shown.json").read_text(encoding="utf-8"))
CODE: str = SHOWN["code"]
DEVICE = "device-of-table-1"
SHEET: dict[str, Any] = {"stage": "evening", "sitting": 1, "table": 1}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy that may be written to."""
    shutil.copytree(FIXTURE / CODE, tmp_path / CODE)
    return tmp_path


SINCE_IN_DRAWS = ("replaced", "met", "short")


def as_named_today(page: dict[str, Any]) -> dict[str, Any]:
    return {"championship" if field == "event" else field: value for field, value in page.items()}


NEW_SINCE: dict[str, Any] = {
    "void": ([], None),
    "ended": (None,),
    "due": (None,),
    "placed": (True,),
    "no_country": (False,),
    "admitted": ([],),
    "lot": ("",),
    "drawn_lots": ([],),
    "finished": (True, False),
    "book_name": ({"en": "WRC 11", "fr": "WRC 11"},),
    "book_version": ("1",),
    "listed": (True,),
    "short_name": ({"en": "WRC 11", "fr": "WRC 11"},),
    "exhausted_unopened": ("cannot_win",),
}
"""Fields that pages have since, with what they say of a championship of then."""


def without_new(shown: Any) -> Any:
    """The same without fields of today, each of which says nothing here."""
    if isinstance(shown, list):
        return [without_new(each) for each in shown]
    if not isinstance(shown, dict):
        return shown
    assert all(shown[field] in empty for field, empty in NEW_SINCE.items() if field in shown)
    return {field: without_new(value) for field, value in shown.items() if field not in NEW_SINCE}


def of_then(page: dict[str, Any]) -> dict[str, Any]:
    """The page without what pages show since: replaced draws, prizes, teams, days, deals, points off,
    and where everybody is."""
    page = without_new(page)
    stages = [_stage_of_then(stage) for stage in page["stages"]]
    since: dict[str, Any] = {"prizes": [], "teams": None, "days": []}
    assert all(page.get(field, empty) == empty for field, empty in since.items())
    then = {field: value for field, value in page.items() if field not in (*since, "now")}
    return then | {"stages": stages}


def _stage_of_then(stage: dict[str, Any]) -> dict[str, Any]:
    old = {field: value for field, value in stage.items() if field not in ("duplicate", "deals")}
    old["seated"] = [{f: v for f, v in one.items() if f != "sits_out"} for one in stage["seated"]]
    if stage["draw"]:
        shown = {field: value for field, value in stage["draw"].items() if field not in SINCE_IN_DRAWS}
        old |= {"draw": shown}
    if stage["standings"]:
        rows = [{f: v for f, v in row.items() if f != "deducted"} for row in stage["standings"]["rows"]]
        old |= {"standings": {**stage["standings"], "rows": rows}}
    return old


def without_texts(desk: dict[str, Any]) -> dict[str, Any]:
    """The next steps are worded otherwise today, and there is more that a director may do."""
    may = [what for what in desk["may"] if what in SHOWN["desk"]["may"]]
    championship = of_then(desk["championship"])
    desk = without_new(desk)
    desk = {field: value for field, value in desk.items() if field not in ("unprintable", "arranged", "pins")}
    keys = [{f: v for f, v in key.items() if f != "wrong_pins"} for key in desk["keys"]]
    data = [{f: v for f, v in one.items() if f not in ("last_country", "more")} for one in desk["data"]]
    return {
        **desk,
        "championship": championship,
        "data": data,
        "keys": keys,
        "may": may,
        "next": [{**step, "text": ""} for step in desk["next"]],
    }


def test_every_page_shows_what_it_showed(folder: Path) -> None:
    with serving(folder) as client:
        public = Person(client, CODE)
        keys = {role: Person(client, CODE, key) for role, key in SHOWN["keys"].items()}
        assert of_then(public.get()) == SHOWN["page"]
        assert public.get()["stages"][0]["standings"]
        assert without_texts(keys["director"].get("/desk")) == without_texts(as_named_today(SHOWN["desk"]))
        table = as_named_today(SHOWN["table"])
        assert without_new(keys["referee1"].get("/tables/1")) == {**table, "referees": []}
        paths = [link["path"].replace("/e/", "/championship/") for link in SHOWN["links"]]
        assert [link["path"] for link in keys["organiser"].get("/links")] == paths
        assert keys["director"].get(f"/photos/{SHOWN['photo']}").content.startswith(b"\x89PNG")


def test_a_repeated_command_gets_its_first_answer_and_the_next_one_is_written(folder: Path) -> None:
    with serving(folder) as client:
        tablet = Person(client, CODE, SHOWN["keys"]["referee1"], DEVICE)
        again = tablet.command("enter_result", id="result-1-1", **SHEET, game=1, scores=SHOWN["scores"])
        assert again == SHOWN["again"]
        referee = Person(client, CODE, SHOWN["keys"]["referee"])
        done = referee.command("sign_sheet", stage="evening", sitting=1, table=2)
        assert done["version"] == SHOWN["desk"]["event"]["version"] + 1
    with serving(folder) as client:
        signed = Person(client, CODE).get()["stages"][0]["seated"][0]["tables"]
        assert [table["signed"] for table in signed] == [True, True]
