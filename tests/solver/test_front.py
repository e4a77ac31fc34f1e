"""The public front: lazy imports, errors for people, JSON in and out, threads."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest

from meldroom.game import Discard, Draw, Lay, Pass, Play, Shuffle, Take, apply, new_game, view
from meldroom.game.notation.position import Position
from meldroom.rules.library import book
from meldroom.rules.requests import RequestError
from meldroom.solver import PositionError, explain, solve, solve_faces
from meldroom.solver.request import answer
from meldroom.tiles import Face, parse_set, parse_table
from testkit.solver.positions import random_position

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
        "fewest": True,
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


# Whole positions.

WRC = "wrc11@1 / table R1 R2 R3 | K9 B9 O9 / racks R4 R9 K5, ?x14 / pool 77 / turn 1 / melded 1"
LAY_OFF = "rummyo@1 / melds 2: R5 R6 * / racks R7 K2 K3 O9, ?x14 / pool 60 / turn 1 play / melded 1 2"


def test_a_position_its_text_a_state_and_a_view_have_the_same_best_play() -> None:
    rules = book("wrc11")
    state, _ = new_game(rules, ["Ada", "Bo"], Shuffle("text"), starter=0)
    seen = view(state, 0)
    plays = [solve(state), solve(seen), solve(Position.of(state)), solve(Position.seen(seen, rules))]
    assert plays[0].tiles >= 3
    for play in plays:
        assert (play.played, play.table, play.seat) == (plays[0].played, plays[0].table, 0)
        assert apply(state, play.action, Shuffle("text"))[0].melded[0]
    assert solve(state).tiles == solve_faces(rules, (), state.faces(state.racks[0]), False).tiles


def test_the_action_of_a_play_lays_it() -> None:
    play = solve(WRC)
    assert isinstance(play.action, Lay)
    assert (play.tiles, play.points, play.optimal) == (2, 13, True)
    assert (play.discard, play.outcome) == (None, None)
    assert (str(play), play.text("fr")) == ("R4 R9: 2 tiles, 13 points", "R4 R9\u00a0: 2 tuiles, 13 points")
    assert repr(play) == "<BestPlay wrc11 R4 R9: 2 tiles, 13 points>"
    assert str(explain(play)).count("\n") == 1


def test_with_nothing_to_play_the_action_is_a_draw_or_a_pass() -> None:
    text = "wrc11@1 / table R1 R2 R3 / racks K9 B1, ?x14 / pool {} / turn 1 / melded 1"
    assert isinstance(solve(text.format(77)).action, Draw)
    last = solve(text.format(0))
    assert isinstance(last.action, Pass)
    assert str(last) == "nothing to play"
    assert str(explain(last)) == "The table stays as it is."


def test_a_laying_off_position_is_solved_with_its_discard() -> None:
    play = solve(LAY_OFF)
    assert isinstance(play.action, Play)
    tiles = play.book.tiles
    assert [tiles.faces_text(faces) for faces in play.table] == ["R5 R6 R7", "K2 K3 *"]
    assert (play.outcome, play.discard) == ("OPEN_RUMMY", tiles.face_names.index("O9"))
    assert str(explain(play)).splitlines() == [
        "1. Put R7 from your rack in place of the joker in [R5 R6 *]: [R5 R6 R7], and the joker is in hand.",
        "2. Build the run [K2 K3 *] with the joker in hand plus K2 and K3 from your rack. "
        "The joker stands for K4.",
        "3. Discard O9 and go out: Open Rummy, a bonus of 100 points.",
    ]


def test_a_whole_laying_off_game_can_be_played_by_its_best_plays() -> None:
    rules, shuffle = book("rummyo"), Shuffle("best plays")
    state, _ = new_game(rules, ["Ada", "Bo"], shuffle)
    kinds = set()
    for _ in range(400):
        if state.over:
            break
        play = solve(state, time_limit=5)
        kinds.add(type(play.action))
        state, _ = apply(state, play.action, shuffle)
    assert state.over
    assert kinds == {Discard, Take, Play}


@pytest.mark.parametrize(
    ("position", "code"),
    [
        ("wrc11@1 / table - / racks ?x14, ?x14 / pool 77 / turn 1", "hidden_rack"),
        ("wrc11@1 / table - / racks R1, R2 / pool 77", "nobody_to_move"),
        (new_game(book("wrc11"), ["Ada", "Bo"], Shuffle("s"))[0].racks[0], "not_a_position"),
        (book("wrc11"), "not_a_position"),
        (view(new_game(book("wrc11"), ["Ada", "Bo"], Shuffle("s"))[0], None), "spectator"),
    ],
)
def test_what_is_no_position_to_move_in_is_refused(position: Any, code: str) -> None:
    with pytest.raises(PositionError) as caught:
        solve(position)
    assert caught.value.code == code
    assert caught.value.message("fr") != caught.value.message("en")


@pytest.mark.parametrize("face", [-1, 53, 60, 255, 300])
def test_tiles_where_faces_are_meant_are_refused(face: int) -> None:
    for melded in (True, False):
        with pytest.raises(PositionError, match=f"{face} is not a face"):
            solve_faces(book("wrc11"), (), [Face(face), Face(1), Face(2)], melded)
