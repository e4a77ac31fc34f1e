"""The solver's kernel: the best play with freely moving jokers, number by number.

Between two numbers a state holds, for each colour, how many open runs have one tile, two, or three and
more, and how many jokers are spent. At each number every colour chooses how many tiles go into runs; short
runs must be extended, long ones are extended before new ones start. What is left over goes into groups
(`groups.py`).

A backward pass gives, for every colour alone, the most it could still bring if groups were free
(`bounds.py`); the sum over the colours bounds a state from above. A narrow beam by that bound finds a play,
and is a proof when no state it dropped could have done better; otherwise a wider beam runs, at last without
any limit.

What is sound here, for two copies, four jokers, runs that can be cut in two (six numbers or more):

* a joker stands in a run only where all natural tiles of its kind are in runs already (else swap them);
* a run starts with a joker only at the third number from the top (else move the joker to the far end);
* a run of three or more takes a joker only for the sake of the next number's tile (else cut it there);
* in a group a joker only makes the third tile, and a joker left over is laid on a set with room. `room`
  counts that room, up to the jokers left: any run has enough, a group of three has room for one.
"""

from __future__ import annotations

from .arrays import Ints, Octets, inlined, ints, listed, native, octets, part, zeros
from .bounds import BETTER, IDS, NONE, add_up, meet, prepare
from .groups import CODES, KIND, WANTING, Groups, make_groups
from .rebuilding import ROOM, SPENT, forget_old_sets, note_old_set, write_sets
from .workspace import (
    ARENA,
    COLOURS,
    HASH,
    MOST_JOKERS,
    NUMBERS,
    OPTIONS,
    PAIRS,
    Room,
    Workspace,
    make_workspace,
    opened,
)

__all__ = [
    "COUNTS",
    "EFFORT",
    "LEAF",
    "LONGEST_ANSWER",
    "MOST_JOKERS",
    "NEXT",
    "RACK",
    "SET_END",
    "Groups",
    "Workspace",
    "best_choice",
    "best_plays",
    "ints",
    "listed",
    "make_groups",
    "make_workspace",
    "octets",
    "opened",
    "zeros",
]

SET_END, RACK, NEXT, COUNTS = 255, 254, 253, 252
"""What stands between the faces of a position."""
LONGEST_ANSWER = 288
WIDTHS = (2, 8, 64, 512, 100_000)
MANY = 56
"""From so many tiles on, the bound is often exact, and the narrowest beam is worth a try."""
TOPS = 16
"""Up to this width, a state that cannot be among the best of its layer is not even made."""
DOMINATED = 64
"""In layers of more states than this, those that others make needless are looked for."""
UNLIMITED = 1 << 39
"""As much work as it takes."""
PAIR = 5
"""What a row of `pairs` holds: jokers, tiles in runs, leftovers, the two options, and the best hope."""
WORK = 0
"""Where in `small` the work done is counted, in pairs of choices looked at."""
LAST = 1
"""Where in `small` the last state of the best line is kept."""
EFFORT = 2
"""Where in `small` the work of all leaves so far is added up, each of them with what it takes in any case."""
LEAF = 128
"""What a leaf takes in any case, counted as work."""


@part
def _threshold(values: Ints, count: int, width: int) -> int:
    """The width-th largest of the first `count` values; reorders them."""
    low = 0
    high = count - 1
    want = width - 1
    while low < high:
        pivot = values[(low + high) >> 1]
        i = low
        j = high
        while i <= j:
            while values[i] > pivot:
                i += 1
            while values[j] < pivot:
                j -= 1
            if i <= j:
                values[i], values[j] = values[j], values[i]
                i += 1
                j -= 1
        if want <= j:
            high = j
        elif want >= i:
            low = i
        else:
            break
    return int(values[want])


@part
def _trim(first: int, end: int, width: int, room: Room) -> tuple[int, int]:
    """Keeps the `width` most hopeful states of a layer; returns its new end and the best hope dropped."""
    ws = opened(room)
    count = end - first
    for i in range(count):
        ws.scratch[i] = ws.value[first + i] + ws.rest[first + i]
    limit = _threshold(ws.scratch, count, width)
    above = 0
    for i in range(first, end):
        if ws.value[i] + ws.rest[i] > limit:
            above += 1
    ties = width - above
    to = first
    dropped = NONE
    for i in range(first, end):
        hope = ws.value[i] + ws.rest[i]
        if hope == limit and ties > 0:
            ties -= 1
        elif hope <= limit:
            dropped = max(dropped, hope)
            continue
        ws.key[to] = ws.key[i]
        ws.value[to] = ws.value[i]
        ws.rest[to] = ws.rest[i]
        ws.parent[to] = ws.parent[i]
        ws.choice[to] = ws.choice[i]
        to += 1
    return to, dropped


