"""The solver's kernel: the best play with freely moving jokers, number by number.

Between two numbers a state holds, for each colour, how many open runs have one tile, two, or three and
more, and how many jokers are spent. At each number every colour chooses how many tiles go into runs; short
runs must be extended, long ones are extended before new ones start. What is left over goes into groups;
since all tiles of a number are worth the same, only how many do matters, and that is a small table.

A backward pass gives, for every colour alone, the most it could still bring if groups were free; the sum
over the colours bounds a state from above. A narrow beam by that bound finds a play, and is a proof when
no state it dropped could have done better; otherwise a wider beam runs, at last without any limit.

What is sound here, for two copies, two jokers, runs that can be cut in two (six numbers or more):

* a joker stands in a run only where all natural tiles of its kind are in runs already (else swap them);
* a run starts with a joker only at the third number from the top (else move the joker to the far end);
* in a group a joker only makes the third tile, and a joker left over is laid on a set with room. `room`
  counts that room, up to the jokers left: any run has enough, a group of three has room for one.
"""

from __future__ import annotations

from typing import NamedTuple

from .arrays import Ints, Octets, ints, listed, native, octets, part, zeros

__all__ = [
    "best_choice",
    "best_play",
    "ints",
    "listed",
    "make_groups",
    "make_workspace",
    "octets",
    "zeros",
]

COLOURS = 4
NUMBERS = 16
MOST_JOKERS = 2
FEWEST_NUMBERS = 6
IDS = 35
BUDGETS = 2 * MOST_JOKERS + 1
OPTIONS = 5
ARENA = 400_000
HASH = 1 << 17
NONE = -(1 << 40)
WIDTHS = (16, 192, 100_000)
STEP = (NUMBERS + 1) * IDS
"""From one colour's states to the next one's."""

# The open runs of one colour: (one tile, two tiles, three or more), in order of their sum.
_TRIPLES = sorted(
    ((a, b, c) for a in range(5) for b in range(5) for c in range(5) if a + b + c <= 4),
    key=lambda t: (sum(t), t),
)
ONE = ints([t[0] for t in _TRIPLES])
TWO = ints([t[1] for t in _TRIPLES])
LONG = ints([t[2] for t in _TRIPLES])
ID_OF = ints([-1] * 125)
for _id, (_a, _b, _c) in enumerate(_TRIPLES):
    ID_OF[_a * 25 + _b * 5 + _c] = _id
IDS_WITH = ints([10, 20, 35])

# Leftovers of one colour at one number: how many there are, and how many of them must be placed.
LEFT = ints([0, 1, 1, 2, 2, 2])
MUST = ints([0, 0, 1, 0, 1, 2])
CODE = ints([0, -1, -1, 1, 2, -1, 3, 4, 5])  # left * 3 + must
SIXES = ints([1, 6, 36, 216])
THREES = ints([1, 3, 9, 27])
SIZE = ints([bin(mask).count("1") for mask in range(16)])
NATURAL = ints([0, 15, 7, 11, 13, 14])


class Groups(NamedTuple):
    """What leftovers can do in groups: for each of 6⁴ leftovers a list of (jokers, room, tiles)."""

    enough: Ints
    wanting: Ints
    entries: Ints


class Workspace(NamedTuple):
    """Everything the kernel writes to, made once for each thread."""

    total: Ints
    table: Ints
    weight: Ints
    bound: Ints
    options: Ints
    option_count: Ints
    free: Ints
    price: Ints
    key: Ints
    value: Ints
    rest: Ints
    parent: Ints
    choice: Ints
    slot: Ints
    stamp: Ints
    picks: Ints
    scratch: Ints
    layer: Ints
    old_runs: Ints
    old_groups: Ints
    small: Ints
    out: Ints


