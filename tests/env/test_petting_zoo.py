"""The PettingZoo environment passes PettingZoo's own tests, and says what it is."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test  # type: ignore[import-untyped]

from meldroom.env import ACTION_VERSION, OBSERVATION_VERSION, EnvError, aec_env
from meldroom.env.petting_zoo import MeldroomAEC
from tests.env.tables import SMALL, TABLES, TINY


def play(env: MeldroomAEC, seed: int) -> tuple[dict[str, float], int]:
    """A random game to the end: the sum of each agent's rewards as `last` gives them, and the steps."""
    env.reset(seed=seed)
    chance = np.random.default_rng(seed)
    total = dict.fromkeys(env.possible_agents, 0.0)
    steps = 0
    for agent in env.agent_iter(100_000):
        observation, reward, terminated, truncated, info = env.last()
        total[agent] += reward
        mask = observation["action_mask"] if isinstance(observation, dict) else info.get("action_mask")
        over = terminated or truncated
        env.step(None if over else chance.choice(np.flatnonzero(mask)))
        steps += 1
    return total, steps


@pytest.mark.parametrize(("book_id", "codec", "players"), TABLES)
def test_every_book_passes_the_api_test_and_the_seed_test(book_id: str, codec: str, players: int) -> None:
    api_test(aec_env(book_id, players, codec=codec), num_cycles=30)
    seed_test(lambda: aec_env(book_id, players, codec=codec), num_cycles=20)


@pytest.mark.parametrize("name", [*TINY, *SMALL])
def test_tiny_books_pass_too(name: str) -> None:
    rules = TINY.get(name) or SMALL[name]
    players = max(2, rules.players.minimum)
    api_test(aec_env(rules, players), num_cycles=30)
    seed_test(lambda: aec_env(rules, players, codec="tiles"), num_cycles=20)


def test_masks_and_features_may_be_in_the_observation() -> None:
    env = aec_env("tml", 2, observation="dict")
    env.reset(seed=5)
    observation, _, _, _, info = env.last()
    assert env.observation_space("player_0").contains(observation)
    assert set(observation) == {"observation", "action_mask", "candidates"}
    assert info == {}
    other = next(agent for agent in env.agents if agent != env.agent_selection)
    assert not env.observe(other)["action_mask"].any()
    assert set(aec_env("tml", 2, codec="tiles", observation="dict").observation_space("player_0")) == {
        "observation",
        "action_mask",
    }
    total, _ = play(env, 5)
    assert sum(total.values()) == 0
    with pytest.raises(EnvError, match="the game is over"):
        env.step(0)


def test_metadata_names_book_codec_and_versions() -> None:
    metadata = aec_env("rummyo", 3, codec="tiles", reward="wins").metadata
    assert metadata["observation_version"] == OBSERVATION_VERSION
    assert metadata["action_version"] == ACTION_VERSION
    assert (metadata["book"], metadata["codec"], metadata["reward"]) == ("rummyo", "tiles", "wins")


@pytest.mark.parametrize("book_id", ["wrc11", "rummyo"])
def test_rewards_are_the_final_scores_or_wins(book_id: str) -> None:
    env = aec_env(book_id, 3)
    total, _ = play(env, 2)
    result = env.episode.state.result
    assert result is not None
    assert list(total.values()) == list(map(float, result.scores))
    won, _ = play(aec_env(book_id, 3, reward="wins"), 2)
    assert [bool(value) for value in won.values()] == [seat in result.winners for seat in range(3)]
    assert sum(won.values()) == pytest.approx(1 if result.winners else 0)


def test_shaping_adds_what_leaves_the_rack_and_sums_to_first_less_last() -> None:
    env = aec_env("wrc11", 2, shaping=0.5, reward="wins")
    env.reset(seed=3)
    book = env.settings.book
    first = [sum(book.values[f] for f in env.episode.state.faces(r)) for r in env.episode.state.racks]
    total, _ = play(env, 3)
    state = env.episode.state
    last = [sum(book.values[f] for f in state.faces(rack)) for rack in state.racks]
    for seat, agent in enumerate(env.possible_agents):
        won = float(state.result is not None and seat in state.result.winners)
        assert total[agent] == pytest.approx(won + 0.5 * (first[seat] - last[seat]))


def test_everything_follows_from_the_seed() -> None:
    first, second = aec_env("wrc9", 4), aec_env("wrc9", 4)
    assert play(first, 11) == play(second, 11)
    first.reset()
    second.reset()
    assert first.episode.state == second.episode.state
    first.reset(seed=1)
    second.reset(seed=2)
    assert first.episode.state != second.episode.state


def test_the_starter_can_be_chosen_and_a_game_is_told() -> None:
    env = aec_env("wrc11", 3, render_mode="ansi")
    with pytest.raises(EnvError, match="reset"):
        env.step(0)
    env.reset(seed=1, options={"starter": 2})
    assert env.agent_selection == "player_2"
    assert "own rack:" in (env.render() or "")
    with pytest.raises(EnvError, match="cannot be taken"):
        env.step(31)
    with pytest.raises(EnvError, match="needs an action"):
        env.step(None)
    with pytest.raises(EnvError, match="seat"):
        env.reset(seed=1, options={"starter": 3})


def test_a_game_broken_off_is_truncated_and_counted() -> None:
    env = aec_env("rummyo", 2, turn_limit=6)
    total, _ = play(env, 4)
    assert env.episode.truncated
    assert all(value < 0 for value in total.values())
