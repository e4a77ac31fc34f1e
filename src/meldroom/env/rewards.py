"""What a seat is rewarded for: its score, or winning; and a hint on the way there, if asked for."""

from __future__ import annotations

from typing import Literal

from meldroom.game.state import Result
from meldroom.rules.book import RuleBook

RewardName = Literal["score", "wins"]
REWARDS: tuple[RewardName, ...] = ("score", "wins")


def final_rewards(reward: str, result: Result) -> tuple[float, ...]:
    """The reward of every seat at the end of a game.

    `score` is the book's own score; `wins` shares 1 among the winners and gives the others 0.
    """
    if reward == "score":
        return tuple(float(score) for score in result.scores)
    share = 1 / len(result.winners) if result.winners else 0.0
    return tuple(share if seat in result.winners else 0.0 for seat in range(len(result.scores)))


def reward_bound(reward: str, book: RuleBook, players: int) -> float:
    """No final reward is larger, or as far below 0, as this."""
    if reward == "wins":
        return 1.0
    scoring = book.scoring
    tiles = sum(value * count for value, count in zip(book.values, book.tiles.limits, strict=True))
    charges = players * max(scoring.unmelded, scoring.unmelded_able)
    bonus = max(scoring.open_bonus, scoring.foot_bonus, *scoring.hand_bonus, 0)
    return float(tiles + charges + bonus)
