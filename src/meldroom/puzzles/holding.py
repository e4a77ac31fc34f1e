"""Hold or lay? Decided by imagined games to the end, from the table after either choice.

The imagined others all lay, or all hold; the player then plays on in the better of the two ways. A verdict
needs a clear difference against both kinds of others, beyond chance at 99 per cent each time.
"""

from __future__ import annotations

from collections import Counter
from math import sqrt
from typing import Literal

import msgspec
from msgspec.structs import replace

from meldroom.bots.chances import STYLES, Playouts, Style
from meldroom.game.notation.position import Position
from meldroom.puzzles.candidate import Candidate
from meldroom.puzzles.puzzle import Chances
from meldroom.tiles import HIDDEN, Tile

DEVIATIONS = 2.58
"""Standard deviations for 99 per cent."""
LEAST_DIFFERENCE = 0.1
MOST_TO_DRAW = 60
"""With more tiles in the pool, imagined games take long and decide little."""
FIRST, GAMES = 48, 240
"""Imagined games for a first look, and for the verdict, each in four ways of playing on."""

Choice = Literal["hold", "lay"]


class Weighed(msgspec.Struct, frozen=True):
    """What is better, and how likely either wins."""

    better: Choice
    chances: Chances


def can_be_weighed(candidate: Candidate) -> bool:
    """True where both choices exist and the game goes on after either."""
    state = candidate.state
    return (
        candidate.melded
        and bool(candidate.best.played)
        and not candidate.goes_out
        and len(state.players) < len(state.pool) <= MOST_TO_DRAW
        and state.queue is None
    )


def weigh(candidate: Candidate, seed: str, games: int = GAMES) -> Weighed | None:
    """Which choice is clearly better, or None. The same seed gives the same games."""
    choices = {"hold": _after_drawing(candidate), "lay": _after_laying(candidate)}
    for share in dict.fromkeys((min(FIRST, games), games)):
        found = {
            (others, choice): _best_way(position, candidate.seat, others, f"{seed} {share}", share)
            for others in STYLES
            for choice, position in choices.items()
        }
        gaps = [found[others, "hold"] - found[others, "lay"] for others in STYLES]
        # A first look only drops what is hopeless.
        needed = LEAST_DIFFERENCE if share == games else 0.0
        if min(gaps) <= needed and max(gaps) >= -needed:
            return None
    better: Choice = "hold" if min(gaps) > 0 else "lay"
    for others in STYLES:
        hold, lay = found[others, "hold"], found[others, "lay"]
        error = sqrt((hold * (1 - hold) + lay * (1 - lay)) / games)
        if abs(hold - lay) < DEVIATIONS * error:
            return None
    closest = min(STYLES, key=lambda others: abs(found[others, "hold"] - found[others, "lay"]))
    chances = Chances(round(found[closest, "hold"], 3), round(found[closest, "lay"], 3), games)
    return Weighed(better, chances)


def _best_way(position: Position, seat: int, others: Style, seed: str, games: int) -> float:
    """How likely the seat wins if it plays on in the better of the two ways."""
    chances = []
    for own in STYLES:
        styles = [own if each == seat else others for each in range(len(position.racks))]
        chances.append(Playouts(position, styles=styles, seed=seed).more(games).chance(seat))
    return max(chances)


def _after_drawing(candidate: Candidate) -> Position:
    """The next player's turn, with one hidden tile more on the rack."""
    now = candidate.position
    racks = list(now.racks)
    racks[candidate.seat] = (*racks[candidate.seat], HIDDEN)
    return replace(now, racks=tuple(racks), pool=now.pool - 1, seat=_next(candidate))


def _after_laying(candidate: Candidate) -> Position:
    """The next player's turn, with the most tiles on the table."""
    now, tiles = candidate.position, candidate.book.tiles
    copies: Counter[int] = Counter()

    def numbered(face: int) -> Tile:
        copies[face] += 1
        return tiles.tile(tiles.every_face[face], copies[face] - 1)

    table = tuple(tuple(numbered(face) for face in faces) for faces in candidate.best.table)
    left = Counter(candidate.rack) - Counter(candidate.best.played)
    racks = list(now.racks)
    racks[candidate.seat] = tuple(numbered(face) for face in left.elements())
    return replace(now, table=table, racks=tuple(racks), seat=_next(candidate))


def _next(candidate: Candidate) -> int:
    """Whose turn comes next."""
    state = candidate.state
    count = len(state.players)
    order = ((candidate.seat + candidate.book.step * turn) % count for turn in range(1, count + 1))
    return next(seat for seat in order if seat == candidate.seat or not state.withdrawn[seat])
