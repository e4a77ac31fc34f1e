"""Turns at tables of 15 to 20 sets, made by a fixed seed: legal, illegal, and with a joker freed."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from typing import Literal

from meldroom.rules.book import RuleBook
from meldroom.rules.verify import Turn, verify
from meldroom.tiles import Face

Faces = tuple[Face, ...]
LEAST_SETS, MOST_SETS = 15, 20
RACK = 8


def _some_set(of: RuleBook, chance: random.Random) -> list[Face]:
    """A group or a run of real size."""
    tiles = of.tiles
    if chance.random() < 0.5:
        colours = chance.sample(range(len(tiles.colours)), chance.randint(3, 4))
        number = chance.randint(1, tiles.numbers)
        return [tiles.face(colour, number) for colour in colours]
    length = chance.randint(3, 5)
    low = chance.randint(1, tiles.numbers - length + 1)
    colour = chance.randrange(len(tiles.colours))
    return [tiles.face(colour, number) for number in range(low, low + length)]


def position(of: RuleBook, chance: random.Random, jokers: bool) -> tuple[tuple[Faces, ...], Counter[Face]]:
    """A legal table of 15 to 20 sets and the tiles that are left."""
    wanted = chance.randint(LEAST_SETS, MOST_SETS)
    while True:
        left = Counter(dict(zip(of.tiles.every_face, of.tiles.limits, strict=True)))
        table: list[Faces] = []
        for _ in range(60 * MOST_SETS):
            faces = _some_set(of, chance)
            if jokers and left[of.tiles.joker] and len(table) < 2:
                faces[chance.randrange(len(faces))] = of.tiles.joker
            if all(left[face] >= count for face, count in Counter(faces).items()):
                left -= Counter(faces)
                table.append(tuple(faces))
            if len(table) == wanted:
                return tuple(chance.sample(table, wanted)), left


Kind = Literal["legal", "illegal", "freed"]
KINDS: tuple[tuple[bool, Kind], ...] = (
    (False, "legal"),
    (False, "illegal"),
    (True, "legal"),
    (True, "illegal"),
    (True, "freed"),
)


def turns(of: RuleBook, jokers: bool, kind: Kind, count: int) -> list[Turn]:
    """Turns of a melded player: sets are lengthened, split, spoilt, or give up a joker to a new set."""
    chance = random.Random(f"{of.id} {jokers} {kind}")
    found: list[Turn] = []
    while len(found) < count:
        before, left = position(of, chance, jokers)
        if kind == "freed":
            turn = _freed(of, before, left, chance)
        else:
            rack = tuple(chance.sample(sorted(left.elements()), RACK))
            after = _played(of, before, rack, chance)
            if after is not None and kind == "illegal":
                after = _spoilt(after, chance)
            turn = None if after is None else Turn(before, rack, after, True)
        if turn is not None and (not verify(of, turn)) == (kind != "illegal"):
            found.append(turn)
    return found


def _freed(
    of: RuleBook, before: tuple[Faces, ...], left: Counter[Face], chance: random.Random
) -> Turn | None:
    """A joker's place is taken by a rack tile, and the joker makes a new set with two more."""
    joker = of.tiles.joker
    home = next(index for index, faces in enumerate(before) if joker in faces)
    rest = tuple(face for face in before[home] if face != joker)
    held = sorted(face for face in left if face != joker)
    given = [face for face in held if of.reader.is_set((*rest, face))]
    pairs = [pair for pair in combinations(held, 2) if of.reader.is_set((*pair, joker))]
    if not given or not pairs:
        return None
    tile, pair = chance.choice(given), chance.choice(pairs)
    if tile in pair:
        return None
    after = [(*rest, tile) if index == home else faces for index, faces in enumerate(before)]
    others = sorted((left - Counter((tile, *pair))).elements())
    rack = (tile, *pair, *chance.sample(others, RACK - 3))
    return Turn(before, rack, tuple(chance.sample([*after, (*pair, joker)], len(after) + 1)), True)


def _played(
    of: RuleBook, before: tuple[Faces, ...], rack: Faces, chance: random.Random
) -> tuple[Faces, ...] | None:
    """The table after a turn: one to four rack tiles added where they fit, and long runs split."""
    table = list(before)
    laid = 0
    for tile in rack:
        places = [i for i, faces in enumerate(table) if of.reader.is_set((*faces, tile))]
        if places and laid < 4:
            place = chance.choice(places)
            table[place] = (*table[place], tile)
            laid += 1
    for index, faces in enumerate(table):
        run = tuple(sorted(faces))
        if len(run) >= 6 and of.reader.is_set(run[:3]) and of.reader.is_set(run[3:]):
            table[index] = run[:3]
            table.append(run[3:])
    return tuple(chance.sample(table, len(table))) if laid else None


def _spoilt(table: tuple[Faces, ...], chance: random.Random) -> tuple[Faces, ...]:
    """One tile in a set where it does not belong."""
    source, target = chance.sample(range(len(table)), 2)
    sets = [list(faces) for faces in table]
    sets[target].append(sets[source].pop())
    return tuple(tuple(faces) for faces in sets)
