"""Where good parameters lie: a distribution that moves towards the best of those it gave."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from random import Random

from meldroom.arena.experiment import Parameter
from meldroom.arena.respond.space import SPACE, Choice, Range, Share, Whole, within

SMOOTHING = 0.6
"""How far one round moves the distribution towards its best."""
NARROWEST = 0.06
RAREST = 0.05
"""A spread or a chance does not fall below these: what is lost could never be found again."""


class Distribution:
    """Each parameter for itself: numbers are normal, cut at their range; choices have chances."""

    def __init__(self, players: int) -> None:
        self.players = players
        self.means = {name: 0.5 for name, which in SPACE.items() if not isinstance(which, Choice)}
        self.spreads = dict.fromkeys(self.means, 0.5)
        self.chances = {
            name: [1 / len(which.values)] * len(which.values)
            for name, which in SPACE.items()
            if isinstance(which, Choice)
        }

    def draw(self, chance: Random) -> dict[str, Parameter]:
        """Parameters of one policy."""
        made: dict[str, Parameter] = {}
        for name, which in SPACE.items():
            if isinstance(which, Choice):
                made[name] = chance.choices(which.values, self.chances[name])[0]
                continue
            place = min(1.0, max(0.0, chance.gauss(self.means[name], self.spreads[name])))
            made[name] = _value(which, place, self.players, name)
        return made

    def move(self, best: Sequence[Mapping[str, Parameter]]) -> None:
        """Move towards the best of a round."""
        if not best:
            return
        for name, which in SPACE.items():
            values = [each[name] for each in best]
            if isinstance(which, Choice):
                self.chances[name] = _mixed(self.chances[name], which, values)
                continue
            places = [_place(which, value) for value in values]
            mean = fsum(places) / len(places)
            spread = sqrt(fsum((place - mean) ** 2 for place in places) / len(places))
            self.means[name] += SMOOTHING * (mean - self.means[name])
            self.spreads[name] += SMOOTHING * (spread - self.spreads[name])
            self.spreads[name] = max(NARROWEST, self.spreads[name])


def _mixed(chances: list[float], which: Choice, values: Sequence[Parameter]) -> list[float]:
    moved = []
    for old, value in zip(chances, which.values, strict=True):
        seen = sum(each == value for each in values) / len(values)
        moved.append(max(RAREST, old + SMOOTHING * (seen - old)))
    return [each / fsum(moved) for each in moved]


def _value(which: Range, place: float, players: int, name: str) -> Parameter:
    if isinstance(which, Whole):
        return within(which, round(which.least + place * (which.most - which.least)), players, name)
    return round(place, 2)


def _place(which: Range, value: Parameter) -> float:
    """A number's place in its range, from 0 to 1."""
    assert not isinstance(value, str)
    if isinstance(which, Share):
        return float(value)
    assert isinstance(which, Whole)
    return (value - which.least) / (which.most - which.least)
