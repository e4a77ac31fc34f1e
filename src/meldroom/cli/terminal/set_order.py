"""The order of tiles in a set: runs ascending with jokers in place, groups by colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldroom.game.judgement import reading_of
from meldroom.rules.book import RuleBook
from meldroom.rules.sets import Reading
from meldroom.tiles import Tile

__all__ = [
    "Places",
    "in_reading",
    "ordered",
    "parted",
    "places_of",
    "reading_of",
    "rising",
    "steady",
]

Places = Mapping[Tile, int]
"""The number that each tile of a run stands at."""


def places_of(book: RuleBook, tiles: Sequence[Tile], reading: Reading | None) -> dict[Tile, int]:
    """Where each tile of a run stands; empty for anything else."""
    if reading is None or not reading.is_run:
        return {}
    return {tile: reading.low + step for step, tile in enumerate(tiles)}


def ordered(
    book: RuleBook, tiles: Sequence[Tile], places: Places | None = None, kind: str | None = None
) -> tuple[tuple[Tile, ...], Reading | None]:
    """The tiles as they shall lie, and how they are read then.

    Tiles keep the places they had in a run (`places`) where that is possible; otherwise the reading that
    counts most is chosen. Tiles that are no set yet are put in a rising order.
    """
    stood = places or {}
    readings = book.reader.readings(book.tiles.faces_of(tiles))
    if not readings:
        return tuple(sorted(tiles, key=lambda tile: rising(book, tile))), None

    def fitness(reading: Reading) -> tuple[bool, int, int]:
        order = in_reading(book, tiles, reading, stood)
        kept = sum(stood.get(tile) == place for tile, place in places_of(book, order, reading).items())
        return kind in (None, reading.kind), kept, book.reader.worth(reading, len(tiles))

    best = max(readings, key=fitness)
    return in_reading(book, tiles, best, stood), best


def in_reading(book: RuleBook, tiles: Sequence[Tile], reading: Reading, places: Places) -> tuple[Tile, ...]:
    """The tiles of a set in the order of a reading."""
    if not reading.is_run:
        return tuple(sorted(tiles, key=lambda tile: (book.tiles.face_of[tile], tile)))
    left = list(tiles)
    order = []
    for step, face in enumerate(book.reader.arranged(reading, book.tiles.faces_of(tiles))):
        same = [tile for tile in left if book.tiles.face_of[tile] == face]
        # Of two equal tiles, or two jokers, the one that stood here before stays.
        tile = min(same, key=lambda one: (places.get(one) != reading.low + step, one))
        left.remove(tile)
        order.append(tile)
    return tuple(order)


def rising(book: RuleBook, tile: Tile) -> tuple[bool, int, int, Tile]:
    """Sorts loose tiles by number, then colour, jokers last."""
    face = book.tiles.face_of[tile]
    if face == book.tiles.joker:
        return True, 0, 0, tile
    return False, book.tiles.number_of[face], book.tiles.colour_of[face], tile


def parted(book: RuleBook, tiles: Sequence[Tile]) -> tuple[tuple[Tile, ...], tuple[Tile, ...]] | None:
    """Two runs out of tiles of one colour with one number twice: a run was met in its middle. None if not so.

    A joker would leave a choice, so there must be none.
    """
    numbers: dict[int, list[Tile]] = {}
    for tile in tiles:
        face = book.tiles.face_of[tile]
        if face == book.tiles.joker:
            return None
        numbers.setdefault(book.tiles.number_of[face], []).append(tile)
    twice = [number for number, same in numbers.items() if len(same) > 1]
    if len(twice) != 1:
        return None
    low = tuple(numbers[number][0] for number in sorted(numbers) if number <= twice[0])
    high = (numbers[twice[0]][-1], *(numbers[number][0] for number in sorted(numbers) if number > twice[0]))
    is_set = book.reader.is_set
    if len(numbers[twice[0]]) == 2 and is_set(book.tiles.faces_of(low)) and is_set(book.tiles.faces_of(high)):
        return low, high
    return None


def steady(old: Sequence[Sequence[Tile]], now: Sequence[Sequence[Tile]]) -> tuple[tuple[Tile, ...], ...]:
    """The sets of a table in the places of the old sets that they come from, new ones at the end.

    Nobody should have to look for a set that has only been written down elsewhere.
    """
    left = [tuple(tiles) for tiles in now]
    placed = []
    for tiles in old:
        best = max(left, key=lambda one: (len(set(one) & set(tiles)), -len(one)), default=())
        if set(best) & set(tiles):
            left.remove(best)
            placed.append(best)
    return (*placed, *left)
