"""Games played on from one position to their end, for who wins them.

Hidden tiles are dealt at random for each game, from a seed of its own: a game is the same whichever thread
plays it. The players are those of `playouts.py`, in the order of their turns; the first is to move.
"""

from __future__ import annotations

from typing import NamedTuple

from .arrays import Grid, Ints, grid, ints, listed, native, part, zeros
from .counts import copy_counts
from .playouts import (
    Kit,
    Seats,
    Worlds,
    believe,
    count_rack,
    make_worlds,
    play_to_the_end,
    shuffle_unseen,
    smallest_counts,
)

__all__ = ["Known", "Seats", "grid", "ints", "listed", "make_worlds", "play_on", "zeros"]


class Known(NamedTuple):
    """What is known: tiles on each rack and how many others it holds, the table, and all tiles unseen.

    `last_turns` is how many final turns there are, this one included, or -1; `passes` how many players have
    passed in a row.
    """

    racks: Grid
    hidden: Ints
    table: Ints
    unseen: Ints
    pool: int
    last_turns: int
    passes: int


@part
def deal_known(known: Known, world: Worlds) -> int:
    """Deals the unseen tiles to racks and pool; returns how many are on no rack."""
    end = shuffle_unseen(known.unseen, world)
    for seat in range(len(known.hidden)):
        copy_counts(known.racks[seat], world.racks[seat])
        for _ in range(known.hidden[seat]):
            end -= 1
            world.racks[seat][world.pool[end]] += 1
    return end


@part
def fewest(kit: Kit, world: Worlds) -> int:
    """Who wins with the fewest points, as a bit for each seat."""
    for seat in range(len(world.counts)):
        world.counts[seat] = count_rack(world.racks[seat], world.melded[seat], kit.rules)
    return smallest_counts(kit.rules, world)


@native
def play_on(known: Known, seats: Seats, seeds: Ints, kit: Kit, world: Worlds, winners: Ints) -> None:
    """Plays one game for each seed, none of them 0; writes who won it to `winners`, a bit for each seat."""
    for game in range(len(seeds)):
        world.state[0] = seeds[game]
        end = deal_known(known, world)
        for seat in range(len(known.hidden)):
            if known.hidden[seat] == seats.sizes[seat] and known.hidden[seat] > 0 and end > 0:
                believe(seat, world.racks[seat], end, known.table, seats, kit, world)
        copy_counts(known.table, world.table)
        copy_counts(seats.melded, world.melded)
        out = play_to_the_end(-1, known.pool, 0, 0, known.last_turns, known.passes, seats, kit, world)
        winners[game] = 1 << out if out >= 0 else fewest(kit, world)
