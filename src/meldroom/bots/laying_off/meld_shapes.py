"""The shapes of melds: every short meld of numbered tiles, and what a table's melds can still take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.rules.verify import FaceSet
from meldroom.tiles import Face


@cache
def shapes(book: RuleBook) -> tuple[FaceSet, ...]:
    """Every meld of numbered tiles that does not fall into two shorter ones."""
    return (*_runs(book), *_groups(book))


@cache
def smallest_with(book: RuleBook, face: Face) -> tuple[FaceSet, ...]:
    """The other tiles of every smallest meld that holds a face."""
    shortest = book.sets.shortest
    return tuple(
        tuple(other for other in shape if other != face)
        for shape in shapes(book)
        if len(shape) == shortest and face in shape
    )


def _runs(book: RuleBook) -> Iterator[FaceSet]:
    shortest, reader, tiles = book.sets.shortest, book.reader, book.tiles
    numbers = [*range(1, tiles.numbers + 1), 1][: reader.top]
    for colour in range(len(tiles.colours)):
        for size in range(shortest, 2 * shortest):
            for low in range(1, reader.top - size + 2):
                if reader.allowed(low, low + size - 1):
                    yield tuple(tiles.face(colour, n) for n in numbers[low - 1 : low + size - 1])


def _groups(book: RuleBook) -> Iterator[FaceSet]:
    tiles, colours = book.tiles, range(len(book.tiles.colours))
    for size in range(book.sets.shortest, min(len(colours), 2 * book.sets.shortest - 1) + 1):
        for number in range(1, tiles.numbers + 1):
            for chosen in combinations(colours, size):
                yield tuple(tiles.face(colour, number) for colour in chosen)


def additions(book: RuleBook, melds: Sequence[Exposed]) -> list[tuple[FaceSet, int]]:
    """Numbered tiles that could be added to melds on the table, each with a number for the place it fills.

    Only one of the additions with the same place can be made. As many tiles as make a meld are no addition:
    they can lie on their own.
    """
    found: list[tuple[FaceSet, int]] = []
    place = 0
    for meld in melds:
        reading = meld.readings[0]
        if not reading.is_run:
            room = len(book.tiles.colours) - len(meld.faces)
            missing = _missing_colours(book, meld)
            for face in missing if room else ():
                # Two missing colours with room for one (a joker lies there) fill the same place.
                found.append(((face,), place if room < len(missing) else place + missing.index(face)))
            place += len(missing)
            continue
        ends = (
            [reading.high + step for step in range(1, book.sets.shortest)],
            [reading.low - step for step in range(1, book.sets.shortest)],
        )
        for numbers in ends:
            found += [(faces, place) for faces in _outwards(book, reading.low, reading.high, numbers, meld)]
            place += 1
    return found


def _missing_colours(book: RuleBook, meld: Exposed) -> list[Face]:
    tiles, number = book.tiles, meld.readings[0].low
    every = (tiles.face(colour, number) for colour in range(len(tiles.colours)))
    return [face for face in every if face not in meld.faces]


def _outwards(book: RuleBook, low: int, high: int, places: Sequence[int], meld: Exposed) -> Iterator[FaceSet]:
    """What continues a run at one end: one tile, two, and so on."""
    tiles, laid = book.tiles, []
    for place in places:
        if not book.reader.allowed(min(low, place), max(high, place)):
            return
        laid.append(tiles.face(meld.readings[0].colour, place if place <= tiles.numbers else 1))
        yield tuple(laid)
