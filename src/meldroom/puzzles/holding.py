"""Hold or lay? Decided by the coach's imagined games, both choices with the same racks, pool and luck.

Nobody knows how the others play: they are imagined as players of all styles, as players who all lay what they
can, and as players who all wait. After either choice the player goes on in the better of two ways. A verdict
needs a clear difference on average, must be beyond chance against players of all styles, and wrong against
none of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Literal

import msgspec

from meldroom.coach.imagined_games import ImaginedGames
from meldroom.coach.styles import STRONG, STYLES, certain
from meldroom.puzzles.candidate import Candidate
from meldroom.puzzles.puzzle import Chances
from meldroom.rules.verify import FaceSet

DEVIATIONS = 2.58
"""Standard deviations for 99 per cent."""
LEAST_DIFFERENCE = 0.1
MOST_TO_DRAW = 60
"""With more tiles in the pool, imagined games take long and decide little."""
GLANCE, LOOK, GAMES = 32, 96, 240
"""Imagined games for two looks beforehand, and for the verdict against each company."""
GLANCED, LOOKED = 0.03, 0.04
"""So far ahead a choice must be in these."""
RACE, NEARLY_OUT = 4, 2
"""A race: somebody else holds so few tiles, and laying leaves so few."""

Choice = Literal["hold", "lay"]
Company = Literal["any", "lays", "waits"]

_STYLE = {style.id: place for place, style in enumerate(STYLES)}
COMPANIES: dict[Company, int | None] = {"any": None, "lays": _STYLE["lays_all"], "waits": _STYLE["waits"]}
"""The style of all others; None if it is drawn for each of them and each game."""
WAYS = (_STYLE["lays_all"], STRONG)
"""How the player goes on: laying all they can, or as a strong player."""


class Weighed(msgspec.Struct, frozen=True):
    """What is better, and how likely either wins."""

    better: Choice
    chances: Chances


class Gap(msgspec.Struct, frozen=True):
    """How likely holding and laying win against one company; `error` is the difference's standard error."""

    hold: float
    lay: float
    error: float

    @property
    def mean(self) -> float:
        """By how much laying is better."""
        return self.lay - self.hold


def can_be_weighed(candidate: Candidate) -> bool:
    """True where both choices exist and the game goes on after either."""
    state = candidate.state
    return (
        candidate.melded
        and len(state.players) < len(state.pool) <= MOST_TO_DRAW
        and state.queue is None
        and bool(candidate.best.played)
        and not candidate.goes_out
    )


def is_race(candidate: Candidate) -> bool:
    """True if both the player, by laying, and somebody else come close to going out."""
    state = candidate.state
    others = [seat for seat in range(len(state.players)) if seat != candidate.seat]
    near = any(state.melded[seat] and len(state.racks[seat]) <= RACE for seat in others)
    return near and len(candidate.rack) - candidate.best.tiles <= NEARLY_OUT


def promises(candidate: Candidate, choice: Choice, seed: str) -> bool:
    """True if a choice is ahead at a glance and at a closer look, in other games than the verdict's."""
    sign = 1 if choice == "lay" else -1
    glance = _against("any", candidate, f"{seed} glance", GLANCE, WAYS[-1:])
    if sign * glance.mean < GLANCED:
        return False
    return sign * _against("any", candidate, f"{seed} look", LOOK).mean >= LOOKED


def weigh(candidate: Candidate, seed: str, games: int = GAMES) -> Weighed | None:
    """Which choice is clearly better, or None. The same seed gives the same games."""
    known = _against("any", candidate, seed, games)
    sign = 1 if known.mean > 0 else -1
    if abs(known.mean) < DEVIATIONS * known.error or not known.mean:
        return None
    gaps = [known, *(_against(company, candidate, seed, games) for company in COMPANIES if company != "any")]
    if min(sign * gap.mean for gap in gaps) <= 0:
        return None
    if sign * fsum(gap.mean for gap in gaps) < LEAST_DIFFERENCE * len(gaps):
        return None
    hold, lay = (fsum(each) / len(gaps) for each in ((g.hold for g in gaps), (g.lay for g in gaps)))
    return Weighed("lay" if sign > 0 else "hold", Chances(round(hold, 3), round(lay, 3), games * len(gaps)))


def _against(
    company: Company, candidate: Candidate, seed: str, games: int, ways: Sequence[int] = WAYS
) -> Gap:
    """Both choices against others of one kind."""
    style = COMPANIES[company]
    others = [seat for seat in range(len(candidate.state.players)) if seat != candidate.seat]
    known = {} if style is None else {seat: certain(style) for seat in others}
    imagined = ImaginedGames(candidate.position, known=known, seed=f"{seed} {company}")
    moves: list[FaceSet] = [(), candidate.best.played]
    found = []
    for way in ways:
        played = imagined.play(0, games, moves, way)
        won = [[imagined.shares(mask)[candidate.seat] for mask in masks] for masks in played]
        found.append(list(zip(*won, strict=True)))
    hold, lay = (max((way[choice] for way in found), key=fsum) for choice in (0, 1))
    return _gap(hold, lay)


def _gap(hold: Sequence[float], lay: Sequence[float]) -> Gap:
    games = len(hold)
    apart = [after - before for before, after in zip(hold, lay, strict=True)]
    mean = fsum(apart) / games
    spread = fsum((each - mean) ** 2 for each in apart) / max(1, games - 1)
    return Gap(fsum(hold) / games, fsum(lay) / games, sqrt(spread / games))
