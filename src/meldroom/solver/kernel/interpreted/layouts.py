"""Layouts: every way a rack could yet be laid whole, the tiles each wants, and what that is worth.

A layout is a choice of blocks (new melds, or tiles added to a meld on the table) that together hold exactly
as many tiles as must leave the rack. Tiles of a layout that are not on the rack are missing; jokers on the
rack fill as many of them. The numbered tiles of the rack are gone through in order of their faces: each is
left over, or covered by a block that holds it, so that no layout is met twice.
"""

from __future__ import annotations

from typing import NamedTuple

from .arrays import Floats, Ints, floats, inlined, ints, native, part, zeros

__all__ = ["Blocks", "Odds", "appraise", "floats", "ints", "look_ahead", "make_room"]

DEPTH = 64
MOST_MISSING = 12
MOST_LAYOUTS = 2000
MOST_AWAY = 8
FAR_AWAY = 99
LIKELY = 3
"""How many discards are weighed for each tile that may come next."""
MOST_ORDERS = 20_000
"""How many orders in which the tiles of all layouts might come are still worked through."""


class Blocks(NamedTuple):
    """Blocks by number: their faces (`longest` each), size, the place on the table they fill or -1.

    `of_face[first[face] : first[face + 1]]` are the blocks that hold a face; `places` counts the places, and
    no block holds more than `longest` tiles.
    """

    faces: Ints
    size: Ints
    place: Ints
    first: Ints
    of_face: Ints
    places: int
    longest: int


class Odds(NamedTuple):
    """What can be got: unseen tiles by face, the chance a turn to get a face, or a joker.

    `patience` is what a turn is worth of the one before: the chance that nobody else goes out meanwhile.
    Up to `deep` missing tiles the value of layouts is worked out exactly.
    """

    unseen: Ints
    reach: Floats
    jokers: int
    joker: float
    patience: float
    deep: int


class Room(NamedTuple):
    """What a search writes to: the missing tiles of every layout (-1 after the last), the tiles it spares."""

    layouts: Ints
    spare: Ints
    ways: Floats


def make_room(kinds: int) -> Room:
    """Fresh room for racks of so many kinds of tiles."""
    return Room(
        zeros(MOST_LAYOUTS * MOST_MISSING),
        zeros(MOST_LAYOUTS * kinds),
        floats(kinds),
    )


class Walk(NamedTuple):
    """Where a search stands.

    By face: tiles still on the rack, left over, and missing. By level: the face at hand, the next block to
    try for it, what was done (-2 nothing yet, -1 left over, else the block), how many tiles were left over,
    which tiles of the block came from the rack. `filled` marks places on the table; `tally` counts the tiles
    laid, missing and left over. `first` and `of_face` are those of the blocks that this rack can use at all.
    """

    rack: Ints
    over: Ints
    wanted: Ints
    at: Ints
    option: Ints
    done: Ints
    lost: Ints
    came: Ints
    filled: Ints
    tally: Ints
    first: Ints
    of_face: Ints


LAID, MISSING, OVER = 0, 1, 2


@part
def search(
    blocks: Blocks, odds: Odds, room: Room, hand: Ints, jokers: int, whole: int, away: int, nodes: int
) -> tuple[int, int]:
    """Writes down all layouts that want at most `away` tiles besides the jokers; (layouts, nodes left).

    `hand` counts the rack by face, `whole` says how many tiles must be laid.
    """
    kinds = len(hand)
    most_missing = away + jokers
    walk = _walk(blocks, hand)
    _choose_blocks(blocks, odds, walk, whole, most_missing)
    most_over = most_missing - whole
    for face in range(kinds):
        most_over += hand[face]
        room.ways[face] = 0.0
    found, level = 0, 0
    walk.at[0] = _next(hand, 0)
    if walk.at[0] == kinds:
        return 0, nodes
    walk.option[0] = walk.first[walk.at[0]]
    while level >= 0:
        here = walk.at[level]
        if not _undone(blocks, walk, level):
            level -= 1
            continue
        nodes -= 1
        if nodes < 0:
            break
        block = _fitting(blocks, odds, walk, level, whole, most_missing)
        if block >= 0:
            _lay(blocks, walk, level, block)
        elif walk.tally[OVER] + walk.rack[here] > most_over:
            level -= 1
            continue
        else:
            walk.done[level], walk.lost[level] = -1, walk.rack[here]
            walk.over[here] += walk.rack[here]
            walk.tally[OVER] += walk.rack[here]
            walk.rack[here] = 0
        if walk.tally[LAID] == whole:
            _record(odds, room, walk, max(walk.tally[MISSING] - jokers, 0), found)
            found += 1
            continue
        face = _next(walk.rack, here)
        if face < kinds:
            level += 1
            walk.at[level], walk.done[level] = face, -2
            # Another copy of the same tile takes the same block or a later one.
            again = walk.option[level - 1] - 1
            walk.option[level] = again if face == here else walk.first[face]
    return found, nodes


