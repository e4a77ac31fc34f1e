"""Everything that one device runs, made in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldroom.browser.house_books import HouseBooks
from meldroom.browser.player import LocalPlayer
from meldroom.browser.store import DeviceStore, JsStore
from meldroom.browser.workers import LocalWorkers, at_once
from meldroom.rooms.ports import Clock
from meldroom.rooms.runtime.bus import LocalBus
from meldroom.rooms.runtime.rooms import Rooms

if TYPE_CHECKING:
    from meldroom.api.games import Games


class Device:
    """The rooms, the games and the player of one device, on its store."""

    def __init__(self, store: JsStore, clock: Clock, bot_pace: int, start_phase: int) -> None:
        self.clock = clock
        self.store = DeviceStore(store)
        self.player = LocalPlayer(self.store)
        self.house_books = HouseBooks(self.store)
        self.workers = LocalWorkers()
        self.rooms = Rooms(
            self.store,
            LocalBus(),
            self.workers,
            clock=clock,
            bot_pace=bot_pace,
            start_phase=start_phase,
            offload=at_once,
            on_demand=True,
        )
        self._games: Games | None = None

    @property
    def games(self) -> Games:
        """Finished games, positions and checks; loaded when they are first asked for."""
        if self._games is None:
            from meldroom.api.games import Games

            self._games = Games(self.store, self.workers.run, at_once)
        return self._games

    def forget_games(self) -> None:
        """Forget what was computed about games that are deleted."""
        self._games = None

    async def start(self) -> None:
        """Find out who plays, and by which house books. Raises StorageError."""
        await self.player.load()
        await self.house_books.load()
        await self.rooms.start()

    async def close(self) -> None:
        """Accept nothing more; whatever was acknowledged is in the store already."""
        await self.rooms.close()
