"""The fight for the last draw: what laying a few tiles, instead of drawing, does to both players.

Near the end of the pool nearly everything is known: what is not on the table or in one rack is in the other,
but for the few tiles of the pool. What counts is how many tiles of a rack are *stuck*, could not be laid if
their player laid all they can: who has none goes out. My own plays never change what I can lay in the end;
they only help, or fail to help, the other player. So each play is weighed by the tiles that stay stuck.
"""

from __future__ import annotations

from typing import NamedTuple

from . import best_play
from .arrays import Grid, Ints, grid, inlined, ints, listed, native, part, zeros
from .best_play import best_choice
from .counts import sum_counts
from .playouts import Kit, below

__all__ = [
    "FIT",
    "LIST",
    "UNKNOWN",
    "WEIGH",
    "best_play",
    "grid",
    "ints",
    "listed",
    "make_room",
    "weigh_lays",
]

LIST, WEIGH, FIT = 0, 1, 2
TRIES = 4
MOST_LAYS = 96
"""So many plays are looked at, at most."""

SLACK = 2
"""A play that leaves so many more tiles stuck than before is as good as any that leaves more."""

ONE_SIDE = 5
"""Numbers of `Room.fitting` for one player."""

UNKNOWN = -1


class Room(NamedTuple):
    """Room to work in, and what was found: for every play, its tiles and what it does in every world.

    `worlds` are racks that the other player may hold, and `before` how many tiles could be laid now: theirs
    in each world, and mine behind them. `state[0]` is where random numbers go on from, and must not be 0;
    `state[1]` is how wide the search for a rack's best play may be. `mine` is how many of my tiles are stuck
    after it, `theirs` how many of the other player's in each world.

    `fitting` says for every world what fits the table after the play that was looked at last, five numbers
    for my tiles and five for theirs: how many fit alone; how many of those leave no fewer of the other
    player's tiles stuck, and how many leave more; how many more they leave, added up; and how many different
    ones let the other player out. The last two are the tiles that make sets without the table, mine and
    theirs; `alone` keeps the latter, or UNKNOWN.
    """

    state: Ints
    worlds: Grid
    tiles: Ints
    total: Ints
    table: Ints
    rack: Ints
    fits: Ints
    before: Ints
    lays: Grid
    mine: Ints
    theirs: Grid
    fitting: Grid
    alone: Ints
    nothing: Ints


def make_room(faces: int, tiles: int, worlds: int, width: int) -> Room:
    """Fresh room for so many worlds; a wider search misses fewer ways to lay a tile."""
    return Room(
        state=ints([0, width]),
        worlds=grid(worlds, faces),
        tiles=zeros(tiles),
        total=zeros(faces),
        table=zeros(faces),
        rack=zeros(faces),
        fits=zeros(faces),
        before=zeros(worlds + 1),
        lays=grid(MOST_LAYS, faces),
        mine=zeros(MOST_LAYS),
        theirs=grid(MOST_LAYS, worlds),
        fitting=grid(worlds, ONE_SIDE + ONE_SIDE + 2),
        alone=zeros(worlds),
        nothing=zeros(faces),
    )


@part
def _laid(rack: Ints, table: Ints, floor: int, room: Room, kit: Kit) -> int:
    """How many tiles of the rack can be laid, or `floor` if no more than that."""
    joker = kit.rules.colours * kit.rules.numbers
    total = room.total
    for face in range(joker + 1):
        total[face] = rack[face] + table[face]
    best, _ = best_choice(
        total, table, total[joker], table[joker], kit.rules.colours, kit.rules.numbers, kit.rules.one, floor,
        room.state[1], False, kit.groups, kit.room,
    )  # fmt: skip
    return int(best)


@part
def _deal(w: int, unseen: Ints, size: int, room: Room) -> None:
    """Deals the other player so many of the unseen tiles."""
    end = 0
    for face in range(len(unseen)):
        room.worlds[w][face] = 0
        for _ in range(unseen[face]):
            room.tiles[end] = face
            end += 1
    for _ in range(size):
        place = below(room.state, end)
        end -= 1
        room.worlds[w][room.tiles[place]] += 1
        room.tiles[place] = room.tiles[end]


@part
def _imagine_racks(unseen: Ints, sizes: Ints, table: Ints, room: Room, kit: Kit) -> None:
    """Deals every world: whoever could have gone out would have done so, as far as a few tries help."""
    for w in range(len(room.worlds)):
        for _ in range(TRIES):
            _deal(w, unseen, sizes[w], room)
            room.before[w] = _laid(room.worlds[w], table, 0, room, kit)
            if room.before[w] < sizes[w]:
                break
        room.alone[w] = UNKNOWN


@inlined
def _fit(table: Ints, one: int, other: int, room: Room, kit: Kit) -> bool:
    """True if a tile, or two together (-1 for none), can be laid on the table."""
    joker = kit.rules.colours * kit.rules.numbers
    wanted = 1
    for face in range(joker + 1):
        room.total[face] = 0
    room.total[one] += 1
    if other >= 0:
        room.total[other] += 1
        wanted = 2
    for face in range(joker + 1):
        room.total[face] += table[face]
    best, _ = best_choice(
        room.total, table, room.total[joker], table[joker], kit.rules.colours, kit.rules.numbers,
        kit.rules.one, wanted - 1, room.state[1], False, kit.groups, kit.room,
    )  # fmt: skip
    return bool(best >= wanted)


