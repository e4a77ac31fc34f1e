"""Games played on from one position by players of several styles, for who wins them.

What `playouts.py` lacks: players who overlook things, who hold back a while, who open late and small, and who
fight for the last draw. Each game deals the hidden tiles from a seed of its own, once for all the first moves
that are compared in it: they meet the same racks, the same pool and the same luck.
"""

from __future__ import annotations

from typing import NamedTuple

from .arrays import Grid, Ints, grid, ints, listed, native, part, zeros
from .counts import copy_counts, sum_counts
from .play_on import Known, deal_known, fewest
from .playouts import (
    Kit,
    Worlds,
    below,
    can_open,
    count_rack,
    lay_best,
    lay_one,
    make_worlds,
    open_best,
    some_face,
    swap_playable,
    whole_rack,
)

__all__ = [
    "FOREVER",
    "Known",
    "Moves",
    "Sitting",
    "grid",
    "ints",
    "listed",
    "make_worlds",
    "play_games",
    "zeros",
]

SEES, WAITS, OPENS_LATE, FIGHTS = 0, 1, 2, 3
"""The columns of a style: what it sees of the table, how long it waits, how it opens, whether it fights.

In order: in how many of 1000 turns it sees what the table offers; how many hundredths of a turn it draws
before it lays one tile (0 lays all it can, FOREVER waits for the whole rack); 1 if it opens late and small;
in how many of 1000 turns it fights for the last draw.
"""
FOREVER = 10_000
LATE_POOL, CLOSE_RACK = 20, 8
"""Who opens late does so with so many tiles in the pool, or when another who has opened holds so few."""
TRIES = 4
LONGEST_GAME = 1000


class Sitting(NamedTuple):
    """Each seat in the order of turns: opened, tiles held, drew last, draws in a row.

    `styles` are those to choose from, a row each; `chosen` has the style of each seat, a row for each game.
    `waited` and `spare` are room for one game.
    """

    melded: Ints
    sizes: Ints
    drew: Ints
    held: Ints
    styles: Grid
    chosen: Grid
    waited: Ints
    spare: Ints


class Moves(NamedTuple):
    """First moves of the first seat: the tiles laid, none for a draw or a pass; or, `free`, as its style
    plays.

    `style` is how it plays on after the move, or -1 for the style chosen for the game.
    """

    lay: Grid
    free: Ints
    style: Ints


@part
def _explain(
    seat: int, style: Ints, end: int, known: Known, sitting: Sitting, kit: Kit, world: Worlds
) -> None:
    """Changes a hidden rack until its player had reason to hold it, as far as a few tries help.

    Who lays all they see holds nothing that fits the table; who has not opened, and would, could not; who
    waits could not have gone out a turn ago. The tile drawn last is not asked for.
    """
    rack = world.racks[seat]
    size = sitting.sizes[seat]
    for _ in range(TRIES):
        late = -1
        if sitting.drew[seat]:
            late = some_face(rack, size, world.state)
            rack[late] -= 1
        kept = size - sitting.drew[seat]
        changed = 0
        if kept > 0:
            if sitting.melded[seat] == 0:
                if style[OPENS_LATE] == 0 and can_open(rack, world.none, kit):
                    changed = swap_playable(rack, world.none, kit.rules.most_value, end, kit, world)
            elif style[WAITS] == 0:
                if below(world.state, 1000) < style[SEES]:
                    changed = swap_playable(rack, known.table, kit.rules.most_tiles, end, kit, world)
            elif whole_rack(rack, known.table, kept, world.total, kit):
                for _ in range(3):
                    face = some_face(rack, kept, world.state)
                    place = below(world.state, end)
                    rack[face] -= 1
                    rack[world.pool[place]] += 1
                    world.pool[place] = face
                    changed += 1
        if late >= 0:
            rack[late] += 1
        if changed == 0:
            break


@part
def _closest(me: int, world: Worlds) -> int:
    """The fewest tiles that another player who has opened holds."""
    least = 1 << 20
    for seat in range(len(world.melded)):
        if seat != me and world.melded[seat]:
            least = min(least, sum_counts(world.racks[seat]))
    return least


