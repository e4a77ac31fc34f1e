"""The chance to win at sight: a few things anybody can count, weighed as games of all levels have shown.

This is where an estimate begins before any game is imagined; where kernels are interpreted, or a book
cannot be imagined, it is also where it ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from math import exp, fsum, log
from typing import TypeAlias

import msgspec

from meldroom.bots.laying_off.base import Seat as LayOffSeat
from meldroom.bots.laying_off.prospects import Prospects
from meldroom.bots.rearranging.base import Seat
from meldroom.coach.styles import UNKNOWN, Behaviour, mixture, strength
from meldroom.game.views import View
from meldroom.rules.book import RuleBook

LOOKS, PATIENCE, NODES = 1.5, 0.9, 20_000
"""How the ways out of a laying-off rack are weighed, and how long they are searched."""
FULL_RACK = 14
LONG_GAME = 15
"""Rounds of a long game of Rummy-O."""

Known: TypeAlias = Mapping[int, Sequence[float]]
"""Styles by seat."""


class Fitted(msgspec.Struct, frozen=True):
    """What was fitted for a family of books: see `bench/win_probability.py`.

    `weights` are those of the features below. With imagined games, a chance is taken to be in proportion to
    the chance at sight to the power `sight`, times the share of games to the power `power`; the share begins
    as the chance at sight, as if that were so many games as `worth` says.
    """

    weights: tuple[float, ...]
    sight: float = 0.0
    power: float = 1.0
    worth: float = 8.0


@cache
def _fitted() -> dict[str, Fitted]:
    text = resources.files("meldroom.coach").joinpath("fitted.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Fitted])


def fitted(book: RuleBook) -> Fitted:
    """What was fitted for the family of a book."""
    return _fitted()[book.family]


def features(
    book: RuleBook, view: View, seen: Sequence[Behaviour] = (), known: Known | None = None
) -> list[list[float]]:
    """What can be counted of each seat, as the own seat sees it.

    `known` are the styles of seats about which there is no doubt, such as those of bots whose level is told.
    """
    if book.family == "rearranging":
        return _rearranging(book, view, seen, known or {})
    return _laying_off(book, view, seen, known or {})


def _rearranging(book: RuleBook, view: View, seen: Sequence[Behaviour], known: Known) -> list[list[float]]:
    seat = Seat(book, view)
    stuck = len(seat.rack) - seat.best("tiles").tiles
    left = view.pool_size / book.tiles.size
    rows = []
    for each in range(len(view.players)):
        own, opened = float(each == seat.me), float(view.melded[each])
        size = opened * view.rack_sizes[each] / FULL_RACK
        guessed = strength(mixture(seen[each] if each < len(seen) else UNKNOWN)) if each not in known else 0.0
        sure = strength(known[each]) if each in known else 0.0
        tiles = [own, size * (1 - own), size * own, opened, opened * left, log(1 + stuck) * own]
        rows.append([*tiles, own * (stuck == 0), guessed, guessed * left, sure, sure * left])
    return rows


def _laying_off(book: RuleBook, view: View, seen: Sequence[Behaviour], known: Known) -> list[list[float]]:
    seat = LayOffSeat(book, view)
    prospects = Prospects(book, seat.melds, seat.unseen, LOOKS, PATIENCE)
    joker = next((face for face in sorted(seat.rack) if face != book.tiles.joker), book.tiles.joker)
    full = seat.rack if view.phase != "take" else (*seat.rack, joker)
    chances = prospects.after_each(full, NODES)
    near = log(max(chances.best, 1e-3))
    round_ = min(sum(view.turns) / len(view.players), LONG_GAME) / LONG_GAME
    rows = []
    for each in range(len(view.players)):
        own, opened = float(each == seat.me), float(view.melded[each])
        size = view.rack_sizes[each] / FULL_RACK
        sure = strength(known[each]) if each in known else 0.0
        taken = (seen[each].took if each < len(seen) else 0) / FULL_RACK
        tiles = [own, own * chances.away, own * near, opened, (1 - own) * opened * size]
        late = [own * (chances.away == 0), own * chances.away * round_]
        rows.append([*tiles, own * opened * size, *late, taken, sure])
    return rows


def at_sight(
    book: RuleBook, view: View, seen: Sequence[Behaviour] = (), known: Known | None = None
) -> tuple[float, ...]:
    """The chance of each seat; whoever has left has none."""
    weights = fitted(book).weights
    gone = view.withdrawn or (False,) * len(view.players)
    told = [
        fsum(weight * each for weight, each in zip(weights, row, strict=True))
        for row in features(book, view, seen, known)
    ]
    most = max(each for each, left in zip(told, gone, strict=True) if not left)
    worth = [0.0 if left else exp(each - most) for each, left in zip(told, gone, strict=True)]
    total = fsum(worth)
    return tuple(each / total for each in worth)


def combined(
    how: Fitted, sight: Sequence[float], wins: Sequence[float], games: int
) -> tuple[list[float], list[float]]:
    """Chances from both: at sight, and wins in so many imagined games; and the shares they come from."""
    shares = [(won + how.worth * first) / (games + how.worth) for won, first in zip(wins, sight, strict=True)]
    bent = [
        first**how.sight * share**how.power if first > 0 else 0.0
        for first, share in zip(sight, shares, strict=True)
    ]
    total = fsum(bent)
    return [each / total for each in bent], shares
