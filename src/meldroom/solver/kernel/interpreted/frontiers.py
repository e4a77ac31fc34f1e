"""Counts of racks: from the frontiers of one number to those of the next, and their sums.

A *way* is one manner of playing the tiles walked over so far: a state for each colour, jokers spent, whether
there is a run, and points, as a row of small integers. A *frontier* holds every way that no other one
covers, for one content of the rack so far. Equal frontiers have equal futures, so their contents are
counted together; where colours are alike, frontiers that differ by an exchange of colours are one as well.
"""

from __future__ import annotations

from typing import NamedTuple

from . import tallies
from .arrays import Grid, Ints, grid, ints, signed, word, words, zeros
from .arrays import native_with_arrays as native
from .arrays import part_with_arrays as part
from .tallies import Cube, Targets

__all__ = [
    "LIMB",
    "Place",
    "Store",
    "Tables",
    "Target",
    "advance",
    "carry",
    "grid",
    "ints",
    "spread",
    "tallies",
    "whole",
]

UNKNOWN, LEAVES = -2, -1
"""Where a frontier leads when nobody has looked, and when its racks can open or cannot be laid out."""
OPENED = -1
WIDEST = 1 << 14
"""The most ways in one frontier."""
MOST_FRONTIERS, MOST_WAYS = 2_000_000, 1 << 26
"""The most frontiers, and ways in all of them, that are kept: half a gigabyte."""
LIMB = 40
"""Bits of a limb: counts are sums of limbs, so that they stay exact beyond 64 bits."""


class Tables(NamedTuple):
    """A box as arrays for the kernel.

    States of a colour are its open runs, times the 1s kept for the place above the highest number (R53).
    `step[state][tiles]` is the next state or −1. `behind[a][b]` is how many runs a lacks to do whatever b can
    still do, or −1 if a cannot even then. `needs` is how many tiles a state's runs still need at least,
    `kept` its kept 1s. The options of content c are the rows `first[c]` to `first[c + 1]`: tiles in runs by
    colour, jokers, numbered tiles. `strides` and `sizes` pack a way to play into one integer. With `exact`,
    everything must be laid.
    """

    colours: int
    copies: int
    step: Grid
    behind: Grid
    needs: Ints
    kept: Ints
    contents: Grid
    first: Ints
    options: Grid
    strides: Ints
    sizes: Ints
    exact: bool


class Store(NamedTuple):
    """Frontiers: frontier f is `ways[starts[f]:starts[f + 1]]`, packed and sorted; `slots` hashes them."""

    ways: Ints
    starts: Ints
    slots: Ints


class Place(NamedTuple):
    """One number on the way down, and what is below it.

    A tile of the number counts `worth`, a joker there `joker_worth`; with `kept`, tiles kept for above the
    highest number are missing from its content. There are `below` places below; all their tiles count `rest`,
    a joker there at most `joker_rest`. What a run or a joker could gain there at most is `run_loss`, by
    colour, and `joker_loss`.
    """

    worth: int
    joker_worth: int
    kept: bool
    below: int
    rest: int
    joker_rest: int
    run_loss: Ints
    joker_loss: int


class Target(NamedTuple):
    """When a way opens (points, a run needed), the most jokers there are, and the kinds of colours."""

    points: int
    run_required: bool
    jokers: int
    kinds: Ints


S27, S30, S31 = word(27), word(30), word(31)
M1, M2 = word(0xBF58476D1CE4E5B9), word(0x94D049BB133111EB)


@part
def _mix(value: int) -> int:
    """A well-spread hash of one word."""
    value = word((value ^ (value >> S30)) * M1)
    value = word((value ^ (value >> S27)) * M2)
    return value ^ (value >> S31)


@part
def _covers(tables: Tables, a: Ints, b: Ints, place: Place, target: Target) -> bool:
    """True if way a makes way b needless: a can do whatever b can, or has more points than b can make up.

    A run that b has and a lacks gains at most `run_loss` tiles below: if it goes on for long, a starts a run
    of its own. A joker that b still has and a lacks gains at most `joker_loss`, what a set loses without it,
    if no run of a can be in want of it. Where everything must be laid, nothing makes up for a run or a joker.
    """
    colours = tables.colours
    jokers, run, points = colours, colours + 1, colours + 2
    if a[points] < b[points] or a[run] < b[run]:
        return False
    lacking = a[jokers] - b[jokers]
    if tables.exact and lacking != 0:
        return False
    if lacking > 0 and target.run_required and a[run] == 0:
        return False
    loss = lacking * place.joker_loss if lacking > 0 else 0
    for colour in range(colours):
        behind = tables.behind[a[colour]][b[colour]]
        if behind < 0 or (behind > 0 and tables.exact) or (lacking > 0 and tables.needs[a[colour]] > 0):
            return False
        loss += behind * place.run_loss[colour]
    return bool(a[points] >= min(target.points, b[points] + loss))


