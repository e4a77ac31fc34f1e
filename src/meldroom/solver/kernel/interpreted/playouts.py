"""Imagined games: the hidden tiles are dealt at random, and simple players go on.

Tiles are counts by face, the joker's last; jokers move freely here, which is a little kinder than some books.
An imagined player either *lays* (most tiles, every turn) or *holds* (opens, then draws until the whole rack
goes out); when the pool is empty everybody lays most points.
"""

from __future__ import annotations

from typing import NamedTuple

from . import best_play
from .arrays import FloatGrid, Grid, Ints, float_grid, grid, inlined, ints, native, part, signed, word, zeros
from .best_play import EFFORT, LEAF, Groups, best_choice
from .counts import copy_counts, sum_counts
from .workspace import Room, opened

__all__ = [
    "EFFORT",
    "Kit",
    "Plans",
    "Rules",
    "Seats",
    "below",
    "best_play",
    "float_grid",
    "grid",
    "imagine",
    "ints",
    "make_worlds",
]

LAYS, HOLDS, ABSENT = 0, 1, 2

SEVEN, ELEVEN, THIRTEEN, SEVENTEEN = word(7), word(11), word(13), word(17)


class Rules(NamedTuple):
    """What an imagined game needs to know of a book: plain numbers, and weights by number, joker's last.

    `width` is how wide the solver may search in an imagined turn.
    """

    colours: int
    numbers: int
    opening: int
    passes_end: bool
    drawer_first: bool
    winner_takes_differences: bool
    unopened_wins: bool
    unmelded: int
    values: Ints
    one: Ints
    most_tiles: Ints
    most_points: Ints
    most_value: Ints
    width: int


class Kit(NamedTuple):
    """The book's numbers, and what the solver's kernel works with."""

    rules: Rules
    groups: Groups
    room: Room


class Seats(NamedTuple):
    """What is known of each seat, mine included: kind, opened, tiles held, drew last, turns still to come."""

    kind: Ints
    melded: Ints
    sizes: Ints
    drew: Ints


class Plans(NamedTuple):
    """First moves to compare: the tiles laid (none: a draw), and how many single tiles to lay after that."""

    lay: Grid
    tempos: Ints


class Worlds(NamedTuple):
    """Room for one imagined game."""

    racks: Grid
    start_racks: Grid
    table: Ints
    total: Ints
    none: Ints
    pool: Ints
    melded: Ints
    counts: Ints
    state: Ints


def make_worlds(players: int, faces: int, tiles: int) -> Worlds:
    """Fresh room."""
    return Worlds(
        racks=grid(players, faces),
        start_racks=grid(players, faces),
        table=zeros(faces),
        total=zeros(faces),
        none=zeros(faces),
        pool=zeros(tiles),
        melded=zeros(players),
        counts=zeros(players),
        state=zeros(4),
    )


@part
def below(state: Ints, limit: int) -> int:
    """A number below the limit, from a xorshift generator."""
    x = word(state[0])
    x ^= word(x << THIRTEEN)
    x ^= x >> SEVEN
    x ^= word(x << SEVENTEEN)
    state[0] = signed(x)
    return signed((x >> ELEVEN) % word(limit))


@part
def _best(total: Ints, table: Ints, weights: Ints, floor: int, build: bool, kit: Kit) -> int:
    """The best score above `floor` for these tiles, of which the table's must stay.

    With `build` the tiles that leave the rack are in the kernel's output.
    """
    colours, numbers = kit.rules.colours, kit.rules.numbers
    jokers, must = total[colours * numbers], table[colours * numbers]
    best, _ = best_choice(
        total, table, jokers, must, colours, numbers, weights, floor, kit.rules.width, build, kit.groups,
        kit.room,
    )  # fmt: skip
    return best


@inlined
def whole_rack(rack: Ints, table: Ints, size: int, total: Ints, kit: Kit) -> bool:
    """True if every tile of the rack can be laid."""
    joker = kit.rules.colours * kit.rules.numbers
    for face in range(joker + 1):
        total[face] = rack[face] + table[face]
    best = _best(total, table, kit.rules.one, size - 1, False, kit)
    return bool(best >= size)


