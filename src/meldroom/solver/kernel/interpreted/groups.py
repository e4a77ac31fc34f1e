"""What leftover tiles of one number can do in groups: a table made once for each number of colours.

Leftovers are given by colour as how many there are and how many of them must be placed; since all tiles of
a number are worth the same, only how many are placed matters, with how many jokers, and how much room for
further jokers the groups have. A tile with two jokers is a run as well, and has room for all the others.
"""

from __future__ import annotations

from typing import TypeAlias

from .arrays import Ints, ints, listed, native_with_arrays, part, part_with_arrays, zeros
from .workspace import COLOURS, MOST_JOKERS, NUMBERS, Room, opened

Groups: TypeAlias = Ints
"""The table as one array: where lists begin and end, then what joker groups can hold, then the lists.

For up to two jokers in play, and again for more, there are two lists for each of 6⁴ leftovers: one for when
there is room enough for every joker, and one for when there is not. An entry is jokers, room and tiles.
"""

CODES = 1296
KIND = 4 * CODES
"""From the lists for two jokers to those for four; each list has a beginning and an end."""
WANTING = 2 * CODES
JOKERED = 2 * KIND
REACHES = 81 * (MOST_JOKERS + 1)
ENTRIES = JOKERED + REACHES

# Leftovers of one colour at one number: how many there are, and how many of them must be placed.
LEFT = ints([0, 1, 1, 2, 2, 2])
MUST = ints([0, 0, 1, 0, 1, 2])
CODE = ints([0, -1, -1, 1, 2, -1, 3, 4, 5])  # left * 3 + must
SIXES = ints([1, 6, 36, 216])
THREES = ints([1, 3, 9, 27])
SIZE = ints([bin(mask).count("1") for mask in range(16)])
NATURAL = ints([0, 15, 7, 11, 13, 14])


@part
def _reach(colours: int, natural: bool, reach: Ints, at: int) -> None:
    """reach[at + x * 5 + j]: the most room when x tiles a colour use exactly j jokers, or -1.

    Groups without jokers are left out unless `natural`.
    """
    for i in range(REACHES):
        reach[at + i] = -1
    reach[at] = 0
    for x in range(1, 81):
        here = at + x * (MOST_JOKERS + 1)
        for mask in range(1, 16):
            size = SIZE[mask]
            if max(size, 3) > colours or (size > 2 and not natural):
                continue
            before = x
            for c in range(4):
                if mask >> c & 1:
                    if x // THREES[c] % 3 == 0:
                        before = -1
                        break
                    before -= THREES[c]
            if before < 0:
                continue
            used = max(0, 3 - size)
            gain = room_in(size, colours)
            there = at + before * (MOST_JOKERS + 1) - used
            for j in range(used, MOST_JOKERS + 1):
                if reach[there + j] >= 0:
                    reach[here + j] = max(reach[here + j], min(MOST_JOKERS, reach[there + j] + gain))


@part
def room_in(size: int, colours: int) -> int:
    """How many more jokers a group of so many numbered tiles can take."""
    if size == 1:
        return MOST_JOKERS
    return 1 if size <= 3 and colours > 3 else 0


@part_with_arrays
def _list_entries(code: int, most: int, end: int, reach: Ints, best: Ints, table: Ints) -> int:
    """Adds the undominated entries of one leftover for so many jokers in play; returns where they end."""
    kinds = zeros(4)
    for c in range(4):
        kinds[c] = code // SIXES[c] % 6
    for i in range(25):
        best[i] = -1
    for a in range(MUST[kinds[0]], LEFT[kinds[0]] + 1):
        for b in range(MUST[kinds[1]], LEFT[kinds[1]] + 1):
            for c in range(MUST[kinds[2]], LEFT[kinds[2]] + 1):
                for d in range(MUST[kinds[3]], LEFT[kinds[3]] + 1):
                    x = (a + 3 * b + 9 * c + 27 * d) * (MOST_JOKERS + 1)
                    for j in range(most + 1):
                        if reach[x + j] >= 0:
                            place = j * 5 + min(most, reach[x + j])
                            best[place] = max(best[place], a + b + c + d)
    first = code if most == 2 else code + KIND
    table[first] = end
    highest = -1
    for j in range(most + 1):
        tiles = -1
        for room in range(most + 1):
            tiles = max(tiles, best[j * 5 + room])
        if tiles > highest:
            highest = tiles
            table[end] = j | tiles << 6
            end += 1
    table[first + CODES] = end
    table[first + WANTING] = end
    for j in range(most + 1):
        for room in range(most + 1):
            tiles = best[j * 5 + room]
            if tiles < 0:
                continue
            beaten = False
            for j2 in range(j + 1):
                for room2 in range(most + 1):
                    same = j2 == j and room2 == room
                    if not same and best[j2 * 5 + room2] >= tiles and room2 + j2 >= room + j:
                        beaten = True
            if not beaten:
                table[end] = j | room << 3 | tiles << 6
                end += 1
    table[first + WANTING + CODES] = end
    return end


