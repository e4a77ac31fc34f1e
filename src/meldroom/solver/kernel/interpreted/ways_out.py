"""Ways out: every way a rack could yet be laid whole, the tiles each wants, and what each discard leaves.

A way is a choice of blocks (new melds, or tiles added to a meld on the table) that together hold exactly as
many tiles as must leave the rack. Tiles of a way that are not on the rack are missing; jokers on the rack
fill as many of them. Faces are bits of a word, so that a block is tried in a few steps; blocks are tried in
the order of what they miss, and what a block misses only grows as others take its tiles.
"""

from __future__ import annotations

from typing import NamedTuple

from .arrays import Floats, Ints, floats, inlined, ints, zeros
from .arrays import native_with_arrays as native
from .arrays import part_with_arrays as part

__all__ = ["Blocks", "Odds", "appraise", "floats", "ints", "make_room"]

DEPTH = 64
MOST_WAYS = 6000
MOST_AWAY = 8
FAR_AWAY = 99
NEAR = 2
"""Up to so many missing tiles what a discard leaves is worked out with the discards that follow."""
MOST_ORDERS = 20_000
"""How many orders in which the tiles of all ways might come are still worked through."""


class Blocks(NamedTuple):
    """Blocks by number: their faces as bits, their size, the place on the table they fill or -1."""

    mask: Ints
    size: Ints
    place: Ints
    smallest: int
    largest: int


class Odds(NamedTuple):
    """What can be got: tiles not seen by face, faces of which one or two are left as bits, jokers, all tiles.

    `looks` says how many tiles a turn there are to choose from; `patience` is what a turn is worth of the one
    before: the chance that nobody else goes out meanwhile.
    """

    unseen: Ints
    once: int
    twice: int
    jokers: int
    total: int
    looks: float
    patience: float


class Room(NamedTuple):
    """What a search writes to.

    By block: what it misses, and the blocks in that order. By level: the next block to try, the faces still
    on the rack once and twice, tiles still to lay, missing so far, wanted (once, again), how many of those
    only a joker can fill, places filled. By way: faces wanted (again), spared (twice), how many are missing.
    """

    need: Ints
    order: Ints
    at: Ints
    one: Ints
    two: Ints
    left: Ints
    lack: Ints
    want: Ints
    again: Ints
    dead: Ints
    filled: Ints
    wants: Ints
    wants_twice: Ints
    spare: Ints
    spare_twice: Ints
    lacks: Ints


def make_room(blocks: int) -> Room:
    """Fresh room for searches among so many blocks."""
    return Room(
        zeros(blocks),
        zeros(blocks),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(DEPTH),
        zeros(MOST_WAYS),
        zeros(MOST_WAYS),
        zeros(MOST_WAYS),
        zeros(MOST_WAYS),
        zeros(MOST_WAYS),
    )


