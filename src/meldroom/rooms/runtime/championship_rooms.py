"""The rooms of championships, as the server itself opens and directs them; no player can do any of this."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any

from meldroom.rooms.domain.playing import withdrawn
from meldroom.rooms.domain.reserved_seats import open_reserved, reserve_seat
from meldroom.rooms.domain.seating import start_game
from meldroom.rooms.domain.state import Room, steps
from meldroom.rooms.errors import ConflictError, Refusal
from meldroom.rooms.protocol.events import Reservation, RoomOpened, decode
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings
from meldroom.rooms.runtime.room import LiveRoom, Services


class ChampionshipRooms:
    """What a championship does to its tables. Everything may be repeated: what is so already stays so."""

    def __init__(
        self,
        services: Services,
        load: Callable[[str], Awaitable[LiveRoom]],
        create: Callable[[RoomOpened], Coroutine[Any, Any, LiveRoom]],
    ) -> None:
        self._services = services
        self._load = load
        self._create = create

    def follow(self, stage_changed: Callable[[Room], None]) -> None:
        """Have a function called when a game of a championship has begun or is over, once that is durable."""
        self._services.stage_changed = stage_changed

    async def room(self, code: str) -> Room | None:
        """A room as it is, with its clocks running; None if there is none of this code."""
        try:
            live = await self._load(code)
        except Refusal:
            return None
        async with live.lock:
            await live.catch_up()
            await live.look()
            return live.room

    async def open(
        self,
        code: str,
        settings: Settings,
        table: ChampionshipTable,
        reserved: Sequence[Reservation],
        first_game: int = 1,
        first_starter: int = 0,
        deals: Sequence[str] = (),
    ) -> None:
        """Open a room for a championship's table, unless it is there already. Raises Refusal."""
        now = self._services.clock()
        opened = open_reserved(code, settings, table, reserved, first_game, now, first_starter, deals)
        try:
            await self._services.tasks.finish(self._create(opened))
        except ConflictError:
            return

    async def reserve_seat(self, code: str, seat: int, reserved: Reservation) -> None:
        """Reserve a seat for somebody else, or under another key. Raises Refusal."""
        live = await self._load(code)
        async with live.lock:
            await live.catch_up()
            await live.happen(reserve_seat(live.room, seat, reserved, self._services.clock()))

    async def begin(self, code: str, game: int) -> None:
        """Start a game of the sheet, whoever is there, unless one is running. Raises Refusal."""
        live = await self._load(code)
        async with live.lock:
            await live.catch_up()
            if live.room.stage != "playing":
                await live.happen(start_game(live.room, live.context(), game))

    async def withdraw(self, code: str, seat: int) -> None:
        """Take somebody out of the running game. Raises Refusal."""
        live = await self._load(code)
        async with live.lock:
            await live.catch_up()
            game = live.room.game
            if live.room.stage == "playing" and game is not None and not game.withdrawn[seat]:
                await live.happen(withdrawn(live.room, seat, self._services.clock()))

    async def finished(self, code: str) -> list[Room]:
        """The room after each of its games that is over, from its log."""
        events = [decode(data) for data in await self._services.store.events(code)]
        found: list[Room] = []
        before = "waiting"
        for room in steps(events):
            if before == "playing" and room.stage == "over":
                found.append(room)
            before = room.stage
        return found
