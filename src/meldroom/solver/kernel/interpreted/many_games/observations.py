"""What a learner sees: observation, mask, and the features of its choices."""

from __future__ import annotations

from ..arrays import Floats, Grid, Ints, SingleGrid, native, part
from ..counts import sum_counts
from .games import (
    AMOUNTS,
    CHOICES,
    EXHAUSTED,
    FINAL_LEFT,
    FINAL_NEXT,
    KINDS,
    LEARNER,
    MUST,
    OVER,
    PASSES,
    POOL_AT,
    POOL_END,
    SEAT,
    STARTER,
    STATUS,
    TABLE_END,
    WAIT,
    Book,
    Desk,
    Games,
)
from .living import count_table
from .sorting import sort_sets


@part
def _observe(g: int, games: Games, book: Book, desk: Desk, seen: Floats) -> None:
    """The learner's observation, in the order of `meldroom.env.observation`."""
    facts = games.facts[g]
    players = book.players
    me = facts[LEARNER]
    rack = games.racks[g * players + me]
    faces = len(rack)
    for i in range(len(seen)):
        seen[i] = 0
    count_table(games.table[g], facts[TABLE_END], desk.counts)
    for face in range(faces):
        seen[face] = rack[face]
        seen[3 * faces + face] = desk.counts[face]
        seen[4 * faces + face] = book.limits[face] - rack[face] - desk.counts[face]
    if games.drawn[g][me] >= 0:
        seen[2 * faces + games.drawn[g][me]] = 1
    at = 5 * faces
    count = sort_sets(games.table[g], facts[TABLE_END], desk)
    for i in range(min(count, book.sets)):
        row = desk.order[i]
        for k in range(desk.size[row]):
            seen[at + i * faces + desk.sets[row][k]] += 1
    at += book.sets * faces
    over = facts[STATUS] == OVER
    for place in range(players):
        seat = (me + place) % players
        seen[at + place] = sum_counts(games.racks[g * players + seat])
        later = at + players + 1 + place
        seen[later] = games.melded[g][seat]
        seen[later + players] = 1 if facts[SEAT] == seat and not over else 0
        seen[later + 2 * players] = 1 if facts[STARTER] == seat else 0
        seen[later + 3 * players] = games.turns[g][seat]
        to_come = 0
        coming = facts[FINAL_NEXT]
        for _ in range(facts[FINAL_LEFT]):
            if coming == seat:
                to_come = 1
            coming = (coming + book.step + players) % players
        seen[later + 4 * players] = to_come
    seen[at + players] = facts[POOL_END] - facts[POOL_AT]
    at += 6 * players + 1
    seen[at] = facts[EXHAUSTED]
    seen[at + 1] = facts[PASSES]
    if not over:
        seen[at + 3] = 1


@part
def _describe(g: int, games: Games, book: Book, mask: Ints, features: Floats) -> None:
    """The mask, and a row of features for each slot it allows."""
    facts = games.facts[g]
    for i in range(len(features)):
        features[i] = 0
    for slot in range(book.slots):
        mask[slot] = 0
    if facts[STATUS] == OVER:
        return
    seat = facts[LEARNER]
    rack = games.racks[g * book.players + seat]
    joker = book.colours * book.numbers
    width = KINDS + AMOUNTS + joker + 1
    size = sum_counts(rack)
    points = 0
    for face in range(joker + 1):
        points += rack[face] * book.values[face]
    for slot in range(facts[CHOICES]):
        if slot == 0 and facts[MUST] and facts[CHOICES] > 1:
            continue
        mask[slot] = 1
        at = slot * width
        tiles = 0
        if slot == 0:
            features[at + WAIT] = 1
        else:
            tiles = games.tiles[g][slot]
            for kind in range(KINDS):
                features[at + kind] = games.kinds[g][slot] >> kind & 1
        row = games.played[g * book.slots + slot]
        worth = 0
        jokers = 0
        for i in range(tiles):
            face = int(row[i])
            worth += book.values[face]
            jokers += 1 if face == joker else 0
            features[at + KINDS + AMOUNTS + face] += 1
        at += KINDS
        features[at] = tiles
        features[at + 1] = worth
        features[at + 2] = jokers
        features[at + 3] = size - tiles
        features[at + 4] = points - worth
        features[at + 5] = rack[joker] - jokers
        features[at + 6] = 1 if tiles > 0 and games.melded[g][seat] == 0 else 0
        features[at + 7] = 1 if size == tiles else 0
        features[at + 8] = tiles / max(1, size)


@native
def show(first: int, last: int, games: Games, book: Book, desk: Desk, seen: SingleGrid, mask: Grid,
         features: SingleGrid) -> None:  # fmt: skip
    """Writes the observation, the mask and the features of the choices of each game."""
    for g in range(first, last):
        _observe(g, games, book, desk, seen[g])
        _describe(g, games, book, mask[g], features[g])
