"""A house book works in every command in the same way: by the path of its file, or by id in JSON requests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from meldroom import State, load_house_book, to_svg
from meldroom.cli.app import app

KITCHEN = 'id = "kitchen"\nversion = "1"\nbase = "wrc11"\n[opening]\npoints = 20\n[tiles]\njokers = 3\n'
OPENING = ["--unmelded", "--rack", "R9 B9 K9 O2"]


@pytest.fixture
def kitchen(tmp_path: Path) -> str:
    file = tmp_path / "kitchen.toml"
    file.write_text(KITCHEN, encoding="utf-8")
    return str(file)


def run(*words: str, given: str = "") -> Result:
    return CliRunner().invoke(app(words[:1]), list(words), input=given)


def test_check(kitchen: str) -> None:
    turn = [*OPENING, "--after", "R9 B9 K9"]
    assert run("check", *turn).exit_code == 1
    assert run("check", "--book", kitchen, *turn).exit_code == 0
    assert run("check", "--book", kitchen, "--rack", "* * * R1", "--after", "R1 * * *").exit_code == 0


def test_score(kitchen: str) -> None:
    racks = ["Ada=", "Bo=* * * R1", "--winner", "Ada"]
    assert run("score", *racks).exit_code == 2
    assert run("score", "--book", kitchen, *racks).exit_code == 0


def test_ruling(kitchen: str) -> None:
    done = run("ruling", "charge_flag", "rack_at_end=R9 B9 K9 O2", "drawn_in_last_turn=O2")
    house = run(
        "ruling", "charge_flag", "rack_at_end=R9 B9 K9 O2", "drawn_in_last_turn=O2", "--book", kitchen
    )
    assert (done.exit_code, house.exit_code) == (0, 0)
    assert done.stdout != house.stdout


def test_solve(kitchen: str) -> None:
    assert "nothing can be played" in run("solve", *OPENING).stdout
    assert "play: K9 R9 B9" in run("solve", "--book", kitchen, *OPENING).stdout


def test_rules(kitchen: str) -> None:
    assert run("rules", kitchen).stdout == run("rules", "--book", kitchen).stdout
    assert "20" in run("rules", kitchen, "--diff", "wrc11").stdout


def test_demo_and_its_record_needs_no_file(kitchen: str) -> None:
    done = run("demo", "--book", kitchen, "--players", "2")
    assert done.exit_code == 0, done.output
    assert "verified: " in done.stdout


def test_play_reaches_the_screen(kitchen: str) -> None:
    for words in ([kitchen], ["--book", kitchen]):
        done = run("play", *words)
        assert "a terminal is needed" in done.stderr


def test_json_requests_name_house_books_that_were_given(kitchen: str) -> None:
    turn = {
        "rulebook": "kitchen",
        "table_before": [],
        "rack": ["R9", "B9", "K9", "O2"],
        "table_after": [["R9", "B9", "K9"]],
        "has_melded": False,
    }
    line = json.dumps(turn)
    unknown = json.loads(run("check", "--jsonl", given=line).stdout)
    assert unknown["error"]["code"] == "unknown_book"
    assert json.loads(run("check", "--jsonl", "--house", kitchen, given=line).stdout)["legal"]
    path = json.dumps({**turn, "rulebook": kitchen})
    refused = json.loads(run("check", "--jsonl", "--house", kitchen, given=path).stdout)
    assert refused["error"]["code"] == "unknown_book", "a request must not make the program read a file"


def test_json_of_the_other_commands(kitchen: str) -> None:
    score = {"rulebook": "kitchen", "players": [{"rack": []}, {"rack": ["*", "*", "*"]}], "end": "out"}
    answer = run("score", "--jsonl", "--house", kitchen, given=json.dumps({**score, "winner": 0}))
    assert len(json.loads(answer.stdout)["scores"]) == 2
    ruling = {"check": "final_turns", "rulebook": "kitchen", "input": {"seats": ["A", "B"], "drawer": "B"}}
    answer = run("ruling", "--jsonl", "--house", kitchen, given=json.dumps(ruling))
    assert json.loads(answer.stdout)["answer"] == ["A", "B"]
    solve = {"rulebook": "kitchen", "rack": ["R9", "B9", "K9", "O2"], "has_melded": False}
    answer = run("solve", "--jsonl", "--house", kitchen, given=json.dumps(solve))
    assert len(json.loads(answer.stdout)["played"]) == 3


NAMED = """id = "kitchen"
version = "1"
base = "tml"
name = { en = "Kitchen table rules", fr = "Règles de cuisine" }
"""


def test_answers_name_the_house_book_not_its_base(tmp_path: Path) -> None:
    file = tmp_path / "kitchen.toml"
    file.write_text(NAMED, encoding="utf-8")
    turn = ["--table", "R1 R2 R3", "--rack", "R4 K9"]
    legal = run("check", "--book", str(file), *turn, "--after", "R1 R2 R3 R4").stdout
    assert "Kitchen table rules: legal" in legal
    assert "Mahjong" not in legal
    assert "Règles de cuisine" in run("solve", "--lang", "fr", "--book", str(file), *turn).stdout
    book = load_house_book(file)
    assert (str(book), book.title("fr")) == ("Kitchen table rules", "Règles de cuisine")
    assert "Kitchen table rules" in to_svg(State.from_position("kitchen / racks R1, ?x14 / turn 1", book))
    refused = run("ruling", "leftover", "leftovers=R1", "pool=5", "--book", str(file))
    assert "Mahjong" not in refused.stdout + refused.stderr