@inlined
def lay_best(rack: Ints, table: Ints, weights: Ints, total: Ints, kit: Kit) -> int:
    """Moves the best tiles from the rack to the table; returns how many."""
    joker = kit.rules.colours * kit.rules.numbers
    for face in range(joker + 1):
        total[face] = rack[face] + table[face]
    best = _best(total, table, weights, 0, True, kit)
    if best <= 0:
        return 0
    out = opened(kit.room).out
    for i in range(out[2], out[3]):
        rack[out[i]] -= 1
        table[out[i]] += 1
    return int(out[3] - out[2])


@inlined
def can_open(rack: Ints, none: Ints, kit: Kit) -> bool:
    """True if the rack reaches the opening, a joker counted as the highest number."""
    best = _best(rack, none, kit.rules.most_value, (kit.rules.opening << 10) - 1, False, kit)
    return bool(best >= kit.rules.opening << 10)


@inlined
def open_best(rack: Ints, table: Ints, none: Ints, weights: Ints, kit: Kit) -> int:
    """Opens with the best tiles by these weights, or with what counts most; returns how many were laid."""
    joker = kit.rules.colours * kit.rules.numbers
    for attempt in range(2):
        best = _best(rack, none, weights if attempt == 0 else kit.rules.most_value, 0, True, kit)
        if best <= 0:
            return 0
        out = opened(kit.room).out
        value = 0
        for i in range(out[2], out[3]):
            face = out[i]
            value += kit.rules.numbers // 2 + 1 if face == joker else face % kit.rules.numbers + 1
        if value >= kit.rules.opening or (attempt == 1 and best >= kit.rules.opening << 10):
            for i in range(out[2], out[3]):
                rack[out[i]] -= 1
                table[out[i]] += 1
            return int(out[3] - out[2])
    return 0


@inlined
def lay_one(rack: Ints, table: Ints, total: Ints, kit: Kit, state: Ints) -> bool:
    """Lays some single tile that fits, or else a set of three; False if there is neither."""
    faces = len(rack)
    joker = kit.rules.colours * kit.rules.numbers
    first = below(state, faces)
    for step in range(faces):
        face = (first + step) % faces
        if rack[face] == 0 or face == joker:
            continue
        for other in range(faces):
            total[other] = table[other]
        total[face] += 1
        best = _best(total, table, kit.rules.one, 0, False, kit)
        if best > 0:
            rack[face] -= 1
            table[face] += 1
            return True
    return _lay_three(rack, table, first, kit)


@part
def _lay_three(rack: Ints, table: Ints, first: int, kit: Kit) -> bool:
    """Lays a run or a group of three from the rack; False if there is none."""
    colours, numbers = kit.rules.colours, kit.rules.numbers
    joker = colours * numbers
    for step in range(joker):
        face = (first + step) % joker
        if rack[face] == 0:
            continue
        if face % numbers < numbers - 2 and rack[face + 1] > 0 and rack[face + 2] > 0:
            for other in range(face, face + 3):
                rack[other] -= 1
                table[other] += 1
            return True
        held = 0
        for c in range(colours):
            if rack[c * numbers + face % numbers] > 0:
                held += 1
        if held >= 3:
            left = 3
            for c in range(colours):
                other = c * numbers + face % numbers
                if left > 0 and rack[other] > 0:
                    rack[other] -= 1
                    table[other] += 1
                    left -= 1
            return True
    return False


@inlined
def _deal(me: int, my_rack: Ints, unseen: Ints, seats: Seats, table: Ints, kit: Kit, world: Worlds) -> None:
    """Deals the unseen tiles to the other racks and the pool, as far as what the others did allows."""
    end = shuffle_unseen(unseen, world)
    for seat in range(len(seats.sizes)):
        rack = world.start_racks[seat]
        if seat == me:
            copy_counts(my_rack, rack)
            continue
        for face in range(len(unseen)):
            rack[face] = 0
        for _ in range(seats.sizes[seat]):
            end -= 1
            rack[world.pool[end]] += 1
    # What is left in `pool[:end]` is the pool, and a withdrawn player still has their tiles.
    for seat in range(len(seats.sizes)):
        if seat != me and seats.kind[seat] != ABSENT and end > 0:
            believe(seat, world.start_racks[seat], end, table, seats, kit, world)