@part
def _small_opening(rack: Ints, table: Ints, kit: Kit) -> int:
    """Opens with three tiles, without a joker, if they are enough; returns how many were laid."""
    colours, numbers = kit.rules.colours, kit.rules.numbers
    for number in range(numbers - 1, -1, -1):
        if 3 * (number + 1) < kit.rules.opening:
            break
        held = 0
        for colour in range(colours):
            if rack[colour * numbers + number] > 0:
                held += 1
        if held >= 3:
            left = 3
            for colour in range(colours):
                face = colour * numbers + number
                if left > 0 and rack[face] > 0:
                    rack[face] -= 1
                    table[face] += 1
                    left -= 1
            return 3
    for colour in range(colours):
        for number in range(numbers - 3, -1, -1):
            face = colour * numbers + number
            enough = 3 * (number + 2) >= kit.rules.opening
            if enough and rack[face] > 0 and rack[face + 1] > 0 and rack[face + 2] > 0:
                for other in range(face, face + 3):
                    rack[other] -= 1
                    table[other] += 1
                return 3
    return 0


@part
def _open(seat: int, pool_left: int, style: Ints, kit: Kit, world: Worlds) -> int:
    """A turn of a player who has not opened; returns how many tiles were laid."""
    rack = world.racks[seat]
    if not can_open(rack, world.none, kit):
        return 0
    laid = 0
    if style[OPENS_LATE]:
        if pool_left > LATE_POOL and _closest(seat, world) > CLOSE_RACK:
            return 0
        laid = _small_opening(rack, world.table, kit)
    if laid == 0:
        laid = open_best(rack, world.table, world.none, kit.rules.most_tiles, kit)
    if laid:
        world.melded[seat] = 1
    return laid


@part
def _own_sets(rack: Ints, weights: Ints, sitting: Sitting, kit: Kit, world: Worlds) -> int:
    """Lays the sets that the rack makes by itself; returns how many tiles."""
    copy_counts(world.none, sitting.spare)
    laid = lay_best(rack, sitting.spare, weights, world.total, kit)
    for face in range(len(rack)):
        world.table[face] += sitting.spare[face]
    return laid


@part
def _ahead(seat: int, kit: Kit, world: Worlds) -> bool:
    """True if a player holds fewer points than everybody else."""
    mine = count_rack(world.racks[seat], world.melded[seat], kit.rules)
    for other in range(len(world.melded)):
        if other != seat and count_rack(world.racks[other], world.melded[other], kit.rules) <= mine:
            return False
    return True


@part
def _last_lay(seat: int, size: int, style: Ints, sitting: Sitting, kit: Kit, world: Worlds) -> int:
    """With the pool empty: most points off the rack; returns how many tiles were laid.

    Where the game goes on until all pass, a fighter with the fewest points passes.
    """
    rack = world.racks[seat]
    if world.melded[seat] == 0:
        laid = open_best(rack, world.table, world.none, kit.rules.most_points, kit)
        if laid:
            world.melded[seat] = 1
        return laid
    if kit.rules.passes_end and below(world.state, 1000) < style[FIGHTS] and _ahead(seat, kit, world):
        return size if whole_rack(rack, world.table, size, world.total, kit) else 0
    if style[SEES] < 1000 and below(world.state, 1000) >= style[SEES]:
        return _own_sets(rack, kit.rules.most_points, sitting, kit, world)
    return lay_best(rack, world.table, kit.rules.most_points, world.total, kit)


@part
def _turn(
    seat: int, size: int, pool_left: int, style: Ints, sitting: Sitting, kit: Kit, world: Worlds
) -> int:
    """A turn while the pool lasts: returns how many tiles were laid, 0 for a draw."""
    rack = world.racks[seat]
    if world.melded[seat] == 0:
        return _open(seat, pool_left, style, kit, world)
    waits = style[WAITS]
    if waits == 0:
        if style[SEES] < 1000 and below(world.state, 1000) >= style[SEES]:
            return _own_sets(rack, kit.rules.most_tiles, sitting, kit, world)
        return lay_best(rack, world.table, kit.rules.most_tiles, world.total, kit)
    if whole_rack(rack, world.table, size, world.total, kit):
        return size
    if waits < FOREVER:
        longest = waits // 100
        if below(world.state, 100) < waits % 100:
            longest += 1
        if sitting.waited[seat] < longest:
            return 0
        return 1 if lay_one(rack, world.table, world.total, kit, world.state) else 0
    players = len(world.melded)
    fights = pool_left == players
    if players == 2 and not kit.rules.passes_end:
        fights = pool_left <= 4 and pool_left % 2 == 0
    if fights and style[FIGHTS] and below(world.state, 1000) < style[FIGHTS]:
        return 1 if lay_one(rack, world.table, world.total, kit, world.state) else 0
    return 0


