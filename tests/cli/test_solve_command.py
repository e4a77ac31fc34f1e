"""`meldroom solve` as people call it: every family, both languages, with and without numba."""

from __future__ import annotations

import subprocess
import sys

import pytest


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """The command with these words."""
    command = [sys.executable, "-m", "meldroom", "solve", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_rearranging_book_explains_the_joker_swap_in_french() -> None:
    done = run("--table", "R5 B5 K5 * | R1 R2 R3", "--rack", "O5 K9 B9", "--lang", "fr")
    assert done.returncode == 0
    assert "WRC 11: 3 tuiles, 23 points (optimum prouvé, le moins de combinaisons modifiées)" in done.stdout
    assert "1. Mettez O5 de votre chevalet à la place du joker" in done.stdout


def test_rummyo_claims_the_joker_and_goes_out() -> None:
    done = run("--book", "rummyo", "--table", "R5 R6 *", "--owners", "B", "--rack", "R7 K2 K3 O9")
    assert done.returncode == 0
    assert "discard: O9" in done.stdout
    assert "Rummy-O: OPEN_RUMMY, 3 tiles, 12 points (proven best)" in done.stdout


def test_hints_climb_and_tell_no_more_than_they_should() -> None:
    position = ("--table", "R1 R2 R3 | K9 B9 O9", "--rack", "R4 K5")
    first, second = (run(*position, "--hint", rung).stdout for rung in "12")
    assert "R4" not in first
    assert "R4" in second
    assert "R1" not in second
    nothing = run("--rack", "R4 K5", "--hint", "3").stdout
    assert nothing.strip()
    assert "R4" not in nothing


def test_bad_tile_is_refused_in_one_line() -> None:
    done = run("--rack", "R4 X9")
    assert done.returncode == 2
    assert done.stderr.startswith("meldroom solve: ")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("wish", ["auto", "interpreted", "compiled"])
def test_without_numba_the_solver_answers_unless_it_must_be_compiled(
    wish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MELDROOM_KERNELS", wish)
    program = (
        "import sys; sys.modules['numba'] = None; sys.modules['numpy'] = None;"
        "sys.argv = ['meldroom', 'solve', '--table', 'R1 R2 R3', '--rack', 'R4'];"
        "from meldroom.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False
    )
    if wish == "compiled":
        assert done.returncode == 2
        assert "Install it with: python3 run.py" in done.stderr
    else:
        assert done.returncode == 0, done.stderr
        assert "R1 R2 R3 R4" in done.stdout
