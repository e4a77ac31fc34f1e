"""Trains a small policy on candidate plays in about a minute, against a bot that lays all it can.

python examples/train_candidates.py [--book wrc11] [--opponent tournament] [--rounds 3] [--policies 48]

The policy is linear: every candidate gets a value from its features, and the one with the highest is taken.
Evolution finds the weights: many are drawn, all play the same few deals, the best go on with small changes.
They soon find that waiting until everything goes out at once beats laying all one can.
"""

import argparse
from typing import Any

import numpy as np
from numpy.typing import NDArray

from meldroom.env import gym_env
from meldroom.env.gym import MeldroomEnv

FEATURES = ("wait", "wait_once_open", "goes_out", "most_tiles")
START = np.array([0.0, 0.0, 0.0, 1.0])  # lay as many tiles as can be
TEST_DEALS = 1_000_000  # deals from here on are never trained on

Weights = NDArray[np.float64]


def rows(env: MeldroomEnv, observation: NDArray[np.float32], info: dict[str, Any]) -> NDArray[np.float32]:
    """The features of this policy for each candidate: some of the codec's, and one that joins two facts."""
    names = env.settings.codec.feature_names
    opened = env.settings.observer.split(observation)["melded"][0]
    of = {name: info["candidates"][:, names.index(name)] for name in FEATURES if name in names}
    of["wait_once_open"] = of["wait"] * opened
    return np.stack([of[name] for name in FEATURES], axis=1)


def play(env: MeldroomEnv, weights: Weights, deal: int) -> tuple[float, bool]:
    """One game: its score, and whether it was won."""
    observation, info = env.reset(seed=deal)
    ended, score = False, 0.0
    while not ended:
        values = rows(env, observation, info) @ weights
        values[info["action_mask"] == 0] = -np.inf
        observation, score, terminated, truncated, info = env.step(int(np.argmax(values)))
        ended = terminated or truncated
    return score, info["won"]


def tried(env: MeldroomEnv, weights: Weights, first: int, games: int) -> tuple[float, float]:
    """The mean score of some deals, and the share of them that is won."""
    played = [play(env, weights, first + deal) for deal in range(games)]
    return sum(score for score, _ in played) / games, sum(won for _, won in played) / games


def train(env: MeldroomEnv, rounds: int, policies: int, games: int, seed: int) -> Weights:
    """Evolution: the best quarter of a round goes on, each with one changed copy, on deals not met before."""
    chance = np.random.default_rng(seed)
    drawn: NDArray[np.float64] = START + 3 * chance.standard_normal((policies, len(FEATURES)))
    for number in range(rounds):
        results = [tried(env, weights, number * games, games) for weights in drawn]
        order = sorted(range(len(drawn)), key=lambda which: results[which], reverse=True)
        score, won = results[order[0]]
        print(f"round {number + 1}: the best of {len(drawn)} scores {score:+.0f} a game and wins {won:.0%}")
        best = drawn[order[: max(2, policies // 4)]]
        drawn = np.concatenate([best, best + chance.standard_normal(best.shape)])
    best_weights: Weights = drawn[0]
    return best_weights


def main() -> None:
    """Train, and say what it brought."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--book", default="wrc11")
    parser.add_argument("--opponent", default="tournament")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--policies", type=int, default=48, help="policies in a round")
    parser.add_argument("--games", type=int, default=3, help="games of each policy in a round")
    parser.add_argument("--test-games", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    env = gym_env(asked.book, 2, opponents=asked.opponent)
    _, before = tried(env, START, TEST_DEALS, asked.test_games)
    weights = train(env, asked.rounds, asked.policies, asked.games, asked.seed)
    _, after = tried(env, weights, TEST_DEALS, asked.test_games)
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:>14} {weight:+.2f}")
    print(f"games won against {asked.opponent}: {before:.0%} before (most tiles), {after:.0%} after training")


if __name__ == "__main__":
    main()
