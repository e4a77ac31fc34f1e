"""A whole championship over HTTP, from the list of entrants to the ranking, with people in five roles."""

from __future__ import annotations

from typing import Any

from litestar.testing import TestClient

from tests.server.championships.at_hall import LIST, NAMES, Person, opened, scores, sheet


def steps(person: Person) -> list[str]:
    return [step["do"] for step in person.get("/desk")["next"]]


def test_a_club_evening_from_the_list_to_the_ranking_with_five_roles(client: TestClient[Any]) -> None:
    organiser = opened(client)
    public = Person(client, organiser.code)
    director = organiser.with_key("director", "Dana")
    referee = director.with_key("referee", "Rita")
    scorer = director.with_key("scorer", "Sam")
    door = director.with_key("check_in", "Chris")
    assert steps(organiser) == ["import_entrants"]
    organiser.command("import_entrants", csv=LIST)
    assert steps(door)[0] == "check_in"
    for number in range(1, len(NAMES) + 1):
        door.command("check_in", number=number)
    assert steps(director) == ["announce_draw"]
    announced = director.command("announce_draw", stage="evening")
    assert announced["seed"]
    public.get()
    referee.command("add_word", stage="evening", word="dice 4 2 6", who="Ada")
    assert steps(director) == ["add_word", "reveal"]
    director.command("reveal", stage="evening")
    page = public.get()
    draw = page["stages"][0]["draw"]
    assert draw["seed"] == announced["seed"]
    assert draw["words"] == ["dice 4 2 6"]
    for sitting in (1, 2):
        for table in (1, 2):
            sheet(scorer, "evening", sitting, table)
            assert "sign_sheet" in steps(referee)
            referee.command("sign_sheet", stage="evening", sitting=sitting, table=table)
    assert steps(director) == ["close_stage"]
    director.command("close_stage")
    director.command("announce_draw", seed="another")
    director.command("reveal")
    scorer.command("enter_result", stage="final", sitting=1, table=1, game=1, scores=scores())
    referee.command("sign_sheet", stage="final", sitting=1, table=1)
    director.command("close_stage", stage="final")
    page = public.get()
    assert page["over"]
    assert [line["place"] for line in page["ranking"]][:4] == [1, 2, 3, 4]
    assert len(page["ranking"]) == 8
    assert steps(director) == ["export"]
    log = organiser.get("/log").text.splitlines()
    assert len(log) == director.get("/desk")["log"][0]["number"]
