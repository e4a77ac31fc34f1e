"""What seating speaks of: tables, sittings, and how many tables of which size a field needs."""

from __future__ import annotations

import msgspec

from meldroom.championship.seating.errors import SeatingError
from meldroom.rules.book import RuleBook

Table = tuple[int, ...]
"""The players of one table in seat order; seat one starts."""

Sitting = tuple[Table, ...]
"""The tables of one sitting in the order of their numbers."""

_TWO = 2


class TableSize(msgspec.Struct, frozen=True):
    """How many sit at a table: `full`, or `short` (one fewer) where the number of players requires it.

    The two are equal where one player fewer is no game.
    """

    full: int
    short: int

    @classmethod
    def of(cls, book: RuleBook) -> TableSize:
        """The tables of a rule book. Raises SeatingError if so many cannot play one game."""
        full, fewest = book.tournament.table_size, max(_TWO, book.players.minimum)
        if not fewest <= full <= book.players.maximum:
            raise SeatingError("bad_table_size", size=full, least=fewest, most=book.players.maximum)
        return cls(full, max(full - 1, fewest))

    @classmethod
    def at_most(cls, full: int) -> TableSize:
        """Tables of a number given by hand. Raises SeatingError for fewer than two."""
        if not _TWO <= full <= MOST_AT_A_TABLE:
            raise SeatingError("bad_table_size", size=full, least=_TWO, most=MOST_AT_A_TABLE)
        return cls(full, max(full - 1, _TWO))

    @property
    def fewest(self) -> int:
        """The smallest field: fewer are one table, which needs no seating."""
        return self.full + 1

    def tables(self, players: int) -> tuple[int, ...]:
        """The sizes of the tables of a field: full ones, then as few short ones as possible.

        Players who fit at no table sit out: one of five at tables of four.

        >>> FOURS.tables(33)
        (4, 4, 4, 4, 4, 4, 3, 3, 3)
        >>> FOURS.tables(5)
        (4,)
        >>> TableSize(3, 2).tables(8)
        (3, 3, 2)
        """
        for seated in range(players, 0, -1):
            tables = -(-seated // self.full)
            shorts = self.full * tables - seated
            if not shorts or (self.short < self.full and shorts <= tables):
                return (self.full,) * (tables - shorts) + (self.short,) * shorts
        return ()

    def seated(self, players: int) -> int:
        """How many of a field have a seat in each sitting."""
        return sum(self.tables(players))


MOST_AT_A_TABLE = 8
FOURS = TableSize(4, 3)
"""The tables of the published books."""


def sitting_out(players: int, sitting: Sitting) -> tuple[int, ...]:
    """Who has no table in a sitting: one of five at tables of four, otherwise nobody."""
    seated = {player for table in sitting for player in table}
    return tuple(player for player in range(players) if player not in seated)