def make_workspace() -> Workspace:
    """A fresh workspace; most of it is never touched and so costs no memory."""
    cells = COLOURS * NUMBERS
    return Workspace(
        total=zeros(cells),
        table=zeros(cells),
        weight=zeros(NUMBERS + 1),
        bound=zeros(COLOURS * (NUMBERS + 1) * IDS * BUDGETS),
        options=zeros(cells * IDS * OPTIONS),
        option_count=zeros(COLOURS * (NUMBERS + 1) * IDS),
        free=zeros(NUMBERS),
        price=zeros(NUMBERS),
        key=zeros(ARENA),
        value=zeros(ARENA),
        rest=zeros(ARENA),
        parent=zeros(ARENA),
        choice=zeros(ARENA),
        slot=zeros(HASH),
        stamp=zeros(HASH + 1),
        picks=zeros(NUMBERS),
        scratch=zeros(ARENA),
        layer=zeros(NUMBERS + 2),
        old_runs=zeros(COLOURS * NUMBERS * NUMBERS),
        old_groups=zeros(NUMBERS * 16),
        small=zeros(256),
        out=zeros(1024),
    )


@part
def _reach_groups(colours: int, reach: Ints) -> None:
    """reach[x * 3 + j]: the most groups with room when x tiles a colour use exactly j jokers, or -1."""
    for i in range(243):
        reach[i] = -1
    reach[0] = 0
    roomy = 1 if colours > 3 else 0
    for x in range(1, 81):
        for mask in range(1, 16):
            size = SIZE[mask]
            if max(size, 3) > colours:
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
            gain = roomy if size <= 3 else 0
            for j in range(used, 3):
                if reach[before * 3 + j - used] >= 0:
                    reach[x * 3 + j] = max(reach[x * 3 + j], min(2, reach[before * 3 + j - used] + gain))


@native
def _list_groups(colours: int, enough: Ints, wanting: Ints, entries: Ints, reach: Ints, best: Ints) -> int:
    """Fills the lists of undominated (jokers, room, tiles) for every leftover; returns their length."""
    _reach_groups(colours, reach)
    end = 0
    for code in range(1296):
        for i in range(9):
            best[i] = -1
        for x in range(81):
            tiles = 0
            fits = True
            for c in range(4):
                mine = x // THREES[c] % 3
                kind = code // SIXES[c] % 6
                fits = fits and MUST[kind] <= mine <= LEFT[kind]
                tiles += mine
            if fits:
                for j in range(3):
                    room = reach[x * 3 + j]
                    if room >= 0:
                        best[j * 3 + room] = max(best[j * 3 + room], tiles)
        enough[code] = end
        most = -1
        for j in range(3):
            tiles = max(best[j * 3], best[j * 3 + 1], best[j * 3 + 2])
            if tiles > most:
                most = tiles
                entries[end] = j | 0 << 2 | tiles << 4
                end += 1
        enough[code + 1296] = end
        wanting[code] = end
        for j in range(3):
            for room in range(3):
                tiles = best[j * 3 + room]
                if tiles < 0:
                    continue
                beaten = False
                for j2 in range(j + 1):
                    for room2 in range(3):
                        other = best[j2 * 3 + room2]
                        same = j2 == j and room2 == room
                        if not same and other >= tiles and room2 + j2 >= room + j:
                            beaten = True
                if not beaten:
                    entries[end] = j | room << 2 | tiles << 4
                    end += 1
        wanting[code + 1296] = end
    return end


def make_groups(colours: int) -> Groups:
    """The table of groups for a tile set with this many colours."""
    enough, wanting = zeros(2592), zeros(2592)
    entries = zeros(1296 * 12)
    end = _list_groups(colours, enough, wanting, entries, zeros(243), zeros(9))
    return Groups(enough, wanting, ints(listed(entries, 0, end)))


@part
def _prepare(colours: int, numbers: int, jokers: int, ws: Workspace) -> None:
    """Options and bounds for every colour, number and state of its open runs."""
    ids = IDS_WITH[jokers]
    budget = 2 * jokers
    for n in range(numbers):
        kinds = 0
        tiles = 0
        for c in range(colours):
            have = ws.total[c * NUMBERS + n]
            tiles += have
            if have > 0:
                kinds += 1
        ws.free[n] = 0
        ws.price[n] = 99
        if colours >= 3:
            if kinds >= 3:
                ws.free[n] = 2 if tiles >= 6 else 1
            if kinds >= 2:
                ws.price[n] = 1
            elif kinds == 1:
                ws.price[n] = 4
    for c in range(COLOURS):
        _forward(c, numbers, jokers, ids, ws)
        _backward(c, numbers, ids, budget, ws)


