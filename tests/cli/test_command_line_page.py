"""`docs/command-line.md`: its examples are run, its tables name every command, status and variable."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from meldroom.cli import error_handling
from meldroom.cli.app import COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
TRANSCRIPTS = re.findall(r"^```console\n\$ (.*)\n((?:.*\n)*?)```", PAGE, re.MULTILINE)
ROWS = dict(re.findall(r"^\| `(\w+)` \| .* \| `(meldroom .*)` \|$", PAGE, re.MULTILINE))
VARIABLE = re.compile(r"\b(?:MELDROOM_[A-Z]+|NO_COLOR|COLORFGBG|XDG_DATA_HOME|LOCALAPPDATA)\b")
NOT_RUN = {"serve", "site", "play", "arena", "corpus", "puzzles", "championship", "league"}
NOT_RUN |= {"config", "migrate", "backup", "restore", "move", "admin", "worker"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the page's examples name."""
    ((house),) = re.findall(r"^```toml\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    (tmp_path / "kitchen.toml").write_text(house, encoding="utf-8")
    shutil.copy(ROOT / "examples" / "records" / "matchbox.meld", tmp_path / "game.meld")
    return tmp_path


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A line of the page: a `meldroom` command, perhaps with a line of input before it."""
    given = ""
    if command.startswith("echo "):
        said, command = command.removeprefix("echo ").rsplit(" | ", 1)
        (given,) = shlex.split(said)
    words = shlex.split(command)
    assert words[0] == "meldroom"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )


@pytest.mark.parametrize(("command", "shown"), TRANSCRIPTS)
def test_an_example_prints_what_the_page_shows(command: str, shown: str, folder: Path) -> None:
    done = run(command, folder)
    assert (done.stdout + done.stderr) == shown


def test_every_command_has_a_line() -> None:
    assert tuple(ROWS) == COMMANDS


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in NOT_RUN])
def test_the_example_of_a_command_runs(command: str, folder: Path) -> None:
    done = run(ROWS[command].replace("\\|", "|"), folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_every_exit_status_is_listed() -> None:
    listed = set(map(int, re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)))
    names = ("FAILED", "REFUSED", "UNWRITABLE", "INTERRUPTED", "PIPE_CLOSED")
    assert listed == {0, *(getattr(error_handling, name) for name in names)}


def test_every_variable_that_the_programs_read_is_listed() -> None:
    read = {
        name
        for path in (ROOT / "src" / "meldroom").rglob("*.py")
        for name in VARIABLE.findall(path.read_text(encoding="utf-8"))
    }
    assert read == set(VARIABLE.findall(PAGE))


def test_completion_offers_commands_options_and_books() -> None:
    def completed(*words: str) -> list[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT / "src"),
            "_MELDROOM_COMPLETE": "complete_bash",
            "COMP_WORDS": shlex.join(["meldroom", *words]),
            "COMP_CWORD": str(len(words)),
        }
        done = subprocess.run(
            [sys.executable, "-m", "meldroom"], capture_output=True, text=True, check=False, env=environment
        )
        assert done.stderr == ""
        return done.stdout.split()

    assert completed("ch") == ["check", "championship"]
    assert "--table" in completed("check", "--ta")
    assert completed("check", "--book", "wrc") == ["wrc9", "wrc11"]
    assert completed("check", "--lang", "f") == ["fr"]
    assert completed("ruling", "final") == ["final_turns"]
