"""On a fresh install an environment compiles the kernels; a game says that they are not compiled."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from meldroom import bot, play
from meldroom.bots import play_game
from meldroom.env import aec_env, gym_env, open_spiel_game
from meldroom.game import Shuffle
from meldroom.rules.library import book
from meldroom.solver.kernel import mode


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """A machine that can compile and has not; the list says what was compiled."""
    before = mode.current()
    compiled: list[str] = []
    monkeypatch.delenv(mode.VARIABLE, raising=False)
    monkeypatch.setattr(mode, "can_compile", lambda: True)
    monkeypatch.setattr(mode, "is_compiled_on_disk", lambda: False)
    monkeypatch.setattr(mode, "_said", False)

    def compile_all(report: Any = None) -> float:
        compiled.append("everything")
        monkeypatch.setattr(mode, "is_compiled_on_disk", lambda: True)
        return 0.0

    monkeypatch.setattr(mode, "compile_all", compile_all)
    mode.choose("auto")
    yield compiled
    mode.choose(before)


@pytest.mark.parametrize(
    ("package", "make"),
    [("gymnasium", gym_env), ("pettingzoo", aec_env), ("pyspiel", open_spiel_game)],
    ids=["gym", "aec", "open_spiel"],
)
def test_an_environment_compiles_first(fresh: list[str], package: str, make: Callable[..., Any]) -> None:
    pytest.importorskip(package)
    pytest.importorskip("numba")
    make("tml", 2)
    assert fresh == ["everything"]
    assert mode.current() == "compiled"


def test_an_environment_keeps_a_mode_that_was_chosen(fresh: list[str]) -> None:
    pytest.importorskip("gymnasium")
    mode.choose("interpreted")
    gym_env("tml", 2)
    assert not fresh
    assert mode.current() == "interpreted"


def test_a_game_says_once_that_it_could_be_faster(fresh: list[str], caplog: pytest.LogCaptureFixture) -> None:
    rules = book("tml")
    with caplog.at_level(logging.WARNING):
        play("tml", ["beginner", "beginner"], seed=1)
        play_game(rules, [bot("beginner")(rules, str(seat)) for seat in (0, 1)], Shuffle("x"))
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == 1
    assert "python -m meldroom.solver compile" in said[0]
    assert not fresh


def test_a_game_says_nothing_where_the_mode_was_chosen(
    fresh: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    mode.choose("interpreted")
    play("tml", ["beginner", "beginner"], seed=1)
    assert not caplog.records
    assert not fresh
