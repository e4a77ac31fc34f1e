"""Sittings without repeated opponents by arithmetic: difference matrices.

Numbers stand in k rows of T, where k players share a table. In sitting m the number i of row a sits at
table i − D[a][m], counted in a group of T elements. Two numbers of rows a and b meet twice only if D[a] −
D[b] takes a value twice; in a difference matrix it never does, and numbers of one row never meet. One more
row numbers the tables: D[k][m] is added to every table of sitting m, and for the same reason nobody comes to
a table twice.

Where T has room, D[a][m] = a·m in the integers modulo T is such a matrix. For other T a matrix of five rows
is stored, which serves tables of four and, with fewer of its rows, smaller ones.
"""

from __future__ import annotations

from meldroom.championship.seating.types import Sitting

Row = tuple[int, ...]
Rows = tuple[Row, ...]

_SHORTEST = 4
_ROWS = 5  # of a stored matrix: four players and the tables


def sittings_of(tables: int, wanted: int, seats: int) -> list[Sitting]:
    """Up to `wanted` sittings of `seats`·T numbers in which no two meet twice; at least one."""
    rows, digits = _matrix(tables, wanted, seats)
    return [_sitting(tables, [row[column] for row in rows], digits) for column in range(len(rows[0]))]


def _sitting(tables: int, column: list[int], digits: tuple[int, ...]) -> Sitting:
    """One sitting: number i of row a at table i − D[a] + D[k]."""
    *rows, of_tables = column
    places = [_shifted(tables, less, of_tables, digits) for less in rows]
    members: list[list[int]] = [[] for _ in range(tables)]
    for row, place in enumerate(places):
        for index in range(tables):
            members[place[index]].append(row * tables + index)
    return tuple(tuple(table) for table in members)


def _shifted(tables: int, less: int, more: int, digits: tuple[int, ...]) -> list[int]:
    """x − less + more for every element x, each digit by itself."""
    found, unit = [0] * tables, 1
    for base in digits:
        shift = more // unit - less // unit
        for element in range(tables):
            found[element] += (element // unit + shift) % base * unit
        unit *= base
    return found


def _matrix(tables: int, wanted: int, seats: int) -> tuple[Rows, tuple[int, ...]]:
    """A row for each seat and one for the tables, up to `wanted` columns; and the digits of the group."""
    short, long = (_SHORT, _LONG) if seats < _ROWS else ({}, {})
    own = _columns(tables, seats)
    if wanted <= _SHORTEST and tables in short:
        rows, digits = short[tables], _SHORT_DIGITS.get(tables, (tables,))
    elif tables in long and own < wanted:
        rows, digits = long[tables], _LONG_DIGITS.get(tables, (tables,))
    elif tables in short and own < _SHORTEST:
        rows, digits = short[tables], _SHORT_DIGITS.get(tables, (tables,))
    else:
        columns = min(wanted, own)
        rows = tuple(tuple(row * column for column in range(columns)) for row in range(1, seats + 1))
        digits = (tables,)
    rows = ((0,) * len(rows[0]), *rows[:seats])
    return tuple(row[:wanted] for row in rows), digits


def _columns(tables: int, seats: int) -> int:
    """How many columns a·m is a difference matrix for: until d·m is a multiple of T for some d up to k."""
    return next(
        column
        for column in range(1, tables + 1)
        if any(step * column % tables == 0 for step in range(1, seats + 1))
    )


# Four sittings for few tables, chosen so that short tables are shared best; rows two to five. With four
# tables the lines of a plane cross, so some must come back to a table: row five repeats row one, and only the
# numbers of row one, which are taken out first, keep their tables.
_SHORT: dict[int, Rows] = {
    4: ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2), (0, 0, 0, 0)),
    5: ((0, 1, 2, 3), (0, 2, 4, 1), (0, 3, 1, 4), (0, 4, 3, 2)),
    6: ((0, 5, 2, 3), (0, 4, 3, 5), (0, 1, 5, 4), (0, 3, 4, 2)),
    7: ((0, 5, 1, 2), (0, 1, 6, 3), (0, 3, 2, 4), (0, 2, 3, 1)),
    8: ((0, 5, 6, 3), (0, 6, 1, 7), (0, 1, 7, 6), (0, 3, 2, 5)),
    9: ((0, 1, 4, 5), (0, 4, 5, 1), (0, 2, 1, 7), (0, 5, 2, 6)),
    10: ((0, 8, 3, 7), (0, 9, 2, 1), (0, 7, 9, 4), (0, 6, 7, 9)),
    11: ((0, 4, 5, 2), (0, 7, 6, 4), (0, 6, 1, 7), (0, 2, 9, 5)),
    12: ((0, 3, 6, 1), (0, 1, 3, 4), (0, 9, 1, 10), (0, 10, 11, 7)),
    13: ((0, 2, 7, 8), (0, 1, 9, 5), (0, 4, 10, 9), (0, 10, 4, 11)),
    14: ((0, 13, 12, 5), (0, 8, 9, 10), (0, 12, 7, 13), (0, 1, 6, 4)),
    15: ((0, 3, 6, 5), (0, 2, 10, 11), (0, 6, 5, 2), (0, 8, 14, 3)),
    16: ((0, 3, 9, 13), (0, 5, 8, 10), (0, 1, 6, 9), (0, 13, 5, 6)),
}
_SHORT_DIGITS: dict[int, Row] = {4: (2, 2)}  # the field of four elements; the others count modulo T

