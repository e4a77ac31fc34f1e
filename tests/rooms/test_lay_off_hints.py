"""Hints for Rummy-O: which tile to take, what can be laid, what to throw away; in both languages."""

from __future__ import annotations

import random

from meldroom.bots.advice import advise
from meldroom.game import Shuffle, apply, new_game, view
from meldroom.game.legal.actions import legal
from meldroom.rooms.worker.hints import HintCache
from meldroom.rules.library import book

RUMMYO = book("rummyo")


def test_every_moment_of_a_game_has_a_ladder_that_ends_with_what_to_do() -> None:
    state, _ = new_game(RUMMYO, ["Ada", "Ben"], Shuffle("hints"))
    chance = random.Random(5)
    sizes = set()
    for _ in range(60):
        if state.over:
            break
        seen = view(state, state.seat)
        advice = advise(RUMMYO, seen)
        for number in range(1, len(advice.hints) + 1):
            assert advice.text(number, "en") != advice.text(number, "fr")
        sizes.add(len(advice.hints))
        state, _ = apply(state, legal(state).sample(chance), Shuffle("hints"))
    assert {1, 2} <= sizes


def test_the_last_rung_is_given_where_a_higher_one_is_asked_for() -> None:
    state, _ = new_game(RUMMYO, ["Ada", "Ben"], Shuffle("hints"))
    hinting = HintCache()
    step = hinting.step(RUMMYO, view(state, state.seat), 9, "en")
    assert step.step == step.steps
    assert step.text.startswith("Discard ")
    assert [line.discard for line in step.lines] != [None]
    assert hinting.step(RUMMYO, view(state, state.seat), 1, "fr").text != step.text
