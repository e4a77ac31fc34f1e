"""Habits of the master, one changed at a time: what opening late and small, and the last draw, are worth.

    python bench/habits.py                  # 200 deals, every seat rotation, wrc11
    python bench/habits.py --deals 50 --jobs 1

First two patient players, to see who wins when the pool runs out. Then a master with each habit sits against
one patient player, against three, and against three tournament players. Prints its share of the wins and its
mean score with 95 % intervals.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from statistics import fmean, stdev

from meldroom.bots import Bot, make_bot, play_game
from meldroom.bots.rearranging.master import Habits, Master
from meldroom.game import Shuffle
from meldroom.game.events import PoolExhausted
from meldroom.rules.library import book

HABITS = {
    "as it is": ("wins", Habits()),
    "opens at once": ("wins", Habits(open_at_pool=200)),
    "opens at once, with all it can": ("wins", Habits(open_at_pool=200, small_opening=False)),
    "draws to the end": ("wins", Habits(tempo=False)),
    "for score": ("score", Habits()),
    "for score, never afraid": ("score", Habits(risk_rack=0)),
}
TABLES = {
    "one patient": ("patient",),
    "three patient": ("patient",) * 3,
    "three tournament": ("tournament",) * 3,
}


def deal(name: str, others: tuple[str, ...], number: int) -> tuple[float, float]:
    """The master's share of wins and its mean score on one deal, from every seat."""
    rules = book("wrc11")
    aim, habits = HABITS[name]
    seats = len(others) + 1
    wins, scores = [], []
    for mine in range(seats):
        bots: list[Bot] = [make_bot(level, rules) for level in others]
        bots.insert(mine, Master(rules, f"{number} {mine}", aim, 1.0, habits))
        state = play_game(rules, bots, Shuffle(f"habits {number}"), starter=0).state
        assert state.result is not None
        winners = state.result.winners
        wins.append(1 / len(winners) if mine in winners else 0.0)
        scores.append(float(state.result.scores[mine]))
    return fmean(wins), fmean(scores)


def last_turn(number: int) -> bool | None:
    """Two patient players: whether the winner had the last of the final turns; None if nobody needed them."""
    rules = book("wrc11")
    game = play_game(
        rules, [make_bot("patient", rules) for _ in range(2)], Shuffle(f"habits {number}"), starter=0
    )
    state = game.state
    assert state.result is not None
    order = next((event.order for event in game.events if isinstance(event, PoolExhausted)), None)
    return None if order is None else order[-1] in state.result.winners


def interval(values: list[float]) -> str:
    """A mean and its 95 % interval; the games on one deal are one observation."""
    return f"{fmean(values):7.1f} ± {1.96 * stdev(values) / len(values) ** 0.5:4.1f}"


def main() -> None:
    """Plays and prints."""
    shape = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=shape)
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--jobs", type=int, default=None, help="processes; all cores unless told")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as pool:
        ends = [end for end in pool.map(last_turn, range(asked.deals), chunksize=5) if end is not None]
        print(f"two patient players, {asked.deals} games: {len(ends)} came to the final turns,")
        print(f"and whoever had the last of these won {sum(ends)}")
        for table, others in TABLES.items():
            print(f"one master against {table}, {asked.deals} deals from every seat")
            for name in HABITS:
                found = list(pool.map(partial(deal, name, others), range(asked.deals), chunksize=5))
                wins = interval([100 * share for share, _ in found])
                print(f"  {name:32} wins {wins} %   score {interval([score for _, score in found])}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
