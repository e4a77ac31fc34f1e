"""No kernel counts from the end of an array: compiled, that would read or write somewhere else."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from random import Random

import numpy as np
import pytest

from meldroom.bots import Clock, Playouts, bot, make_bot, play
from meldroom.bots.answers import apply_answer
from meldroom.env import vector_env
from meldroom.game import Shuffle, new_game, view
from meldroom.rules.library import book
from meldroom.solver import solve_faces
from meldroom.solver.counting.chances import Box, racks_that_go_out
from meldroom.solver.kernel import mode
from testkit.solver.oracles import tiny
from testkit.solver.positions import random_position
from tests.env.tables import SMALL

KERNELS = ("best_play", "playouts", "play_on", "last_draws", "ways_out", "frontiers", "many_games")


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kernels run on arrays that refuse negative indices."""
    before = mode.current()
    mode.choose("interpreted")
    for name in KERNELS:
        made = import_module(f"testkit.solver.strict_kernels.{name}")
        monkeypatch.setitem(mode._loaded, ("interpreted", name), made)
    yield
    mode.choose(before)


def test_the_arrays_are_strict() -> None:
    array = mode.kernel("best_play").zeros(3)
    assert array[2] == 0
    with pytest.raises(IndexError, match="-1 counts from the end"):
        array[-1]
    with pytest.raises(IndexError, match="-1 counts from the end"):
        array[-1] = 1


@pytest.mark.parametrize("jokers", [0, 2, 4])
def test_solving(jokers: int) -> None:
    rules, rng = book("tml", {"jokers": 4}), Random(jokers)
    laid = 0
    for size in (0, 30, 90):
        table, rack = random_position(rules, rng, size, 16, jokers, swap=0.2)
        laid += solve_faces(rules, table, rack).tiles
    assert laid > 9


def test_imagined_games_and_last_draws() -> None:
    rules, shuffle = book("wrc11"), Shuffle("indices")
    before = [make_bot("patient", rules) for _ in range(2)]
    state, _ = new_game(rules, ["Ada", "Bo"], shuffle, starter=0)
    mode.choose("compiled" if mode.can_compile() else "interpreted")
    while len(state.pool) > 4 or not all(state.melded):
        state, _ = apply_answer(state, before[state.seat].act(view(state, state.seat), Clock()), shuffle)
    mode.choose("interpreted")
    assert sum(Playouts(view(state, 0), styles="holds").more(1).wins) == 1
    master = make_bot("master", rules)
    before_it = sum(state.turns)
    state, _ = apply_answer(state, master.act(view(state, state.seat), Clock()), shuffle)
    assert sum(state.turns) == before_it + 1


def test_rummy_o() -> None:
    record = play("rummyo", [bot("master"), bot("club")], seed=1)
    assert record.headers.players == ("master", "club")


def test_counting_racks() -> None:
    [counts] = racks_that_go_out(Box.of(tiny("tml", "KRB", 6, 1, 0)), 0)
    assert counts[3] > 10


def test_many_games() -> None:
    env, chance, over = vector_env(2, SMALL["the kernel's, any_set"], 2), np.random.default_rng(1), 0
    _, info = env.reset(seed=4)
    for _ in range(30):
        mask = info["action_mask"]
        _, _, ended, _, info = env.step((chance.random(mask.shape) * mask).argmax(axis=1))
        over += int(ended.sum())
    assert over > 3
