"""Solves a tiny house book with OpenSpiel's counterfactual regret minimisation, in about a minute.

python examples/train_tabular.py [--iterations 20] [--jokers 1]

Two colours, numbers 1 to 3, two tiles each: small enough for every deal and every draw to be in the tree. How
much a player could still gain by answering the other's policy (NashConv) falls towards 0.
"""

import argparse
from typing import Any

from open_spiel.python.algorithms import cfr, exploitability  # type: ignore[import-untyped]
from open_spiel.python.policy import UniformRandomPolicy  # type: ignore[import-untyped]

from meldroom.env import open_spiel_game


def tiny(jokers: int) -> dict[str, Any]:
    """A house book for a matchbox."""
    return {
        "id": "tiny",
        "version": "1",
        "base": "wrc11",
        "players": {"minimum": 2, "maximum": 2},
        "tiles": {"colours": ["K", "R"], "numbers": 3, "copies": 1, "jokers": jokers},
        "deal": {"tiles": 2, "starter_tiles": 2},
        "opening": {"points": 3},
    }


def main() -> None:
    """Solve, and say how far from an equilibrium each stage is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--jokers", type=int, default=1)
    asked = parser.parse_args()
    game = open_spiel_game(tiny(asked.jokers), 2)
    before = exploitability.nash_conv(game, UniformRandomPolicy(game))
    print(f"random choices: NashConv {before:.2f} points")
    solver = cfr.CFRPlusSolver(game)
    for number in range(1, asked.iterations + 1):
        solver.evaluate_and_update_policy()
        if number % 10 == 0 or number == asked.iterations:
            now = exploitability.nash_conv(game, solver.average_policy())
            print(f"after {number} iterations: NashConv {now:.2f} points")
    print(f"information states: {len(solver.average_policy().to_tabular().state_lookup)}")


if __name__ == "__main__":
    main()