@part
def _forward(c: int, numbers: int, jokers: int, ids: int, ws: Workspace) -> None:
    """Marks the states this colour can reach and lists what each may do next.

    `option_count` is -1 for a state that cannot be reached.
    """
    options, option_count = ws.options, ws.option_count
    base = c * STEP
    for i in range(base, base + (numbers + 1) * IDS):
        option_count[i] = -1
    option_count[base] = 0
    for n in range(numbers):
        have = ws.total[c * NUMBERS + n]
        old = ws.table[c * NUMBERS + n]
        after = ws.total[c * NUMBERS + n + 1] if n + 1 < numbers else 0
        beyond = ws.total[c * NUMBERS + n + 2] if n + 2 < numbers else 0
        if jokers == 2 and n + 3 < numbers:
            beyond += ws.total[c * NUMBERS + n + 3]
        extend = after + min(jokers, beyond)
        startable = after + jokers if n + 1 < numbers else 0
        here = base + n * IDS
        for state in range(ids):
            if option_count[here + state] < 0:
                continue
            one = ONE[state]
            two = TWO[state]
            long = LONG[state]
            due = one + two
            most = have + jokers
            if n != numbers - 3:
                most = min(most, max(have, due + long))
            place = ((c * NUMBERS + n) * IDS + state) * OPTIONS
            count = 0
            for use in range(due, most + 1):
                extra = use - due
                grown = long if long < extra else extra
                started = extra - grown
                room = startable - started - one
                if room < 0:
                    continue
                longs = two + grown
                if longs > extend:
                    longs = extend
                if longs > room:
                    longs = room
                following = ID_OF[started * 25 + one * 5 + longs]
                if use < have:
                    code = CODE[(have - use) * 3 + (old - use if old > use else 0)]
                    options[place + count] = following | use << 8 | code << 16
                else:
                    options[place + count] = following | use << 8 | (use - have) << 12
                count += 1
                if option_count[here + IDS + following] < 0:
                    option_count[here + IDS + following] = 0
            option_count[here + state] = count


@part
def _backward(c: int, numbers: int, ids: int, budget: int, ws: Workspace) -> None:
    """The most this colour could still bring from each state, for each budget of half jokers."""
    bound, options, option_count = ws.bound, ws.options, ws.option_count
    base = c * STEP
    for state in range(ids):
        ended = ONE[state] == 0 and TWO[state] == 0
        for q in range(budget + 1):
            bound[(base + numbers * IDS + state) * BUDGETS + q] = 0 if ended else NONE
    for n in range(numbers - 1, -1, -1):
        old = ws.table[c * NUMBERS + n]
        weight = ws.weight[n]
        free = ws.free[n]
        price = ws.price[n]
        for state in range(ids):
            count = option_count[base + n * IDS + state]
            if count < 0:
                continue
            here = (base + n * IDS + state) * BUDGETS
            for q in range(here, here + budget + 1):
                bound[q] = NONE
            first = ((c * NUMBERS + n) * IDS + state) * OPTIONS
            kept = 0
            for k in range(first, first + count):
                option = options[k]
                spent = option >> 12 & 15
                in_runs = (option >> 8 & 15) - spent - old
                code = option >> 16
                there = (base + (n + 1) * IDS + (option & 255)) * BUDGETS
                alive = False
                for placed in range(MUST[code], LEFT[code] + 1):
                    cost = 2 * spent
                    if placed > free:
                        cost += (placed - free) * price
                    gain = weight * (in_runs + placed)
                    for q in range(cost, budget + 1):
                        further = bound[there + q - cost]
                        if further > NONE:
                            alive = True
                            if gain + further > bound[here + q]:
                                bound[here + q] = gain + further
                if alive:
                    options[first + kept] = option
                    kept += 1
            option_count[base + n * IDS + state] = kept


