"""The OpenSpiel game passes OpenSpiel's own simulations; chance is exact and information is kept apart."""

from __future__ import annotations

import pickle  # noqa: TID251  # OpenSpiel's own tests pickle games and states.
import random
from collections import defaultdict
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]
import pytest
from open_spiel.python.algorithms import (  # type: ignore[import-untyped]
    cfr,
    expected_game_score,
    generate_playthrough,
)
from open_spiel.python.algorithms.get_all_states import get_all_states  # type: ignore[import-untyped]
from open_spiel.python.observation import make_observation  # type: ignore[import-untyped]
from open_spiel.python.policy import UniformRandomPolicy  # type: ignore[import-untyped]
from open_spiel.python.tests import games_sim_test  # type: ignore[import-untyped]

from meldroom.env import EnvError, open_spiel_game
from meldroom.env.open_spiel import book_from, book_text, register
from meldroom.game.state import conserved
from meldroom.rules.library import BOOK_IDS, book
from tests.env.tables import TINY

FIRST = next(iter(TINY))


@pytest.mark.parametrize("codec", ["candidates", "tiles"])
@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_book_passes_a_random_simulation(book_id: str, codec: str) -> None:
    players = 2 + BOOK_IDS.index(book_id) % 3
    options = {"turn_limit": 40} if book_id == "rummyo" else {}
    game = open_spiel_game(book_id, players, codec=codec, **options)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.parametrize("name", TINY)
def test_tiny_books_pass_with_serialisation_and_a_starter_by_chance(name: str) -> None:
    rules = TINY[name]
    options = {"turn_limit": 12} if rules.family == "laying_off" else {}
    game = open_spiel_game(rules, max(2, rules.players.minimum), starter=-1, **options)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@pytest.mark.parametrize(("book_id", "codec"), [("wrc9", "candidates"), ("rummyo", "tiles")])
def test_the_simulation_of_open_spiels_python_tests_passes(book_id: str, codec: str) -> None:
    """It copies, pickles and reads back games and states, and compares returns with their bounds."""
    games_sim_test.GamesSimTest().sim_game(open_spiel_game(book_id, 2, codec=codec, turn_limit=30))


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_a_playthrough_is_what_its_replay_gives(book_id: str, tmp_path: Path) -> None:
    """OpenSpiel's own regression test: every method of every state is called, and written down."""
    register()
    generate_playthrough.flags.FLAGS.mark_as_parsed()
    players = 2 + BOOK_IDS.index(book_id) % 3
    limit = ",turn_limit=12" if book_id == "rummyo" else ""
    written = tmp_path / f"{book_id}.txt"
    name = f"meldroom(book={book_id},players={players}{limit})"
    written.write_text(generate_playthrough.playthrough(name, None, seed=3))
    original, again = generate_playthrough.replay(str(written))
    assert "Returns() = " in original
    assert again == original


def test_states_survive_copying_pickling_and_text() -> None:
    game = open_spiel_game(TINY[FIRST], 2, codec="tiles")
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    chance = random.Random(1)
    state = game.new_initial_state()
    while not state.is_terminal():
        again = pickle.loads(pickle.dumps(state))
        copy = state.clone()
        assert str(again) == str(copy) == str(state)
        action = chance.choice(state.legal_actions())
        assert state.action_to_string(state.current_player(), action)
        state.apply_action(action)
        copy.apply_action(action)
        assert str(copy) == str(state)
        if state.node.state is not None:
            assert conserved(state.node.state)
    assert not state.legal_actions()


def test_every_deal_comes_about_once_and_as_likely_as_any_other() -> None:
    game = open_spiel_game(TINY[FIRST], 2)
    tiles = TINY[FIRST].tiles.size
    deals: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)

    def deal(state: Any, chance: Fraction) -> None:
        if state.node.state is not None:
            deals[state.node.dealt] += chance
            return
        for outcome, probability in state.chance_outcomes():
            deal(state.child(outcome), chance * Fraction(probability).limit_denominator(10_000))

    deal(game.new_initial_state(), Fraction(1))
    expected = {
        (*first, *second)
        for first in combinations(range(tiles), 2)
        for second in combinations(sorted(set(range(tiles)) - set(first)), 2)
    }
    assert set(deals) == expected
    assert len(set(deals.values())) == 1
    assert sum(deals.values()) == 1


