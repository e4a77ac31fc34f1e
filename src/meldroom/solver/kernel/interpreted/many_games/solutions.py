"""What the solver finds, and the table it leads to."""

from __future__ import annotations

from ..arrays import Ints, OctetRoom, part
from ..best_play import RACK, SET_END, best_plays
from .games import FIRST, FOUND, LAST, LOOSE, UNLIMITED, Book, Desk


@part
def solve(table: OctetRoom, end: int, size: int, weights: Ints, floor: int, build: bool, desk: Desk
          ) -> int:  # fmt: skip
    """The best score above the floor for the first tiles in `held`; `answer` holds the play."""
    position = desk.position
    for i in range(end):
        position[i] = table[i]
    position[end] = RACK
    for i in range(size):
        position[end + 1 + i] = desk.held[i]
    best_plays(
        desk.position_read[: end + 1 + size], desk.rules, weights, floor, UNLIMITED, UNLIMITED, build,
        desk.groups, desk.room, desk.answer,
    )  # fmt: skip
    return int(desk.answer[1])


@part
def tiles_played(desk: Desk) -> int:
    """How many tiles the play of the last solution lays."""
    return int(desk.answer[LAST] - desk.answer[FIRST])


@part
def _is_run(i: int, book: Book, desk: Desk) -> bool:
    joker = book.colours * book.numbers
    first = -1
    for k in range(desk.size[i]):
        face = desk.sets[i][k]
        if face != joker:
            if first < 0:
                first = face % book.numbers
            elif face % book.numbers != first:
                return True
    return False


@part
def _same_tiles(i: int, more: int, old: OctetRoom, start: int, end: int, desk: Desk) -> bool:
    """True if a set, with one tile more unless that is negative, has the tiles of an old set."""
    size = desk.size[i] + (1 if more >= 0 else 0)
    if size != end - start:
        return False
    for k in range(start, end):
        face = int(old[k])
        there = 0
        for m in range(start, end):
            if int(old[m]) == face:
                there += 1
        here = 1 if face == more else 0
        for m in range(desk.size[i]):
            if desk.sets[i][m] == face:
                here += 1
        if here != there:
            return False
    return True


@part
def _stands(i: int, more: int, old: OctetRoom, old_end: int, desk: Desk) -> bool:
    """True if a set, with one tile more unless that is negative, is one of the old table's."""
    start = 0
    for k in range(old_end):
        if old[k] == SET_END:
            if _same_tiles(i, more, old, start, k, desk):
                return True
            start = k + 1
    return False


@part
def _add_joker(i: int, book: Book, desk: Desk) -> bool:
    """Lays a joker on a set; False if it is full. Runs lie in order."""
    joker = book.colours * book.numbers
    size = desk.size[i]
    row = desk.sets[i]
    if not _is_run(i, book, desk):
        if size >= book.colours:
            kinds = 0
            for k in range(size):
                new = row[k] != joker
                for m in range(k):
                    new = new and row[m] != row[k]
                kinds += new
            if kinds > 1 or size >= book.numbers:
                return False
        row[size] = joker
        desk.size[i] = size + 1
        return True
    first = 0
    while row[first] == joker:
        first += 1
    low = row[first] % book.numbers + 1 - first
    if low + size <= book.numbers:
        row[size] = joker
    elif low > 1:
        for k in range(size, 0, -1):
            row[k] = row[k - 1]
        row[0] = joker
    else:
        return False
    desk.size[i] = size + 1
    return True


@part
def _lay_jokers(count: int, loose: int, old: OctetRoom, old_end: int, book: Book, desk: Desk) -> int:
    """Lays loose jokers where an old set comes back, else on changed sets, runs first; returns the sets."""
    joker = book.colours * book.numbers
    for _ in range(loose):
        done = False
        for i in range(count):
            if _stands(i, joker, old, old_end, desk):
                _add_joker(i, book, desk)
                done = True
                break
        if done:
            continue
        for turn in range(4):
            for i in range(count):
                kind = (0 if _is_run(i, book, desk) else 1) + (2 if _stands(i, -1, old, old_end, desk) else 0)
                if kind == turn and _add_joker(i, book, desk):
                    done = True
                    break
            if done:
                break
        if done:
            continue
        place = -1
        for turn in range(2):
            for i in range(count):
                stands = _stands(i, -1, old, old_end, desk)
                if place < 0 and _is_run(i, book, desk) and stands == (turn == 1):
                    place = i
        for k in range(3, desk.size[place]):
            desk.sets[count][k - 3] = desk.sets[place][k]
        desk.size[count] = desk.size[place] - 3
        desk.sets[place][3] = joker
        desk.size[place] = 4
        count += 1
    return count


@part
def write_after(kept: OctetRoom, kept_end: int, old: OctetRoom, old_end: int, target: OctetRoom, book: Book,
                 desk: Desk) -> int:  # fmt: skip
    """Writes the table of the last solution behind the sets kept; returns its end.

    `old` is the table that was solved: a joker goes back to where it lay.
    """
    out = desk.answer
    count = int(out[FOUND])
    at = FOUND + 4
    for i in range(count):
        size = int(out[at])
        desk.size[i] = size
        for k in range(size):
            desk.sets[i][k] = out[at + 1 + k]
        at += 1 + size
    if out[LOOSE] > 0:
        count = _lay_jokers(count, int(out[LOOSE]), old, old_end, book, desk)
    for i in range(kept_end):
        target[i] = kept[i]
    end = kept_end
    for i in range(count):
        for k in range(desk.size[i]):
            target[end] = desk.sets[i][k]
            end += 1
        target[end] = SET_END
        end += 1
    return end
