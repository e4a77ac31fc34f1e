"""The vector environment plays the games of the single one: same seeds and actions, same answers."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from numpy.typing import NDArray

from meldroom.env import EnvError, gym_env, vector_env
from meldroom.env.gym import register
from meldroom.env.kernel_games import OPPONENTS
from meldroom.env.vector import MeldroomVectorEnv
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from meldroom.solver.kernel import mode

FREE = {"joker_reuse": "any_set"}
SMALL = house_book(
    {
        "id": "small-free",
        "version": "1",
        "base": "wrc11",
        "tiles": {"colours": ["K", "R", "B"], "numbers": 7, "copies": 2, "jokers": 2},
        "deal": {"tiles": 6, "starter_tiles": 6},
        "opening": {"points": 12},
        "jokers": {"reuse": "any_set"},
    }
)
"""Small enough for the pool to run out, with jokers everywhere."""
_DEAR = {
    **(SMALL.house or {}),
    "id": "dear",
    "opening": {"points": 20},
    "scoring": {"unmelded": 3, "unmelded_able": 5},
}
DEAR, DEAR_V1 = house_book(_DEAR), house_book({**_DEAR, "id": "dear-1", "base_version": "1"})
"""Hard to open, and cheap not to have: where the pool runs out, who can win differs (R37)."""


def choose(masks: NDArray[np.int8], chance: np.random.Generator) -> NDArray[np.int64]:
    """A random allowed number each, and now and then one that the mask forbids."""
    chosen = (chance.random(masks.shape) * (masks + 1e-3)).argmax(axis=1)
    return np.where(chance.random(len(masks)) < 0.3, 0, chosen)


def same(one: Any, other: Any) -> bool:
    """True for equal arrays, of objects too."""
    return bool(np.array_equal(one, other)) if one.dtype != object else one.tolist() == other.tolist()


def compare(rules: RuleBook, players: int, steps: int, games: int = 4, seed: int = 40, **options: Any) -> int:
    """Plays both environments side by side; returns how many games ended."""
    many = vector_env(games, rules, players, shaping=0.5, **options)
    single = SyncVectorEnv([lambda: gym_env(rules, players, shaping=0.5, **options)] * games)
    chance = np.random.default_rng(5)
    (seen, info), (expected, told) = many.reset(seed=seed), single.reset(seed=seed)
    ended = 0
    for _ in range(steps):
        assert np.array_equal(seen, expected)
        assert info.keys() == told.keys()
        assert [key for key in told if not same(info[key], told[key])] == []
        actions = choose(info["action_mask"], chance)
        seen, rewards, over, cut, info = many.step(actions)
        expected, wanted, single_over, single_cut, told = single.step(actions)
        assert rewards.tolist() == wanted.tolist()
        assert over.tolist() == single_over.tolist()
        assert cut.tolist() == single_cut.tolist()
        ended += int(over.sum())
    return ended


@pytest.mark.parametrize(
    ("rules", "players", "steps", "options"),
    [
        (book("tml"), 2, 150, {"opponents": "tournament"}),
        (book("tml", {"must_play_if_able": True}), 3, 80, {"opponents": ["patient", "beginner"]}),
        (book("wrc11", FREE), 2, 100, {"opponents": "patient", "reward": "wins"}),
        (book("wrc9", FREE), 4, 50, {"opponents": ["beginner", "tournament", "patient"], "seat": 2}),
        (book("nzrc2024", {**FREE, "final_turns_start": "drawer"}), 2, 60, {"opponents": "beginner"}),
        (SMALL, 3, 150, {"opponents": "patient", "slots": 6}),
        (DEAR, 3, 150, {"opponents": "beginner"}),
        (DEAR_V1, 3, 150, {"opponents": "beginner"}),
    ],
    ids=lambda value: value.id if isinstance(value, RuleBook) else None,
)
def test_games_are_those_of_the_single_environment(
    rules: RuleBook, players: int, steps: int, options: dict[str, Any]
) -> None:
    assert compare(rules, players, steps, **options) > 0


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("book_id", ["wrc9", "wrc11", "nzrc2024", "tml"])
def test_every_rearranging_book_is_played_by_two_to_four(book_id: str, players: int) -> None:
    rules = book(book_id, FREE if book_id != "tml" else {})
    mixed = (OPPONENTS * 2)[players - 2 : 2 * players - 3]
    compare(rules, players, 24, games=3, opponents=mixed, seed=len(book_id) + players)


def test_interpreted_kernels_play_the_same_games() -> None:
    before = mode.current()
    mode.choose("interpreted")
    try:
        assert compare(SMALL, 2, 40, games=2, opponents=["tournament"]) > 0
        compare(book("tml"), 2, 10, games=2, opponents=["patient"])
    finally:
        mode.choose(before)


@pytest.mark.parametrize(
    ("players", "opponents"), [(2, "tournament"), (4, ["patient", "beginner", "tournament"])]
)
def test_threads_change_nothing(players: int, opponents: str | list[str]) -> None:
    def play(threads: int) -> list[Any]:
        env = vector_env(11, "tml", players, opponents=opponents, threads=threads, observation="dict")
        chance = np.random.default_rng(1)
        seen, info = env.reset(seed=9)
        told = []
        for _ in range(40):
            assert env.observation_space.contains(seen)
            actions = choose(seen["action_mask"], chance)
            seen, rewards, over, _, info = env.step(actions)
            assert np.array_equal(env.action_masks(), info["action_mask"])
            told.append([seen[key].tobytes() for key in seen] + [rewards.tolist(), over.tolist()])
        env.close()
        return told

    alone = play(1)
    for threads in (2, 3, 16):
        assert play(threads) == alone


def test_gymnasium_makes_it_by_name() -> None:
    register()
    env = gymnasium.make_vec("meldroom/tml-v1", num_envs=3, vectorization_mode="vector_entry_point")
    assert isinstance(env.unwrapped, MeldroomVectorEnv)
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.action_space.contains(env.action_space.sample())
    first = seen.copy()
    env.step(np.zeros(3, np.int64))
    assert np.array_equal(seen, first), "what was handed out does not change any more"
    again, _ = env.unwrapped.reset(seed=[1, 2, 3])
    assert np.array_equal(again, first)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"book": "wrc11"}, "joker_reuse set to any_set"),
        ({"book": "rummyo"}, "jokers move freely"),
        ({"opponents": "master"}, "choose one of beginner"),
        ({"opponents": ["beginner", "beginner"]}, "2 given, but 1 sits"),
        ({"num_envs": 0}, "at least 1"),
        ({"threads": 0}, "at least 1"),
        ({"seat": 2}, "0 to 1"),
    ],
)
def test_what_cannot_be_played_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(EnvError, match=words):
        vector_env(**{"num_envs": 2, "book": "tml", **given})
