"""The chance to win at sight: a few things anybody can count, weighed as games of all levels have shown.

This is where an estimate begins before any game is imagined; where kernels are interpreted, or a book
cannot be imagined, it is also where it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from math import exp, fsum, log

import msgspec

from meldroom.bots.laying_off.base import Seat as LayOffSeat
from meldroom.bots.laying_off.prospects import Prospects
from meldroom.bots.rearranging.base import Seat
from meldroom.coach.styles import STYLES, UNKNOWN, Behaviour, mixture
from meldroom.game.views import View
from meldroom.rules.book import RuleBook

LOOKS, PATIENCE, NODES = 1.5, 0.9, 20_000
"""How the ways out of a laying-off rack are weighed, and how long they are searched."""
FULL_RACK = 14


class Fitted(msgspec.Struct, frozen=True):
    """What was fitted for a book and a number of players: see `bench/win_probability.py`.

    `weights` are those of the features below; `power` bends shares of imagined games; `worth` is how many
    imagined games the chance at sight counts for.
    """

    weights: tuple[float, ...]
    power: float = 1.0
    worth: float = 20.0


@cache
def _fitted() -> dict[str, Fitted]:
    text = resources.files("meldroom.coach").joinpath("fitted.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, Fitted])


def fitted(book: RuleBook, players: int) -> Fitted:
    """What was fitted for a book, or for its family where a house book is played."""
    every = _fitted()
    fewest = min(4, max(2, players))
    return every.get(f"{book.id} {fewest}") or every[f"{book.family} {fewest}"]


def features(book: RuleBook, view: View, seen: Sequence[Behaviour]) -> list[list[float]]:
    """What can be counted of each seat, as its own seat sees it: the own seat's first, then the others'."""
    if book.family == "rearranging":
        return _rearranging(book, view, seen)
    return _laying_off(book, view)


def _strength(seen: Behaviour) -> float:
    """How strong somebody seems to be, from 0 to 1."""
    last = len(STYLES) - 1
    return fsum(place * share for place, share in enumerate(mixture(seen))) / last


def _rearranging(book: RuleBook, view: View, seen: Sequence[Behaviour]) -> list[list[float]]:
    seat = Seat(book, view)
    stuck = len(seat.rack) - seat.best("tiles").tiles
    left = view.pool_size / book.tiles.size
    rows = []
    for each in range(len(view.players)):
        strength = _strength(seen[each] if each < len(seen) else UNKNOWN) - 0.5
        size, opened = view.rack_sizes[each] / FULL_RACK, float(view.melded[each])
        if each == seat.me:
            own = [1.0, log(1 + stuck), float(stuck == 0), size, opened, strength, strength * left]
            rows.append([*own, 0.0, 0.0, 0.0, 0.0])
        else:
            rows.append([0.0] * 7 + [size, opened, strength, strength * left])
    return rows


def _laying_off(book: RuleBook, view: View) -> list[list[float]]:
    seat = LayOffSeat(book, view)
    prospects = Prospects(book, seat.melds, seat.unseen, LOOKS, PATIENCE)
    joker = next((face for face in sorted(seat.rack) if face != book.tiles.joker), book.tiles.joker)
    full = seat.rack if view.phase != "take" else (*seat.rack, joker)
    chances = prospects.after_each(full, NODES)
    near = log(max(chances.best, 1e-3))
    long = min(1.0, sum(view.turns) / (10 * len(view.players)))
    rows = []
    for each in range(len(view.players)):
        size, opened = view.rack_sizes[each] / FULL_RACK, float(view.melded[each])
        if each == seat.me:
            rows.append([1.0, float(chances.away), near, size, opened, long, 0.0, 0.0, 0.0, 0.0, 0.0])
        else:
            rows.append([0.0] * 7 + [size, opened, size * opened, 0.0])
    return rows


def at_sight(book: RuleBook, view: View, seen: Sequence[Behaviour] = ()) -> tuple[float, ...]:
    """The chance of each seat; whoever has left has none."""
    weights = fitted(book, len(view.players)).weights
    gone = view.withdrawn or (False,) * len(view.players)
    told = [
        fsum(weight * each for weight, each in zip(weights, row, strict=True))
        for row in features(book, view, seen)
    ]
    most = max(each for each, left in zip(told, gone, strict=True) if not left)
    worth = [0.0 if left else exp(each - most) for each, left in zip(told, gone, strict=True)]
    total = fsum(worth)
    return tuple(each / total for each in worth)
