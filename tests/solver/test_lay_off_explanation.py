"""Turns of Rummy-O told step by step: every step is replayed, and the sentences say what a player needs."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import pytest

from meldroom.game import Shuffle, apply, new_game
from meldroom.rules.library import book
from meldroom.rules.requests import RequestError
from meldroom.solver import BestPlay, PositionError, explain, solve
from meldroom.solver.explanation import Placed, apply_movement
from meldroom.solver.explanation.movements import DiscardTile, SwapJoker, TakeTile
from meldroom.solver.lay_off import (
    LayOffExplanation,
    LayOffPosition,
    best_play,
    explain_turn,
    going_out,
    position_on,
)
from meldroom.solver.request import answer
from meldroom.tiles import parse_set, parse_table

RUMMYO = book("rummyo")
TILES = RUMMYO.tiles


def position_text(table: str, owners: str, rack: str, on_board: bool = True) -> LayOffPosition:
    return position_on(
        RUMMYO, parse_table(table, TILES), owners.split(), "A", parse_set(rack, TILES), on_board
    )


def told(table: str, owners: str, rack: str, on_board: bool = True) -> tuple[str, ...]:
    position = position_text(table, owners, rack, on_board)
    return explain_turn(RUMMYO, position, best_play(RUMMYO, position)).lines()


def test_melds_grow_from_the_rack() -> None:
    assert told("R5 R6 R7 | K9 B9 O9", "B A", "R8 R9 K1 B13 K4") == (
        "Add R8 and R9 from your rack to [R5 R6 R7]: [R5 R6 R7 R8 R9].",
        "Discard K1: it would cost you most if you kept it (10 points).",
    )


def test_the_melds_that_go_on_board_say_what_they_count() -> None:
    assert told("-", "", "R10 R11 * K9 B9 O9 K1 B4", on_board=False) == (
        "Lay the group [K9 B9 O9] from your rack.",
        "Lay the run [R10 R11 *] from your rack. The joker stands for R12. "
        "Your melds count 62 points with a run: you're on board.",
        "Discard K1: it would cost you most if you kept it (10 points).",
    )


def test_a_claimed_joker_goes_to_an_own_meld_and_one_from_the_rack_anywhere() -> None:
    position = position_text("R5 R6 * | K9 B9 O9", "B A", "R7 * R8 K2 K3 K13 B5 B6")
    play = best_play(RUMMYO, position)
    found = explain_turn(RUMMYO, position, play)
    assert _faults(found, position, play.discard) == []
    assert [type(step.movement) for step in found.steps].count(SwapJoker) == 1
    assert found.effort.most_loose == 1


def test_a_discard_that_others_can_use_is_marked() -> None:
    (line,) = told("R5 R6 R7", "B", "R8 K2 B4", on_board=False)
    assert line == (
        "Discard R8: it would cost you most if you kept it (8 points). Others could use it on [R5 R6 R7]."
    )


def test_with_nothing_but_jokers_left_a_joker_is_discarded() -> None:
    assert told("-", "", "* *", on_board=False) == ("Discard the joker: nothing else is left on your rack.",)


@pytest.mark.parametrize(
    ("table", "rack", "on_board", "last"),
    [
        ("R5 R6 R7", "R8 O9", True, "Discard O9 and go out: Open Rummy, a bonus of 100 points."),
        ("R5 R6 R7", "R8 K2 K3 K4 O9", False, "Discard O9 and go out: Foot, a bonus of 200 points."),
        ("R5 R6 R7", "B8 B9 B10 K2 K3 K4 O9", False, "Discard O9 and go out: Hand, a bonus of 500 points."),
    ],
)
def test_going_out_names_the_way_and_its_bonus(table: str, rack: str, on_board: bool, last: str) -> None:
    position = position_text(table, "B", rack, on_board)
    play = going_out(RUMMYO, position)
    assert play is not None
    assert explain_turn(RUMMYO, position, play).lines()[-1] == last


TAKE = (
    "rummyo@1 / melds 2: R5 R6 R7 / racks K2 K3 O9 R9, ?x14 / pool 60 / discards {} / turn 1 take "
    "/ melded 1 2"
)


def test_the_last_discard_is_taken_where_it_helps() -> None:
    found = explain(solve(TAKE.format("K8 R8")))
    assert found.lines() == (
        "Take the last discard, R8: with it you can play 2 tiles.",
        "Add R8 and R9 from your rack to [R5 R6 R7]: [R5 R6 R7 R8 R9].",
        "Discard O9: it would cost you most if you kept it (9 points).",
    )
    assert found.text("fr").startswith("1. Prenez la dernière défausse, R8")


def test_after_a_tile_from_the_stock_nothing_is_promised() -> None:
    found = explain(solve(TAKE.format("R8 K8")))
    assert found.lines() == ("Take a tile from the stock: the last discard, K8, doesn't let you play more.",)
    assert found.played == ()


def test_every_turn_of_games_can_be_replayed_from_its_steps() -> None:
    """Best plays for everybody: taking, claiming, going on board and out all occur."""
    kinds: Counter[str] = Counter()
    for seed in range(6):
        shuffle = Shuffle(f"explained {seed}")
        state, _ = new_game(RUMMYO, ["Ada", "Bo", "Chi"], shuffle)
        for _ in range(300):
            if state.over:
                break
            play = solve(state, time_limit=5)
            found = explain(play)
            assert isinstance(found, LayOffExplanation)
            position = LayOffPosition(str(play.seat), play.melds, play.rack, state.melded[play.seat])
            if not isinstance(found.steps[0].movement, TakeTile) or found.steps[0].movement.source != "stock":
                assert _faults(found, position, play.discard, play) == []
            assert len(found.lines("en")) == len(found.lines("fr")) == len(found.steps)
            kinds.update(line["kind"] for line in found.as_json()["steps"])
            state, _ = apply(state, play.action, shuffle)
    assert set(kinds) >= {"take_tile", "extend", "lay", "swap", "build", "discard"}


def _faults(
    found: LayOffExplanation, position: LayOffPosition, discard: int | None, play: BestPlay | None = None
) -> list[str]:
    """What is wrong with an explanation, replayed movement by movement."""
    wrong: list[str] = []
    placed = Placed(tuple(meld.faces for meld in position.melds), (), position.rack)
    start = Counter(position.rack)
    for number, step in enumerate(found.steps, 1):
        placed = apply_movement(*placed, step.movement)
        if isinstance(step.movement, TakeTile):
            assert step.movement.tile is not None
            start[step.movement.tile] += 1
        if sorted(map(sorted, placed.table)) != sorted(map(sorted, step.table)):
            wrong.append(f"step {number} shows another table")
        if Counter(placed.loose) != Counter(step.loose):
            wrong.append(f"step {number} shows other tiles in hand")
        if not all(RUMMYO.reader.is_set(faces) for faces in step.table):
            wrong.append(f"step {number} leaves a meld that is none")
        if step.owners[: len(position.melds)] != tuple(meld.owner for meld in position.melds):
            wrong.append(f"step {number} gives a meld to somebody else")
        if any(owner != position.player for owner in step.owners[len(position.melds) :]):
            wrong.append(f"step {number} lays a meld for somebody else")
    last = found.steps[-1].movement
    if not isinstance(last, DiscardTile) or last.tile != discard:
        wrong.append("does not end with the discard")
    elif start - Counter(found.played) - Counter([last.tile]) != Counter(placed.rack):
        wrong.append("does not use exactly the tiles played")
    if placed.loose:
        wrong.append("ends with tiles in hand")
    if play is not None and found.steps[-1].table != play.table:
        wrong.append("does not end with the melds afterwards")
    return wrong


def test_a_play_of_another_position_is_refused() -> None:
    position = position_text("R5 R6 R7", "B", "R8 K2 B4")
    other = position_text("R5 R6 R7", "B", "B8 K2 B4")
    with pytest.raises(PositionError, match="R8"):
        explain_turn(RUMMYO, other, best_play(RUMMYO, position))


# Requests and the command line.

REQUEST = {
    "rulebook": "rummyo",
    "table": [["R5", "R6", "R7"]],
    "rack": ["K2", "K3", "O9", "R9"],
    "extra": {"owners_before": ["B"], "last_discard": "R8"},
    "explain": True,
}


def test_a_request_says_what_to_take_and_every_step() -> None:
    found = answer(REQUEST)
    assert (found["take"], found["played"], found["discard"]) == ("discard", ["R8", "R9"], "O9")
    steps = found["explanation"]["steps"]
    assert [step["kind"] for step in steps] == ["take_tile", "extend", "discard"]
    assert steps[1]["table"] == [["R5", "R6", "R7", "R8", "R9"]]
    assert steps[1]["owners"] == ["B"]
    stock = answer(REQUEST | {"extra": {"owners_before": ["B"], "last_discard": "K8"}})
    assert (stock["take"], stock["tiles"], stock["discard"]) == ("stock", 0, None)
    assert stock["table"] == REQUEST["table"]


def test_a_request_may_ask_for_a_hint() -> None:
    asked = {**REQUEST, "extra": {"owners_before": ["B"]}, "rack": ["R8", "K2"], "hint": 4, "language": "fr"}
    found = answer(asked)["hint"]
    assert (found["rung"], found["of"]) == (4, 4)
    assert "Défaussez K2 et terminez" in found["sentence"]
    assert answer(asked | {"hint": 1, "language": "en"})["hint"]["sentence"] == "You can go out this turn!"


def test_a_discard_that_is_no_tile_is_refused() -> None:
    with pytest.raises(RequestError) as caught:
        answer(REQUEST | {"extra": {"owners_before": ["B"], "last_discard": "Z8"}})
    assert caught.value.code == "bad_tile"


def test_the_command_says_how_the_turn_is_played() -> None:
    command = [sys.executable, "-m", "meldroom", "solve", "--book", "rummyo", "--table", "R5 R6 R7"]
    command += ["--owners", "B", "--rack", "K2 K3 O9 R9"]
    taken = subprocess.run([*command, "--last-discard", "R8"], capture_output=True, text=True, check=True)
    assert "1. Take the last discard, R8" in taken.stdout
    assert "   R5 R6 R7 R8 R9\n3. Discard O9" in taken.stdout
    wrong = subprocess.run([*command, "--last-discard", "R99"], capture_output=True, text=True, check=False)
    assert wrong.returncode != 0
    assert "--last-discard" in wrong.stderr
    hint = subprocess.run([*command, "--hint", "1"], capture_output=True, text=True, check=True)
    assert hint.stdout.strip() == "You can't play any tile this turn."
