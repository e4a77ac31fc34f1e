"""Learns to beat the club player in a minute or two: a linear policy, by the cross-entropy method.

python examples/train_against_club.py [--rounds 4] [--policies 64] [--test-games 200]

Every candidate gets a value from four of its features, and the one with the highest is taken. All policies
of a round play at once in the vectorised environment, against a bot that lays all it can; the best eighth
says where the next round looks. What was learnt then meets club under another book, whose jokers do not
move freely, in deals it has not seen. On a new machine kernels are compiled first, which is told.
"""

import argparse

import numpy as np
from numpy.typing import NDArray

from meldroom.env import gym_env, vector_env

FEATURES = ("wait", "opens", "goes_out_now", "share")
Weights = NDArray[np.float64]


def train(rounds: int, policies: int, steps: int, seed: int) -> Weights:
    """The weights in the middle of the last round's best."""
    env = vector_env(policies, "tml", 2, opponents="tournament", reward="wins")
    columns = [env.settings.codec.feature_names.index(name) for name in FEATURES]
    chance = np.random.default_rng(seed)
    middle, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    for number in range(rounds):
        weights = middle + spread * chance.standard_normal((policies, len(FEATURES)))
        won, played = np.zeros(policies), np.zeros(policies)
        _, info = env.reset(seed=seed * 1_000_000 + number * policies)
        for _ in range(steps):
            values = np.einsum("psf,pf->ps", info["candidates"][:, :, columns], weights)
            values[info["action_mask"] == 0] = -np.inf
            _, rewards, over, _, info = env.step(values.argmax(axis=1))
            won, played = won + rewards, played + over
        share = won / np.maximum(played, 1)
        best = weights[np.argsort(share)[-max(2, policies // 8) :]]
        middle, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        print(f"round {number + 1}: {won.sum():.0f} of {played.sum():.0f} games won", flush=True)
    return middle


def test(weights: Weights, book: str, opponent: str, games: int) -> int:
    """Games won against a bot of the ladder."""
    env, won = gym_env(book, 2, opponents=opponent), 0
    columns = [env.settings.codec.feature_names.index(name) for name in FEATURES]
    for deal in range(games):
        _, info = env.reset(seed=900_000_000 + deal)
        while "won" not in info:
            values = info["candidates"][:, columns] @ weights
            values[info["action_mask"] == 0] = -np.inf
            _, _, _, _, info = env.step(int(values.argmax()))
        won += info["won"]
    return won


def interval(won: int, games: int) -> tuple[float, float]:
    """Where the win rate lies with a probability of 95 % (Wilson)."""
    share, weight = won / games, 1.96**2 / games
    reach = float(np.sqrt(share * (1 - share) * weight + weight**2 / 4))
    return (share + weight / 2 - reach) / (1 + weight), (share + weight / 2 + reach) / (1 + weight)


def main() -> None:
    """Train, and say what it brought."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--policies", type=int, default=64, help="policies in a round")
    parser.add_argument("--steps", type=int, default=250, help="decisions of each policy in a round")
    parser.add_argument("--test-games", type=int, default=200)
    parser.add_argument("--book", default="wrc11")
    parser.add_argument("--opponent", default="club")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    weights = train(asked.rounds, asked.policies, asked.steps, asked.seed)
    for name, weight in zip(FEATURES, weights, strict=True):
        print(f"{name:>14} {weight:+.2f}")
    won = test(weights, asked.book, asked.opponent, asked.test_games)
    low, high = interval(won, asked.test_games)
    print(f"{asked.book}: {won} of {asked.test_games} games won against {asked.opponent}", end=" ")
    print(f"({won / asked.test_games:.0%}, 95 % interval {low:.0%} to {high:.0%})")


if __name__ == "__main__":
    main()
