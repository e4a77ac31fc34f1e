"""Round robin of the ladder in a laying-off book on mirrored deals: wins, scores and time, with intervals.

python bench/lay_off_ladder.py                      five levels against each other, 200 pairs each
python bench/lay_off_ladder.py --pairs 1000 --only master
python bench/lay_off_ladder.py --four --pairs 100   one of the first level among three of the other
python bench/lay_off_ladder.py --aim score          master plays for score
python bench/lay_off_ladder.py --only master --first 5000     deals nobody has tuned on
python bench/lay_off_ladder.py --whole --levels patient master --pairs 1000   four rounds, highest total (R62)

Another revision is compared on the same deals: run this in a checkout of it with the same options.

A pair is one deal played twice, seats exchanged; with four players a deal is played once from each seat. A
round is won by going out; rounds that end with the stock have no winner. With `--whole` a game is what the
book calls one: its rounds, the start passing to the left, won by the highest total, which may be shared.
Intervals are 95 %, from deals. Moves are timed in processor time.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import combinations
from typing import NamedTuple

from meldroom.bots import LEVELS, Bot, Clock, make_bot
from meldroom.game import Match, Shuffle, State, apply, new_game, view
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book

USUAL = ("beginner", "club", "tournament", "patient", "master")


class Timed:
    """A bot whose moves are timed."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.seconds: list[float] = []

    def act(self, view: View, clock: Clock) -> Action:
        """The bot's action."""
        began = time.process_time()
        action = self.bot.act(view, clock)
        self.seconds.append(time.process_time() - began)
        return action


class Deal(NamedTuple):
    """One deal from every seat: the first level's share of wins and score, the second's, moves' seconds."""

    wins: float
    others: float
    score: float
    against: float
    turns: float
    seconds: list[float]


def play_deal(
    number: int, *, first: str, second: str, players: int, book_id: str, aim: str, rounds: int | None
) -> Deal:
    """A deal, or one for each round, played once from each seat by one bot among bots of the second level."""
    wins = others = score = against = turns = 0.0
    seconds: list[float] = []
    rules, names = book(book_id), [f"Bot {seat}" for seat in range(players)]
    for place in range(players):
        levels = [first if seat == place else second for seat in range(players)]
        match = Match.of(rules, names, 0, rounds)
        while not match.over:
            deal = f"ladder {number}" + (f" {len(match.results)}" if match.results else "")
            bots = [_bot(level, book_id, aim, number) for level in levels]
            state = play_round(rules, bots, names, Shuffle(deal), match.starter)
            assert state.result is not None
            match = match.played(state.result)
            turns += sum(state.turns) / players
            seconds += bots[place].seconds
        if rounds == 1:
            winners: Sequence[int] = match.results[0].winners
        else:
            winners = match.standing().winners or ()
        totals = match.standing().totals
        wins += (place in winners) / max(1, len(winners))
        others += sum(seat != place for seat in winners) / max(1, len(winners))
        score += totals[place]
        against += (sum(totals) - totals[place]) / (players - 1)
    each = players
    return Deal(wins / each, others / each, score / each, against / each, turns / each, seconds)


def play_round(
    rules: RuleBook, bots: Sequence[Bot], names: Sequence[str], shuffle: Shuffle, starter: int
) -> State:
    """One round to its end."""
    state, _ = new_game(rules, names, shuffle, starter=starter)
    while not state.over:
        action = bots[state.seat].act(view(state, state.seat), Clock())
        state, _ = apply(state, action, shuffle)
    return state


def _bot(level: str, book_id: str, aim: str, number: int) -> Timed:
    parameters = {"aim": aim} if level == "master" else {}
    return Timed(make_bot(level, book(book_id), seed=f"ladder {number}", **parameters))


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The mean and half the width of its 95 % interval."""
    mean = sum(values) / len(values)
    spread = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, 1.96 * math.sqrt(spread / len(values))


def line(first: str, second: str, deals: Iterable[Deal]) -> str:
    """A row of the table."""
    every = list(deals)
    seconds = sorted(second for deal in every for second in deal.seconds)
    wins, doubt = interval([100 * deal.wins for deal in every])
    others, _ = interval([100 * deal.others for deal in every])
    score, score_doubt = interval([deal.score for deal in every])
    against, against_doubt = interval([deal.against for deal in every])
    turns, _ = interval([deal.turns for deal in every])
    mean = 1000 * sum(seconds) / len(seconds)
    late = 1000 * seconds[int(0.99 * (len(seconds) - 1))]
    took = f"{mean:.1f} / {late:.0f} / {1000 * seconds[-1]:.0f}"
    return (
        f"| {first} | {second} | {wins:.1f} ± {doubt:.1f} | {others:.1f} | {score:+.0f} ± {score_doubt:.0f}"
        f" | {against:+.0f} ± {against_doubt:.0f} | {turns:.1f} | {took} |"
    )


def main() -> None:
    """Plays the round robin and prints its table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=200, help="deals for each pairing")
    parser.add_argument("--first", type=int, default=0, help="the number of the first deal")
    parser.add_argument("--book", default="rummyo")
    parser.add_argument("--aim", choices=("wins", "score"), default="wins", help="what master plays for")
    parser.add_argument("--levels", nargs="+", choices=tuple(LEVELS), default=USUAL, help="who plays")
    parser.add_argument("--only", choices=tuple(LEVELS), help="only pairings with this level")
    parser.add_argument(
        "--four", action="store_true", help="one of the first level among three of the second"
    )
    parser.add_argument("--whole", action="store_true", help="whole games of several rounds")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    options = parser.parse_args()
    players = 4 if options.four else 2
    numbers = range(options.first, options.first + options.pairs)
    print("| level | against | wins % | loses % | score | their score | turns | ms mean / 99 % / worst |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for second, first in combinations(options.levels, 2):
        if options.only in (None, first, second):
            deal = partial(
                play_deal, first=first, second=second, players=players, book_id=options.book, aim=options.aim,
                rounds=None if options.whole else 1,
            )  # fmt: skip
            if options.jobs == 1:
                deals = list(map(deal, numbers))
            else:
                with ProcessPoolExecutor(options.jobs) as pool:
                    deals = list(pool.map(deal, numbers, chunksize=4))
            print(line(first, second, deals), flush=True)


if __name__ == "__main__":
    main()