@native_with_arrays
def _list_groups(colours: int, table: Ints, reach: Ints, best: Ints) -> int:
    """Fills the whole table; returns its length."""
    _reach(colours, False, table, JOKERED)
    _reach(colours, True, reach, 0)
    end = ENTRIES
    for code in range(CODES):
        end = _list_entries(code, 2, end, reach, best, table)
        end = _list_entries(code, MOST_JOKERS, end, reach, best, table)
    return end


def make_groups(colours: int) -> Groups:
    """The table of groups for a tile set with this many colours."""
    table = zeros(ENTRIES + CODES * 60)
    end = _list_groups(colours, table, zeros(REACHES), zeros(25))
    return ints(listed(table, 0, end))


@part
def lay_groups(n: int, colours: int, numbers: int, joker: int, end: int, groups: Groups, room: Room) -> int:
    """Rebuilds the groups of one number, old ones if possible; returns the end of the output."""
    ws = opened(room)
    entry = ws.picks[n] >> 16
    spent = entry & 7
    space = entry >> 3 & 7
    tiles = entry >> 6
    if tiles == 0:
        return end
    left = ws.small[50:54]
    must = ws.small[54:58]
    for c in range(COLOURS):
        use = ws.picks[n] >> 4 * c & 15
        left[c] = max(0, ws.total[c * NUMBERS + n] - use)
        must[c] = max(0, ws.table[c * NUMBERS + n] - use)
    best = -1
    first = 0
    second = 0
    rest = 0
    for a in range(must[0], left[0] + 1):
        for b in range(must[1], left[1] + 1):
            for c in range(must[2], left[2] + 1):
                d = tiles - a - b - c
                if d < must[3] or d > left[3]:
                    continue
                for i in range(6):
                    for j in range(i + 1):
                        m1 = NATURAL[i]
                        m2 = NATURAL[j]
                        ra = a - (m1 & 1) - (m2 & 1)
                        rb = b - (m1 >> 1 & 1) - (m2 >> 1 & 1)
                        rc = c - (m1 >> 2 & 1) - (m2 >> 2 & 1)
                        rd = d - (m1 >> 3 & 1) - (m2 >> 3 & 1)
                        if min(ra, rb, rc, rd) < 0:
                            continue
                        x = ra + 3 * rb + 9 * rc + 27 * rd
                        has = groups[JOKERED + x * (MOST_JOKERS + 1) + spent]
                        if has < 0:
                            continue
                        if colours > 3:
                            has += int(SIZE[m1] == 3) + int(SIZE[m2] == 3)
                        if has < space:
                            continue
                        old = ws.old_groups[n * 16 + m1]
                        score = min(1, old)
                        if m2 > 0:
                            score += min(1, ws.old_groups[n * 16 + m2] - (1 if m1 == m2 and old > 0 else 0))
                        if score > best:
                            best = score
                            first = m1
                            second = m2
                            rest = x
    end = _write_group(first, n, numbers, joker, end, room)
    end = _write_group(second, n, numbers, joker, end, room)
    return _lay_joker_groups(rest, spent, n, colours, numbers, joker, end, groups, room)


@part
def _lay_joker_groups(rest: int, spent: int, n: int, colours: int, numbers: int, joker: int, end: int,
                      groups: Groups, room: Room) -> int:  # fmt: skip
    """Lays these tiles with so many jokers, one group after the other; returns the end of the output."""
    while rest > 0:
        has = groups[JOKERED + rest * (MOST_JOKERS + 1) + spent]
        for mask in range(1, 16):
            size = SIZE[mask]
            before = rest
            for c in range(4):
                if mask >> c & 1:
                    before = before - THREES[c] if before // THREES[c] % 3 > 0 else -100
            used = 3 - size
            if size > 2 or before < 0 or used > spent:
                continue
            others = groups[JOKERED + before * (MOST_JOKERS + 1) + spent - used]
            if others >= 0 and min(MOST_JOKERS, others + room_in(size, colours)) >= has:
                end = _write_group(mask, n, numbers, joker, end, room)
                rest = before
                spent -= used
                break
    return end


@part
def _write_group(mask: int, n: int, numbers: int, joker: int, end: int, room: Room) -> int:
    """Writes one group, made up to three tiles by jokers; returns the end of the output."""
    ws = opened(room)
    if mask == 0:
        return end
    size = max(3, SIZE[mask])
    ws.out[end] = size
    end += 1
    for c in range(COLOURS):
        if mask >> c & 1:
            ws.out[end] = c * numbers + n
            end += 1
    for _ in range(size - SIZE[mask]):
        ws.out[end] = joker
        end += 1
    ws.out[0] += 1
    return end
