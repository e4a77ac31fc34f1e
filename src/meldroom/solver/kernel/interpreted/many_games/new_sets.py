"""The sets that a rack holds, in the order in which they are offered."""

from __future__ import annotations

from ..arrays import Ints, part
from .games import LONGEST_SET, Book, Desk


@part
def forms_set(tiles: Ints, book: Book) -> bool:
    """True if tiles, given by face, are one set of at most five tiles, or a group."""
    numbers = book.numbers
    jokers = tiles[book.colours * numbers]
    size = jokers
    low = 99
    high = -1
    colour = -1
    one_colour = True
    for face in range(book.colours * numbers):
        if tiles[face] == 0:
            continue
        if tiles[face] > 1:
            return False
        size += 1
        low = min(low, face % numbers)
        high = max(high, face % numbers)
        one_colour = one_colour and (colour < 0 or colour == face // numbers)
        colour = face // numbers
    if high < 0 or size < 3:
        return False
    if low == high:
        return size <= book.colours or (size == jokers + 1 and size <= LONGEST_SET)
    return one_colour and high - low < size and size <= LONGEST_SET


@part
def _note_set(count: int, natural: Ints, size: int, jokers: int, book: Book, desk: Desk) -> int:
    """Keeps a set if it is among the first; returns how many are kept.

    Those with few jokers come first, then those that take most points off the rack, then by their faces.
    """
    joker = book.colours * book.numbers
    worth = jokers * book.values[joker]
    for k in range(size):
        worth += book.values[natural[k]]
    most = len(desk.found_size) - 1
    rank = (jokers << 20) - worth
    k = count
    while k > 0:
        other = (int(desk.found[k - 1][LONGEST_SET]) << 20) - desk.found_worth[k - 1]
        if other < rank:
            break
        if other == rank:
            ahead = False
            for m in range(min(size, desk.found_size[k - 1] - desk.found[k - 1][LONGEST_SET])):
                if natural[m] != desk.found[k - 1][m]:
                    ahead = natural[m] < desk.found[k - 1][m]
                    break
            if not ahead:
                break
        k -= 1
    if k >= most:
        return count
    for m in range(min(count, most - 1), k, -1):
        for i in range(LONGEST_SET + 1):
            desk.found[m][i] = desk.found[m - 1][i]
        desk.found_size[m] = desk.found_size[m - 1]
        desk.found_worth[m] = desk.found_worth[m - 1]
    for i in range(size):
        desk.found[k][i] = natural[i]
    for i in range(jokers):
        desk.found[k][size + i] = joker
    desk.found[k][LONGEST_SET] = jokers
    desk.found_size[k] = size + jokers
    desk.found_worth[k] = worth
    return min(count + 1, most)


@part
def find_sets(rack: Ints, book: Book, desk: Desk) -> int:
    """Keeps the first sets that a rack holds, in order; returns how many."""
    numbers = book.numbers
    jokers = int(rack[book.colours * numbers])
    natural = desk.order
    count = 0
    for number in range(numbers):
        for mask in range(1, 1 << book.colours):
            size = 0
            for c in range(book.colours):
                if mask >> c & 1:
                    if rack[c * numbers + number] == 0:
                        size = -1
                        break
                    natural[size] = c * numbers + number
                    size += 1
            if size < 0:
                continue
            for used in range(jokers + 1):
                if size + used >= 3 and (size + used <= book.colours or (size == 1 and used == 2)):
                    count = _note_set(count, natural, size, used, book, desk)
    for colour in range(book.colours):
        for low in range(numbers):
            if rack[colour * numbers + low] == 0:
                continue
            for mask in range(1, 16):  # the others of at most five numbers from the lowest on
                size = 1
                span = 1
                natural[0] = colour * numbers + low
                for step in range(1, LONGEST_SET):
                    if mask >> (step - 1) & 1:
                        if low + step >= numbers or rack[colour * numbers + low + step] == 0:
                            size = -1
                            break
                        natural[size] = colour * numbers + low + step
                        size += 1
                        span = step + 1
                if size < 0:
                    continue
                for used in range(jokers + 1):
                    if max(3, span) <= size + used <= LONGEST_SET:
                        count = _note_set(count, natural, size, used, book, desk)
    return count
