"""How much people may have workers search, at the same time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from meldroom.rooms.errors import TRY_AGAIN, Refusal
from meldroom.rooms.ports import Player
from meldroom.rooms.rate_limit import NoPlaceError, Places


class Searches:
    """So many at one table, by one person and in all. Bots need no limit: each table has one to move."""

    def __init__(self, most: int = 64, of_table: int = 4, of_person: int = 2) -> None:
        self._tables = Places(most, of_table)
        self._people = Places(most, of_person)

    @contextmanager
    def place(self, room: str, player: Player) -> Iterator[None]:
        """Hold a place while somebody waits. Raises Refusal."""
        with ExitStack() as held:
            try:
                held.enter_context(self._people.place(player.id))
                held.enter_context(self._tables.place(room))
            except NoPlaceError:
                raise Refusal("too_fast", retry_ms=TRY_AGAIN) from None
            yield