@part
def _hope(n: int, a: int, b: int, c: int, d: int, budget: int, ws: Workspace) -> int:
    """The most the four colours can still bring together from number n with this budget, or NONE."""
    bound = ws.bound
    ha = (n * IDS + a) * BUDGETS
    hb = (STEP + n * IDS + b) * BUDGETS
    hc = (2 * STEP + n * IDS + c) * BUDGETS
    hd = (3 * STEP + n * IDS + d) * BUDGETS
    if budget == 0:
        if bound[ha] == NONE or bound[hb] == NONE or bound[hc] == NONE or bound[hd] == NONE:
            return NONE
        return bound[ha] + bound[hb] + bound[hc] + bound[hd]
    # More jokers never bring less: a colour that cannot go on with all of them cannot go on.
    if (
        bound[ha + budget] == NONE
        or bound[hb + budget] == NONE
        or bound[hc + budget] == NONE
        or bound[hd + budget] == NONE
    ):
        return NONE
    best = NONE
    for q in range(budget + 1):
        left = NONE
        for i in range(q + 1):
            one = bound[ha + i]
            if one > NONE:
                other = bound[hb + q - i]
                if other > NONE and one + other > left:
                    left = one + other
        if left == NONE:
            continue
        right = NONE
        for i in range(budget - q + 1):
            one = bound[hc + i]
            if one > NONE:
                other = bound[hd + budget - q - i]
                if other > NONE and one + other > right:
                    right = one + other
        if right > NONE and left + right > best:
            best = left + right
    return best


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
def _trim(first: int, end: int, width: int, ws: Workspace) -> tuple[int, int]:
    """Keeps the `width` most hopeful states of a layer; returns its new end and the best hope dropped."""
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


@part
def _expand(i: int, n: int, end: int, first: int, jokers: int, floor: int, mask: int, mark: int,  # noqa: PLR0915
            groups: Groups, ws: Workspace) -> tuple[int, int]:  # fmt: skip
    """Adds all successors of state i to the next layer; returns its end and the best hope left out."""
    options, option_count, slots, stamps, keys, values = (
        ws.options, ws.option_count, ws.slot, ws.stamp, ws.key, ws.value
    )  # fmt: skip
    enough, wanting, entries = groups.enough, groups.wanting, groups.entries
    key = keys[i]
    value = values[i]
    left = jokers - (key >> 24 & 3)
    room = key >> 26 & 3
    a = key & 63
    b = key >> 6 & 63
    c = key >> 12 & 63
    d = key >> 18 & 63
    fa = (n * IDS + a) * OPTIONS
    fb = ((NUMBERS + n) * IDS + b) * OPTIONS
    fc = ((2 * NUMBERS + n) * IDS + c) * OPTIONS
    fd = ((3 * NUMBERS + n) * IDS + d) * OPTIONS
    nb = fb + option_count[STEP + n * IDS + b]
    nc = fc + option_count[2 * STEP + n * IDS + c]
    nd = fd + option_count[3 * STEP + n * IDS + d]
    old = ws.table[n] + ws.table[NUMBERS + n] + ws.table[2 * NUMBERS + n] + ws.table[3 * NUMBERS + n]
    weight = ws.weight[n]
    lost = NONE
    for ia in range(fa, fa + option_count[n * IDS + a]):
        oa = options[ia]
        ja = oa >> 12 & 15
        for ib in range(fb, nb):
            ob = options[ib]
            jb = ja + (ob >> 12 & 15)
            if jb > left:
                continue
            for ic in range(fc, nc):
                oc = options[ic]
                jc = jb + (oc >> 12 & 15)
                if jc > left:
                    continue
                used_abc = (oa >> 8 & 15) + (ob >> 8 & 15) + (oc >> 8 & 15)
                code_abc = (oa >> 16) + 6 * (ob >> 16) + 36 * (oc >> 16)
                key_abc = (oa & 63) | (ob & 63) << 6 | (oc & 63) << 12
                for id_ in range(fd, nd):
                    od = options[id_]
                    spent = jc + (od >> 12 & 15)
                    if spent > left:
                        continue
                    code = code_abc + 216 * (od >> 16)
                    used = used_abc + (od >> 8 & 15)
                    rooms = 2 if used > 0 else room
                    remain = left - spent
                    lists = enough if rooms >= remain else wanting
                    for g in range(lists[code], lists[code + 1296]):
                        entry = entries[g]
                        after = remain - (entry & 3)
                        if after < 0:
                            continue
                        gained = value + weight * (used - spent + (entry >> 4) - old)
                        new = key_abc | (od & 63) << 18 | (jokers - after) << 24
                        if after > 0:
                            new |= min(after, rooms + (entry >> 2 & 3)) << 26
                        at = (new * 0x9E3779B1 >> 12) & mask
                        while stamps[at] == mark and keys[slots[at]] != new:
                            at = (at + 1) & mask
                        if stamps[at] != mark:
                            rest = _hope(n + 1, oa & 63, ob & 63, oc & 63, od & 63, 2 * after, ws)
                            if rest == NONE or gained + rest <= floor:
                                continue
                            if end - first > mask >> 1 or end >= ARENA:
                                lost = max(lost, gained + rest)
                                continue
                            known = end
                            stamps[at] = mark
                            slots[at] = known
                            keys[known] = new
                            ws.rest[known] = rest
                            end += 1
                        else:
                            known = slots[at]
                            if gained <= values[known]:
                                continue
                        values[known] = gained
                        ws.parent[known] = i
                        ws.choice[known] = _pack(oa, ob, oc, od, entry)
    return end, lost


