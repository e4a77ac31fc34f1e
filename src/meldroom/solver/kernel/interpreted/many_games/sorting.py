"""Sets and faces in the order that observations and choices have."""

from __future__ import annotations

from ..arrays import Ints, OctetRoom, part
from ..best_play import SET_END
from .games import Book, Desk


@part
def sort_sets(table: OctetRoom, end: int, desk: Desk) -> int:
    """Fills `sets` with each set in order, and `order` with the sets in order; returns how many there are."""
    count = 0
    size = 0
    for i in range(end):
        face = int(table[i])
        if face == SET_END:
            desk.size[count] = size
            count += 1
            size = 0
            continue
        k = size
        while k > 0 and desk.sets[count][k - 1] > face:
            desk.sets[count][k] = desk.sets[count][k - 1]
            k -= 1
        desk.sets[count][k] = face
        size += 1
    for i in range(count):
        k = i
        while k > 0 and _before(i, desk.order[k - 1], desk):
            desk.order[k] = desk.order[k - 1]
            k -= 1
        desk.order[k] = i
    return count


@part
def _before(i: int, j: int, desk: Desk) -> bool:
    """True if set i comes before set j."""
    for k in range(min(desk.size[i], desk.size[j])):
        if desk.sets[i][k] != desk.sets[j][k]:
            return bool(desk.sets[i][k] < desk.sets[j][k])
    return bool(desk.size[i] < desk.size[j])


@part
def sorted_table(table: OctetRoom, end: int, target: OctetRoom, desk: Desk) -> None:
    count = sort_sets(table, end, desk)
    at = 0
    for i in range(count):
        row = desk.order[i]
        for k in range(desk.size[row]):
            target[at] = desk.sets[row][k]
            at += 1
        target[at] = SET_END
        at += 1


@part
def cheapest_first(faces: Ints, count: int, book: Book) -> None:
    """Sorts faces by value, equal ones the highest face first."""
    for i in range(count):
        face = faces[i]
        k = i
        while k > 0 and (
            book.values[faces[k - 1]] > book.values[face]
            or (book.values[faces[k - 1]] == book.values[face] and faces[k - 1] < face)
        ):
            faces[k] = faces[k - 1]
            k -= 1
        faces[k] = face
