"""What each colour can do, and the most it could still bring if it were alone.

The open runs of one colour are (one tile, two tiles, three or more). A forward pass lists what every state
that can be reached may do at each number; a backward pass finds the most it brings from there, for every
budget of half jokers, if groups were free wherever three colours are present and half a joker a tile where
only two are. The sum over the colours bounds a state from above.
"""

from __future__ import annotations

from .arrays import Ints, ints, part
from .groups import CODE, LEFT, MUST
from .workspace import COLOURS, IDS_WITH, KEPT, NUMBERS, OPTIONS, PLACES, Room, opened

NONE = -(1 << 40)
"""Less than anything: what cannot be done brings this, and sums with it are still less than anything."""

USES = 3
"""Where in `small` it is counted how often something prepared was looked for."""

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
IDS = ints(list(IDS_WITH))
"""How many states there are with so many jokers: they come first, however many there are."""
STATES_BEFORE = ints([PLACES * (NUMBERS + 1) * sum(IDS_WITH[:jokers]) for jokers in range(len(IDS_WITH))])
"""Where the states with so many jokers begin. With more of them a state has more budgets, so that what counts
by state and budget does not overlap either."""
BETTER = ints([-1] * 3 * len(_TRIPLES))
"""Three states for each that can do whatever it can: with a longer run, twice, or a long run more; or -1."""
for _id, (_a, _b, _c) in enumerate(_TRIPLES):
    for _place, _triple in enumerate(((_a - 1, _b + 1, _c), (_a, _b - 1, _c + 1), (_a, _b, _c + 1))):
        if _triple in _TRIPLES:
            BETTER[3 * _id + _place] = _TRIPLES.index(_triple)


@part
def prepare(colours: int, numbers: int, jokers: int, room: Room) -> int:
    """Options and bounds for every colour, number and state of its open runs; returns the whole bound."""
    ws = opened(room)
    ids = IDS[jokers]
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
        if not _find(c, numbers, jokers, room):
            _forward(c, numbers, jokers, ids, room)
            _backward(c, numbers, jokers, ids, room)
            ws.prepared[ws.place[c] * (NUMBERS + 1) + NUMBERS] = numbers
    budgets = 2 * jokers + 1
    first = ws.first_state
    add_up(first[0] * budgets, first[1] * budgets, budgets, 0, ws.bound, ws.sums)
    add_up(first[2] * budgets, first[3] * budgets, budgets, budgets, ws.bound, ws.sums)
    return meet(0, budgets, budgets - 1, ws.sums)


@part
def _find(c: int, numbers: int, jokers: int, room: Room) -> bool:
    """Finds the place where a colour is prepared, and says whether it is; if not, one is set free for it.

    Positions that are solved one after the other often differ in one colour: what the others can do, and
    bring, is still there. Nothing but `prepare` writes to it. The place that was of use longest ago is given
    up.
    """
    ws = opened(room)
    prepared, wanted, used = ws.prepared, ws.wanted, ws.used
    for n in range(numbers):
        have = ws.total[c * NUMBERS + n]
        wanted[n] = 0  # Neither weights nor groups matter where there is no tile.
        if have > 0:
            groups = ws.free[n] << 4 | ws.price[n] << 6
            wanted[n] = have | ws.table[c * NUMBERS + n] << 2 | groups | ws.weight[n] << 13
    ws.small[USES] += 1
    first = jokers * PLACES + c * KEPT
    place, found = first, False
    for other in range(first, first + KEPT):
        start = other * (NUMBERS + 1)
        n = 0
        if prepared[start + NUMBERS] == numbers:
            while n < numbers and prepared[start + n] == wanted[n]:
                n += 1
        if n == numbers:
            place, found = other, True
            break
        if used[other] < used[place]:
            place = other
    used[place] = ws.small[USES]
    ws.place[c] = place
    ws.first_state[c] = STATES_BEFORE[jokers] + (c * KEPT + place - first) * (NUMBERS + 1) * IDS[jokers]
    if not found:
        start = place * (NUMBERS + 1)
        for n in range(numbers):
            prepared[start + n] = wanted[n]
        prepared[start + NUMBERS] = 0  # until it is done
    return found


@part
def add_up(left: int, right: int, budgets: int, to: int, terms: Ints, sums: Ints) -> None:
    """sums[to + q]: the most that two colours bring together with q half jokers."""
    if budgets == 1:
        sums[to] = terms[left] + terms[right]
        return
    for q in range(budgets):
        most = terms[left] + terms[right + q]
        for i in range(1, q + 1):
            both = terms[left + i] + terms[right + q - i]
            if both > most:
                most = both
        sums[to + q] = most


@part
def meet(left: int, right: int, budget: int, sums: Ints) -> int:
    """The most that two pairs of colours bring together with a budget."""
    most = sums[left] + sums[right + budget]
    for q in range(1, budget + 1):
        both = sums[left + q] + sums[right + budget - q]
        if both > most:
            most = both
    return most


