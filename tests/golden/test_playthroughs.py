"""Golden playthroughs of the five books: the committed actions lead to the committed events and positions."""

from __future__ import annotations

from pathlib import Path

import pytest

from meldroom.rules.library import BOOK_IDS
from tests.golden.playthrough import FOLDER, read, written
from tests.golden.regenerate import GAMES

FILES = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_golden_game_is_played_again_event_by_event(path: Path) -> None:
    golden, actions = read(path)
    again = written(golden, actions).splitlines()
    committed = path.read_text(encoding="utf-8").splitlines()
    for number, (old, new) in enumerate(zip(committed, again, strict=False), start=1):
        assert old == new, f"{path.name} differs from line {number} on"
    assert len(committed) == len(again)


def test_every_book_has_a_golden_game_and_every_table_size() -> None:
    assert [game.path for game in GAMES] == [path for game in GAMES for path in FILES if path == game.path]
    assert len(FILES) == len(GAMES)
    assert {game.book for game in GAMES} == set(BOOK_IDS)
    assert {game.players for game in GAMES} == {2, 3, 4}