# Up to twelve sittings where a·m ends earlier; rows two to five.
_LONG: dict[int, Rows] = {
    6: (
        (0, 3, 1, 5, 2),
        (0, 1, 2, 4, 5),
        (0, 2, 4, 1, 3),
        (0, 4, 3, 2, 1),
    ),
    8: (
        (0, 1, 2, 3, 4, 5, 6, 7),
        (0, 2, 4, 6, 3, 1, 7, 5),
        (0, 3, 6, 5, 7, 4, 1, 2),
        (0, 4, 3, 7, 6, 2, 5, 1),
    ),
    9: (
        (0, 1, 2, 3, 4, 5, 6, 7, 8),
        (0, 2, 1, 6, 8, 7, 3, 5, 4),
        (0, 3, 6, 2, 5, 8, 1, 4, 7),
        (0, 4, 8, 5, 6, 1, 7, 2, 3),
    ),
    10: (
        (0, 4, 1, 9, 2, 3, 5, 6, 8),
        (0, 3, 7, 1, 6, 8, 2, 4, 9),
        (0, 9, 8, 3, 4, 2, 1, 7, 6),
        (0, 1, 6, 7, 3, 9, 4, 8, 2),
    ),
    12: (
        (0, 4, 8, 5, 6, 1, 2, 10, 9, 7),
        (0, 9, 7, 6, 8, 11, 5, 2, 4, 1),
        (0, 2, 3, 4, 9, 10, 7, 6, 1, 8),
        (0, 10, 9, 1, 4, 3, 11, 5, 2, 6),
    ),
    14: (
        (0, 12, 2, 6, 7, 11, 13, 1, 4, 8, 9, 5),
        (0, 5, 6, 2, 8, 3, 4, 10, 1, 7, 11, 13),
        (0, 13, 9, 1, 4, 5, 2, 11, 10, 12, 8, 3),
        (0, 3, 1, 4, 9, 6, 10, 7, 8, 11, 5, 12),
    ),
    15: (
        (0, 11, 5, 13, 12, 6, 1, 7, 14, 8, 9, 10),
        (0, 12, 13, 2, 14, 9, 6, 1, 5, 3, 8, 7),
        (0, 13, 1, 10, 3, 5, 4, 8, 7, 12, 14, 2),
        (0, 7, 9, 5, 6, 3, 11, 13, 4, 1, 10, 8),
    ),
    16: (
        (0, 7, 13, 1, 15, 14, 9, 2, 8, 12, 3, 6),
        (0, 2, 12, 4, 1, 3, 13, 14, 6, 9, 10, 7),
        (0, 14, 1, 15, 8, 11, 10, 4, 7, 2, 13, 9),
        (0, 6, 7, 2, 10, 4, 5, 11, 12, 14, 1, 3),
    ),
    18: (
        (0, 9, 7, 3, 15, 17, 13, 4, 5, 1, 10, 11),
        (0, 6, 8, 2, 13, 1, 9, 14, 12, 4, 5, 16),
        (0, 7, 15, 4, 1, 5, 6, 9, 17, 3, 13, 8),
        (0, 12, 11, 15, 5, 6, 8, 3, 14, 16, 2, 17),
    ),
    20: (
        (0, 15, 1, 2, 3, 17, 9, 4, 6, 18, 11, 5),
        (0, 10, 8, 1, 14, 2, 12, 13, 19, 4, 3, 9),
        (0, 18, 9, 6, 12, 8, 1, 5, 13, 14, 16, 11),
        (0, 6, 18, 5, 7, 19, 15, 2, 11, 10, 1, 14),
    ),
    21: (
        (0, 15, 19, 12, 3, 14, 13, 6, 18, 16, 1, 20),
        (0, 18, 15, 9, 1, 13, 20, 8, 10, 3, 11, 14),
        (0, 16, 1, 14, 9, 6, 8, 18, 11, 15, 5, 17),
        (0, 9, 4, 3, 8, 1, 10, 5, 16, 19, 12, 13),
    ),
    22: (
        (0, 11, 5, 13, 14, 17, 9, 21, 1, 3, 18, 2),
        (0, 18, 10, 12, 20, 21, 17, 1, 2, 13, 7, 5),
        (0, 20, 1, 8, 6, 14, 11, 10, 9, 16, 17, 3),
        (0, 2, 8, 11, 15, 3, 19, 16, 10, 18, 14, 21),
    ),
    24: (
        (0, 15, 13, 9, 16, 5, 1, 10, 17, 14, 11, 23),
        (0, 18, 12, 20, 6, 9, 21, 22, 19, 5, 8, 15),
        (0, 6, 9, 22, 1, 3, 4, 15, 5, 13, 21, 7),
        (0, 7, 22, 10, 18, 17, 8, 13, 21, 4, 2, 16),
    ),
    27: (
        (0, 9, 16, 3, 24, 26, 13, 4, 21, 1, 18, 17),
        (0, 6, 7, 20, 3, 8, 26, 5, 23, 17, 10, 11),
        (0, 7, 24, 4, 9, 3, 6, 1, 20, 19, 23, 5),
        (0, 12, 10, 25, 5, 4, 14, 3, 17, 18, 2, 15),
    ),
    28: (
        (0, 15, 5, 6, 3, 21, 13, 14, 11, 9, 22, 27),
        (0, 18, 9, 8, 14, 10, 20, 11, 2, 15, 3, 22),
        (0, 22, 21, 7, 16, 27, 5, 19, 23, 18, 4, 3),
        (0, 2, 18, 22, 1, 11, 8, 13, 12, 14, 24, 5),
    ),
    30: (
        (0, 15, 1, 21, 3, 17, 19, 22, 16, 25, 4, 5),
        (0, 1, 18, 20, 24, 21, 2, 10, 6, 17, 5, 28),
        (0, 18, 9, 16, 12, 27, 10, 11, 13, 1, 28, 3),
        (0, 6, 28, 15, 5, 18, 25, 8, 9, 21, 29, 19),
    ),
    32: (
        (0, 7, 29, 1, 15, 13, 25, 2, 8, 14, 26, 31),
        (0, 2, 12, 4, 31, 1, 14, 13, 10, 5, 3, 23),
        (0, 14, 1, 30, 24, 11, 20, 3, 13, 16, 5, 7),
        (0, 22, 6, 17, 9, 23, 15, 16, 27, 26, 21, 28),
    ),
    33: (
        (0, 1, 16, 24, 25, 17, 31, 21, 12, 26, 6, 32),
        (0, 18, 21, 23, 19, 24, 14, 22, 9, 28, 10, 11),
        (0, 9, 13, 19, 6, 26, 11, 10, 14, 17, 24, 28),
        (0, 24, 19, 2, 20, 11, 28, 8, 1, 5, 13, 4),
    ),
    36: (
        (0, 27, 25, 21, 15, 17, 13, 22, 3, 1, 9, 35),
        (0, 6, 24, 22, 31, 34, 8, 32, 30, 19, 7, 2),
        (0, 7, 33, 24, 1, 5, 4, 27, 28, 2, 21, 25),
        (0, 30, 10, 33, 5, 3, 31, 21, 34, 14, 23, 22),
    ),
    40: (
        (0, 15, 21, 1, 23, 37, 9, 2, 16, 5, 33, 17),
        (0, 10, 28, 20, 14, 1, 12, 29, 26, 37, 31, 30),
        (0, 38, 9, 6, 32, 28, 20, 39, 19, 21, 37, 1),
        (0, 6, 38, 25, 26, 15, 16, 8, 12, 18, 19, 21),
    ),
    44: (
        (0, 11, 5, 13, 35, 17, 9, 21, 23, 25, 18, 43),
        (0, 18, 32, 12, 19, 21, 38, 22, 42, 11, 7, 23),
        (0, 42, 1, 30, 28, 35, 32, 33, 31, 6, 13, 15),
        (0, 2, 30, 33, 9, 22, 40, 10, 36, 41, 3, 14),
    ),
}
_LONG_DIGITS: dict[int, Row] = {8: (2, 2, 2), 9: (3, 3)}  # the fields of eight and nine elements