@part
def _pack(oa: int, ob: int, oc: int, od: int, entry: int) -> int:
    """What was done at one number: tiles in runs by colour, then the entry of the groups' table."""
    return (oa >> 8 & 15) | (ob >> 8 & 15) << 4 | (oc >> 8 & 15) << 8 | (od >> 8 & 15) << 12 | entry << 16


@part
def _sweep(numbers: int, jokers: int, must: int, joker_weight: int, floor: int, width: int,
           groups: Groups, ws: Workspace) -> tuple[int, int]:  # fmt: skip
    """One beam over all numbers; returns the best score above `floor` and the best hope it dropped.

    The choices of the best line are left in `picks`.
    """
    bonus = joker_weight * (jokers - must)
    dropped = NONE
    mask = 4096 - 1
    while mask < HASH - 1 and mask < 64 * width:
        mask = 2 * mask + 1
    ws.layer[0] = 0
    ws.layer[1] = 1
    ws.key[0] = 0
    ws.value[0] = 0
    ws.rest[0] = 0
    for n in range(numbers):
        ws.stamp[HASH] += 1
        mark = ws.stamp[HASH]
        first = ws.layer[n + 1]
        end = first
        for i in range(ws.layer[n], first):
            end, lost = _expand(i, n, end, first, jokers, floor - bonus, mask, mark, groups, ws)
            dropped = max(dropped, lost)
        if end - first > width:
            end, lost = _trim(first, end, width, ws)
            dropped = max(dropped, lost)
        ws.layer[n + 2] = end
    best = floor
    last = -1
    for i in range(ws.layer[numbers], ws.layer[numbers + 1]):
        spent = ws.key[i] >> 24 & 3
        placed = spent + min(ws.key[i] >> 26 & 3, jokers - spent)
        score = ws.value[i] + joker_weight * (placed - must)
        if placed >= must and score > best:
            best = score
            last = i
    if last >= 0:
        ws.small[0] = ws.key[last]
        for n in range(numbers - 1, -1, -1):
            ws.picks[n] = ws.choice[last]
            last = ws.parent[last]
    return best, max(NONE, dropped + bonus)