@inlined
def _list_pairs(one: int, one_end: int, after_one: int, two: int, two_end: int, after_two: int, others: int,
                value: int, left: int, jokers: int, floor: int, limit: int, row: int, unit: int, ws: Workspace
                ) -> tuple[int, int]:  # fmt: skip
    """Lists the choices of two colours worth a look, from `row` on; returns their end and the best hope lost.

    `others` is where the bounds of the other two colours stand, `unit` what a leftover of the first counts in
    a code. What a pair brings afterwards, for every budget, is written to the sums in its row.
    """
    options, promise, bound, sums, pairs = ws.options, ws.promise, ws.bound, ws.sums, ws.pairs
    budgets = 2 * jokers + 1
    budget = 2 * left
    lost = NONE
    for i in range(one, one_end):
        for j in range(two, two_end):
            spent = (options[i] >> 12 & 15) + (options[j] >> 12 & 15)
            if spent > left:
                continue
            here = row * budgets
            add_up(i * budgets, j * budgets, budget + 1, here, promise, sums)
            hope = value + meet(others, here, budget, sums)
            if hope <= floor:
                continue
            if hope < limit:
                lost = max(lost, hope)
                continue
            add_up((after_one + (options[i] & 127)) * budgets, (after_two + (options[j] & 127)) * budgets,
                    budget - 2 * spent + 1, here, bound, sums)  # fmt: skip
            pairs[row * PAIR] = spent
            pairs[row * PAIR + 1] = (options[i] >> 8 & 15) + (options[j] >> 8 & 15)
            pairs[row * PAIR + 2] = unit * (options[i] >> 16) + 6 * unit * (options[j] >> 16)
            pairs[row * PAIR + 3] = i << 32 | j
            pairs[row * PAIR + 4] = hope
            row += 1
    return row, lost


