"""Observations, masks and candidates are the same when what the seat may not see is resampled."""

from __future__ import annotations

import random

import numpy as np
import pytest

from meldroom.env.codecs.codec import Decision, make_codec
from meldroom.env.episode import Episode, settings
from meldroom.game import State, view
from meldroom.game.actions import Action
from meldroom.rules.library import BOOK_IDS, book
from testkit.laws.invariants import resampled
from tests.env.tables import moments


def same(first: Decision | Action, second: Decision | Action, chance: random.Random) -> None:
    """Two decisions offer the same, to the end of the turn, and come to the same action."""
    while not isinstance(first, Action) and not isinstance(second, Action):
        assert (first.mask == second.mask).all()
        assert (first.stage, first.chosen) == (second.stage, second.chosen)
        if first.features is not None and second.features is not None:
            assert (first.features == second.features).all()
        number = chance.choice(np.flatnonzero(first.mask).tolist())
        assert first.action_text(number) == second.action_text(number)
        first, second = first.after(number), second.after(number)
    assert first == second


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_what_a_seat_is_given_does_not_depend_on_what_it_may_not_see(book_id: str) -> None:
    made = settings(book_id, 3)
    codecs = [make_codec(name, book(book_id)) for name in ("candidates", "tiles")]
    chance = random.Random(book_id)
    differing = 0
    for number, moment in enumerate(moments(Episode(made, book_id), chance)):
        if moment.over or number % 7:
            continue
        for seat in range(3):
            other: State = resampled(moment.state, seat, chance)
            differing += other != moment.state
            seen, again = view(moment.state, seat), view(other, seat)
            assert (made.observer.observe(seen) == made.observer.observe(again)).all()
        for codec in codecs:
            codec_again = make_codec(codec.name, book(book_id))  # It remembers nothing of the other state.
            other = resampled(moment.state, moment.seat, chance)
            first = codec.begin(view(moment.state, moment.seat))
            same(first, codec_again.begin(view(other, moment.seat)), chance)
    assert differing > 3


def test_unseen_tiles_are_those_in_the_pool_and_on_the_others_racks() -> None:
    for book_id in ("wrc11", "rummyo"):
        made = settings(book_id, 4)
        for moment in moments(Episode(made, "unseen"), random.Random(4)):
            if moment.over:
                break
            parts = made.observer.split(moment.observe(moment.seat))
            state = moment.state
            others = [rack for seat, rack in enumerate(state.racks) if seat != moment.seat]
            hidden = state.faces((*state.pool, *(tile for rack in others for tile in rack)))
            assert parts["unseen"].tolist() == [hidden.count(face) for face in range(made.observer.faces)]
            assert parts["rack"].sum() == parts["rack_sizes"][0]
            assert parts["to_move"].tolist() == [1, 0, 0, 0]