@part
def _walk(blocks: Blocks, hand: Ints) -> Walk:
    """The start of a search."""
    kinds = len(hand)
    rack, done = zeros(kinds), zeros(DEPTH)
    for face in range(kinds):
        rack[face] = hand[face]
    for level in range(DEPTH):
        done[level] = -2
    return Walk(
        rack,
        zeros(kinds),
        zeros(kinds),
        zeros(DEPTH),
        zeros(DEPTH),
        done,
        zeros(DEPTH),
        zeros(DEPTH * blocks.longest),
        zeros(blocks.places + 1),
        zeros(3),
        zeros(kinds + 1),
        zeros(len(blocks.of_face)),
    )


@part
def _choose_blocks(blocks: Blocks, odds: Odds, walk: Walk, whole: int, most_missing: int) -> None:
    """Lists the blocks by face that could ever fit: the others want more than is missing or to be had."""
    usable = zeros(len(blocks.size))
    for block in range(len(usable)):
        missing = 0
        for i in range(blocks.size[block]):
            face = blocks.faces[block * blocks.longest + i]
            if walk.rack[face] == 0:
                missing += 1 if odds.unseen[face] > 0 else FAR_AWAY
        if missing <= most_missing and blocks.size[block] <= whole:
            usable[block] = 1
    end = 0
    for face in range(len(walk.rack)):
        walk.first[face] = end
        for i in range(blocks.first[face], blocks.first[face + 1]):
            if usable[blocks.of_face[i]]:
                walk.of_face[end] = blocks.of_face[i]
                end += 1
    walk.first[len(walk.rack)] = end


@inlined
def _undone(blocks: Blocks, walk: Walk, level: int) -> bool:
    """Takes back what was done at a level; False if nothing else can be done there."""
    block, here = walk.done[level], walk.at[level]
    if block == -1:
        walk.rack[here] += walk.lost[level]
        walk.over[here] -= walk.lost[level]
        walk.tally[OVER] -= walk.lost[level]
        return False
    if block >= 0:
        for i in range(blocks.size[block]):
            if walk.came[level * blocks.longest + i] == 1:
                walk.rack[blocks.faces[block * blocks.longest + i]] += 1
            else:
                walk.wanted[blocks.faces[block * blocks.longest + i]] -= 1
                walk.tally[MISSING] -= 1
        walk.tally[LAID] -= blocks.size[block]
        if blocks.place[block] >= 0:
            walk.filled[blocks.place[block]] = 0
        walk.done[level] = -2
    return True


@inlined
def _fitting(blocks: Blocks, odds: Odds, walk: Walk, level: int, whole: int, most_missing: int) -> int:
    """The next block that can cover the tile at hand, or -1."""
    already, room = walk.tally[MISSING], whole - walk.tally[LAID]
    for option in range(walk.option[level], walk.first[walk.at[level] + 1]):
        block = walk.of_face[option]
        size, place = blocks.size[block], blocks.place[block]
        if size > room or (place >= 0 and walk.filled[place] == 1):
            continue
        start, missing = block * blocks.longest, already
        for i in range(start, start + size):
            face = blocks.faces[i]
            if walk.rack[face] == 0:
                missing += 1
                # A tile that was left over is not missing: with it this would be another layout.
                if walk.over[face] > 0 or walk.wanted[face] >= odds.unseen[face] or missing > most_missing:
                    missing = -1
                    break
        if missing >= 0:
            walk.option[level] = option + 1
            return block
    walk.option[level] = walk.first[walk.at[level] + 1]
    return -1


