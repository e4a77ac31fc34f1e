"""At the desk: points off with a preview, prizes, teams and fees by role, deals of a duplicate stage."""

from __future__ import annotations

from typing import Any

from litestar.testing import TestClient

from tests.server.championships.at_hall import CLUB, LIST, NAMES, Hall, opened, sheet

DUPLICATE = CLUB.replace(
    'id = "evening"', 'id = "evening"\nduplicate = "matchpoints"\nranking = ["points", "score"]', 1
)
ARRANGED: dict[str, Any] = {
    "categories": [{"id": "junior", "name": "junior", "born_from": "2008-01-01"}],
    "prizes": [{"name": "First prize", "amount": "€50"}, {"name": "Junior prize", "category": "junior"}],
    "teams": {"best": 2},
    "fees": {"amount": 1000, "reduced": {"junior": 500}},
    "days": [{"date": "2026-11-15", "sittings": ["evening 1"]}],
}


def test_points_off_are_previewed_shown_and_given_back(hall: Hall) -> None:
    hall.sheets(1)
    command: dict[str, Any] = {"number": 1, "kind": "other", "stage": "evening", "deduct": 40}
    seen = hall.director.command("penalise", _preview=True, **command)
    assert seen["told"][0].startswith("Ada Lovelace: 40 off")
    hall.referee.command("penalise", 403, _reason="late", **command)
    hall.director.command("penalise", _reason="late", **command)
    rows = hall.public.get()["stages"][0]["standings"]["rows"]
    assert next(row for row in rows if row["number"] == 1)["deducted"] == {"score": 40}
    back = hall.director.command("cancel_penalty", _preview=True, penalty=1)
    assert "40 back" in back["told"][0]
    seen = hall.director.command("disqualify", _preview=True, number=2)
    assert "disqualified" in seen["told"][0]
    hall.director.command("disqualify", number=2, _reason="a tile up the sleeve")
    rows = hall.public.get()["stages"][0]["standings"]["rows"]
    assert (rows[-1]["number"], rows[-1]["decided_by"]) == (2, "disqualified")
    hall.director.command("undo_status", number=2, undone="disqualified", _reason="slip")
    assert hall.public.get()["people"][1]["status"] == "present"


def test_fees_are_for_who_takes_them_and_prizes_for_everybody(hall: Hall) -> None:
    hall.organiser.command("arrange", arrangements=ARRANGED)
    hall.door.command("record_payment", number=1, amount=1000)
    hall.referee.command("record_payment", 403, number=1, amount=1000)
    at_door = hall.door.get("/desk")["arranged"]
    assert [line["due"] for line in at_door["accounts"]][:2] == [0, 1000]
    assert hall.referee.get("/desk")["arranged"] is None
    page = hall.public.get()
    assert [prize["players"] for prize in page["prizes"]] == [[], []]
    assert page["prizes"][1]["rule"]["en"] == "best junior"
    assert page["days"] == [{"date": "2026-11-15", "sittings": [["evening", 1]]}]
    assert page["teams"]["best"] == 2
    assert "1000" not in str(page["prizes"])
    hall.referee.get("/papers/fees.pdf", 409)
    assert hall.organiser.get("/papers/fees.pdf").content.startswith(b"%PDF")


def test_deals_are_fixed_kept_printed_for_the_director_and_revealed_at_the_end(
    client: TestClient[Any],
) -> None:
    organiser = opened(client, format_toml=DUPLICATE)
    director, scorer = organiser.with_key("director", "Dana"), organiser.with_key("scorer", "Sam")
    organiser.command("import_entrants", csv=LIST)
    for number in range(1, len(NAMES) + 1):
        organiser.command("check_in", number=number)
    director.command("announce_draw", seed="an example")
    director.command("reveal")
    scorer.command("announce_deals", 403)
    fixed = director.command("announce_deals")
    assert fixed["seed"]
    assert director.get("/papers/deals.pdf").content.startswith(b"%PDF")
    scorer.get("/papers/deals.pdf", 403)
    stage = organiser.get()["stages"][0]
    assert (stage["duplicate"], stage["deals"]["seed"]) == ("matchpoints", None)
    assert fixed["seed"] not in str(scorer.get("/desk")) + str(organiser.get())
    director.command("reveal_deals", 400)
    for sitting in range(1, stage["sittings"] + 1):
        for table in (1, 2):
            sheet(scorer, "evening", sitting, table, stage["games"])
    assert director.get()["stages"][0]["seated"][0]["tables"][0]["games"] == []  # not signed yet
    for table in (1, 2):
        director.command("sign_sheet", stage="evening", sitting=1, table=table)
    first, second = director.get()["stages"][0]["seated"][0]["tables"]
    for one, other in zip(first["games"], second["games"], strict=True):
        compared = zip(one["scores"], other["scores"], strict=True)
        assert one["points"] == [(mine > theirs) * 2 + (mine == theirs) for mine, theirs in compared]
        assert [sum(both) for both in zip(one["points"], other["points"], strict=True)] == [2] * 4
    director.command("reveal_deals")
    assert organiser.get()["stages"][0]["deals"]["seed"] == fixed["seed"]
