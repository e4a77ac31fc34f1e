"""Tiles as counts and lists, and which of them could lie in a set at all."""

from __future__ import annotations

from ..arrays import Ints, OctetRoom, part
from ..best_play import SET_END
from .games import Book


@part
def count_table(table: OctetRoom, end: int, counts: Ints) -> None:
    for face in range(len(counts)):
        counts[face] = 0
    for i in range(end):
        if table[i] != SET_END:
            counts[int(table[i])] += 1


@part
def lives(face: int, total: Ints, book: Book) -> bool:
    """False if no set can hold this face, whatever is done with all these tiles."""
    numbers = book.numbers
    joker = book.colours * numbers
    jokers = total[joker]
    if face == joker or jokers > 1:
        return True
    colour = face // numbers
    number = face % numbers
    alike = jokers
    for c in range(book.colours):
        if total[c * numbers + number] > 0:
            alike += 1
    if alike >= 3:
        return True
    for low in range(max(0, number - 2), min(number, numbers - 3) + 1):
        missing = 0
        for n in range(low, low + 3):
            if total[colour * numbers + n] == 0:
                missing += 1
        if missing <= jokers:
            return True
    return False


@part
def count_living(rack: Ints, total: Ints, book: Book) -> int:
    """How many tiles of a rack some set could hold."""
    living = 0
    for face in range(len(rack)):
        if rack[face] > 0 and lives(face, total, book):
            living += rack[face]
    return living


@part
def list_faces(counts: Ints, target: OctetRoom) -> int:
    """Writes counts as faces; returns how many."""
    end = 0
    for face in range(len(counts)):
        for _ in range(counts[face]):
            target[end] = face
            end += 1
    return end