@part
def _search(colours: int, numbers: int, jokers: int, must: int, joker_weight: int, floor: int, widest: int,
            groups: Groups, ws: Workspace) -> tuple[int, int]:  # fmt: skip
    """The best score above `floor` (or `floor`), and an upper bound on it; equal when proven."""
    _prepare(colours, numbers, jokers, ws)
    start = ws.layer[0]  # 0, but no literal: for one of those _hope would be compiled once more
    hope = _hope(start, start, start, start, start, 2 * jokers, ws)
    if hope == NONE:
        return floor, floor
    hope += joker_weight * (jokers - must)
    best = floor
    if hope <= best:
        return best, best
    for width in WIDTHS:
        if width > widest:
            break
        best, dropped = _sweep(numbers, jokers, must, joker_weight, best, width, groups, ws)
        hope = max(best, min(hope, dropped))
        if hope == best:
            break
    return best, hope


@part
def _lay_run(
    c: int, low: int, length: int, jokers: int, numbers: int, joker: int, end: int, ws: Workspace
) -> int:
    """Writes one run, cut where that keeps old runs whole; returns the end of the output.

    `jokers` has a bit for every number at which the run holds a joker.
    """
    best = ws.small[100:120]
    cut = ws.small[120:140]
    old = c * NUMBERS * NUMBERS
    best[length] = 0
    for i in range(length - 3, -1, -1):
        best[i] = NONE
        for j in range(i + 3, length + 1):
            if j < length and (j > length - 3 or best[j] == NONE):
                continue
            score = best[j] - 1
            natural = jokers >> (low + i) & ((1 << (j - i)) - 1) == 0
            if natural and ws.old_runs[old + (low + i) * NUMBERS + low + j - 1] > 0:
                score += 100
            if score > best[i]:
                best[i] = score
                cut[i] = j
    i = 0
    while i < length:
        j = cut[i]
        place = old + (low + i) * NUMBERS + low + j - 1
        if ws.old_runs[place] > 0:
            ws.old_runs[place] -= 1
        ws.out[end] = j - i
        end += 1
        for n in range(low + i, low + j):
            ws.out[end] = joker if jokers >> n & 1 else c * numbers + n
            end += 1
        i = j
        ws.out[0] += 1
    return end


@part
def _lay_runs(c: int, numbers: int, joker: int, end: int, ws: Workspace) -> int:
    """Rebuilds the runs of one colour from the choices; returns the end of the output."""
    lows = ws.small[10:20]
    lengths = ws.small[20:30]
    jokers = ws.small[30:40]
    grown = ws.small[40:50]
    open_runs = 0
    for n in range(numbers + 1):
        use = ws.picks[n] >> 4 * c & 15 if n < numbers else 0
        natural = min(use, ws.total[c * NUMBERS + n]) if n < numbers else 0
        for i in range(open_runs):
            grown[i] = 0
        # Short runs first, then long ones, last of all those that are an old run as they stand.
        for turn in range(4):
            for i in range(open_runs):
                if use == 0 or grown[i]:
                    continue
                whole = ws.old_runs[(c * NUMBERS + lows[i]) * NUMBERS + n - 1] > 0
                kind = 0 if lengths[i] == 1 else 1 if lengths[i] == 2 else 3 if whole else 2
                if kind == turn:
                    grown[i] = 1
                    lengths[i] += 1
                    if natural > 0:
                        natural -= 1
                    else:
                        jokers[i] |= 1 << n
                    use -= 1
        kept = 0
        for i in range(open_runs):
            if grown[i]:
                lows[kept], lengths[kept], jokers[kept] = lows[i], lengths[i], jokers[i]
                kept += 1
            else:
                end = _lay_run(c, lows[i], lengths[i], jokers[i], numbers, joker, end, ws)
        while use > 0:
            lows[kept], lengths[kept], jokers[kept] = n, 1, 0
            if natural > 0:
                natural -= 1
            else:
                jokers[kept] = 1 << n
            kept += 1
            use -= 1
        open_runs = kept
    return end


