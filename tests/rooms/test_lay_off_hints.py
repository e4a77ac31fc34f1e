"""Hints for Rummy-O: which tile to take, what can be laid, what to throw away; in both languages."""

from __future__ import annotations

import random

from meldroom.game import Shuffle, apply, new_game, view
from meldroom.game.legal.actions import legal
from meldroom.i18n import Language
from meldroom.rooms.worker.hints import HintCache
from meldroom.rules.library import book
from meldroom.solver.lay_off.hints import lay_off_ladder

RUMMYO = book("rummyo")
LANGUAGES: tuple[Language, ...] = ("en", "fr")


def test_every_moment_of_a_game_has_a_ladder_that_ends_with_what_to_do() -> None:
    state, _ = new_game(RUMMYO, ["Ada", "Ben"], Shuffle("hints"))
    chance = random.Random(5)
    sizes = set()
    for _ in range(60):
        if state.over:
            break
        seen = view(state, state.seat)
        english, french = (lay_off_ladder(RUMMYO, seen, language) for language in LANGUAGES)
        assert len(english) == len(french)
        assert all(one != other for one, other in zip(english, french, strict=True))
        sizes.add(len(english))
        state, _ = apply(state, legal(state).sample(chance), Shuffle("hints"))
    assert {1, 2} <= sizes


def test_the_last_rung_is_given_where_a_higher_one_is_asked_for() -> None:
    state, _ = new_game(RUMMYO, ["Ada", "Ben"], Shuffle("hints"))
    hinting = HintCache()
    step = hinting.step(RUMMYO, view(state, state.seat), 9, "en")
    assert step.step == step.steps
    assert "begin by discarding a tile" in step.text
    assert hinting.step(RUMMYO, view(state, state.seat), 1, "fr").text != step.text