@part
def _to_the_end(
    seat: int, pool_left: int, last_turns: int, passes: int, free: int, first_style: int, game: int,
    sitting: Sitting, kit: Kit, world: Worlds,
) -> int:  # fmt: skip
    """Plays on from a seat; returns who went out, or -1.

    `first_style` is the style of the first seat, or -1; with `free` it plays even its first turn by the style
    chosen for the game. A turn is never counted by tiles laid: a set of three laid to wait is one as well.
    """
    players = len(sitting.melded)
    for turn in range(LONGEST_GAME):
        chosen = sitting.chosen[game][seat]
        if seat == 0 and first_style >= 0 and not (free and turn == 0):
            chosen = first_style
        style = sitting.styles[chosen]
        size = sum_counts(world.racks[seat])
        if pool_left == 0:
            if last_turns == 0:
                break
            laid = _last_lay(seat, size, style, sitting, kit, world)
            if laid == size:
                return seat
            passes = 0 if laid else passes + 1
            if last_turns > 0:
                last_turns -= 1
            elif passes >= players:
                break
            seat = (seat + 1) % players
            continue
        laid = _turn(seat, size, pool_left, style, sitting, kit, world)
        if laid == size:
            return seat
        sitting.waited[seat] = 0 if laid else sitting.waited[seat] + 1
        if laid == 0:
            pool_left -= 1
            world.racks[seat][world.pool[pool_left]] += 1
            if pool_left == 0:
                last_turns = -1 if kit.rules.passes_end else players
                if kit.rules.drawer_first:
                    continue
        seat = (seat + 1) % players
    return -1


@part
def _first_move(
    plan: int, game: int, known: Known, sitting: Sitting, moves: Moves, kit: Kit, world: Worlds
) -> int:
    """Carries out a first move and plays on; returns who went out, or -1."""
    players = len(sitting.melded)
    pool_left, last_turns, passes = known.pool, known.last_turns, known.passes
    style = moves.style[plan]
    if moves.free[plan]:
        return _to_the_end(0, pool_left, last_turns, passes, 1, style, game, sitting, kit, world)
    following = 1 % players
    laid = 0
    for face in range(len(known.table)):
        count = moves.lay[plan][face]
        world.racks[0][face] -= count
        world.table[face] += count
        laid += count
    sitting.waited[0] = 0 if laid else sitting.waited[0] + 1
    if laid:
        world.melded[0] = 1
        if sum_counts(world.racks[0]) == 0:
            return 0
        passes = 0
    elif pool_left:
        pool_left -= 1
        world.racks[0][world.pool[pool_left]] += 1
        if pool_left == 0:
            if kit.rules.passes_end:
                return _to_the_end(following, 0, -1, 0, 0, style, game, sitting, kit, world)
            following = 0 if kit.rules.drawer_first else following
            return _to_the_end(following, 0, players, 0, 0, style, game, sitting, kit, world)
    else:
        passes += 1
    if known.pool == 0:
        if last_turns > 0:
            last_turns -= 1
        elif passes >= players:
            return -1
    return _to_the_end(following, pool_left, last_turns, passes, 0, style, game, sitting, kit, world)


@native
def play_games(
    known: Known, sitting: Sitting, moves: Moves, seeds: Ints, kit: Kit, world: Worlds, winners: Grid
) -> None:
    """Plays a game for each seed, none of them 0, and each first move; writes who won as bits by seat."""
    players = len(sitting.melded)
    for game in range(len(seeds)):
        world.state[0] = seeds[game]
        end = deal_known(known, world)
        for seat in range(players):
            if known.hidden[seat] == sitting.sizes[seat] and known.hidden[seat] > 0 and end > 0:
                style = sitting.styles[sitting.chosen[game][seat]]
                _explain(seat, style, end, known, sitting, kit, world)
        for seat in range(players):
            copy_counts(world.racks[seat], world.start_racks[seat])
        luck = world.state[0]
        for plan in range(len(moves.free)):
            world.state[0] = luck
            for seat in range(players):
                copy_counts(world.start_racks[seat], world.racks[seat])
            copy_counts(known.table, world.table)
            copy_counts(sitting.melded, world.melded)
            copy_counts(sitting.held, sitting.waited)
            out = _first_move(plan, game, known, sitting, moves, kit, world)
            winners[game][plan] = 1 << out if out >= 0 else fewest(kit, world)
