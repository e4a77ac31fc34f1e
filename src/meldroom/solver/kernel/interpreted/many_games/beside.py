"""Tiles that can be laid beside the sets of a table, one by one: found without the solver."""

from __future__ import annotations

from ..arrays import Grid, Ints, OctetRoom, part
from ..best_play import SET_END
from .games import SETS, Book, Desk


@part
def read_shapes(table: OctetRoom, end: int, book: Book, desk: Desk) -> None:
    """What the sets of a table without jokers are: a run's colour and ends, a group's number and colours."""
    joker = book.colours * book.numbers
    count = 0
    low = 99
    high = -1
    colours = 0
    wild = False
    for i in range(end):
        face = int(table[i])
        if face == SET_END:
            if not wild:
                row = desk.shape[count]
                row[0] = 1 if low < high else 0
                row[1] = colours
                row[2] = low
                row[3] = high
                count += 1
            low = 99
            high = -1
            colours = 0
            wild = False
        elif face == joker:
            wild = True
        else:
            low = min(low, face % book.numbers)
            high = max(high, face % book.numbers)
            colours |= 1 << face // book.numbers
    desk.small[0] = count


@part
def _lies_beside(face: int, count: int, shape: Grid, book: Book) -> int:
    """Lays a tile on a set, or into a long run that becomes two; returns how many sets there are, or -1."""
    number = face % book.numbers
    colour = 1 << face // book.numbers
    for i in range(count):
        row = shape[i]
        if row[0] == 0:
            if row[2] == number and row[1] & colour == 0:
                row[1] |= colour
                return count
        elif row[1] == colour:
            if number == row[2] - 1:
                row[2] = number
                return count
            if number == row[3] + 1:
                row[3] = number
                return count
            if row[2] + 2 <= number <= row[3] - 2:
                for k in range(4):
                    shape[count][k] = row[k]
                shape[count][2] = number
                row[3] = number
                return count + 1
    return -1


@part
def simply(tiles: Ints, size: int, book: Book, desk: Desk) -> bool:
    """True if tiles can be laid one by one beside the sets that lie there; False if that is not known.

    Needs the shapes of the table.
    """
    joker = book.colours * book.numbers
    count = desk.small[0]
    if tiles[joker] > 0 or count + size >= SETS:
        return False
    shape = desk.shape_copy
    for i in range(count):
        for k in range(4):
            shape[i][k] = desk.shape[i][k]
    left = size
    for _ in range(size):
        before = left
        for face in range(joker):
            for _ in range(tiles[face] - desk.laid[face]):
                more = _lies_beside(face, count, shape, book)
                if more < 0:
                    break
                count = more
                desk.laid[face] += 1
                left -= 1
        if left == 0 or left == before:
            break
    for face in range(joker):
        desk.laid[face] = 0
    return left == 0
