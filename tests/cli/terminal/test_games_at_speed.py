"""Whole games on the screen against the ladder's own bots, in other books, played by keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from meldroom.cli.terminal.screens.dialogs import Question
from meldroom.cli.terminal.screens.final import FinalScreen
from meldroom.cli.terminal.series import from_ladder
from meldroom.cli.terminal.settings import Settings
from meldroom.record import load, verify
from meldroom.rules.library import book
from tests.cli.terminal.app_under_test import Player, run


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Records are written to the folder one is in."""
    monkeypatch.chdir(tmp_path)


async def game(player: Player) -> None:
    """Hints are laid where there are some; otherwise tiles are drawn and thrown away."""
    if isinstance(player.app.screen, Question):
        await player.press("n")
    for _ in range(400):
        if isinstance(player.app.screen, FinalScreen):
            return
        editor = player.table.editor
        if editor.book.family == "rearranging":
            await player.press("l")
            await player.press("f" if editor.draft.touched else "d")
        elif editor.view.phase == "take":
            await player.press("d")
        else:
            await player.press("space", "f")
    raise AssertionError("the game does not end")


@pytest.mark.parametrize(
    ("name", "levels", "language"),
    [
        ("tml", ("tournament", "beginner"), "fr"),
        ("rummyo", ("tournament",), "en"),
        ("nzrc2024", ("patient",), "en"),
    ],
)
def test_a_whole_game_of_another_book(
    name: str, levels: tuple[str, ...], language: str, tmp_path: Path
) -> None:
    settings = Settings(book=book(name), levels=levels, seed="at speed", pace=0, record=Path("game.meld"))
    given = replace(settings, language="fr") if language == "fr" else settings

    async def play(player: Player) -> None:
        await game(player)
        result = player.table.session.view().result
        assert result is not None
        for score in result.scores:
            assert f"{score:+d}" in player.text
        assert "at speed" in player.text
        assert "game.meld" in player.text
        await player.press("escape")
        assert not isinstance(player.app.screen, FinalScreen)
        await player.press("enter", "a")
        assert not player.table.session.over
        await player.press("q", "w")

    app = run(play, given, make=from_ladder)
    assert app.saved == Path("game.meld")
    report = verify(load(tmp_path / "game.meld"))
    assert report.ok
    assert not report.unchecked
