"""Ratings of the bots in one book: openskill's Plackett–Luce model, in the order of the deals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from meldroom.arena.experiment import Experiment
from meldroom.arena.game import GameRow
from meldroom.errors import needs


class Rating(msgspec.Struct, frozen=True):
    """What openskill believes of a bot: its strength, and how unsure that is."""

    mu: float
    sigma: float


def ranks(row: GameRow) -> list[int]:
    """Places by seat, 1 the best: winners first, the others by their scores; equal ones share a place."""
    worth = [(not seat.winner, -seat.score if not seat.winner else 0) for seat in row.seats]
    order = sorted(set(worth))
    return [order.index(one) + 1 for one in worth]


def ratings(experiment: Experiment, book: int, rows: Iterable[GameRow]) -> dict[str, Rating]:
    """The rating of every bot that played in a book.

    Games come deal by deal, so that line-ups take turns. A bot that sits at a table more than once moves by
    the mean of what its seats would. Abandoned games say nothing.
    """
    model = _model()
    held: dict[str, Any] = {}
    mine = [row for row in rows if row.book == book and row.end != "abandoned"]
    for row in sorted(mine, key=lambda row: (row.deal, row.line_up, row.rotation)):
        seats = experiment.line_ups[row.line_up].seats
        names = [seats[seat.place] for seat in row.seats]
        teams = [[held.setdefault(name, model.rating(name=name))] for name in names]
        after = [team[0] for team in model.rate(teams, ranks=ranks(row))]
        for name in set(names):
            moved = [rating for rating, owner in zip(after, names, strict=True) if owner == name]
            mu = sum(rating.mu for rating in moved) / len(moved)
            sigma = sum(rating.sigma for rating in moved) / len(moved)
            held[name] = model.rating(mu=mu, sigma=sigma, name=name)
    return {name: Rating(round(one.mu, 4), round(one.sigma, 4)) for name, one in sorted(held.items())}


def _model() -> Any:
    with needs("arena"):
        from openskill.models import PlackettLuce
    return PlackettLuce()
