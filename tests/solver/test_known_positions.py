"""Published puzzles and positions whose optimum is known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from meldroom.rules.library import book, house_book
from meldroom.rules.verify import Turn, verify
from meldroom.solver import Objective, Solution, solve_faces
from meldroom.tiles import parse_set, parse_table, parse_tile

pytestmark = pytest.mark.usefixtures("kernels")

DATA = Path(__file__).parent / "data"
PUZZLES: list[dict[str, Any]] = json.loads((DATA / "puzzles.json").read_text())
POSITIONS: list[dict[str, Any]] = [json.loads(x) for x in (DATA / "positions.jsonl").read_text().splitlines()]
TML = book("tml")


def play(case: dict[str, Any], objective: Objective = "tiles", joker: int | None = None) -> Solution:
    """Solves a case and checks that the answer is legal."""
    rules = TML
    if joker is not None:
        changed = {"id": "test", "version": "1", "base": "tml", "scoring": {"joker": joker}}
        rules = house_book(changed)
    table = tuple(tuple(parse_tile(x, rules.tiles) for x in faces) for faces in case["table"])
    rack = tuple(parse_tile(x, rules.tiles) for x in case["rack"])
    found = solve_faces(rules, table, rack, objective=objective)
    assert found.optimal
    if found.played:
        assert not verify(rules, Turn(table, rack, found.table, True))
    else:
        assert found.table == table
    return found


@pytest.mark.parametrize("case", PUZZLES, ids=[case["id"] for case in PUZZLES])
def test_published_puzzle(case: dict[str, Any]) -> None:
    assert play(case).tiles == case["max_tiles"]
    assert play(case, "points", joker=0).points == case["max_points_without_jokers"]


@pytest.mark.parametrize("case", POSITIONS, ids=[case["id"] for case in POSITIONS])
def test_known_position(case: dict[str, Any]) -> None:
    assert play(case).tiles == case["max_tiles"]


def test_2006_paper_example_1_has_31_points_with_6_tiles() -> None:
    (case,) = (case for case in PUZZLES if case["id"] == "dhh-ex1-lex")
    found = play(case, "points", joker=0)
    assert (found.points, found.tiles) == (31, 6)


def test_2006_paper_example_2_places_all_tiles() -> None:
    (case,) = (case for case in PUZZLES if case["id"] == "dhh-ex2")
    found = play(case, "points", joker=0)
    assert (found.points, found.tiles) == (51, 9)


def best(table: str, rack: str, objective: Objective = "tiles") -> Solution:
    """Solves a position given as text."""
    old, held = parse_table(table, TML.tiles), parse_set(rack, TML.tiles)
    found = solve_faces(TML, old, held, objective=objective)
    if found.played:
        assert not verify(TML, Turn(old, held, found.table, True))
    return found


def test_a_full_group_has_no_room_for_its_joker() -> None:
    assert best("R5 B5 K5 *", "O5").tiles == 0


def test_two_jokers_split_a_full_group() -> None:
    assert best("R5 B5 K5 O5", "* *").tiles == 2


def test_one_joker_finds_no_room_on_a_full_group() -> None:
    assert best("R5 B5 K5 O5", "*").tiles == 0


def test_a_group_of_three_has_room_for_one_joker_only() -> None:
    assert best("R5 B5 K5", "* *").tiles == 1


def test_a_joker_replaces_the_fourth_tile_when_it_is_dearer() -> None:
    found = best("", "R5 B5 K5 O5 *")
    assert (found.tiles, found.points) == (4, 45)


def test_a_full_run_is_cut_for_a_joker() -> None:
    assert best("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "* *").tiles == 2


def test_twelve_thirteen_joker_is_a_run() -> None:
    assert best("", "R12 R13 *").tiles == 3


def test_the_same_set_twice_on_the_table() -> None:
    assert best("R1 R2 R3 | R1 R2 R3", "R4 R4").tiles == 2


def test_old_sets_stay_where_nothing_is_gained() -> None:
    found = best("R1 R2 R3 | R4 R5 R6 | K9 R9 B9 | K9 R9 O9", "R7 K1")
    old = {tuple(sorted(faces)) for faces in parse_table("R1 R2 R3 | K9 R9 B9 | K9 R9 O9", TML.tiles)}
    assert old <= {tuple(sorted(faces)) for faces in found.table}


def test_a_time_limit_still_gives_a_play() -> None:
    old = parse_table("R1 R2 R3", TML.tiles)
    found = solve_faces(TML, old, parse_set("R4 R5 K9", TML.tiles), time_limit=0.0)
    assert found.tiles == 2
