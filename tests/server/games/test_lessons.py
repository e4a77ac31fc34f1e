"""The lessons of the tutorial hold what they promise: their solutions are legal, their mistakes are not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from meldroom.rules.library import book
from meldroom.rules.requests import check, score_racks
from meldroom.solver import solve_faces
from meldroom.tiles import parse_set, parse_table

LESSONS: list[dict[str, Any]] = msgspec.json.decode(
    (Path(__file__).parents[3] / "web" / "src" / "tutorial" / "lessons.json").read_bytes()
)


def answer(lesson: dict[str, Any], after: list[list[str]]) -> dict[str, Any]:
    """What the server says to a turn of a lesson, as the page asks it."""
    owners = [str(owner) for owner in lesson.get("owners", [])]
    discard = lesson.get("discard")
    extra = {"player": "0", "owners_before": owners, "discard": discard} if "discards" in lesson else {}
    return check(
        {
            "rulebook": lesson["book"],
            "table_before": lesson["table"],
            "rack": lesson["rack"],
            "table_after": after,
            "has_melded": lesson["melded"],
            "extra": extra,
        }
    )


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson["id"])
def test_the_solution_of_a_lesson_does_what_its_goal_says(lesson: dict[str, Any]) -> None:
    goal = lesson["goal"]
    if lesson["solution"] is None:
        assert goal["kind"] in ("draw", "take")
        return
    found = answer(lesson, lesson["solution"])
    if goal["kind"] == "refused":
        assert goal["code"] in [fault["code"] for fault in found["violations"]]
        return
    assert found["legal"], found
    if goal["kind"] == "play":
        assert found["outcome"] in goal["outcomes"]
    else:
        laid = [tile for tiles in lesson["solution"] for tile in tiles]
        for tiles in lesson["table"]:
            for tile in tiles:
                laid.remove(tile)
        assert sorted(laid) == sorted(goal["tiles"])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson["id"])
def test_the_mistakes_of_a_lesson_are_refused_for_the_reason_it_teaches(lesson: dict[str, Any]) -> None:
    for mistake in lesson["mistakes"]:
        found = answer(lesson, mistake["after"])
        assert mistake["code"] in [fault["code"] for fault in found["violations"]], found


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson["id"])
def test_nothing_better_than_the_goal_is_possible(lesson: dict[str, Any]) -> None:
    rules = book(lesson["book"])
    if rules.family == "laying_off":
        return
    table = parse_table(" | ".join(" ".join(tiles) for tiles in lesson["table"]), rules.tiles)
    found = solve_faces(rules, table, parse_set(" ".join(lesson["rack"]), rules.tiles), lesson["melded"])
    wanted = 6 if lesson["id"] == "refused" else len(lesson["goal"].get("tiles", []))
    assert found.tiles == wanted


def test_the_score_at_the_end_is_the_books() -> None:
    lesson = next(lesson for lesson in LESSONS if "score" in lesson)
    players = [{"rack": []}, *({"rack": other["rack"]} for other in lesson["others"])]
    found = score_racks({"rulebook": lesson["book"], "players": players, "end": "out", "winner": 0})
    assert found["scores"] == [lesson["score"], *(other["score"] for other in lesson["others"])]
