"""A whole game of `meldroom play` by keys alone, in a real terminal emulator of 80×24."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from meldroom.record import load, verify
from tests.cli.terminal.emulator import Emulator

FILE = "evening.meld"


def play(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "meldroom", "play", *arguments]


def waiting(text: str) -> bool:
    """True when the program waits for a key that only a person can give."""
    asked = ("Your turn", "Your last turn", "The pool is empty: open", "Press f to finish")
    return over(text) or any(words in text for words in asked)


def over(text: str) -> bool:
    return "game over" in text


def turn_over(header: str) -> Callable[[str], bool]:
    """True once the header is another one and the program waits again."""
    return lambda text: over(text) or (waiting(text) and text.splitlines()[0] != header)


def answered(text: str) -> bool:
    """True once a hint lies on the table, or there is none."""
    laid = "Press f to finish" in text or "to go out!" in text
    return laid or "You can't" in text or over(text)


def test_a_whole_game_by_keys_alone(tmp_path: Path) -> None:
    command = play("wrc11", "--bot", "tournament", "--seed", "keys alone", "--pace", "0", "--record", FILE)
    turns = 0
    with Emulator(command, tmp_path) as terminal:
        text = terminal.until(lambda text: waiting(text) or "doubles" in text)
        assert "Shuffle committed" in text
        assert "WRC 11" in text
        while not over(text):
            turns += 1
            assert turns < 200
            terminal.press("l")
            text = terminal.until(answered)
            drafted = "Press f to finish" in text or "to go out!" in text
            terminal.press("f" if drafted else "d")
            text = terminal.until(turn_over(text.splitlines()[0]))
        assert turns > 3
        assert "left on the rack" in text or "Winner: collects" in text
        assert "keys alone" in text
        assert FILE in text
        terminal.press("q")
        assert terminal.ended() == 0
    checked = subprocess.run(
        [sys.executable, "-m", "meldroom", "replay", FILE, "--verify"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, "")
    assert "verified" in checked.stdout
    assert "shuffle" in checked.stdout


def test_the_start_page_in_french_and_leaving_with_ctrl_c(tmp_path: Path) -> None:
    command = play("--lang", "fr", "--seed", "no doubles", "--pace", "0")
    with Emulator(command, tmp_path, columns=100, rows=30) as terminal:
        terminal.until(lambda text: "Comment ils jouent" in text)
        terminal.press("enter")
        terminal.until(lambda text: "Mélange engagé" in text)
        terminal.press("\x03")
        terminal.until(lambda text: "Quitter la partie" in text)
        terminal.press("s")
        assert terminal.ended() == 0
    (record,) = tmp_path.glob("*.meld")
    assert verify(load(record)).ok
