"""What each colour can do, and the most it could still bring if it were alone.

The open runs of one colour are (one tile, two tiles, three or more). A forward pass lists what every state
that can be reached may do at each number; a backward pass finds the most it brings from there, for every
budget of half jokers, if groups were free wherever three colours are present and half a joker a tile where
only two are. The sum over the colours bounds a state from above.
"""

from __future__ import annotations

from .arrays import Ints, ints, part
from .groups import CODE, LEFT, MUST
from .workspace import COLOURS, NUMBERS, OPTIONS, Workspace

NONE = -(1 << 40)
"""Less than anything: what cannot be done brings this, and sums with it are still less than anything."""

# The open runs of one colour: (one tile, two tiles, three or more), in order of their sum.
_TRIPLES = sorted(
    ((a, b, c) for a in range(7) for b in range(7) for c in range(7) if a + b + c <= 6),
    key=lambda t: (sum(t), t),
)
ONE = ints([t[0] for t in _TRIPLES])
TWO = ints([t[1] for t in _TRIPLES])
LONG = ints([t[2] for t in _TRIPLES])
ID_OF = ints([-1] * 343)
for _id, (_a, _b, _c) in enumerate(_TRIPLES):
    ID_OF[_a * 49 + _b * 7 + _c] = _id
IDS_WITH = ints([10, 20, 35, 56, 84])


@part
def prepare(colours: int, numbers: int, jokers: int, ws: Workspace) -> None:
    """Options and bounds for every colour, number and state of its open runs."""
    ids = IDS_WITH[jokers]
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
        _forward(c, numbers, jokers, ids, ws.total, ws.table, ws.options, ws.option_count)
        _backward(c, numbers, ids, 2 * jokers, ws)


@part
def _forward(c: int, numbers: int, jokers: int, ids: int, total: Ints, table: Ints, options: Ints,
             option_count: Ints) -> None:  # fmt: skip
    """Marks the states this colour can reach and lists what each may do next.

    `option_count` is -1 for a state that cannot be reached.
    """
    base = c * (NUMBERS + 1) * ids
    for i in range(base, base + (numbers + 1) * ids):
        option_count[i] = -1
    option_count[base] = 0
    for n in range(numbers):
        have = total[c * NUMBERS + n]
        old = table[c * NUMBERS + n]
        after = total[c * NUMBERS + n + 1] if n + 1 < numbers else 0
        beyond = total[c * NUMBERS + n + 2] if n + 2 < numbers else 0
        extend = after + min(jokers, beyond)
        startable = after + jokers if n + 1 < numbers else 0
        here = base + n * ids
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
            place = ((c * NUMBERS + n) * ids + state) * OPTIONS
            count = 0
            for use in range(due, most + 1):
                extra = use - due
                grown = long if long < extra else extra
                started = extra - grown
                spent = use - have if use > have else 0
                # Runs of jokers alone: those that start with one, at the third number from the top, need a
                # numbered tile each.
                if spent - due - grown > after + beyond:
                    continue
                # A long run takes a joker only for the sake of the next tile.
                bridges = spent if spent < grown else grown
                room = startable - started - one - bridges
                if room < 0:
                    continue
                longs = two + grown - bridges
                if longs > extend:
                    longs = extend
                if longs > room:
                    longs = room
                following = ID_OF[started * 49 + (one + bridges) * 7 + longs]
                if use < have:
                    code = CODE[(have - use) * 3 + (old - use if old > use else 0)]
                    options[place + count] = following | use << 8 | code << 16
                else:
                    options[place + count] = following | use << 8 | spent << 12
                count += 1
                if option_count[here + ids + following] < 0:
                    option_count[here + ids + following] = 0
            option_count[here + state] = count


@part
def _backward(c: int, numbers: int, ids: int, budget: int, ws: Workspace) -> None:
    """The most this colour could still bring from each state and by each option, for each budget.

    Options that lead nowhere are struck out, the others ordered by what they promise.
    """
    bound, options, promise, option_count = ws.bound, ws.options, ws.promise, ws.option_count
    budgets = budget + 1
    base = c * (NUMBERS + 1) * ids
    for state in range(ids):
        ended = ONE[state] == 0 and TWO[state] == 0
        for q in range(budgets):
            bound[(base + numbers * ids + state) * budgets + q] = 0 if ended else NONE
    for n in range(numbers - 1, -1, -1):
        old = ws.table[c * NUMBERS + n]
        weight = ws.weight[n]
        free = ws.free[n]
        price = ws.price[n]
        for state in range(ids):
            count = option_count[base + n * ids + state]
            if count < 0:
                continue
            here = (base + n * ids + state) * budgets
            for q in range(here, here + budgets):
                bound[q] = NONE
            first = ((c * NUMBERS + n) * ids + state) * OPTIONS
            kept = 0
            for k in range(first, first + count):
                option = options[k]
                spent = option >> 12 & 15
                in_runs = (option >> 8 & 15) - spent - old
                code = option >> 16
                there = (base + (n + 1) * ids + (option & 255)) * budgets
                to = (first + kept) * budgets
                for q in range(budgets):
                    promise[to + q] = NONE
                for placed in range(MUST[code], LEFT[code] + 1):
                    cost = 2 * spent
                    if placed > free:
                        cost += (placed - free) * price
                    gain = weight * (in_runs + placed)
                    for q in range(cost, budgets):
                        further = bound[there + q - cost]
                        if further > NONE and gain + further > promise[to + q]:
                            promise[to + q] = gain + further
                if promise[to + budget] == NONE:
                    continue
                for q in range(budgets):
                    if promise[to + q] > bound[here + q]:
                        bound[here + q] = promise[to + q]
                options[first + kept] = option
                kept += 1
            option_count[base + n * ids + state] = kept
            _put_in_order(first, kept, budget, options, promise)


@part
def _put_in_order(first: int, count: int, budget: int, options: Ints, promise: Ints) -> None:
    """The most promising option first."""
    budgets = budget + 1
    for i in range(first + 1, first + count):
        k = i
        while k > first and promise[k * budgets + budget] > promise[(k - 1) * budgets + budget]:
            options[k], options[k - 1] = options[k - 1], options[k]
            for q in range(budgets):
                mine = promise[k * budgets + q]
                promise[k * budgets + q] = promise[(k - 1) * budgets + q]
                promise[(k - 1) * budgets + q] = mine
            k -= 1
