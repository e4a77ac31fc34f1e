"""Seats for given tables: every player in every seat equally often, by König's theorem.

Players and tables are the two sides of a graph, and who sits where is its edges. A bipartite graph whose
points have at most d edges can be coloured with d colours so that no two edges at a point share one; colours
are seats. A player with more edges is split into points of at most d edges, which keeps their seats even.
"""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.championship.seating.types import Sitting, TableSize

Edge = tuple[int, int]
"""A player, and a table of some sitting."""


def with_seats(sittings: Sequence[Sitting], size: TableSize) -> tuple[Sitting, ...]:
    """The same tables with their players in seat order.

    The last seat, four say, exists at full tables only. Colouring those tables alone with four colours gives
    each player each colour evenly; one colour becomes seat four, and the rest, three a table, are coloured
    with three.
    """
    tables = [table for sitting in sittings for table in sitting]
    full = [
        (player, place) for place, table in enumerate(tables) if len(table) == size.full for player in table
    ]
    seat = dict(zip(full, coloured(full, size.full), strict=True))
    if any(len(table) < size.full for table in tables):
        rest = [(player, place) for place, table in enumerate(tables) for player in table]
        rest = [edge for edge in rest if seat.get(edge) != size.short]
        seat.update(zip(rest, coloured(rest, size.short), strict=True))
    seated = iter(
        tuple(sorted(table, key=lambda player: seat[player, place])) for place, table in enumerate(tables)
    )
    return tuple(tuple(next(seated) for _ in sitting) for sitting in sittings)


def coloured(edges: Sequence[Edge], colours: int) -> list[int]:
    """A colour for each edge: all different at a table of at most that many, and even for each player."""
    points = _split(edges, colours)
    free = -1
    at_player = [[free] * colours for _ in range(1 + max((point for point, _ in points), default=0))]
    at_table = [[free] * colours for _ in range(1 + max((table for _, table in points), default=0))]
    colour = [free] * len(points)
    for number, (player, table) in enumerate(points):
        first = at_player[player].index(free)
        second = at_table[table].index(free)
        if first != second:
            _exchange(points, colour, (at_player, at_table), table, (first, second))
        colour[number] = first
        at_player[player][first] = at_table[table][first] = number
    return colour


def _split(edges: Sequence[Edge], colours: int) -> list[Edge]:
    """The edges with each player as several points of at most `colours` edges."""
    degree: dict[int, int] = {}
    point: dict[tuple[int, int], int] = {}
    found = []
    for player, table in edges:
        copy = degree.get(player, 0) // colours
        degree[player] = degree.get(player, 0) + 1
        found.append((point.setdefault((player, copy), len(point)), table))
    return found


def _exchange(
    points: list[Edge],
    colour: list[int],
    at: tuple[list[list[int]], list[list[int]]],
    table: int,
    two: tuple[int, int],
) -> None:
    """Free the first colour at a table: exchange two colours along the path that begins there.

    The path alternates between them and never reaches the new edge's player, who lacks the first colour.
    """
    wanted, other = two
    path = []
    side, point = 1, table
    while (edge := at[side][point][wanted]) >= 0:
        path.append(edge)
        side = 1 - side
        point = points[edge][side]
        wanted, other = other, wanted
    for edge in path:
        for side in (0, 1):
            at[side][points[edge][side]][colour[edge]] = -1
    for edge in path:
        colour[edge] = two[0] + two[1] - colour[edge]
        for side in (0, 1):
            at[side][points[edge][side]][colour[edge]] = edge