@part
def _insert(tables: Tables, ways: Grid, count: int, way: Ints, place: Place, target: Target) -> int:
    """Adds a way to a frontier of `count` ways; returns the new count, WIDEST + 1 if there is no room."""
    for i in range(count):
        if _covers(tables, ways[i], way, place, target):
            return count
    i = 0
    while i < count:
        if _covers(tables, way, ways[i], place, target):
            count -= 1
            ways[i][:] = ways[count]
        else:
            i += 1
    if count == WIDEST:
        return WIDEST + 1
    ways[count][:] = way
    return count + 1


@part
def _content_left(tables: Tables, way: Ints, content: int) -> int:
    """The content of the lowest number without the tiles kept for above the highest; −1 if too few."""
    colours = tables.colours
    stride = 1
    for colour in range(colours - 1, -1, -1):
        kept = tables.kept[way[colour]]
        if kept > tables.contents[content][colour]:
            return -1
        content -= kept * stride
        stride *= tables.copies + 1
    return content


@part
def _expand(
    tables: Tables, ways: Grid, count: int, content: int, place: Place, target: Target, after: Grid, way: Ints
) -> int:
    """Writes the frontier after one more number to `after`; returns its size or OPENED."""
    colours = tables.colours
    jokers, run, points = colours, colours + 1, colours + 2
    size = 0
    for i in range(count):
        left = _content_left(tables, ways[i], content) if place.kept else content
        if left < 0:
            continue
        for option in range(tables.first[left], tables.first[left + 1]):
            spent = tables.options[option][colours]
            way[jokers] = ways[i][jokers] + spent
            if way[jokers] > target.jokers:
                continue
            way[run] = ways[i][run]
            needs = 0
            for colour in range(colours):
                laid = tables.options[option][colour]
                state = tables.step[ways[i][colour]][laid]
                if state < 0:
                    needs = place.below + 1
                    break
                needs = max(needs, tables.needs[state])
                way[colour] = state
                if laid > 0 and target.run_required:
                    way[run] = 1
            if needs > place.below:
                continue
            gained = tables.options[option][colours + 1] * place.worth + spent * place.joker_worth
            way[points] = min(target.points, ways[i][points] + gained)
            opened = way[points] == target.points and (way[run] or not target.run_required)
            if opened and needs == 0 and not tables.exact:
                return OPENED
            if way[points] + place.rest + (target.jokers - way[jokers]) * place.joker_rest < target.points:
                continue
            size = _insert(tables, after, size, way, place, target)
            if size > WIDEST:
                return size
    return size


@part
def _colour_order(tables: Tables, ways: Grid, count: int, kinds: Ints) -> Ints:
    """The colours in an order that only their part in the ways decides; colours of different kinds stay."""
    colours = tables.colours
    order, marks = zeros(colours), words(colours)
    for colour in range(colours):
        order[colour] = colour
    for i in range(count):
        total = word(0)
        for colour in range(colours):
            total = word(total + _mix(word(ways[i][colour] + 1)))
        for field in range(colours, colours + 3):
            total = _mix(word(total + word(ways[i][field])))
        for colour in range(colours):
            mark = _mix(word(total + _mix(word(ways[i][colour] + 99))))
            marks[colour] = word(marks[colour] + mark)
    for a in range(colours):
        for b in range(a + 1, colours):
            if kinds[a] == kinds[b] and marks[order[b]] < marks[order[a]]:
                order[a], order[b] = order[b], order[a]
    return order


@part
def _pack(tables: Tables, ways: Grid, count: int, kinds: Ints, codes: Ints) -> int:
    """Writes a frontier's ways to `codes` as sorted integers; returns their hash."""
    colours = tables.colours
    order = _colour_order(tables, ways, count, kinds)
    for i in range(count):
        code = 0
        for colour in range(colours):
            code += ways[i][order[colour]] * tables.strides[colour]
        for field in range(colours, colours + 3):
            code += ways[i][field] * tables.strides[field]
        at = i
        while at > 0 and codes[at - 1] > code:
            codes[at] = codes[at - 1]
            at -= 1
        codes[at] = code
    return _hash(codes, 0, count)


@part
def _hash(codes: Ints, start: int, stop: int) -> int:
    found = word(stop - start)
    for i in range(start, stop):
        found = _mix(word(found + word(codes[i])))
    return found


@part
def _unpack(tables: Tables, code: int, way: Ints) -> None:
    """Writes a packed way as a row of fields."""
    for field in range(len(tables.strides)):
        way[field] = code // tables.strides[field]
        code %= tables.strides[field]


@part
def _grown(array: Ints, size: int) -> Ints:
    """The array, or a copy with more room if it has fewer than `size` places."""
    if size <= len(array):
        return array
    larger = zeros(max(size, 2 * len(array)))
    larger[: len(array)] = array
    return larger


