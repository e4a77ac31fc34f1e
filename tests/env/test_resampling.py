"""A resampled state looks the same to its player, can have come about, and is as likely as any other."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pyspiel  # type: ignore[import-not-found]
import pytest
from open_spiel.python.algorithms import ismcts, mcts  # type: ignore[import-untyped]

from meldroom.env import open_spiel_game
from meldroom.game import events as ev
from meldroom.game.state import conserved
from tests.env.tables import TINY


def states(book: Any, players: int, seed: int, **options: Any) -> list[Any]:
    """The decisions of a random game."""
    chance = random.Random(seed)
    state = open_spiel_game(book, players, **options).new_initial_state()
    met = []
    while not state.is_terminal():
        if not state.is_chance_node():
            met.append(state.clone())
        state.apply_action(chance.choice(state.legal_actions()))
    return met


def could_be(state: Any) -> None:
    """Fails unless every tile a seat released was dealt to it or drawn by it before."""
    inner, events = state.node.state, state.node.events
    stock: set[int] = set(inner.book.tiles.every_tile)
    hands: list[set[int]] = []
    pile: list[int] = []
    for event in events:
        match event:
            case ev.Dealt():
                hands = [set(rack) for rack in event.racks]
                stock -= {tile for hand in hands for tile in hand}
                assert stock == set(event.pool)
            case ev.Drew() | ev.Took(source="stock"):
                stock.remove(event.tile)
                hands[event.seat].add(event.tile)
            case ev.Took():
                assert pile.pop() == event.tile
                hands[event.seat].add(event.tile)
            case ev.Laid() | ev.Played():
                assert set(event.tiles) <= hands[event.seat]
                hands[event.seat] -= set(event.tiles)
            case ev.Discarded():
                hands[event.seat].remove(event.tile)
                pile.append(event.tile)
            case ev.Reshuffled():
                assert not stock
                stock = set(event.stock)
                assert stock == set(pile[:-1])
                pile = pile[-1:]
            case _:
                pass
    assert [set(rack) for rack in inner.racks] == hands
    assert set(inner.pool) == stock


@pytest.mark.parametrize(
    ("book", "players", "codec", "seed"),
    [
        ("wrc11", 2, "candidates", 8),
        ("tml", 3, "tiles", 8),
        ("rummyo", 2, "candidates", 9),
        ("rummyo", 4, "candidates", 8),
    ],
)
def test_a_player_cannot_tell_the_state_from_the_real_one(
    book: str, players: int, codec: str, seed: int
) -> None:
    sampler = random.Random(3).random
    met = states(book, players, seed, codec=codec, turn_limit=260)
    assert book != "rummyo" or any(state.node.state.reshuffles for state in met)
    changed = 0
    for state in met[:: max(1, len(met) // 25)]:
        could_be(state)
        for player in range(players):
            other = state.resample_from_infostate(player, sampler)
            could_be(other)
            assert conserved(other.node.state)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            if player == state.current_player():
                assert other.legal_actions() == state.legal_actions()
            changed += other.node.state.racks != state.node.state.racks
            again = other.resample_from_infostate(player, sampler)
            assert again.information_state_string(player) == state.information_state_string(player)
    assert changed > 5


def test_every_hidden_tile_is_as_likely_on_the_others_rack() -> None:
    state = states("wrc11", 2, 2)[0]
    player = state.current_player()
    inner = state.node.state
    sampler = random.Random(1).random
    met: Counter[int] = Counter()
    for _ in range(1500):
        met.update(state.resample_from_infostate(player, sampler).node.state.racks[1 - player])
    hidden = set(inner.pool) | set(inner.racks[1 - player])
    assert set(met) == hidden
    expected = 1500 * len(inner.racks[1 - player]) / len(hidden)
    assert max(abs(count - expected) for count in met.values()) < 6 * expected**0.5


@pytest.mark.parametrize("book", ["tml", next(iter(TINY.values()))], ids=["tml", "tiny"])
def test_open_spiels_search_plays_a_few_moves(book: Any) -> None:
    game = open_spiel_game(book, 2)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=evaluator,
        uct_c=50.0,
        max_simulations=4,
        max_world_samples=3,
        random_state=np.random.RandomState(2),
    )
    chance, state = random.Random(5), game.new_initial_state()
    moves = 0
    while not state.is_terminal() and moves < 4:
        if state.is_chance_node():
            state.apply_action(chance.choice([outcome for outcome, _ in state.chance_outcomes()]))
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
            moves += 1
    assert moves
    sampled = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    assert sampled.information_state_string(0) == state.information_state_string(0)


class Even(mcts.Evaluator):  # type: ignore[misc]
    """Expects nothing of any state, so that a whole game is searched in seconds."""

    def evaluate(self, state: Any) -> Any:
        return np.zeros(state.get_game().num_players())

    def prior(self, state: Any) -> list[tuple[int, float]]:
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


@pytest.mark.parametrize(("book", "players"), [("tml", 2), ("wrc11", 3), ("rummyo", 2)])
def test_open_spiels_search_plays_a_whole_game(book: str, players: int) -> None:
    game = open_spiel_game(book, players, **({"turn_limit": 40} if book == "rummyo" else {}))
    bots = [
        ismcts.ISMCTSBot(
            game=game,
            evaluator=Even(),
            uct_c=50.0,
            max_simulations=5,
            max_world_samples=3,
            random_state=np.random.RandomState(seat),
        )
        for seat in range(players)
    ]
    chance, state = random.Random(6), game.new_initial_state()
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])
        else:
            state.apply_action(bots[state.current_player()].step(state))
            moves += 1
    assert moves > 15
    assert state.returns() == list(state.node.state.result.scores)
