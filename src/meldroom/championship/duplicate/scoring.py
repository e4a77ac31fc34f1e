"""Points against the field: everybody who held the same racks in the same deal is compared.

Matchpoints, as in bridge: two for each other table where the same seat did worse, one for each where it did
equally well. Or the difference from the mean of the others' scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from meldroom.championship.formats.format import Duplicate
from meldroom.championship.results import GameResult

GameKey = tuple[str, int, int, int]


class Compared(msgspec.Struct, frozen=True):
    """One seat of one table in a deal: its score, and the points it has against the field."""

    table: int
    seat: int
    score: int
    points: int


def field_points(kind: Duplicate, results: Mapping[int, GameResult]) -> tuple[Compared, ...]:
    """The points of one deal from its results by table.

    Tables are compared with tables of the same size. Where a seat has fewer results than another, by an empty
    seat or at tables of three, its matchpoints are scaled to the same top; one without comparison has half.
    """
    groups: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for table, result in sorted(results.items()):
        for seat, score in enumerate(result.scores):
            if score is not None:
                groups.setdefault((len(result.scores), seat), []).append((table, score))
    most = max((len(each) for each in groups.values()), default=0)
    found = []
    for (_, seat), held in sorted(groups.items()):
        scores = [score for _, score in held]
        for table, score in held:
            points = (
                _matchpoints(scores, score, most) if kind == "matchpoints" else _difference(scores, score)
            )
            found.append(Compared(table, seat, score, points))
    return tuple(found)


def _matchpoints(scores: Sequence[int], mine: int, most: int) -> int:
    """Twice the scores beaten, once those equalled; scaled to the top of the fullest seat."""
    others = len(scores) - 1
    if not others:
        return most - 1
    points = sum((mine > other) * 2 + (mine == other) for other in scores) - 1
    return _rounded(points * (most - 1), others)


def _difference(scores: Sequence[int], mine: int) -> int:
    """The score less the mean of the others' scores."""
    others = len(scores) - 1
    return _rounded(mine * others - (sum(scores) - mine), others) if others else 0


def _rounded(value: int, by: int) -> int:
    """A quotient to the nearest whole number, halves away from zero."""
    size = (2 * abs(value) + by) // (2 * by)
    return size if value >= 0 else -size
