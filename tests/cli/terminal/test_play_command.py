"""What `meldroom play` refuses before a screen is opened, each with one clear line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.cli.app import app
from meldroom.cli.play import play

RUNNER = CliRunner()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["wrc12"], "no rule book"),
        (["wrc11", "--bot", "genius"], "the levels are beginner, learner"),
        (["wrc11", "--players", "5"], "2 to 4 players, not 5"),
        (["wrc11", "--players", "2", "--bot", "club", "--bot", "club"], "only 1 of 2 seats"),
        (["wrc11", "--book", "kitchen.toml"], "not both"),
        (["--book", "nowhere.toml"], "nowhere.toml"),
        (["nowhere.toml"], "nowhere.toml"),
        (["tml", "--clock"], "has no clock"),
        (["wrc11", "--name", " "], "a name has 1 to 60"),
        (["wrc11", "--seed", ""], "a seed needs"),
        (["wrc11", "--option", "nonsense=1"], "no such option"),
        (["wrc11", "--lang", "fr", "--players", "9"], "de 2 à 4 joueurs, pas à 9"),
        (["wrc11"], "a terminal is needed"),
    ],
)
def test_a_wrong_request_is_one_line(arguments: list[str], said: str) -> None:
    answer = RUNNER.invoke(app(["play"]), ["play", *arguments])
    assert answer.exit_code == 2
    assert said in answer.stderr
    assert answer.stderr.count("\n") == 1


def test_a_record_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "old.meld"
    file.write_text("something")
    answer = RUNNER.invoke(app(["play"]), ["play", "wrc11", "--record", str(file)])
    assert answer.exit_code == 2
    assert "exists already" in answer.stderr
    assert file.read_text() == "something"


def test_help_has_examples() -> None:
    answer = RUNNER.invoke(app(["play"]), ["play", "--help"])
    assert answer.exit_code == 0
    assert "meldroom play wrc11 --bot master" in answer.stdout
    assert play.__doc__ is not None