@part
def _expand(start: int, first: int, n: int, jokers: int, floor: int, width: int, mask: int, work: int,  # noqa: PLR0915
            groups: Groups, room: Room) -> tuple[int, int]:  # fmt: skip
    """Makes the layer after number n; returns its end and the best hope left out.

    States from `start` to the one before `first` are the layer before it. Stops when the work is used up.
    """
    ws = opened(room)
    options, option_count, bound, sums, pairs, tops = (
        ws.options, ws.option_count, ws.bound, ws.sums, ws.pairs, ws.tops
    )  # fmt: skip
    slots, keys, values, rests = ws.slot, ws.key, ws.value, ws.rest
    ids = IDS[jokers]
    budgets = 2 * jokers + 1
    lists = KIND if jokers > 2 else 0
    old = ws.table[n] + ws.table[NUMBERS + n] + ws.table[2 * NUMBERS + n] + ws.table[3 * NUMBERS + n]
    weight = ws.weight[n]
    here = n * ids
    in_a, in_b, in_c, in_d = (
        ws.first_state[0] + here, ws.first_state[1] + here, ws.first_state[2] + here, ws.first_state[3] + here
    )  # fmt: skip
    others = 2 * PAIRS * budgets
    slots[HASH] += 1
    mark = slots[HASH]  # a slot of this layer holds this and the place of its state
    end = first
    lost = NONE
    limit = NONE
    held = 0
    for i in range(start, first):
        key = keys[i]
        value = values[i]
        if value + rests[i] <= floor:
            continue
        left = jokers - (key >> SPENT & 7)
        space = key >> ROOM & 7
        budget = 2 * left
        a = in_a + (key & 127)
        b = in_b + (key >> 7 & 127)
        c = in_c + (key >> 14 & 127)
        d = in_d + (key >> 21 & 127)
        # The choices of the last two colours that are worth a look, then those of the first two.
        add_up(a * budgets, b * budgets, budget + 1, others, bound, sums)
        last, dropped = _list_pairs(
            c * OPTIONS, c * OPTIONS + option_count[c], in_c + ids,
            d * OPTIONS, d * OPTIONS + option_count[d], in_d + ids,
            others, value, left, jokers, floor, limit, 0, 36, ws,
        )  # fmt: skip
        lost = max(lost, dropped)
        if last == 0:
            continue
        add_up(c * budgets, d * budgets, budget + 1, others, bound, sums)
        every, dropped = _list_pairs(
            a * OPTIONS, a * OPTIONS + option_count[a], in_a + ids,
            b * OPTIONS, b * OPTIONS + option_count[b], in_b + ids,
            others, value, left, jokers, floor, limit, last, 1, ws,
        )  # fmt: skip
        lost = max(lost, dropped)
        for two in range(last, every):
            if pairs[two * PAIR + 4] < limit:
                lost = max(lost, pairs[two * PAIR + 4])
                continue
            both = pairs[two * PAIR]
            used_both = pairs[two * PAIR + 1]
            code_both = lists + pairs[two * PAIR + 2]
            oa = options[pairs[two * PAIR + 3] >> 32]
            ob = options[pairs[two * PAIR + 3] & 0xFFFFFFFF]
            work -= last
            for pair in range(last):
                spent = both + pairs[pair * PAIR]
                remain = left - spent
                if remain < 0:
                    continue
                used = used_both + pairs[pair * PAIR + 1]
                code = code_both + pairs[pair * PAIR + 2]
                spaces = MOST_JOKERS if used > 0 else space
                if spaces < remain:
                    code += WANTING
                for g in range(groups[code], groups[code + CODES]):
                    entry = groups[g]
                    after = remain - (entry & 7)
                    if after < 0:
                        break
                    gained = value + weight * (used - spent + (entry >> 6) - old)
                    rest = meet(two * budgets, pair * budgets, 2 * after, sums)
                    hope = gained + rest
                    if hope <= floor:
                        continue
                    if hope < limit:
                        lost = max(lost, hope)
                        continue
                    oc = options[pairs[pair * PAIR + 3] >> 32]
                    od = options[pairs[pair * PAIR + 3] & 0xFFFFFFFF]
                    new = (oa & 127) | (ob & 127) << 7 | (oc & 127) << 14 | (od & 127) << 21
                    new |= (jokers - after) << SPENT
                    if after > 0:
                        new |= min(after, spaces + (entry >> 3 & 7)) << ROOM
                    at = (new * 0x9E3779B1 >> 12) & mask
                    while slots[at] >> 20 == mark and keys[slots[at] & 0xFFFFF] != new:
                        at = (at + 1) & mask
                    if slots[at] >> 20 != mark:
                        if end - first > mask >> 1 or end >= ARENA:
                            lost = max(lost, hope)
                            continue
                        known = end
                        slots[at] = mark << 20 | known
                        keys[known] = new
                        rests[known] = rest
                        end += 1
                        if width <= TOPS:
                            # The best of this layer so far, the least of them last.
                            if held < width:
                                held += 1
                            place = held - 1
                            while place > 0 and tops[place - 1] < hope:
                                tops[place] = tops[place - 1]
                                place -= 1
                            tops[place] = hope
                            if held == width:
                                limit = tops[width - 1]
                    else:
                        known = slots[at] & 0xFFFFF
                        if gained <= values[known]:
                            continue
                    values[known] = gained
                    ws.parent[known] = i
                    ws.choice[known] = (
                        (oa >> 8 & 15) | (ob >> 8 & 15) << 4 | (oc >> 8 & 15) << 8 | (od >> 8 & 15) << 12
                        | entry << 16
                    )  # fmt: skip
        if work < 0:
            break
    ws.small[WORK] = work
    return end, lost


@part
def _beaten(key: int, value: int, mask: int, slots: Ints, keys: Ints, values: Ints) -> bool:
    """True if this state is in the layer and has come so far with as much or more."""
    mark = slots[HASH]
    at = (key * 0x9E3779B1 >> 12) & mask
    while slots[at] >> 20 == mark:
        if keys[slots[at] & 0xFFFFF] == key:
            return bool(values[slots[at] & 0xFFFFF] >= value)
        at = (at + 1) & mask
    return False


@part
def _drop_dominated(first: int, end: int, jokers: int, mask: int, room: Room) -> int:
    """Drops states of a layer that another one makes needless; returns its new end.

    Another one has brought as much, and has jokers to spare that have room, or in one colour a run that is
    longer or one that this state lacks: whatever can follow here can follow there.
    """
    ws = opened(room)
    slots, keys, values = ws.slot, ws.key, ws.value
    runs = (1 << SPENT) - 1
    for i in range(first, end):
        key = keys[i]
        value = values[i]
        beaten = False
        spent = key >> SPENT & 7
        for fewer in range(spent):
            sparing = key & runs | fewer << SPENT | (jokers - fewer) << ROOM
            if _beaten(sparing, value, mask, slots, keys, values):
                beaten = True
                break
        for c in range(COLOURS):
            if beaten:
                break
            state = key >> 7 * c & 127
            for better in range(3 * state, 3 * state + 3):
                other = BETTER[better]
                if other >= 0 and _beaten(key + (other - state << 7 * c), value, mask, slots, keys, values):
                    beaten = True
                    break
        ws.scratch[i - first] = 0 if beaten else 1
    to = first
    for i in range(first, end):
        if ws.scratch[i - first]:
            ws.key[to] = ws.key[i]
            ws.value[to] = ws.value[i]
            ws.rest[to] = ws.rest[i]
            ws.parent[to] = ws.parent[i]
            ws.choice[to] = ws.choice[i]
            to += 1
    return to