@part
def _lay_groups(n: int, colours: int, numbers: int, joker: int, end: int, ws: Workspace) -> int:
    """Rebuilds the groups of one number, old ones if possible; returns the end of the output."""
    entry = ws.picks[n] >> 16
    spent = entry & 3
    room = entry >> 2 & 3
    tiles = entry >> 4
    if tiles == 0:
        return end
    left = ws.small[50:54]
    must = ws.small[54:58]
    for c in range(COLOURS):
        use = ws.picks[n] >> 4 * c & 15
        left[c] = max(0, ws.total[c * NUMBERS + n] - use)
        must[c] = max(0, ws.table[c * NUMBERS + n] - use)
    best = -1
    masks = ws.small[60:64]
    for i in range(6):
        for j in range(i + 1):
            for k in range(16):
                if (SIZE[k] == 0) != (spent == 0) or (spent == 1 and SIZE[k] != 2) or SIZE[k] > 2:
                    continue
                for m in range(k + 1):
                    if SIZE[m] != (2 if spent == 2 and SIZE[k] == 2 else 0):
                        continue
                    a = NATURAL[i]
                    b = NATURAL[j]
                    fits = SIZE[a] + SIZE[b] + SIZE[k] + SIZE[m] == tiles
                    for c in range(COLOURS):
                        mine = (a >> c & 1) + (b >> c & 1) + (k >> c & 1) + (m >> c & 1)
                        fits = fits and must[c] <= mine <= left[c]
                    roomy = 0
                    if colours > 3:
                        roomy = int(SIZE[a] == 3) + int(SIZE[b] == 3) + int(SIZE[k] > 0) + int(SIZE[m] > 0)
                    if not fits or roomy < room:
                        continue
                    first = ws.old_groups[n * 16 + a]
                    score = min(1, first)
                    if b > 0:
                        score += min(1, ws.old_groups[n * 16 + b] - (1 if a == b and first > 0 else 0))
                    if score > best:
                        best = score
                        masks[0], masks[1], masks[2], masks[3] = a, b, k, m
    for i in range(4):
        mask = masks[i]
        if mask > 0:
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


@part
def _forget_old_sets(ws: Workspace) -> None:
    for i in range(COLOURS * NUMBERS * NUMBERS):
        ws.old_runs[i] = 0
    for i in range(NUMBERS * 16):
        ws.old_groups[i] = 0