@inlined
def _lay(blocks: Blocks, walk: Walk, level: int, block: int) -> None:
    """Covers the tile at hand with a block."""
    for i in range(blocks.size[block]):
        face = blocks.faces[block * blocks.longest + i]
        if walk.rack[face] > 0:
            walk.rack[face] -= 1
            walk.came[level * blocks.longest + i] = 1
        else:
            walk.wanted[face] += 1
            walk.tally[MISSING] += 1
            walk.came[level * blocks.longest + i] = 0
    walk.tally[LAID] += blocks.size[block]
    if blocks.place[block] >= 0:
        walk.filled[blocks.place[block]] = 1
    walk.done[level] = block


@part
def _next(rack: Ints, face: int) -> int:
    """The first face from here on of which a tile is left."""
    while face < len(rack) and rack[face] == 0:
        face += 1
    return face


@part
def _record(odds: Odds, room: Room, walk: Walk, away: int, found: int) -> None:
    """Writes one layout down, as far as there is room, and credits its chance to every tile it spares.

    Jokers fill the tiles that are hardest to get.
    """
    kinds = len(walk.rack)
    chances = floats(MOST_MISSING)
    count = 0
    for face in range(kinds):
        for copy in range(walk.wanted[face]):
            if count < MOST_MISSING:
                chances[count] = odds.reach[face] * (odds.unseen[face] - copy) / odds.unseen[face]
                if found < MOST_LAYOUTS:
                    room.layouts[found * MOST_MISSING + count] = face
                count += 1
    for i in range(1, count):
        chance, at = chances[i], i
        while at > 0 and chances[at - 1] > chance:
            chances[at] = chances[at - 1]
            at -= 1
        chances[at] = chance
    product = 1.0
    for i in range(max(count - away, 0), count):
        product *= chances[i]
    if found < MOST_LAYOUTS and count < MOST_MISSING:
        room.layouts[found * MOST_MISSING + count] = -1
    for face in range(kinds):
        spare = walk.rack[face] + walk.over[face]
        if spare > 0:
            room.ways[face] += product
        if found < MOST_LAYOUTS:
            room.spare[found * kinds + face] = spare


@part
def worth(layouts: Ints, gone: Ints, which: Ints, many: int, away: int, odds: Odds) -> float:
    """The chance to complete one of these layouts, of which `away` more tiles are wanted, before others do.

    `gone` marks the places of each layout that are filled. A tile is only accepted if it leads on better than
    waiting for another.
    """
    if away <= 0:
        return 1.0
    kinds = len(odds.reach)
    chances, values = floats(kinds + 1), floats(kinds + 1)
    seen = zeros(kinds)
    count = 0
    for k in range(many):
        for spot in range(MOST_MISSING):
            face = layouts[which[k] * MOST_MISSING + spot]
            if face < 0:
                break
            if (gone[k] >> spot) & 1 or seen[face]:
                continue
            seen[face] = 1
            chances[count], values[count] = odds.reach[face], 1.0
            if away > 1:
                some, filled, size = _with(layouts, gone, which, many, face)
                values[count] = worth(layouts, filled, some, size, away - 1, odds)
            count += 1
    if odds.jokers > 0:
        chances[count], values[count] = odds.joker, 1.0
        if away > 1:
            values[count] = worth(layouts, gone, which, many, away - 1, odds)
        count += 1
    return accepted(chances, values, count, odds.patience)


@part
def _with(layouts: Ints, gone: Ints, which: Ints, many: int, face: int) -> tuple[Ints, Ints, int]:
    """The layouts that want a face, with that place filled."""
    some, filled = zeros(many), zeros(many)
    size = 0
    for k in range(many):
        for spot in range(MOST_MISSING):
            if layouts[which[k] * MOST_MISSING + spot] < 0:
                break
            if layouts[which[k] * MOST_MISSING + spot] == face and not (gone[k] >> spot) & 1:
                some[size], filled[size] = which[k], gone[k] | (1 << spot)
                size += 1
                break
    return some, filled, size


