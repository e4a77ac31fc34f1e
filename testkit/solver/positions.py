"""Random positions: a table of legal sets drawn from the tile set, and a rack from what is left."""

from __future__ import annotations

from collections import Counter
from random import Random

from meldroom.rules.book import RuleBook
from meldroom.tiles import Face

FaceSet = tuple[Face, ...]


def random_position(
    book: RuleBook, rng: Random, table_tiles: int, rack_tiles: int, jokers: int, swap: float = 0.08
) -> tuple[tuple[FaceSet, ...], FaceSet]:
    """A table of about `table_tiles` tiles and a rack; `jokers` of them are in play, on table or rack."""
    tiles = book.tiles
    left = Counter(dict.fromkeys(tiles.every_face[:-1], tiles.copies))
    wild = jokers
    table: list[FaceSet] = []
    laid = 0
    for _ in range(20 * table_tiles):
        if laid >= table_tiles:
            break
        faces = _random_set(book, rng)
        swapped = [i for i in range(len(faces)) if wild and rng.random() < swap][:wild]
        natural = [face for i, face in enumerate(faces) if i not in swapped]
        if not natural or any(left[face] < 1 for face in natural):
            continue
        left -= Counter(natural)
        wild -= len(swapped)
        table.append(tuple(tiles.joker if i in swapped else face for i, face in enumerate(faces)))
        laid += len(faces)
    pool = [face for face, count in left.items() for _ in range(count)]
    rng.shuffle(pool)
    rack = [tiles.joker] * wild + pool
    rack = rack[:rack_tiles]
    rng.shuffle(rack)
    return tuple(table), tuple(rack)


def _random_set(book: RuleBook, rng: Random) -> FaceSet:
    tiles = book.tiles
    colours = range(len(tiles.colours))
    if rng.random() < 0.5 and len(tiles.colours) >= 3:
        number = rng.randint(1, tiles.numbers)
        size = rng.randint(3, len(tiles.colours))
        return tuple(tiles.face(c, number) for c in sorted(rng.sample(colours, size)))
    length = min(tiles.numbers, rng.choice((3, 3, 3, 4, 4, 5, 6, 7)))
    low = rng.randint(1, tiles.numbers - length + 1)
    colour = rng.choice(colours)
    return tuple(tiles.face(colour, n) for n in range(low, low + length))