@part
def _list_lays(rack: Ints, table: Ints, room: Room, kit: Kit) -> int:
    """Single tiles, pairs that only fit together, and sets of three from the rack; returns how many."""
    colours, numbers = kit.rules.colours, kit.rules.numbers
    joker = colours * numbers
    count = 0
    for i in range(MOST_LAYS):
        for face in range(joker + 1):
            room.lays[i][face] = 0
    for face in range(joker + 1):
        room.fits[face] = 1 if rack[face] > 0 and _fit(table, face, -1, room, kit) else 0
        if room.fits[face]:
            room.lays[count][face] = 1
            count += 1
    for c in range(colours):
        for n in range(numbers - 2):
            face = c * numbers + n
            if rack[face] > 0 and rack[face + 1] > 0 and rack[face + 2] > 0 and count < MOST_LAYS:
                for k in range(3):
                    room.lays[count][face + k] = 1
                count += 1
    if colours >= 3:
        for n in range(numbers):
            for left_out in range(colours if colours > 3 else 1):
                held = 0
                for c in range(colours):
                    if (colours == 3 or c != left_out) and rack[c * numbers + n] > 0:
                        held += 1
                if held == 3 and count < MOST_LAYS:
                    for c in range(colours):
                        if colours == 3 or c != left_out:
                            room.lays[count][c * numbers + n] = 1
                    count += 1
    for one in range(joker):
        if rack[one] == 0:
            continue
        for other in range(one + 1, joker):
            if rack[other] == 0 or (room.fits[one] and room.fits[other]) or count >= MOST_LAYS:
                continue
            near = other - one <= 2 and one // numbers == other // numbers
            if (near or one % numbers == other % numbers) and _fit(table, one, other, room, kit):
                room.lays[count][one] = 1
                room.lays[count][other] = 1
                count += 1
    return count


@part
def _weigh(at: int, rack: Ints, table: Ints, first: int, end: int, room: Room, kit: Kit) -> None:
    """How many tiles of mine are stuck after a play, and of the other player's in some of the worlds."""
    size = 0
    for face in range(len(rack)):
        room.table[face] = table[face] + room.lays[at][face]
        room.rack[face] = rack[face] - room.lays[at][face]
        size += room.lays[at][face]
    worlds = room.worlds
    if first == 0:
        least = max(0, room.before[len(worlds)] - size - SLACK)
        room.mine[at] = sum_counts(room.rack) - _laid(room.rack, room.table, least, room, kit)
    for w in range(first, end):
        least = max(0, room.before[w] - SLACK)
        room.theirs[at][w] = sum_counts(worlds[w]) - _laid(worlds[w], room.table, least, room, kit)


@inlined
def _note(w: int, at: int, tiles: int, change: int, stuck: int, room: Room) -> None:
    """Adds so many tiles that fit alone, after which `change` more of the other player's would be stuck."""
    found = room.fitting[w]
    found[at] += tiles
    if change >= 0:
        found[at + 1] += tiles
    if change > 0:
        found[at + 2] += tiles
    found[at + 3] += tiles * change
    if stuck + change <= 0:
        found[at + 4] += 1


@part
def _look_closely(at: int, rack: Ints, table: Ints, end: int, room: Room, kit: Kit) -> None:
    """What fits the table after a play that was weighed in the first worlds, and what that does."""
    worlds, fitting = room.worlds, room.fitting
    held = 0
    for face in range(len(rack)):
        room.table[face] = table[face] + room.lays[at][face]
        room.rack[face] = rack[face] - room.lays[at][face]
        held += room.rack[face]
    alone = _laid(room.rack, room.nothing, 0, room, kit)
    for w in range(end):
        for i in range(ONE_SIDE + ONE_SIDE):
            fitting[w][i] = 0
        if room.alone[w] == UNKNOWN:
            room.alone[w] = _laid(worlds[w], room.nothing, 0, room, kit)
        fitting[w][ONE_SIDE + ONE_SIDE] = alone
        fitting[w][ONE_SIDE + ONE_SIDE + 1] = room.alone[w]
    for face in range(len(rack)):
        theirs = 0
        for w in range(end):
            theirs += worlds[w][face]
        if room.rack[face] + theirs == 0 or not _fit(room.table, face, -1, room, kit):
            continue
        room.table[face] += 1
        if room.rack[face] > 0:
            for w in range(end):
                size, stuck = sum_counts(worlds[w]), room.theirs[at][w]
                least = max(0, size - stuck - SLACK)
                change = size - _laid(worlds[w], room.table, least, room, kit) - stuck
                _note(w, 0, room.rack[face], change, stuck, room)
        if theirs > 0:
            stuck = room.mine[at]
            least = max(0, held - stuck - SLACK)
            change = held - _laid(room.rack, room.table, least, room, kit) - stuck
            for w in range(end):
                if worlds[w][face] > 0:
                    _note(w, ONE_SIDE, worlds[w][face], change, stuck, room)
        room.table[face] -= 1


@native
def weigh_lays(task: int, at: int, first: int, end: int, rack: Ints, table: Ints, unseen: Ints, sizes: Ints,
               room: Room, kit: Kit) -> int:  # fmt: skip
    """Looks at my small plays, step by step as `task` says.

    LIST deals the worlds, so many of the unseen tiles to another player, finds my plays and returns how many
    there are; WEIGH counts the stuck tiles after the play at `at`, in the worlds from `first` to `end`; FIT
    looks at what fits the table then, in the worlds before `end`, all weighed.
    """
    if task == WEIGH:
        _weigh(at, rack, table, first, end, room, kit)
        return 0
    if task == FIT:
        _look_closely(at, rack, table, end, room, kit)
        return 0
    _imagine_racks(unseen, sizes, table, room, kit)
    room.before[len(room.worlds)] = _laid(rack, table, 0, room, kit)
    return _list_lays(rack, table, room, kit)