@part
def _sweep(numbers: int, jokers: int, must: int, joker_weight: int, floor: int, width: int,
           groups: Groups, room: Room) -> tuple[int, int]:  # fmt: skip
    """One beam over all numbers; returns the best score above `floor` and the best hope it dropped.

    The choices of the best line are left in `picks`. When the work allowed is done, the score is `floor`.
    """
    ws = opened(room)
    bonus = joker_weight * (jokers - must)
    dropped = NONE
    mask = 4096 - 1
    while mask < HASH - 1 and mask < 64 * width:
        mask = 2 * mask + 1
    ws.layer[0] = 0
    ws.layer[1] = 1
    ws.key[0] = 0
    ws.value[0] = 0
    ws.rest[0] = -NONE
    for n in range(numbers):
        first = ws.layer[n + 1]
        end, lost = _expand(
            ws.layer[n], first, n, jokers, floor - bonus, width, mask, ws.small[WORK], groups, room
        )
        if ws.small[WORK] < 0:
            return floor, -NONE
        dropped = max(dropped, lost)
        if end - first > DOMINATED:
            end = _drop_dominated(first, end, jokers, mask, room)
        if end - first > width:
            end, lost = _trim(first, end, width, room)
            dropped = max(dropped, lost)
        ws.layer[n + 2] = end
    best = floor
    last = -1
    for i in range(ws.layer[numbers], ws.layer[numbers + 1]):
        spent = ws.key[i] >> SPENT & 7
        placed = spent + min(ws.key[i] >> ROOM & 7, jokers - spent)
        score = ws.value[i] + joker_weight * (placed - must)
        if placed >= must and score > best:
            best = score
            last = i
    if last >= 0:
        ws.small[LAST] = ws.key[last]
        for n in range(numbers - 1, -1, -1):
            ws.picks[n] = ws.choice[last]
            last = ws.parent[last]
    return best, max(NONE, dropped + bonus)


@part
def _search(colours: int, numbers: int, jokers: int, must: int, joker_weight: int, floor: int, widest: int,
            groups: Groups, room: Room) -> tuple[int, int]:  # fmt: skip
    """The best score above `floor` (or `floor`), and an upper bound on it; equal when proven.

    The narrowest beams always end, until there is a play; others stop when the work allowed is done.
    """
    ws = opened(room)
    work = ws.small[WORK]
    ws.small[WORK] = -NONE
    hope = prepare(colours, numbers, jokers, room)
    if hope < NONE // 2:
        return floor, floor
    hope += joker_weight * (jokers - must)
    best = floor
    if hope <= best:
        return best, best
    tiles = 0
    for i in range(COLOURS * NUMBERS):
        tiles += ws.total[i]
    limited = False
    for stage in range(0 if tiles >= MANY or work < UNLIMITED else 1, len(WIDTHS)):
        if WIDTHS[stage] > widest:
            break
        if not limited and (stage > 1 or best > floor):
            ws.small[WORK] = work
            limited = True
        best, dropped = _sweep(numbers, jokers, must, joker_weight, best, WIDTHS[stage], groups, room)
        hope = max(best, min(hope, dropped))
        if hope == best or ws.small[WORK] < 0:
            break
    return best, hope