@part
def shuffle_unseen(unseen: Ints, world: Worlds) -> int:
    """Shuffles the unseen tiles into the world's pool; returns how many there are."""
    end = 0
    for face in range(len(unseen)):
        for _ in range(unseen[face]):
            world.pool[end] = face
            end += 1
    for i in range(end - 1, 0, -1):
        j = below(world.state, i + 1)
        world.pool[i], world.pool[j] = world.pool[j], world.pool[i]
    return end


@part
def believe(seat: int, rack: Ints, end: int, table: Ints, seats: Seats, kit: Kit, world: Worlds) -> None:
    """Changes a hidden rack until its player had reason not to lay more, as far as a few tries help.

    Who lays all it can holds nothing that fits the table, except the tile it drew last; who has not opened
    could not. Tiles that contradict this are changed for others of the pool, which are `pool[:end]`.
    """
    for _ in range(4):
        late = -1
        if seats.drew[seat]:
            late = some_face(rack, seats.sizes[seat], world.state)
            rack[late] -= 1
        laid = 0
        if seats.sizes[seat] > seats.drew[seat]:
            if seats.melded[seat] == 0:
                if can_open(rack, world.none, kit):
                    laid = swap_playable(rack, world.none, kit.rules.most_value, end, kit, world)
            elif seats.kind[seat] == LAYS:
                laid = swap_playable(rack, table, kit.rules.most_tiles, end, kit, world)
        if late >= 0:
            rack[late] += 1
        if laid == 0:
            break


@part
def some_face(rack: Ints, size: int, state: Ints) -> int:
    """The face of a random tile of the rack."""
    place = below(state, size)
    for face in range(len(rack)):
        place -= rack[face]
        if place < 0:
            return face
    return 0


@inlined
def swap_playable(rack: Ints, table: Ints, weights: Ints, end: int, kit: Kit, world: Worlds) -> int:
    """Changes the tiles that could have been laid for random ones of the pool; returns how many."""
    joker = kit.rules.colours * kit.rules.numbers
    for face in range(joker + 1):
        world.total[face] = rack[face] + table[face]
    best = _best(world.total, table, weights, 0, True, kit)
    if best <= 0:
        return 0
    out = opened(kit.room).out
    for i in range(out[2], out[3]):
        place = below(world.state, end)
        rack[out[i]] -= 1
        rack[world.pool[place]] += 1
        world.pool[place] = out[i]
    return int(out[3] - out[2])


@part
def count_rack(rack: Ints, melded: int, rules: Rules) -> int:
    """What a rack costs at the end."""
    total = 0
    for face in range(len(rack)):
        if rack[face]:
            total += rack[face] * rules.values[face]
    if melded == 0 and rules.unmelded > 0:
        return rules.unmelded
    return int(total)


@part
def smallest_counts(rules: Rules, world: Worlds) -> int:
    """Who wins by the counts when nobody goes out, as a bit for each seat (R37)."""
    players = len(world.counts)
    opened = 0
    for seat in range(players):
        opened += world.melded[seat]
    anybody = rules.unopened_wins or opened == 0
    least = 1 << 30
    for seat in range(players):
        if anybody or world.melded[seat]:
            least = min(least, world.counts[seat])
    winners = 0
    for seat in range(players):
        if (anybody or world.melded[seat]) and world.counts[seat] == least:
            winners |= 1 << seat
    return winners


@part
def _settle(out: int, me: int, seats: Seats, rules: Rules, world: Worlds) -> tuple[float, float]:
    """My share of the win and my score when the game has ended; `out` is who went out, or -1."""
    players = len(seats.sizes)
    for seat in range(players):
        world.counts[seat] = 0 if seat == out else count_rack(world.racks[seat], world.melded[seat], rules)
    if out == me:
        return 1.0, float(sum_counts(world.counts))
    if out >= 0:
        return 0.0, -float(world.counts[me])
    mask = smallest_counts(rules, world)
    least = 0
    winners = 0
    for seat in range(players):
        if mask >> seat & 1:
            least = world.counts[seat]
            winners += 1
    if mask >> me & 1 == 0:
        return 0.0, -float(max(0, world.counts[me] - least))
    gain = 0.0
    if rules.winner_takes_differences:
        for seat in range(players):
            gain += max(0, world.counts[seat] - least)
    return 1.0 / winners, gain / winners


