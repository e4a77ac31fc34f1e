"""Native search: every way a rack could yet be laid whole, and the tiles each way still wants.

A layout is a choice of blocks (new melds, or tiles added to a meld on the table) that together hold exactly
as many tiles as must leave the rack. Tiles of a layout that are not on the rack are missing; jokers on the
rack fill as many of them. The numbered tiles of the rack are gone through in order of their faces: each is
left over, or covered by a block that holds it, so that no layout is met twice.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast

import numpy as np
from numba import njit
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Function = TypeVar("Function", bound=Callable[..., object])

native = cast(Callable[[Function], Function], njit(cache=True, nogil=True))

LONGEST = 5
"""A longer meld falls into shorter ones."""
DEPTH = 40
MOST_MISSING = 12


class Blocks(NamedTuple):
    """Blocks by number: their faces (-1 after the last), size, the end of a table meld they need or -1.

    `of_face[first[face] : first[face + 1]]` are the blocks that hold a face.
    """

    faces: Ints
    size: Ints
    end: Ints
    first: Ints
    of_face: Ints


@native
def search(
    faces: Ints,
    size: Ints,
    end: Ints,
    first: Ints,
    of_face: Ints,
    hand: Ints,
    jokers: int,
    unseen: Ints,
    chance: Floats,
    whole: int,
    distance: int,
    most_nodes: int,
    worth: Floats,
    waits: Ints,
) -> tuple[int, int]:
    """Adds up all layouts that want at most `distance` tiles besides the jokers; (layouts, nodes).

    `hand` counts the rack by face, `whole` says how many tiles must be laid. For every face that a layout
    leaves over, `worth[d, face]` grows by the chance of its missing tiles (`chance[copies wanted, face]`), d
    being how many it wants; `waits[face, wanted]` is set where one tile is wanted. Stops at `most_nodes`.
    """
    kinds = hand.shape[0]
    left = hand.copy()
    skipped = np.zeros(kinds, np.int64)
    wanted = np.zeros(kinds, np.int64)
    used_end = np.zeros(64, np.int64)
    at = np.zeros(DEPTH, np.int64)
    option = np.zeros(DEPTH, np.int64)
    done = np.full(DEPTH, -2, np.int64)
    came = np.zeros((DEPTH, LONGEST), np.int64)
    lost = np.zeros(DEPTH, np.int64)
    found, nodes = 0, 0
    natural = 0
    for face in range(kinds):
        natural += hand[face]
    most_missing = distance + jokers
    most_skipped = natural - whole + most_missing
    laid, missing, skips = 0, 0, 0
    level = 0
    face = 0
    while face < kinds and left[face] == 0:
        face += 1
    if face == kinds:
        return 0, 0
    at[0] = face
    option[0] = first[face]
    while level >= 0:
        here = at[level]
        if done[level] >= 0:
            block = done[level]
            for i in range(size[block]):
                f = faces[block, i]
                if came[level, i] == 1:
                    left[f] += 1
                else:
                    wanted[f] -= 1
                    missing -= 1
            laid -= size[block]
            if end[block] >= 0:
                used_end[end[block]] = 0
            done[level] = -2
        elif done[level] == -1:
            left[here] += lost[level]
            skipped[here] -= lost[level]
            skips -= lost[level]
            level -= 1
            continue
        nodes += 1
        if nodes > most_nodes:
            break
        moved = False
        while option[level] < first[here + 1]:
            block = of_face[option[level]]
            option[level] += 1
            if laid + size[block] > whole or (end[block] >= 0 and used_end[end[block]] == 1):
                continue
            fits = True
            more = 0
            for i in range(size[block]):
                f = faces[block, i]
                if left[f] == 0:
                    more += 1
                    if skipped[f] > 0 or wanted[f] >= unseen[f] or missing + more > most_missing:
                        fits = False
                        break
            if not fits:
                continue
            for i in range(size[block]):
                f = faces[block, i]
                if left[f] > 0:
                    left[f] -= 1
                    came[level, i] = 1
                else:
                    wanted[f] += 1
                    came[level, i] = 0
            missing += more
            laid += size[block]
            if end[block] >= 0:
                used_end[end[block]] = 1
            done[level] = block
            moved = True
            break
        if not moved:
            if skips + left[here] > most_skipped:
                done[level] = -2
                level -= 1
                continue
            done[level] = -1
            lost[level] = left[here]
            skipped[here] += left[here]
            skips += left[here]
            left[here] = 0
        if laid == whole:
            found += _record(hand, left, skipped, wanted, missing, jokers, chance, worth, waits, kinds)
            continue
        face = here
        while face < kinds and left[face] == 0:
            face += 1
        if face == kinds:
            continue
        level += 1
        at[level] = face
        done[level] = -2
        option[level] = option[level - 1] - 1 if face == here else first[face]
    return found, nodes


@native
def _record(
    hand: Ints,
    left: Ints,
    skipped: Ints,
    wanted: Ints,
    missing: int,
    jokers: int,
    chance: Floats,
    worth: Floats,
    waits: Ints,
    kinds: int,
) -> int:
    """Credits one layout to every face it leaves over; jokers fill the tiles that are hardest to get."""
    away = max(missing - jokers, 0)
    chances = np.zeros(MOST_MISSING, np.float64)
    count = 0
    for face in range(kinds):
        for copy in range(wanted[face]):
            if count < MOST_MISSING:
                chances[count] = chance[copy, face]
                count += 1
    chances[:count].sort()
    product = 1.0
    for i in range(count - away, count):
        product *= chances[i]
    for face in range(kinds):
        if left[face] + skipped[face] > 0:
            worth[away, face] += product
            if away == 1:
                for other in range(kinds):
                    if wanted[other] > 0:
                        waits[face, other] = 1
    return 1