@part
def _read(faces: Octets, start: int, end: int, rules: Ints, build: bool, room: Room) -> tuple[int, int]:
    """Counts the tiles, and notes the old sets if some are to be built; returns the table's jokers and all.

    A tile that is not in the box, or more of them than it holds, gives -1 jokers.
    """
    ws = opened(room)
    numbers = rules[1]
    joker = rules[0] * numbers
    for i in range(COLOURS * NUMBERS):
        ws.total[i] = 0
        ws.table[i] = 0
    if build:
        forget_old_sets(room)
    must = 0
    jokers = 0
    if start < end and faces[start] == COUNTS:
        for face in range(joker):
            place = face // numbers * NUMBERS + face % numbers
            ws.total[place] = faces[start + 1 + face]
            ws.table[place] = faces[start + 2 + joker + face]
        # By way of an array, where octets become whole numbers.
        ws.scratch[0] = faces[start + 1 + joker]
        ws.scratch[1] = faces[start + 2 + 2 * joker]
        must = ws.scratch[1]
        jokers = ws.scratch[0] - must
    else:
        on_table = True
        for i in range(start, end):
            face = int(faces[i])
            if face == SET_END:
                if build:
                    note_old_set(faces, start, i, numbers, joker, room)
                start = i + 1
            elif face == RACK:
                on_table = False
            elif face > joker:
                return 0, -1
            elif face == joker:
                if on_table:
                    must += 1
                else:
                    jokers += 1
            else:
                place = face // numbers * NUMBERS + face % numbers
                ws.total[place] += 1
                if on_table:
                    ws.table[place] += 1
    most = 0
    for i in range(COLOURS * NUMBERS):
        most = max(most, ws.total[i])
    if most > rules[2] or must + jokers > rules[3]:
        return 0, -1
    return must, must + jokers


@part
def _solve(colours: int, numbers: int, jokers: int, must: int, weights: Ints, floor: int, widest: int,
           build: bool, groups: Groups, room: Room) -> tuple[int, int]:  # fmt: skip
    """Searches, and builds the table if it is asked for and there is one."""
    ws = opened(room)
    for n in range(numbers + 1):
        ws.weight[n] = weights[n]
    best, hope = _search(colours, numbers, jokers, must, weights[numbers], floor, widest, groups, room)
    if build and best > floor:
        write_sets(colours, numbers, jokers, must, groups, room)
    return best, hope


@native
def best_plays(faces: Octets, rules: Ints, weights: Ints, floor: int, widest: int, work: int, build: bool,
               groups: Groups, room: Room, answers: Ints) -> int:  # fmt: skip
    """Writes the best play of each position to `answers`; returns where they end.

    A position is its sets, `SET_END` after each, then `RACK` and the rack; or `COUNTS`, all tiles by face and
    the table's by face, jokers last. `NEXT` stands between two positions. `rules` are the colours, the
    numbers, and how many copies and jokers may be in play; `weights` has one entry a number and the joker's
    last.

    An answer is its length, the best score above `floor`, an upper bound on it, and how much of the work
    allowed is left. Score and bound are equal when proven; NONE for impossible tiles. When `build` is set and
    the score is above the floor there follow the number of sets, the jokers still to be laid on sets with
    room, where the sets end and where the played tiles end, counted from here; then each set as its length
    and its faces, then the played tiles.
    """
    ws = opened(room)
    to = 0
    start = 0
    while start <= len(faces):
        end = start
        if start < len(faces) and faces[start] == COUNTS:
            end = start + 3 + 2 * rules[0] * rules[1]
        while end < len(faces) and faces[end] != NEXT:
            end += 1
        must, jokers = _read(faces, start, end, rules, build, room)
        ws.small[WORK] = work
        best, hope = NONE, NONE
        if jokers >= 0:
            best, hope = _solve(rules[0], rules[1], jokers, must, weights, floor, widest, build, groups, room)
        size = ws.out[3] if build and best > floor else 0
        answers[to] = 4 + size
        answers[to + 1] = best
        answers[to + 2] = hope
        answers[to + 3] = ws.small[WORK]
        to += 4
        for i in range(size):
            answers[to + i] = ws.out[i]
        to += size
        start = end + 1
    return to


@part
def best_choice(total: Ints, table: Ints, jokers: int, must: int, colours: int, numbers: int, weights: Ints,
                floor: int, widest: int, build: bool, groups: Groups, room: Room
                ) -> tuple[int, int]:  # fmt: skip
    """The best score above `floor` for counts by face, and an upper bound on it: the leaf of other searches.

    When `build` is set and the score is above the floor, the tiles that left the rack stand in `ws.out` from
    the place that `ws.out[2]` names to the one before `ws.out[3]`.
    """
    ws = opened(room)
    for c in range(colours):
        for n in range(numbers):
            ws.total[c * NUMBERS + n] = total[c * numbers + n]
            ws.table[c * NUMBERS + n] = table[c * numbers + n]
    for i in range(colours * NUMBERS, COLOURS * NUMBERS):
        ws.total[i] = 0
        ws.table[i] = 0
    if build:
        forget_old_sets(room)
    ws.small[WORK] = -NONE
    best, hope = _solve(colours, numbers, jokers, must, weights, floor, widest, build, groups, room)
    ws.small[EFFORT] += LEAF - NONE - ws.small[WORK]
    return best, hope
