"""A few hundred random legal games of all books to the end, as `bench/random_games.py` plays them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from meldroom.rules.library import BOOK_IDS, book
from testkit.laws.random_games import BrokenLawError, play_games, play_one
from tests.laws.turns import tiny

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_random_games_keep_every_law_to_the_end(book_id: str, players: int) -> None:
    tally = play_games(book(book_id), players, range(14))
    assert tally.games == sum(tally.endings.values()) == 14
    assert set(tally.endings) <= {"out", "exhausted", "open", "foot", "hand"}


@pytest.mark.parametrize("base", BOOK_IDS)
def test_random_games_of_tiny_books_end_in_every_way(base: str) -> None:
    of = tiny(base, 3, 6, 1, 1, opening={"points": 12})
    tally = play_games(of, 2, range(80))
    ways = {"open", "foot", "hand"} if base == "rummyo" else {"out", "exhausted"}
    assert ways <= set(tally.endings)


def test_a_broken_law_names_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("testkit.laws.random_games.check_view", lambda state, seat: state)
    with pytest.raises(BrokenLawError, match="--book wrc9 --players 2 --first 7 --games 1"):
        play_games(book("wrc9"), 2, [7])


def test_the_command_prints_a_table() -> None:
    words = ["--games", "1", "--book", "rummyo", "--players", "2", "--jobs", "1"]
    done = subprocess.run(
        [sys.executable, ROOT / "bench" / "random_games.py", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    (line,) = (line.split() for line in done.stdout.splitlines() if line.startswith("rummyo"))
    assert line[:3] == ["rummyo", "2", "1"]
    assert "no law was broken" in done.stdout
    assert "1 of 1 games" in done.stderr


def test_the_same_number_is_the_same_game() -> None:
    one, other = (play_one(book("wrc11"), 3, 5) for _ in range(2))
    assert (one.turns, one.actions, one.endings) == (other.turns, other.actions, other.endings)
