"""The rooms of championships as the server itself opens and directs them; no player can do any of this."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.rooms.domain.playing import withdrawn
from meldroom.rooms.domain.reserved_seats import open_reserved, reserve_seat
from meldroom.rooms.domain.seating import sealed, start_game
from meldroom.rooms.domain.state import Room, steps
from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import Clock, ConflictError, Store
from meldroom.rooms.protocol.events import Reservation, decode
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings
from meldroom.rooms.runtime.effects import NOBODY, Course


class ChampionshipRooms:
    """What an event does to its tables. Everything may be asked for again: what is so already stays so."""

    def __init__(self, course: Course, store: Store, clock: Clock) -> None:
        self._course = course
        self._store = store
        self._clock = clock

    async def room(self, code: str) -> Room | None:
        """A room as it is, with its clocks running; None if there is none of this code."""
        try:
            live = await self._course.ledger.live(code)
        except Refusal:
            return None
        async with live.lock:
            await self._course.catch_up(live)
            await self._course.look(live)
            return live.room

    async def open(
        self,
        code: str,
        settings: Settings,
        table: ChampionshipTable,
        reserved: Sequence[Reservation],
        first_game: int = 1,
    ) -> None:
        """A room for an event's table; nothing if it is there already. Raises Refusal."""
        moment = self._course.moment(NOBODY)
        opened = open_reserved(code, settings, table, reserved, first_game, moment.now)
        try:
            await self._course.work.finish(self._course.ledger.open([opened, sealed(moment)]))
        except ConflictError:
            return

    async def reserve_seat(self, code: str, seat: int, reserved: Reservation) -> None:
        """Keep a chair for somebody else, or under another key. Raises Refusal."""
        live = await self._course.ledger.live(code)
        async with live.lock:
            await self._course.catch_up(live)
            await self._course.happen(live, *reserve_seat(live.room, seat, reserved, self._clock()))

    async def begin(self, code: str, game: int) -> None:
        """Begin a game of the sheet, whoever is there; nothing while one is being played. Raises Refusal."""
        live = await self._course.ledger.live(code)
        async with live.lock:
            await self._course.catch_up(live)
            if live.room.stage != "playing":
                moment = self._course.moment(NOBODY)
                await self._course.happen(live, *start_game(live.room, moment, game))

    async def withdraw(self, code: str, seat: int) -> None:
        """Take somebody out of the game that is being played. Raises Refusal."""
        live = await self._course.ledger.live(code)
        async with live.lock:
            await self._course.catch_up(live)
            game = live.room.game
            if live.room.stage == "playing" and game is not None and not game.withdrawn[seat]:
                await self._course.happen(live, withdrawn(live.room, seat, self._clock()))

    async def finished(self, code: str) -> list[Room]:
        """The room after each of its games, from its log: every one that is over."""
        events = [decode(data) for data in await self._store.events(code)]
        found: list[Room] = []
        before = "waiting"
        for room in steps(events):
            if before == "playing" and room.stage == "over":
                found.append(room)
            before = room.stage
        return found
