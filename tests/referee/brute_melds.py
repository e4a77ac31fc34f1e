"""The best first meld of a rack by brute force: every set by its definition, every way to lay them.

Shares nothing with the engine: tiles are pairs of colour and number, a joker is None.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from random import Random

Piece = tuple[str, int] | None
COLOURS = "KRBO"
BOX: tuple[Piece, ...] = (*((c, n) for c in COLOURS for n in range(1, 14) for _ in range(2)), None, None)
Pieces = tuple[tuple[Piece, int], ...]


def piece(name: str) -> Piece:
    """A tile from its text."""
    return None if name == "*" else (name[0], int(name[1:]))


def name(one: Piece) -> str:
    """A tile as text."""
    return "*" if one is None else f"{one[0]}{one[1]}"


def some_rack(random: Random, fewest: int = 10, most: int = 30) -> list[str]:
    """A random rack as text."""
    return [name(one) for one in random.sample(BOX, random.randint(fewest, most))]


def shapes() -> Iterator[tuple[tuple[str, int], ...]]:
    """Every set without jokers, tile by tile."""
    for number in range(1, 14):
        for size in (3, 4):
            for colours in combinations(COLOURS, size):
                yield tuple((colour, number) for colour in colours)
    for colour in COLOURS:
        for low in range(1, 14):
            for high in range(low + 2, 14):
                yield tuple((colour, number) for number in range(low, high + 1))


def sets_on(rack: Counter[Piece]) -> dict[Pieces, int]:
    """Every set that can be laid from a rack, with the most it can count."""
    found: dict[Pieces, int] = {}
    for shape in shapes():
        worth = sum(number for _, number in shape)
        absent = [each for each in shape if not rack[each]]
        for jokers in range(len(absent), min(rack[None], len(shape) - 1) + 1):
            spare = [each for each in shape if rack[each]]
            for replaced in combinations(spare, jokers - len(absent)):
                kept = [each for each in spare if each not in replaced]
                used = tuple(sorted(Counter([*kept, *[None] * jokers]).items(), key=str))
                found[used] = max(found.get(used, 0), worth)
    return found


def most_points(names: list[str]) -> int:
    """The most points that sets from this rack alone can count."""
    rack = Counter(piece(each) for each in names)
    kinds = sorted((each for each in rack if each is not None), key=lambda each: (each[1], each[0]))
    order = {each: place for place, each in enumerate([*kinds, None])}
    choices: list[list[tuple[tuple[int, ...], int]]] = [[] for _ in kinds]
    for used, worth in sets_on(rack).items():
        need = [0] * len(order)
        for each, count in used:
            need[order[each]] = count
        first = min(order[each] for each, _ in used if each is not None)
        choices[first].append((tuple(need), worth))

    @cache
    def best(place: int, left: tuple[int, ...]) -> int:
        if place == len(kinds):
            return 0
        most = best(place + 1, left)
        for need, worth in choices[place]:
            after = tuple(have - wanted for have, wanted in zip(left, need, strict=True))
            if min(after) >= 0:
                most = max(most, worth + best(place, after))
        return most

    return best(0, tuple(rack[each] for each in order))
