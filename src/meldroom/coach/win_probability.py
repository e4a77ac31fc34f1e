"""The chance to win from a position as a seat sees it, with an interval that tightens as games are imagined.

>>> from meldroom.coach import win_probability
>>> text = "tml@1 / table R1 R2 R3 | K9 B9 O9 / racks R4 B1, K11 B13 O5 / pool 0 / turn 1 / melded 1 2"
>>> win_probability(text, games=16).chances
(1.0, 0.0)
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from math import exp, log, sqrt

import msgspec

from meldroom.bots.rearranging.playouts import can_imagine
from meldroom.coach.at_sight import at_sight, combined, fitted
from meldroom.coach.imagined_games import ImaginedGames
from meldroom.coach.laid_off_games import LaidOffGames
from meldroom.coach.styles import Behaviour
from meldroom.game.notation.position import Position
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.library import resolve
from meldroom.solver.front import Solvable, as_position

PRECISION = 0.02
"""An estimate is good enough when it is sure to so much on either side."""
AT_ONCE, FEW_AT_ONCE = 64, 4
"""So many games between two estimates: of the kernel, and of bots."""
DEVIATIONS = 1.96


class Estimate(msgspec.Struct, frozen=True):
    """Chances by seat, from so many imagined games; intervals of 95 %.

    The intervals say how far chance may have moved the figures, given players like those imagined. Without
    imagined games there are none to speak of: then they go from 0 to 1.
    """

    games: int
    chances: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]

    @property
    def doubt(self) -> float:
        """Half of the widest interval."""
        return max(high - low for low, high in self.intervals) / 2


class Forecast:
    """The chances from one position; every call of `more` makes them surer.

    `seen` is what each seat did so far (`Watcher`), `known` the styles of seats about which there is no
    doubt. Game n follows from the seed and n alone, so that the same number of games gives the same
    estimate, however many calls it took. Raises PositionError where nobody is to move or the tiles do not
    add up.
    """

    def __init__(
        self,
        position: Solvable,
        seen: Sequence[Behaviour] = (),
        known: Mapping[int, Sequence[float]] | None = None,
        *,
        seed: str = "",
        fit: bool = True,
    ) -> None:
        given = position if isinstance(position, View) else as_position(position)
        book = given.book if isinstance(given, Position) else resolve(given.book)
        self.players = len(given.racks) if isinstance(given, Position) else len(given.players)
        self.games = 0
        self._wins = [0.0] * self.players
        self._fitted = fitted(book) if fit else None
        self._sight = at_sight(book, given, seen, known) if isinstance(given, View) and fit else None
        self.imagined = ImaginedGames(given, seen, known, seed=seed) if _imaginable(book) else None
        self._laid_off = LaidOffGames(given, known, seed=seed) if book.family == "laying_off" else None

    def more(self, games: int) -> Estimate:
        """So many more games; what all of them, and the first sight, come to."""
        if self.imagined is not None:
            for masks in self.imagined.play(self.games, games, [None]):
                for seat, share in enumerate(self.imagined.shares(masks[0])):
                    self._wins[seat] += share
            self.games += games
        elif self._laid_off is not None:
            for game in range(self.games, self.games + games):
                winners = self._laid_off.play(game) or range(self.players)
                for seat in winners:
                    self._wins[seat] += 1 / len(winners)
            self.games += games
        return self.estimate()

    @property
    def at_once(self) -> int:
        """How many games take a moment."""
        return AT_ONCE if self.imagined is not None else FEW_AT_ONCE

    @property
    def raw(self) -> tuple[float, ...]:
        """The share of the games that each seat won."""
        return tuple(wins / max(1, self.games) for wins in self._wins)

    def estimate(self) -> Estimate:
        """What is known by now."""
        if not self.games:
            even = (1 / self.players,) * self.players
            return Estimate(0, self._sight or even, ((0.0, 1.0),) * self.players)
        if self._fitted is None or self._sight is None:
            return Estimate(self.games, self.raw, tuple(interval(each, self.games) for each in self.raw))
        chances, shares = combined(self._fitted, self._sight, self._wins, self.games)
        total = self.games + self._fitted.worth
        intervals = tuple(
            _bent_interval(chance, self._fitted.power / sqrt(total * share * (1 - share)))
            if 0 < share < 1
            else (chance, chance)
            for chance, share in zip(chances, shares, strict=True)
        )
        return Estimate(self.games, tuple(chances), intervals)


def _imaginable(book: RuleBook) -> bool:
    return book.family == "rearranging" and can_imagine(book)


def interval(chance: float, games: float) -> tuple[float, float]:
    """Wilson's interval of 95 %, which holds for few games and for chances near 0 and 1 as well."""
    z = DEVIATIONS
    middle = (chance + z * z / (2 * games)) / (1 + z * z / games)
    reach = z / (1 + z * z / games) * sqrt(chance * (1 - chance) / games + z * z / (4 * games * games))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _bent_interval(chance: float, error: float) -> tuple[float, float]:
    """An interval of 95 % around a chance whose logarithm of odds has this standard error."""
    if not 0 < chance < 1:
        return chance, chance
    odds = log(chance / (1 - chance))
    low, high = (1 / (1 + exp(-(odds + side * DEVIATIONS * error))) for side in (-1, 1))
    return low, high


def estimates(
    position: Solvable,
    seen: Sequence[Behaviour] = (),
    known: Mapping[int, Sequence[float]] | None = None,
    *,
    seed: str = "",
    precision: float = PRECISION,
    seconds: float | None = None,
) -> Iterator[Estimate]:
    """Better and better estimates, until one is sure to `precision` or the time is over.

    Rummy-O's games are played by bots, some twenty in a second: give it time. A book whose games cannot be
    imagined has one estimate, at sight.
    """
    forecast = Forecast(position, seen, known, seed=seed)
    end = None if seconds is None else time.monotonic() + seconds
    while True:
        found = forecast.more(forecast.at_once)
        yield found
        late = end is not None and time.monotonic() > end
        if not found.games or found.doubt <= precision or late:
            return


def win_probability(
    position: Solvable,
    seen: Sequence[Behaviour] = (),
    known: Mapping[int, Sequence[float]] | None = None,
    *,
    games: int = 400,
    seed: str = "",
) -> Estimate:
    """The chances of all seats from so many imagined games."""
    return Forecast(position, seen, known, seed=seed).more(games)