@part
def _read(faces: Octets, rack: Octets, numbers: int, joker: int, ws: Workspace) -> tuple[int, int]:
    """Counts the tiles; returns the table's jokers and all jokers. Each old set ends with 255.

    A tile that is not in the set, or of which there are too many, gives -1 jokers.
    """
    for i in range(COLOURS * NUMBERS):
        ws.total[i] = 0
        ws.table[i] = 0
    _forget_old_sets(ws)
    must = 0
    jokers = 0
    start = 0
    for i in range(len(faces)):
        face = int(faces[i])
        if face == 255:
            _note_old_set(faces, start, i, numbers, joker, ws)
            start = i + 1
        elif face == joker:
            must += 1
        elif face > joker:
            return 0, -1
        else:
            ws.table[face // numbers * NUMBERS + face % numbers] += 1
            ws.total[face // numbers * NUMBERS + face % numbers] += 1
    for i in range(len(rack)):
        face = int(rack[i])
        if face == joker:
            jokers += 1
        elif face > joker:
            return 0, -1
        else:
            ws.total[face // numbers * NUMBERS + face % numbers] += 1
    most = 0
    for i in range(COLOURS * NUMBERS):
        most = max(most, ws.total[i])
    if most > 2 or must + jokers > MOST_JOKERS:
        return 0, -1
    return must, must + jokers


@part
def _note_old_set(faces: Octets, start: int, end: int, numbers: int, joker: int, ws: Workspace) -> None:
    """Remembers an old set without jokers, so that it is kept where that costs nothing."""
    low = 99
    high = -1
    mask = 0
    for i in range(start, end):
        face = int(faces[i])
        if face == joker:
            return
        low = min(low, face % numbers)
        high = max(high, face % numbers)
        mask |= 1 << face // numbers
    if end == start:
        return
    if low == high:
        ws.old_groups[low * 16 + mask] += 1
    else:
        ws.old_runs[(int(faces[start]) // numbers * NUMBERS + low) * NUMBERS + high] += 1


@part
def _list_played(numbers: int, joker: int, jokers: int, ws: Workspace) -> None:
    """Writes the faces that came from the rack behind the sets, and where they end."""
    placed = ws.scratch
    for face in range(joker):
        placed[face] = 0
    end = ws.out[2]
    at = 4
    for _ in range(ws.out[0]):
        for i in range(at + 1, at + 1 + ws.out[at]):
            if ws.out[i] < joker:
                placed[ws.out[i]] += 1
        at += 1 + ws.out[at]
    for face in range(joker):
        for _ in range(placed[face] - ws.table[face // numbers * NUMBERS + face % numbers]):
            ws.out[end] = face
            end += 1
    for _ in range(jokers):
        ws.out[end] = joker
        end += 1
    ws.out[3] = end


@part
def _write_sets(colours: int, numbers: int, jokers: int, must: int, ws: Workspace) -> None:
    """Writes the table of the best line, and the tiles that came from the rack, to `ws.out`."""
    joker = colours * numbers
    ws.out[0] = 0
    spent = ws.small[0] >> 24 & 3
    ws.out[1] = min(ws.small[0] >> 26 & 3, jokers - spent)
    end = 4
    for c in range(COLOURS):
        end = _lay_runs(c, numbers, joker, end, ws)
    for n in range(numbers):
        end = _lay_groups(n, colours, numbers, joker, end, ws)
    ws.out[2] = end
    _list_played(numbers, joker, spent + ws.out[1] - must, ws)


@part
def _solve(colours: int, numbers: int, jokers: int, must: int, weights: Ints, floor: int, widest: int,
           build: bool, groups: Groups, ws: Workspace) -> tuple[int, int]:  # fmt: skip
    """Searches, and builds the table if it is asked for and there is one."""
    for n in range(numbers + 1):
        ws.weight[n] = weights[n]
    best, hope = _search(colours, numbers, jokers, must, weights[numbers], floor, widest, groups, ws)
    if build and best > floor:
        _write_sets(colours, numbers, jokers, must, ws)
    return best, hope


@native
def best_play(faces: Octets, rack: Octets, colours: int, numbers: int, weights: Ints, floor: int, widest: int,
              build: bool, groups: Groups, ws: Workspace) -> tuple[int, int]:  # fmt: skip
    """The best score above `floor` and an upper bound on it, equal when proven; NONE for impossible tiles.

    `weights` has one entry a number and the joker's last. When `build` is set and the score is above the
    floor, `ws.out` holds the number of sets, the jokers still to be laid on sets with room, where the sets
    end and where the played tiles end; from place 4 on each set as its length and its faces, then the
    played tiles.
    """
    joker = colours * numbers
    must, jokers = _read(faces, rack, numbers, joker, ws)
    if jokers < 0:
        return NONE, NONE
    return _solve(colours, numbers, jokers, must, weights, floor, widest, build, groups, ws)


@native
def best_choice(total: Ints, table: Ints, jokers: int, must: int, colours: int, numbers: int, weights: Ints,
                floor: int, widest: int, build: bool, groups: Groups, ws: Workspace
                ) -> tuple[int, int]:  # fmt: skip
    """Like `best_play` for counts by face: the leaf of other searches.

    When `build` is set and the score is above the floor, the tiles that left the rack stand in `ws.out` from
    the place that `ws.out[2]` names to the one before `ws.out[3]`.
    """
    for c in range(colours):
        for n in range(numbers):
            ws.total[c * NUMBERS + n] = total[c * numbers + n]
            ws.table[c * NUMBERS + n] = table[c * numbers + n]
    for i in range(colours * NUMBERS, COLOURS * NUMBERS):
        ws.total[i] = 0
        ws.table[i] = 0
    if build:
        _forget_old_sets(ws)
    return _solve(colours, numbers, jokers, must, weights, floor, widest, build, groups, ws)
