"""What the README and the docs show is what the programs print: every example is really run."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*)$", re.MULTILINE)


def transcripts(page: str) -> list[tuple[str, str]]:
    """Every command of a page's console blocks, with the output shown below it."""
    found: list[tuple[str, str]] = []
    for block in CONSOLE.findall((ROOT / page).read_text(encoding="utf-8")):
        parts = COMMAND.split(block)
        found.extend(zip(parts[1::2], (part.removeprefix("\n") for part in parts[2::2]), strict=True))
    return found


def run(command: str, folder: Path) -> str:
    """What a `meldroom` command prints, standard error included."""
    words = shlex.split(command)
    assert words[0] == "meldroom"
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.stdout.decode()


@pytest.mark.parametrize(("command", "shown"), transcripts("README.md"))
def test_readme_shows_what_the_command_prints(command: str, shown: str) -> None:
    assert run(command, ROOT) == shown


def test_readme_has_the_first_check_and_the_first_replay() -> None:
    commands = [command.split()[1] for command, _ in transcripts("README.md")]
    assert "check" in commands
    assert "replay" in commands


def test_the_readmes_first_command_runs_as_written(tmp_path: Path) -> None:
    """`python3 run.py` without arguments serves the pages; the set-up is done already, so it only starts."""
    environment = {**os.environ, "MELDROOM_PORT": "0", "MELDROOM_DATA": str(tmp_path)}
    environment.pop("MELDROOM_PAGES", None)
    with subprocess.Popen(
        [sys.executable, "run.py"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        try:
            greeting = server.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+", greeting)
            assert address is not None, greeting
            with urllib.request.urlopen(address[0], timeout=60) as page:
                assert '<div id="app"' in page.read().decode()
        finally:
            server.terminate()
        assert "every game is kept" in server.stdout.read()
    assert server.returncode == 0


def test_house_book_page_example_loads_and_its_error_is_real(tmp_path: Path) -> None:
    page = (ROOT / "docs/house-books.md").read_text(encoding="utf-8")
    example = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / "kitchen.toml").write_text(example, encoding="utf-8")
    assert "Kitchen table rules" in run("meldroom rules kitchen.toml", tmp_path)
    broken = example.replace("points", "pionts")
    (tmp_path / "kitchen.toml").write_text(broken, encoding="utf-8")
    ((command, shown),) = transcripts("docs/house-books.md")
    assert run(command, tmp_path) == shown


def test_example_program_plays_a_game_that_verifies(tmp_path: Path) -> None:
    script = ROOT / "examples/two_players.py"
    done = subprocess.run([sys.executable, script], capture_output=True, timeout=120, check=True)
    assert b"verified: True" in done.stderr
    (tmp_path / "game.meld").write_bytes(done.stdout)
    assert run("meldroom replay game.meld --verify", tmp_path).startswith("verified: ")