@inlined
def _last_lay(seat: int, kit: Kit, world: Worlds) -> int:
    """With the pool empty: most points off the rack; returns how many tiles were laid."""
    rack = world.racks[seat]
    if world.melded[seat]:
        return lay_best(rack, world.table, kit.rules.most_points, world.total, kit)
    laid = open_best(rack, world.table, world.none, kit.rules.most_points, kit)
    if laid:
        world.melded[seat] = 1
    return laid


@inlined
def _turn(seat: int, size: int, kind: int, kit: Kit, world: Worlds) -> int:
    """A turn while the pool lasts: returns how many tiles were laid, 0 for a draw."""
    rack = world.racks[seat]
    if world.melded[seat] == 0:
        if not can_open(rack, world.none, kit):
            return 0
        laid = open_best(rack, world.table, world.none, kit.rules.most_tiles, kit)
        if laid:
            world.melded[seat] = 1
        return laid
    if kind == LAYS:
        return lay_best(rack, world.table, kit.rules.most_tiles, world.total, kit)
    return size if whole_rack(rack, world.table, size, world.total, kit) else 0


@inlined
def play_to_the_end(me: int, pool_left: int, tempos: int, next_seat: int, last_turns: int, passes: int,
                    seats: Seats, kit: Kit, world: Worlds) -> int:  # fmt: skip
    """Plays an imagined game to its end; returns who went out, or -1 if nobody did.

    `last_turns` is how many final turns are still to come, or -1 while the pool lasts.
    """
    players = len(seats.sizes)
    seat = next_seat
    for _ in range(1000):
        if seats.kind[seat] == ABSENT:
            seat = (seat + 1) % players
            continue
        rack = world.racks[seat]
        size = sum_counts(rack)
        if pool_left == 0:
            if last_turns == 0:
                break
            laid = _last_lay(seat, kit, world)
            if laid == size:
                return seat
            passes = 0 if laid else passes + 1
            if last_turns > 0:
                last_turns -= 1
            elif passes >= players:
                break
            seat = (seat + 1) % players
            continue
        laid = _turn(seat, size, seats.kind[seat], kit, world)
        if laid == size:
            return seat
        if laid == 0 and seat == me and tempos > 0 and world.melded[me]:
            tempos -= 1
            if lay_one(rack, world.table, world.total, kit, world.state):
                laid = 1
        if laid == 0:
            pool_left -= 1
            rack[world.pool[pool_left]] += 1
            if pool_left == 0:
                last_turns = -1 if kit.rules.passes_end else players
                if kit.rules.drawer_first:
                    continue
        seat = (seat + 1) % players
    return -1


@native
def imagine(me: int, my_rack: Ints, table: Ints, unseen: Ints, pool_size: int, last_turns: int, seats: Seats,
            plans: Plans, kit: Kit, world: Worlds, wins: FloatGrid, scores: FloatGrid
            ) -> None:  # fmt: skip
    """Writes to `wins` and `scores`, for each imagined world and every plan, what it brings me.

    `world.state[0]` is where the random numbers go on from; it must not be 0.
    """
    players = len(seats.sizes)
    small = opened(kit.room).small
    for number in range(len(wins)):
        _deal(me, my_rack, unseen, seats, table, kit, world)
        for plan in range(len(plans.tempos)):
            small[EFFORT] += LEAF  # also where nobody has a turn any more
            for seat in range(players):
                copy_counts(world.start_racks[seat], world.racks[seat])
            copy_counts(table, world.table)
            copy_counts(seats.melded, world.melded)
            pool_left = pool_size
            final = last_turns
            passes = 0
            laid = 0
            following = (me + 1) % players
            for face in range(len(my_rack)):
                count = plans.lay[plan][face]
                world.racks[me][face] -= count
                world.table[face] += count
                laid += count
            if laid:
                world.melded[me] = 1
            elif pool_left:
                pool_left -= 1
                world.racks[me][world.pool[pool_left]] += 1
                if pool_left == 0 and not kit.rules.passes_end:
                    final = players
                    if kit.rules.drawer_first:
                        following = me
            else:
                passes = 1
            out = me
            if sum_counts(world.racks[me]) > 0:
                out = play_to_the_end(
                    me, pool_left, plans.tempos[plan], following, final, passes, seats, kit, world,
                )  # fmt: skip
            win, score = _settle(out, me, seats, kit.rules, world)
            wins[number][plan] = win
            scores[number][plan] = score
