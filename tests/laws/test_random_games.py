"""A few hundred random legal games of all books to the end, played by `bench/random_games.py`."""

from __future__ import annotations

import pytest

from bench.random_games import BrokenLawError, Tally, main, play_games, play_one, table
from meldroom.rules.library import BOOK_IDS, book
from tests.laws.turns import tiny


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
    monkeypatch.setattr("bench.random_games.check_view", lambda state, seat: state)
    with pytest.raises(BrokenLawError, match="--book wrc9 --players 2 --first 7 --games 1"):
        play_games(book("wrc9"), 2, [7])


def test_the_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "1", "--book", "rummyo", "--players", "2", "--jobs", "1"]) == 0
    shown = capsys.readouterr()
    assert "rummyo" in shown.out
    assert "no law was broken" in shown.out
    assert "1 of 1 games" in shown.err


def test_the_same_number_is_the_same_game() -> None:
    one, other = (play_one(book("wrc11"), 3, 5) for _ in range(2))
    assert (one.turns, one.actions, one.endings) == (other.turns, other.actions, other.endings)
    total = Tally()
    total.add(one)
    assert "wrc11" in table({("wrc11", 3): total})
