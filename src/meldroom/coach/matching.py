"""An opponent close to my results: a rating from games against the measured ladder, and the level next to it.

>>> match("wrc11", [Result("club", 1.0)] * 12 + [Result("tournament", 0.0)] * 12).level
'club'
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from importlib import resources
from math import fsum

import msgspec

from meldroom.bots.levels import DEFAULT_LEVEL, LEVELS
from meldroom.rules.library import BOOK_IDS

LATEST = 40
"""Only so many of the latest games count: people improve."""
SPREAD = 300.0
"""How far, in Elo, players are from the usual opponent's level before anything is known of them."""
STEPS = 40


class Result(msgspec.Struct, frozen=True):
    """A game against one level: 1 for a win, 0 for a loss, a tie in parts."""

    level: str
    won: float


class Match(msgspec.Struct, frozen=True):
    """Who to play next, the own rating on the ladder of the book, and from how many results it is known."""

    level: str
    rating: int
    games: int


@cache
def ladder(book: str) -> dict[str, int]:
    """The measured Elo of the levels in a book, as in `docs/bots.md`; a house book has that of WRC 11."""
    text = resources.files("meldroom.coach").joinpath("ladder.json").read_bytes()
    measured = msgspec.json.decode(text, type=dict[str, dict[str, int]])
    return measured[book if book in BOOK_IDS else "wrc11"]


def rating(book: str, results: Sequence[Result]) -> float:
    """The likeliest rating after these results, the latest last.

    Somebody without results is rated as the usual opponent; a few results move that a little, many decide it.
    Results against a level that was not measured in this book do not count.
    """
    rungs = ladder(book)
    counted = [each for each in results if each.level in rungs][-LATEST:]
    usual = rungs.get(DEFAULT_LEVEL, sorted(rungs.values())[len(rungs) // 2])
    low, high = min(rungs.values()) - 2 * SPREAD, max(rungs.values()) + 2 * SPREAD
    for _ in range(STEPS):
        tried = (low + high) / 2
        surplus = fsum(each.won - expected(tried - rungs[each.level]) for each in counted)
        pull = (usual - tried) / (SPREAD * SPREAD) * 400 / 2.302585
        low, high = (tried, high) if surplus + pull > 0 else (low, tried)
    return (low + high) / 2


def expected(ahead: float) -> float:
    """The share of games that somebody wins who is so many points of Elo ahead."""
    return float(1 / (1 + 10 ** (-ahead / 400)))


def match(book: str, results: Sequence[Result], among: Collection[str] | None = None) -> Match:
    """The level closest to a player's results in a book, of those that can play here."""
    rungs = ladder(book)
    own = rating(book, results)
    here = [each for each in rungs if among is None or each in among] or [DEFAULT_LEVEL]
    level = min(here, key=lambda each: (abs(rungs.get(each, 0) - own), rungs.get(each, 0)))
    return Match(level, round(own), min(LATEST, sum(1 for each in results if each.level in rungs)))


def results_of(seat: int, levels: Sequence[str], winners: Collection[int]) -> list[Result]:
    """A game of one seat as results against its bots; `levels` are those of bots by seat, else empty.

    Whoever wins has beaten every bot, whoever loses has lost to the bot that won. Between two that both lost
    nothing is decided: a strong player who waits loses with a full rack.
    """
    found = []
    for other, level in enumerate(levels):
        if level and other != seat and (seat in winners or other in winners):
            found.append(
                Result(level, 0.5 if other in winners and seat in winners else float(seat in winners))
            )
    return found


def levels_in(bots: str, players: Sequence[str]) -> tuple[str, ...]:
    """The levels of bots by seat, from the tag `bots` of a record: "Ada (club), Bo (master)"."""
    told = dict(each.rpartition(" (")[::2] for each in bots.split(", "))
    levels = (told.get(name, "").removesuffix(")") for name in players)
    return tuple(level if level in LEVELS else "" for level in levels)
