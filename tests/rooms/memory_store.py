"""A store in memory, for tests: what was appended is there, and a restart is new Rooms on the same store."""

from __future__ import annotations

from meldroom.rooms.errors import ConflictError, StorageError
from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.rooms.protocol.settings import Stage


class MemoryStore:
    """Logs, cards and finished games in dictionaries. `fail_in` makes the append of that number fail."""

    def __init__(self) -> None:
        self.logs: dict[str, list[bytes]] = {}
        self.room_cards: dict[str, RoomCard] = {}
        self.games: dict[str, FinishedGame] = {}
        self.alive_at: int | None = None
        self.fail_in = 0
        self.failure: Exception = StorageError("disk_full", path="memory")

    async def append(
        self, room: str, seq: int, event: bytes, card: RoomCard, finished: FinishedGame | None = None
    ) -> None:
        """Write one event. Raises ConflictError if its place is taken."""
        self.fail_in -= 1
        if self.fail_in == 0:
            raise self.failure
        log = self.logs.setdefault(room, [])
        if seq != len(log) + 1:
            raise ConflictError(room, seq)
        log.append(event)
        self.room_cards[room] = card
        if finished is not None:
            assert finished.id not in self.games
            self.games[finished.id] = finished

    async def events(self, room: str, after: int = 0) -> list[bytes]:
        """The events after a number."""
        return self.logs.get(room, [])[after:]

    async def cards(self, stage: Stage | None = None, *, player: str | None = None) -> list[RoomCard]:
        """Cards, newest change first."""
        found = [
            card
            for card in self.room_cards.values()
            if stage in (None, card.stage) and (player is None or player in card.players)
        ]
        return sorted(found, key=lambda card: -card.changed_at)

    async def finished(self, game: str) -> FinishedGame | None:
        """A finished game by id."""
        return self.games.get(game)

    async def finished_of(self, player: str, limit: int = 50) -> list[FinishedGame]:
        """What a player has finished."""
        return [game for game in reversed(self.games.values()) if player in game.people][:limit]

    async def alive(self, now: int) -> None:
        """Note the time."""
        self.alive_at = now

    async def last_alive(self) -> int | None:
        """The last time noted."""
        return self.alive_at

    def copy(self) -> MemoryStore:
        """The store as it is now: what a killed server would leave behind."""
        other = MemoryStore()
        other.logs = {room: list(log) for room, log in self.logs.items()}
        other.room_cards = dict(self.room_cards)
        other.games = dict(self.games)
        other.alive_at = self.alive_at
        return other
