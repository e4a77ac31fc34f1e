"""Openings that show little: few tiles, no joker where that can be, and hard for others to build on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet, set_points
from meldroom.solver.opening import Opening, best_opening, sets_within
from meldroom.tiles import Face

MOST_SETS = 60
"""Pairs are formed of so many sets at most, those that count most for their size."""


def small_openings(book: RuleBook, rack: Sequence[Face]) -> list[Opening]:
    """Openings of one or two sets, fewest tiles and jokers first; else the largest there is, or nothing."""
    counts = [0] * (book.tiles.joker + 1)
    for face in rack:
        counts[face] += 1
    sets = [(faces, set_points(book, faces)) for faces in sets_within(book, counts)]
    single = [((faces,), points) for faces, points in sets]
    found = [Opening(laid, points) for laid, points in single if points >= book.opening.points]
    if not found or book.opening.run_required:
        found += _pairs(book, sets, counts)
    if book.opening.run_required:
        found = [each for each in found if any(_has_run(book, faces) for faces in each.sets)]
    if not found:
        largest = best_opening(book, rack, "tiles")
        return [] if largest is None else [largest]
    joker = book.tiles.joker
    return sorted(found, key=lambda each: (each.played.count(joker), len(each.played), -each.value))


def _has_run(book: RuleBook, faces: FaceSet) -> bool:
    return any(reading.is_run for reading in book.reader.readings(faces))


def _pairs(book: RuleBook, sets: list[tuple[FaceSet, int]], counts: list[int]) -> list[Opening]:
    """Two sets together that reach the opening."""
    worthy = sorted(sets, key=lambda each: (each[0].count(book.tiles.joker), len(each[0]), -each[1]))
    found = []
    for (first, one), (second, two) in combinations(worthy[:MOST_SETS], 2):
        if one + two >= book.opening.points:
            needed = Counter(first)
            needed.update(second)
            if all(counts[face] >= count for face, count in needed.items()):
                found.append(Opening((first, second), one + two))
    for faces, points in worthy[:MOST_SETS]:
        if 2 * points >= book.opening.points and all(counts[f] >= 2 * faces.count(f) for f in faces):
            found.append(Opening((faces, faces), 2 * points))
    return found
