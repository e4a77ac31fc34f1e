"""The training examples run, with fewer steps, and learn something."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def run(name: str, *options: str) -> str:
    """What an example prints."""
    command = [sys.executable, str(EXAMPLES / name), *options]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=200).stdout


def test_candidates_are_trained_against_a_bot() -> None:
    printed = run(
        "train_candidates.py",
        "--book",
        "tml",
        "--rounds",
        "2",
        "--policies",
        "4",
        "--games",
        "1",
        "--test-games",
        "3",
    )
    assert printed.count("round ") == 2
    assert re.search(r"games won against tournament: \d+% before \(most tiles\), \d+% after", printed)


def test_many_games_at_once_train_a_policy_that_meets_club() -> None:
    sizes = ("--rounds", "2", "--policies", "4", "--steps", "40", "--test-games", "2", "--book", "tml")
    printed = run("train_against_club.py", *sizes)
    assert printed.count("round ") == 2
    assert re.search(r"tml: [0-2] of 2 games won against club \(\d+%, 95 % interval \d+% to \d+%\)", printed)


def test_a_tiny_book_is_solved_by_counterfactual_regret() -> None:
    printed = run("train_tabular.py", "--iterations", "2", "--jokers", "0")
    gaps = [float(gap) for gap in re.findall(r"NashConv ([0-9.]+)", printed)]
    assert gaps[-1] < gaps[0] / 2
