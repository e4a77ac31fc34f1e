"""The public front: lazy imports, errors for people, JSON in and out, threads."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from meldroom.rules.library import book
from meldroom.rules.requests import RequestError
from meldroom.solver import PositionError, solve_faces
from meldroom.solver.request import answer
from meldroom.tiles import parse_set, parse_table
from tests.solver.positions import random_position

TML = book("tml")


def test_importing_the_solver_loads_no_numeric_library() -> None:
    code = "import sys, meldroom, meldroom.solver; sys.exit('numba' in sys.modules or 'numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_the_answer_has_the_public_shape() -> None:
    request = {
        "id": 1,
        "rulebook": "wrc11",
        "table": [["R1", "R2", "R3"]],
        "rack": ["R4", "K9", "*"],
        "has_melded": True,
        "objective": "tiles",
        "unknown": 5,
    }
    assert answer(request) == {
        "id": 1,
        "played": ["R4", "*"],
        "tiles": 2,
        "points": 104,
        "table": [["R1", "R2", "R3", "R4", "*"]],
        "optimal": True,
    }


def test_other_best_plays_on_request() -> None:
    request = {"rulebook": "tml", "table": [["R5", "B5", "K5"]], "rack": ["O5", "O9"], "alternatives": 3}
    assert answer(request)["unique"] is True
    either = answer(request | {"table": [["K7", "O7", "*"]], "rack": ["R7", "B7"]})
    assert either["tiles"] == 1
    assert either["unique"] is False
    assert sorted([either["played"], either["alternatives"][0]["played"]]) == [["B7"], ["R7"]]


def test_rummyo_is_answered_by_its_own_solver() -> None:
    request = {
        "rulebook": "rummyo",
        "table": [["R5", "R6", "*"]],
        "rack": ["R7", "K2", "K3", "O9"],
        "extra": {"player": "A", "owners_before": ["B"]},
    }
    assert answer(request)["outcome"] == "OPEN_RUMMY"


def test_an_explanation_on_request() -> None:
    request = {
        "rulebook": "tml",
        "table": [["O11", "*", "O13"]],
        "rack": ["O12", "R13", "B13"],
        "explain": True,
    }
    steps = answer(request)["explanation"]["steps"]
    assert steps[-1]["table"] == answer(request)["table"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"rack": ["Z4"]}, "bad_tile"),
        ({"rack": 3}, "bad_request"),
        ({"rulebook": "nope"}, "unknown_book"),
        ({"options": {"nope": 1}}, "bad_option"),
        ({"table": [["R1", "R2"]]}, "bad_position"),
        ({"rack": ["R3", "R3", "R3"]}, "bad_position"),
        ({"objective": "most"}, "bad_request"),
    ],
)
def test_errors_say_what_is_wrong(change: dict[str, object], code: str) -> None:
    with pytest.raises(RequestError) as caught:
        answer({"rulebook": "wrc11", "table": [], "rack": ["R1"]} | change)
    assert caught.value.code == code


def test_too_many_copies_of_a_tile_are_refused() -> None:
    with pytest.raises(PositionError, match="R1"):
        solve_faces(TML, parse_table("R1 R2 R3 | R1 R2 R3", TML.tiles), parse_set("R1", TML.tiles))


def test_threads_do_not_share_a_workspace() -> None:
    rng = Random(2)
    given = [random_position(TML, rng, 40, 10, i % 3) for i in range(60)]
    alone = [solve_faces(TML, *position) for position in given]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda position: solve_faces(TML, *position), given)) == alone


def test_the_command_streams_json_lines() -> None:
    first = '{"id": 1, "rulebook": "tml", "table": [["R1","R2","R3"]], "rack": ["R4"]}'
    lines = [first, "{", '{"id": 3, "rack": ["K1"]}']
    code = "import typer; from meldroom.cli.solve import solve; a = typer.Typer(); a.command()(solve); a()"
    run = subprocess.run(
        [sys.executable, "-c", code, "--jsonl"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert [a["id"] for a in answers] == [1, None, 3]
    assert answers[0]["played"] == ["R4"]
    assert answers[1]["error"]["code"] == "bad_json"
    assert answers[2]["tiles"] == 0
    assert run.returncode == 1