def test_an_information_state_has_one_set_of_actions_and_forgets_nothing() -> None:
    """In the whole tree of a tiny book, what a player knows decides what they can do and what they knew."""
    game = open_spiel_game(TINY[FIRST], 2)
    actions: dict[str, list[int]] = {}
    racks: dict[str, tuple[int, ...]] = {}
    before: dict[str, tuple[str, ...]] = {}

    def walk(state: Any, known: tuple[tuple[str, ...], ...]) -> None:
        if state.is_terminal():
            return
        player = state.current_player()
        if player >= 0:
            text = state.information_state_string(player)
            assert actions.setdefault(text, state.legal_actions()) == state.legal_actions()
            assert before.setdefault(text, known[player]) == known[player]
            inner = state.node.state
            rack = inner.faces(inner.racks[player])
            assert racks.setdefault(text, rack) == rack
            known = tuple((*k, text) if p == player else k for p, k in enumerate(known))
        for action in state.legal_actions():
            walk(state.child(action), known)

    walk(game.new_initial_state(), ((), ()))
    assert len(actions) > 50
    assert len(get_all_states(game, depth_limit=-1, include_terminals=False)) > len(actions)


def test_the_observation_is_the_one_of_all_environments() -> None:
    game = open_spiel_game("rummyo", 3)
    state = game.new_initial_state()
    assert not any(state.observation_tensor(0))
    chance = random.Random(2)
    for _ in range(60):
        state.apply_action(chance.choice(state.legal_actions()))
    observation = make_observation(game)
    observation.set_from(state, player=0)
    assert observation.tensor.shape == (game.settings.observer.size,)
    assert np.array_equal(observation.tensor, np.asarray(state.observation_tensor(0), np.float32))
    assert observation.dict["rack"].sum() == observation.dict["rack_sizes"][0]
    assert state.observation_string(0) != state.observation_string(1)


def test_returns_are_the_books_scores_within_the_bounds_named() -> None:
    for reward in ("score", "wins"):
        game = open_spiel_game(TINY[FIRST], 2, reward=reward)
        state, chance = game.new_initial_state(), random.Random(6)
        while not state.is_terminal():
            assert state.returns() == [0, 0]
            state.apply_action(chance.choice(state.legal_actions()))
        result = state.node.state.result
        expected = result.scores if reward == "score" else [float(s in result.winners) for s in (0, 1)]
        assert reward == "wins" or list(state.returns()) == list(expected)
        assert game.min_utility() <= min(state.returns()) <= max(state.returns()) <= game.max_utility()


def test_counterfactual_regret_beats_chance_on_a_tiny_book() -> None:
    game = open_spiel_game(TINY[FIRST], 2)
    solver = cfr.CFRSolver(game)
    for _ in range(3):
        solver.evaluate_and_update_policy()
    root = game.new_initial_state()
    learnt = solver.average_policy()
    uniform = UniformRandomPolicy(game)
    as_first = expected_game_score.policy_value(root, [learnt, uniform])[0]
    by_chance = expected_game_score.policy_value(root, [uniform, uniform])[0]
    assert as_first > by_chance


def test_any_book_can_be_named_in_a_parameter() -> None:
    for rules in (book("tml"), book("wrc11", {"joker_reuse": "any_set"}), *TINY.values()):
        assert book_from(book_text(rules)) == rules
    assert register() == register() == "meldroom"
    assert pyspiel.load_game("meldroom(book=tml,players=3)").num_players() == 3
    with pytest.raises(EnvError, match="-1 for chance"):
        open_spiel_game("wrc11", 2, starter=2)
    with pytest.raises(EnvError, match="played here by"):
        open_spiel_game("wrc11", 6)
