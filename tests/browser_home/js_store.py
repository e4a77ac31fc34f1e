"""A store as JavaScript brings one, in memory: every call is a promise, and crosses as bytes and text."""

from __future__ import annotations

import asyncio
from typing import Any


class QuotaExceededError(Exception):
    """What a browser rejects a promise with when its storage is full."""

    name = "QuotaExceededError"


class MemoryJsStore:
    """Events, cards, games and values in dictionaries.

    `full` makes every write fail; `fail_in` makes that write fail, counted from 1, and `lose_in` makes that
    write happen but its promise fail.
    """

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.room_cards: dict[str, bytes] = {}
        self.games: dict[str, bytes] = {}
        self.values: dict[str, str] = {}
        self.full = False
        self.writes = 0
        self.fail_in = 0
        self.lose_in = 0

    async def _write(self) -> None:
        await asyncio.sleep(0)
        self.writes += 1
        self.fail_in -= 1
        if self.full or self.fail_in == 0:
            raise QuotaExceededError("there is no space left")

    def _written(self) -> None:
        self.lose_in -= 1
        if self.lose_in == 0:
            raise RuntimeError("the tab was killed before it was told")

    async def append(
        self, room: str, seq: int, event: bytes, card: bytes, finished_id: Any, finished: Any
    ) -> str:
        """One event with its card, and the game that it ends, in one transaction."""
        assert isinstance(event, bytes)
        assert isinstance(card, bytes)
        assert (finished_id is None) == (finished is None)
        await self._write()
        log = self.logs.get(room, [])
        if seq != len(log) + 1:
            return "conflict"
        self.logs[room] = [*log, event]
        self.room_cards[room] = card
        if finished_id is not None:
            self.games[finished_id] = finished
        self._written()
        return "ok"

    async def events(self, room: str, after: int) -> list[bytes]:
        """The events of a room after a number."""
        await asyncio.sleep(0)
        return self.logs.get(room, [])[after:]

    async def cards(self) -> list[memoryview]:
        """Every card."""
        await asyncio.sleep(0)
        return [memoryview(card) for card in self.room_cards.values()]

    async def finished(self, game: str) -> bytes | None:
        """A game."""
        await asyncio.sleep(0)
        return self.games.get(game)

    async def finishedList(self) -> list[bytes]:  # noqa: N802 - as JavaScript writes it
        """Every game."""
        await asyncio.sleep(0)
        return list(self.games.values())

    async def get(self, key: str) -> str | None:
        """A value."""
        await asyncio.sleep(0)
        return self.values.get(key)

    async def set(self, key: str, value: str) -> None:
        """Keep a value."""
        assert isinstance(value, str)
        await self._write()
        self.values[key] = value
        self._written()

    async def keepGame(self, game: str, finished: bytes) -> None:  # noqa: N802
        """Keep a game without a room."""
        assert isinstance(finished, bytes)
        await self._write()
        self.games[game] = finished
        self._written()

    async def deleteRoom(self, room: str) -> None:  # noqa: N802
        """Delete a room with its log."""
        await asyncio.sleep(0)
        self.logs.pop(room, None)
        self.room_cards.pop(room, None)

    async def deleteGame(self, game: str) -> None:  # noqa: N802
        """Delete a game."""
        await asyncio.sleep(0)
        self.games.pop(game, None)

    async def clear(self) -> None:
        """Delete everything."""
        await asyncio.sleep(0)
        for kept in (self.logs, self.room_cards, self.games, self.values):
            kept.clear()

    async def usage(self) -> float:
        """Bytes."""
        events = sum(len(event) for log in self.logs.values() for event in log)
        return float(events + sum(map(len, self.games.values())))

    def copy(self) -> MemoryJsStore:
        """The store as it is now: what a killed tab leaves behind."""
        other = MemoryJsStore()
        other.logs = dict(self.logs)
        other.room_cards = dict(self.room_cards)
        other.games = dict(self.games)
        other.values = dict(self.values)
        return other