@part
def _forward(c: int, numbers: int, jokers: int, ids: int, room: Room) -> None:  # noqa: PLR0915
    """Lists the states this colour can reach, the fewest jokers for that, and what each may do next."""
    ws = opened(room)
    total, table, options, option_count, reached, least = (
        ws.total, ws.table, ws.options, ws.option_count, ws.reached, ws.least
    )  # fmt: skip
    base, reached_at = ws.first_state[c], ws.place[c] * (NUMBERS + 1)
    for i in range(base, base + (numbers + 1) * ids):
        least[i] = 99
    least[base] = 0
    reached[base] = 0
    ws.reached_count[reached_at] = 1
    for n in range(numbers):
        have = total[c * NUMBERS + n]
        old = table[c * NUMBERS + n]
        after = total[c * NUMBERS + n + 1] if n + 1 < numbers else 0
        beyond = total[c * NUMBERS + n + 2] if n + 2 < numbers else 0
        extend = after + min(jokers, beyond)
        here = base + n * ids
        found = 0
        for r in range(here, here + ws.reached_count[reached_at + n]):
            state = reached[r]
            one = ONE[state]
            two = TWO[state]
            long = LONG[state]
            due = one + two
            left = jokers - least[here + state]
            most = have + left
            if n != numbers - 3:
                most = min(most, max(have, due + long))
            place = (here + state) * OPTIONS
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
                space = after + left - spent - started - one - bridges
                if space < 0 or (n + 1 == numbers and started + one + bridges > 0):
                    continue
                longs = two + grown - bridges
                if longs > extend:
                    longs = extend
                if longs > space:
                    longs = space
                following = ID_OF[started * 49 + (one + bridges) * 7 + longs]
                if use < have:
                    code = CODE[(have - use) * 3 + (old - use if old > use else 0)]
                    options[place + count] = following | use << 8 | code << 16
                else:
                    options[place + count] = following | use << 8 | spent << 12
                count += 1
                there = here + ids + following
                if least[there] == 99:
                    reached[here + ids + found] = following
                    found += 1
                if least[here + state] + spent < least[there]:
                    least[there] = least[here + state] + spent
            option_count[here + state] = count
        ws.reached_count[reached_at + n + 1] = found


@part
def _backward(c: int, numbers: int, jokers: int, ids: int, room: Room) -> None:
    """The most this colour could still bring from each state and by each option, for each budget.

    Options that lead nowhere are struck out, the others ordered by what they promise.
    """
    ws = opened(room)
    bound, options, promise, option_count = ws.bound, ws.options, ws.promise, ws.option_count
    budgets = 2 * jokers + 1
    base, reached_at = ws.first_state[c], ws.place[c] * (NUMBERS + 1)
    here = base + numbers * ids
    for r in range(here, here + ws.reached_count[reached_at + numbers]):
        for q in range(budgets):
            bound[(here + ws.reached[r]) * budgets + q] = 0
    for n in range(numbers - 1, -1, -1):
        old = ws.table[c * NUMBERS + n]
        weight = ws.weight[n]
        free = ws.free[n]
        price = ws.price[n]
        here = base + n * ids
        for r in range(here, here + ws.reached_count[reached_at + n]):
            state = ws.reached[r]
            mine = (here + state) * budgets
            most = 2 * (jokers - ws.least[here + state])
            for q in range(mine, mine + most + 1):
                bound[q] = NONE
            first = (here + state) * OPTIONS
            kept = first
            for k in range(first, first + option_count[here + state]):
                option = options[k]
                spent = option >> 12 & 15
                in_runs = (option >> 8 & 15) - spent - old
                code = option >> 16
                there = (here + ids + (option & 255)) * budgets
                to = kept * budgets
                for q in range(most + 1):
                    promise[to + q] = NONE
                for placed in range(MUST[code], LEFT[code] + 1):
                    cost = 2 * spent
                    if placed > free:
                        cost += (placed - free) * price
                    gain = weight * (in_runs + placed)
                    for q in range(cost, most + 1):
                        further = gain + bound[there + q - cost]
                        if further > promise[to + q]:
                            promise[to + q] = further
                if promise[to + most] < NONE // 2:
                    continue
                for q in range(most + 1):
                    if promise[to + q] > bound[mine + q]:
                        bound[mine + q] = promise[to + q]
                options[kept] = option
                # The most promising option first.
                i = kept
                while i > first and promise[i * budgets + most] > promise[(i - 1) * budgets + most]:
                    options[i], options[i - 1] = options[i - 1], options[i]
                    for q in range(i * budgets, i * budgets + most + 1):
                        further = promise[q]
                        promise[q] = promise[q - budgets]
                        promise[q - budgets] = further
                    i -= 1
                kept += 1
            option_count[here + state] = kept - first