@part
def _place_of(hashed: int, slots: int) -> int:
    """Where the search for a hash begins; the number of slots is a power of two."""
    return signed(hashed & word(slots - 1))


@part
def _slot(store: Store, codes: Ints, count: int, hashed: int) -> int:
    """The slot of a frontier, or the free one for it."""
    mask = len(store.slots) - 1
    at = _place_of(hashed, len(store.slots))
    while store.slots[at] >= 0:
        start, stop = store.starts[store.slots[at]], store.starts[store.slots[at] + 1]
        if stop - start == count:
            same = 0
            while same < count and store.ways[start + same] == codes[same]:
                same += 1
            if same == count:
                return at
        at = (at + 1) & mask
    return at


@part
def _with_room(store: Store, held: int, more: int) -> Store:
    """The store with room for one frontier of `more` ways after the `held` ones."""
    ways = _grown(store.ways, store.starts[held] + more)
    starts = _grown(store.starts, held + 2)
    slots = store.slots
    if 2 * held >= len(slots):
        slots = zeros(4 * len(slots))
        for at in range(len(slots)):
            slots[at] = -1
        for frontier in range(held):
            at = _place_of(_hash(ways, starts[frontier], starts[frontier + 1]), len(slots))
            while slots[at] >= 0:
                at = (at + 1) & (len(slots) - 1)
            slots[at] = frontier
    return Store(ways, starts, slots)


@native
def advance(
    tables: Tables,
    store: Store,
    held: int,
    active: Ints,
    room: Ints,
    sizes: Ints,
    place: Place,
    target: Target,
    out: Targets,
) -> tuple[Store, int]:
    """Finds the frontier after each content for each active frontier, where `out` says UNKNOWN.

    Only contents for which at most `room` tiles are drawn are looked at. Frontiers not met before are added
    to the store; returns it and how many it holds, or −1 if there are too many, or a frontier is too wide.
    """
    fields = len(tables.strides)
    before, after = grid(WIDEST, fields), grid(WIDEST, fields)
    codes, way = zeros(WIDEST), zeros(fields)
    for row in range(len(active)):
        start = store.starts[active[row]]
        count = store.starts[active[row] + 1] - start
        for i in range(count):
            _unpack(tables, store.ways[start + i], before[i])
        for content in range(len(tables.contents)):
            if out[row][content] != UNKNOWN or sizes[content] > room[row]:
                continue
            size = _expand(tables, before, count, content, place, target, after, way)
            if size > WIDEST or held >= MOST_FRONTIERS or store.starts[held] > MOST_WAYS:
                return store, -1
            if size == OPENED or (size == 0 and tables.exact):
                out[row][content] = LEAVES
                continue
            hashed = _pack(tables, after, size, target.kinds, codes)
            store = _with_room(store, held, size)
            at = _slot(store, codes, size, hashed)
            if store.slots[at] < 0:
                start_new = store.starts[held]
                store.ways[start_new : start_new + size] = codes[:size]
                store.starts[held + 1] = start_new + size
                store.slots[at] = held
                held += 1
            out[row][content] = store.slots[at]
    return store, held


@native
def spread(out: Targets, where: Ints, weights: Ints, sizes: Ints, counts: Cube, after: Cube) -> None:
    """Adds the counts of each frontier to those it leads to, `weights` times, shifted by the tiles drawn.

    Counts are indexed by frontier, limb and tiles; limbs are not carried here.
    """
    for row in range(len(out)):
        for content in range(len(out[row])):
            if out[row][content] < 0:
                continue
            to, weight, drawn = where[out[row][content]], weights[content], sizes[content]
            for limb in range(len(counts[row])):
                source, target = counts[row][limb], after[to][limb]
                for tiles in range(len(source) - drawn):
                    target[tiles + drawn] += weight * source[tiles]


@native
def carry(counts: Cube) -> None:
    """Carries what exceeds a limb to the next one."""
    for row in range(len(counts)):
        for limb in range(len(counts[row]) - 1):
            lower, upper = counts[row][limb], counts[row][limb + 1]
            for tiles in range(len(lower)):
                over = lower[tiles] >> LIMB
                lower[tiles] -= over << LIMB
                upper[tiles] += over


@native
def whole(tables: Tables, store: Store, frontier: int, jokers: int) -> bool:
    """True if a frontier holds a way with nothing left over and exactly these jokers laid."""
    way = zeros(len(tables.strides))
    for at in range(store.starts[frontier], store.starts[frontier + 1]):
        _unpack(tables, store.ways[at], way)
        needs = 0
        for colour in range(tables.colours):
            needs += tables.needs[way[colour]]
        if needs == 0 and way[tables.colours] == jokers:
            return True
    return False