@inlined
def _bits(mask: int) -> int:
    """How many bits are set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@part
def _in_order(blocks: Blocks, odds: Odds, room: Room, one: int, jokers: int, whole: int, budget: int) -> int:
    """Lists the blocks that could ever fit by what they miss; how many they are."""
    many = len(blocks.mask)
    for block in range(many):
        lack = blocks.mask[block] & ~one
        missing = _bits(lack)
        if missing > budget or blocks.size[block] > whole or _bits(lack & ~odds.once) > jokers:
            missing = FAR_AWAY
        room.need[block] = missing
    end = 0
    for missing in range(budget + 1):
        for block in range(many):
            if room.need[block] == missing:
                room.order[end] = block
                end += 1
    return end


@part
def search(
    blocks: Blocks, odds: Odds, room: Room, one: int, two: int, jokers: int, whole: int, away: int, nodes: int
) -> tuple[int, int]:
    """Writes down the ways that want at most `away` tiles besides the jokers; (ways, nodes left).

    `one` and `two` are the faces that are on the rack at least once, or twice; `whole` is how many tiles
    must be laid.
    """
    budget = away + jokers
    end = _in_order(blocks, odds, room, one, jokers, whole, budget)
    found, level = 0, 0
    room.at[0], room.one[0], room.two[0], room.left[0] = 0, one, two, whole
    room.lack[0] = room.want[0] = room.again[0] = room.dead[0] = room.filled[0] = 0
    while level >= 0:
        at = room.at[level]
        left = room.left[level]
        fewest = (left + blocks.largest - 1) // blocks.largest
        if at >= end or room.lack[level] + room.need[room.order[at]] * fewest > budget:
            level -= 1
            continue
        block = room.order[at]
        room.at[level] = at + 1
        nodes -= 1
        if nodes < 0:
            break
        rest = left - blocks.size[block]
        if rest < 0 or 0 < rest < blocks.smallest:
            continue
        place = blocks.place[block]
        if place >= 0 and (room.filled[level] >> place) & 1:
            continue
        mask = blocks.mask[block]
        have = mask & room.one[level]
        lack = mask ^ have
        missing = room.lack[level] + _bits(lack)
        if missing > budget:
            continue
        dead, again = room.dead[level], room.again[level]
        if lack:
            twice = lack & room.want[level]
            dead += _bits(lack & ~odds.once) + _bits(twice & odds.once & ~odds.twice)
            if dead > jokers:
                continue
            again |= twice
        ones = (room.one[level] ^ have) | (room.two[level] & have)
        twos = room.two[level] & ~have
        if rest == 0:
            if found == MOST_WAYS:
                break
            _write(room, found, room.want[level] | lack, again, ones, twos, max(missing - jokers, 0))
            found += 1
            continue
        room.want[level + 1] = room.want[level] | lack
        room.filled[level + 1] = room.filled[level] | ((1 << place) if place >= 0 else 0)
        level += 1
        room.at[level], room.one[level], room.two[level], room.left[level] = at, ones, twos, rest
        room.lack[level], room.again[level], room.dead[level] = missing, again, dead
    return found, nodes


@inlined
def _write(room: Room, way: int, want: int, again: int, one: int, two: int, lacks: int) -> None:
    """Writes a way down."""
    room.wants[way], room.wants_twice[way] = want, again
    room.spare[way], room.spare_twice[way] = one, two
    room.lacks[way] = lacks


@inlined
def _waiting(odds: Odds, mask: int) -> float:
    """What it is worth to want one tile more, any of these."""
    tiles = _bits(mask & odds.once) + _bits(mask & odds.twice) + odds.jokers
    chance = min(tiles * odds.looks / odds.total, 1.0)
    return odds.patience * chance / (1.0 - odds.patience * (1.0 - chance))


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


@part
def _chances(odds: Odds, kinds: int) -> Floats:
    """The chance a turn to get each face, or a joker (the last)."""
    chances = floats(kinds + 1)
    for face in range(kinds):
        chances[face] = min(odds.unseen[face] * odds.looks / odds.total, 1.0)
    chances[kinds] = odds.jokers / odds.total
    return chances


class Waits(NamedTuple):
    """The tiles that would complete a rack after discards, as bits; discards by their place on the rack.

    `whole` by discard: at once. `still` by pair of discards: at once. `then` by a tile that comes (or a
    joker) and pair of discards: after that tile.
    """

    faces: Ints
    whole: Ints
    still: Ints
    then: Ints


@part
def weigh(odds: Odds, room: Room, hand: Ints, found: int, values: Floats) -> None:
    """What each discard leaves, by face, as far as ways of at most two missing tiles tell.

    For every tile that may come, and every second discard then, the tiles that would complete the rack.
    """
    kinds = len(hand)
    many, at = 0, zeros(kinds)
    for face in range(kinds):
        values[face] = 0.0
        if hand[face]:
            at[many] = face
            many += 1
    waits = Waits(at, zeros(many), zeros(many * many), zeros((kinds + 1) * many * many))
    spare = zeros(many)
    for way in range(found):
        size = 0
        for place in range(many):
            if (room.spare[way] >> at[place]) & 1:
                spare[size] = place
                size += 1
        if room.lacks[way] == 0:
            for k in range(size):
                values[at[spare[k]]] = 1.0
        else:
            _note(room, waits, way, spare, size, many, kinds)
    chances, offers = _chances(odds, kinds), floats(kinds + 1)
    for first in range(many):
        if values[at[first]] == 0.0:
            _offer(odds, waits, first, many, offers)
            values[at[first]] = accepted(chances, offers, kinds + 1, odds.patience)


@part
def _note(room: Room, waits: Waits, way: int, spare: Ints, size: int, many: int, kinds: int) -> None:
    """Adds what a way wants to the waits of all discards, and pairs of discards, that it spares."""
    want, again = room.wants[way], room.wants_twice[way]
    alone = room.lacks[way] == 1
    for k in range(size):
        first = spare[k]
        if alone:
            waits.whole[first] |= want
        for m in range(size):
            if k == m and not (room.spare_twice[way] >> waits.faces[first]) & 1:
                continue
            pair = first * many + spare[m]
            if alone:
                waits.still[pair] |= want
                continue
            waits.then[kinds * many * many + pair] |= want
            rest = want
            while rest:
                low = rest & -rest
                rest ^= low
                waits.then[_bits(low - 1) * many * many + pair] |= (want ^ low) | (low & again)


@part
def _offer(odds: Odds, waits: Waits, first: int, many: int, offers: Floats) -> None:
    """What each tile that may come is worth after a discard, with the best second discard."""
    kinds = len(odds.unseen)
    for face in range(kinds + 1):
        offers[face] = 0.0
        if (odds.unseen[face] if face < kinds else odds.jokers) == 0:
            continue
        if (waits.whole[first] >> face) & 1 or (face == kinds and waits.whole[first]):
            offers[face] = 1.0
            continue
        for second in range(many):
            pair = first * many + second
            mask = waits.then[face * many * many + pair]
            if mask:
                offers[face] = max(offers[face], _waiting(odds, mask | waits.still[pair]))


@part
def worth(want: Ints, again: Ints, many: int, away: int, odds: Odds, chances: Floats) -> float:
    """The chance to complete one of these ways, of which `away` more tiles are wanted, before others do.

    A tile is only accepted if it leads on better than waiting for another; which tiles must be given up for
    it is left open.
    """
    if away <= 0:
        return 1.0
    union = 0
    for way in range(many):
        union |= want[way]
    if away == 1:
        return _waiting(odds, union)
    kinds = len(odds.unseen)
    offers, taken, twice = floats(kinds + 1), zeros(many), zeros(many)
    for face in range(kinds):
        if odds.unseen[face] == 0 or not (union >> face) & 1:
            continue
        size = _with(want, again, many, face, taken, twice)
        offers[face] = worth(taken, twice, size, away - 1, odds, chances)
    if odds.jokers > 0:
        offers[kinds] = worth(want, again, many, away - 1, odds, chances)
    return accepted(chances, offers, kinds + 1, odds.patience)


@part
def _with(want: Ints, again: Ints, many: int, face: int, taken: Ints, twice: Ints) -> int:
    """Writes down the ways that want a face, once it has come; how many they are."""
    bit, size = 1 << face, 0
    for way in range(many):
        if want[way] & bit:
            taken[size] = (want[way] ^ bit) | (again[way] & bit)
            twice[size] = again[way] & ~bit
            size += 1
    return size


@part
def spared(odds: Odds, room: Room, hand: Ints, found: int, away: int, values: Floats) -> None:
    """What the ways that spare each tile are worth; merely how many they are, if there are too many."""
    kinds = len(hand)
    orders, unit = found, 1.0
    for step in range(2, away + 1):
        orders *= step
    for _ in range(away):
        unit *= odds.looks / odds.total
    want, again = zeros(found), zeros(found)
    chances = _chances(odds, kinds)
    for face in range(kinds):
        values[face] = 0.0
        if hand[face] == 0:
            continue
        size, ways = 0, 0.0
        for way in range(found):
            if (room.spare[way] >> face) & 1:
                want[size], again[size] = room.wants[way], room.wants_twice[way]
                ways += unit * (1 << min(_bits(want[size] & odds.twice), away))
                size += 1
        if size:
            values[face] = worth(want, again, size, away, odds, chances) if orders <= MOST_ORDERS else ways


@native
def appraise(
    blocks: Blocks, odds: Odds, room: Room, hand: Ints, jokers: int, whole: int, nodes: int, values: Floats
) -> tuple[int, int]:
    """Fills in what each discard from a rack leaves: (tiles wanted at least, nodes left).

    `hand` counts the rack by face, `whole` says how many tiles must be laid. `values` by face are 0 where
    nothing is known in favour of a discard. Beyond `NEAR` missing tiles they may only be good for comparing
    discards.
    """
    one, two = 0, 0
    for face in range(len(hand)):
        if hand[face] > 0:
            one |= 1 << face
        if hand[face] > 1:
            two |= 1 << face
    for away in range(NEAR, MOST_AWAY + 1):
        found, nodes = search(blocks, odds, room, one, two, jokers, whole, away, nodes)
        if found == 0 and nodes > 0:
            continue
        if found == 0:
            break
        least = FAR_AWAY
        for way in range(found):
            least = min(least, room.lacks[way])
        if least <= NEAR:
            weigh(odds, room, hand, found, values)
        else:
            spared(odds, room, hand, found, least, values)
        return least, nodes
    for face in range(len(hand)):
        values[face] = 0.0
    return FAR_AWAY, nodes
