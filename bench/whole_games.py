"""Whole games between exact most-tiles players: how long they last, who wins, when they open.

    python bench/whole_games.py                 # all four rows, 20,000 games each
    python bench/whole_games.py --games 2000 --jobs 1
    python bench/whole_games.py --ties any

Prints each mean with its 95 % interval beside the published one, and how many standard errors lie between
them. Jokers are free of the printed rule, and a game in which nobody can go on goes to the lowest rack. Of
plays with equally many tiles the `tournament` level takes the one with most points; with `--ties any` it
takes whichever the solver meets first, since the published table does not say. The last line is
the speed of one core.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from statistics import fmean, stdev
from typing import NamedTuple

from meldroom.bots import Observer, Step, make_bot, play_game
from meldroom.game import Lay, Shuffle
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from meldroom.solver.kernel.engine import engine_of

CHUNK = 250


class Row(NamedTuple):
    """A line of the published table: means, and the half width of their intervals where one is given."""

    players: int
    jokers: int
    turns: tuple[float, float]
    first_wins: tuple[float, float]
    opens: float
    per_play: float


PUBLISHED = (
    Row(2, 2, (63.86, 0.20), (0.4934, 0.0069), 2.496, 2.367),
    Row(3, 2, (41.21, 0.18), (0.3357, 0.0065), 2.487, 3.119),
    Row(4, 2, (32.40, 0.16), (0.2468, 0.0060), 2.208, 3.925),
    Row(2, 0, (76.56, 0.19), (0.4993, 0.0069), 3.509, 2.213),
)


class Game(NamedTuple):
    """What is counted of one game; `opened` are own turns before the opening, for those who opened."""

    turns: int
    first_wins: float
    opened: list[int]
    plays: list[int]


def rules_with(jokers: int) -> RuleBook:
    """The Mahjong Line's book: free jokers, and a game that nobody can go on with is counted."""
    if jokers == 2:
        return book("tml")
    return house_book({"id": "no-jokers", "version": "1", "base": "tml", "tiles": {"jokers": jokers}})


def play(rules: RuleBook, players: int, number: int) -> Game:
    """One game; its tiles follow from its number."""
    shuffle = Shuffle(f"whole games {number}")
    plays = _Plays()
    bots = [make_bot("tournament", rules)] * players
    state = play_game(rules, bots, shuffle, starter=0, observers=[plays]).state
    assert state.result is not None
    won = 1 / len(state.result.winners) if 0 in state.result.winners else 0.0
    return Game(sum(state.turns), won, list(plays.opened.values()), plays.tiles)


class _Plays(Observer):
    """When each seat opened, and how many tiles each play laid."""

    def __init__(self) -> None:
        self.opened: dict[int, int] = {}
        self.tiles: list[int] = []

    def step(self, step: Step) -> None:
        if isinstance(step.action, Lay):
            before, seat = step.before, step.before.seat
            self.opened.setdefault(seat, before.turns[seat])
            self.tiles.append(len(before.racks[seat]) - len(step.after.racks[seat]))


def chunk(task: tuple[int, int, int, int, str]) -> list[Game]:
    """Some games of a row."""
    players, jokers, first, count, ties = task
    rules = rules_with(jokers)
    if ties == "any":
        # Every tile counts the same, and nothing but tiles.
        engine_of(rules).weights["tiles"] = [1] * (rules.tiles.numbers + 1)
    return [play(rules, players, number) for number in range(first, first + count)]


def mean(values: list[float]) -> tuple[float, float]:
    """A mean and the half width of its 95 % interval."""
    return fmean(values), 1.96 * stdev(values) / len(values) ** 0.5


def apart(ours: tuple[float, float], theirs: tuple[float, float]) -> str:
    """How far the two are from each other, in standard errors of their difference."""
    error = (ours[1] ** 2 + theirs[1] ** 2) ** 0.5 / 1.96
    return f"{(ours[0] - theirs[0]) / error:+.1f} standard errors apart"


def show(row: Row, games: list[Game]) -> None:
    """One row beside the published one."""
    turns = mean([float(game.turns) for game in games])
    wins = mean([game.first_wins for game in games])
    opens = mean([float(turn) for game in games for turn in game.opened])
    per_play = mean([float(tiles) for game in games for tiles in game.plays])
    # Published without an interval: theirs is as wide as ours for as many games.
    columns = (
        ("turns", turns, row.turns),
        ("seat one wins", wins, row.first_wins),
        ("opens on own turn", opens, (row.opens, opens[1])),
        ("tiles per play", per_play, (row.per_play, per_play[1])),
    )
    print(f"{row.players} players, {row.jokers} jokers, {len(games)} games")
    for name, ours, theirs in columns:
        line = f"  {name:18} {ours[0]:8.4f} ± {ours[1]:.4f}   published {theirs[0]:8.4f}"
        print(f"{line}   {apart(ours, theirs)}")
    sys.stdout.flush()


def main() -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20_000, help="games of each row")
    parser.add_argument("--jobs", type=int, default=None, help="processes; all cores unless told")
    parser.add_argument("--ties", choices=("points", "any"), default="points")
    asked = parser.parse_args()
    with ProcessPoolExecutor(asked.jobs) as pool:
        for row in PUBLISHED:
            tasks = [
                (row.players, row.jokers, first, min(CHUNK, asked.games - first), asked.ties)
                for first in range(0, asked.games, CHUNK)
            ]
            show(row, [game for games in pool.map(chunk, tasks) for game in games])
    rules = rules_with(2)
    play(rules, 2, 0)
    start = time.process_time()
    for number in range(200):
        play(rules, 2, number)
    print(
        f"one core, two players: {200 / (time.process_time() - start):.0f} games a second of processor time"
    )


if __name__ == "__main__":
    main()
