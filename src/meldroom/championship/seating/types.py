"""What seating speaks of: tables, sittings and how many of which size a field needs."""

from __future__ import annotations

Table = tuple[int, ...]
"""The players of one table in seat order; seat one starts."""

Sitting = tuple[Table, ...]
"""The tables of one sitting in the order of their numbers."""

FULL = 4
SHORT = 3
FEWEST = 5
"""The smallest field: fewer are one table, which needs no seating."""


def table_sizes(players: int) -> tuple[int, ...]:
    """The sizes of the tables of a field: fours, then as few threes as possible.

    Five are a table of four, and one sits out: tables have four or three.

    >>> table_sizes(33)
    (4, 4, 4, 4, 4, 4, 3, 3, 3)
    >>> table_sizes(5)
    (4,)
    """
    if players == FEWEST:
        return (FULL,)
    tables = -(-players // FULL)
    threes = FULL * tables - players
    return (FULL,) * (tables - threes) + (SHORT,) * threes


def sitting_out(players: int, sitting: Sitting) -> tuple[int, ...]:
    """Who has no table in a sitting: one of five, otherwise nobody."""
    seated = {player for table in sitting for player in table}
    return tuple(player for player in range(players) if player not in seated)
