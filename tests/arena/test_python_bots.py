"""Python classes play in the arena as `module:Class`; one that cannot is named with the reason."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import meldroom
from meldroom.arena import ArenaError, Experiment, load, loads, read, run
from meldroom.arena.bots import check
from meldroom.arena.experiment import Entrant, to_json
from meldroom.cli.app import app
from tests.arena.small import contents

HERE = "tests.arena.own_bots"


def experiment(**bot: Any) -> Experiment:
    """A class against a level, two deals."""
    bots: dict[str, Any] = {"own": {"python": f"{HERE}:Moody", **bot}, "tournament": {}}
    return read({"books": ["wrc11"], "bots": bots, "deals": 2, "seed": "own"})


def test_a_class_is_read_with_its_parameters_and_written_back() -> None:
    made = experiment(lays=0.9)
    assert made.entrant("own") == Entrant("own", parameters={"lays": 0.9}, python=f"{HERE}:Moody")
    assert loads(to_json(made, meldroom.__version__).decode(), json=True) == made


def test_a_class_plays_the_same_games_for_the_same_seed_on_any_number_of_processes(tmp_path: Path) -> None:
    first = run(experiment(), tmp_path / "one")
    run(experiment(), tmp_path / "two", jobs=2)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")
    assert f"the Python class {HERE}:Moody" in (tmp_path / "one/report.html").read_text(encoding="utf-8")
    never = run(experiment(lays=0))
    assert first.rows != never.rows
    assert {seat.plays for row in never.rows for seat in row.seats if seat.place == 0} == {0}


@pytest.mark.parametrize(
    ("reference", "code", "said"),
    [
        ("no_such_module:Bot", "error.no_module", "No module named 'no_such_module'"),
        (f"{HERE}:Nobody", "error.no_class", "has no class “Nobody”"),
        (f"{HERE}:NUMBER", "error.no_class", "has no class “NUMBER”"),
        (f"{HERE}:Wrong.NoSeed", "error.class_failed", "too many positional arguments"),
        (f"{HERE}:Wrong.Broken", "error.class_failed", "LookupError: no weights"),
        (f"{HERE}:Wrong.NoAct", "error.no_act", "no method act"),
    ],
)
def test_a_class_that_cannot_play_is_refused_before_the_first_game(
    reference: str, code: str, said: str
) -> None:
    with pytest.raises(ArenaError) as refused:
        check(experiment(python=reference))
    assert (refused.value.code, refused.value.where) == (code, "bots.own")
    assert said in str(refused.value)


def test_a_parameter_that_the_class_does_not_take_is_named() -> None:
    with pytest.raises(ArenaError, match=r"Moody\(book, seed, speed=3\) .* unexpected keyword .*'speed'"):
        check(experiment(speed=3))


def test_the_example_can_be_played() -> None:
    root = Path(__file__).resolve().parents[2]
    check(load(root / "examples/experiments/own_class.toml"))


@pytest.mark.parametrize("reference", ["Moody", "a b:C", "a:", ":C", "a:C()", "a.:C", 3, "a:" + "C" * 300])
def test_what_is_no_reference_is_refused(reference: Any) -> None:
    with pytest.raises(ArenaError, match=r"^bots\.own\.python: needed: a module and a class"):
        experiment(python=reference)


def test_what_belongs_to_other_bots_cannot_stand_beside_a_class() -> None:
    for key, value in (("seconds", 2), ("level", "patient"), ("two words", 1)):
        with pytest.raises(ArenaError, match=rf"^bots\.own\.{key}: this can't stand beside python"):
            experiment(**{key: value})
    with pytest.raises(ArenaError, match=r"^bots\.own\.python: no such key"):
        experiment(command=["x"])


def test_the_command_finds_a_class_beside_the_experiment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "drawing_bot.py").write_text(
        "from meldroom.game.actions import Draw, Pass\n\n\n"
        "class Drawing:\n"
        "    def __init__(self, book, seed):\n        pass\n\n"
        "    def act(self, view, clock):\n"
        "        return Draw(view.me) if view.pool_size else Pass(view.me)\n"
    )
    (tmp_path / "own.toml").write_text(
        'books = ["wrc11"]\ndeals = 1\nseed = 1\n[bots.tournament]\n'
        '[bots.drawing]\npython = "drawing_bot:Drawing"\n'
    )
    words = ["arena", str(tmp_path / "own.toml"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    done = CliRunner().invoke(app(("arena", "demo")), words)
    assert done.exit_code == 0, done.output
    assert "drawing" in done.stdout