@part
def accepted(chances: Floats, values: Floats, count: int, patience: float) -> float:
    """What waiting is worth when each turn may bring one of these values, and any of them can be declined."""
    order, size = zeros(count), 0
    for i in range(count):
        if values[i] > 0.0:
            at = size
            while at > 0 and values[order[at - 1]] < values[i]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = i
            size += 1
    total, gain, best = 0.0, 0.0, 0.0
    for k in range(size):
        i = order[k]
        if values[i] <= best:
            break
        total += chances[i]
        gain += chances[i] * values[i]
        best = patience * gain / (1.0 - patience * (1.0 - min(total, 1.0)))
    return best


@native
def appraise(
    blocks: Blocks,
    odds: Odds,
    room: Room,
    hand: Ints,
    jokers: int,
    whole: int,
    nodes: int,
    most: int,
    values: Floats,
) -> tuple[int, int]:
    """Fills in what each discard leaves: (tiles wanted at least, nodes left).

    `values` by face are 0 where a discard leads away from all nearest layouts, and for all but the `most`
    likeliest discards. Beyond `deep` missing tiles they are only good for comparing discards.
    """
    for face in range(len(hand)):
        values[face] = 0.0
    for away in range(MOST_AWAY + 1):
        found, nodes = search(blocks, odds, room, hand, jokers, whole, away, nodes)
        if found == 0 and nodes > 0:
            continue
        kept = min(found, MOST_LAYOUTS)
        orders = kept
        for step in range(2, away + 1):
            orders *= step
        exact = away <= odds.deep and orders <= MOST_ORDERS
        least = _largest(room.ways, most)
        for face in range(len(hand)):
            if room.ways[face] == 0.0 or room.ways[face] < least:
                continue
            values[face] = _spared(room, face, kept, away, odds) if exact else room.ways[face]
        return (away if found else FAR_AWAY), nodes
    return FAR_AWAY, nodes


@part
def _largest(values: Floats, place: int) -> float:
    """The first, second, third … largest of values that are not below 0; 0 for a place beyond the last."""
    if place >= len(values):
        return 0.0
    top = floats(place)
    for value in values:
        at = place
        while at > 0 and top[at - 1] < value:
            if at < place:
                top[at] = top[at - 1]
            at -= 1
        if at < place:
            top[at] = value
    return top[place - 1]


@part
def _spared(room: Room, face: int, kept: int, away: int, odds: Odds) -> float:
    """What the layouts that spare a tile are worth."""
    kinds, which, size = len(odds.reach), zeros(kept), 0
    for row in range(kept):
        if room.spare[row * kinds + face] > 0:
            which[size] = row
            size += 1
    if size == 0:
        return 0.0
    return worth(room.layouts, zeros(size), which, size, away, odds)


@native
def look_ahead(
    blocks: Blocks, odds: Odds, room: Room, hand: Ints, jokers: int, whole: int, away: int, nodes: int
) -> tuple[float, int]:
    """One tile further: (what waiting for it is worth, nodes left).

    `hand` is a rack after its discard, `away` what it wants; draws that lead no nearer may make it better.
    """
    kinds = len(hand)
    chances, best = floats(kinds + 1), floats(kinds + 1)
    values = floats(kinds)
    for face in range(kinds + 1):
        unseen = odds.unseen[face] if face < kinds else odds.jokers
        if unseen == 0:
            continue
        if face < kinds:
            hand[face] += 1
            left, nodes = appraise(blocks, odds, room, hand, jokers, whole, nodes, LIKELY, values)
            hand[face] -= 1
            chances[face] = odds.reach[face]
        else:
            left, nodes = appraise(blocks, odds, room, hand, jokers + 1, whole, nodes, LIKELY, values)
            chances[face] = odds.joker
        if nodes < 0:
            break
        if left <= away:
            best[face] = 1.0 if left == 0 else _largest(values, 1)
    return accepted(chances, best, kinds + 1, odds.patience), nodes
