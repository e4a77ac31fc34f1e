"""Championships on Meldroom's own tables: the championship says what shall be, and its rooms follow.

Rooms are opened after their codes are in the hall's file, and results are entered after the game is in its
room's log; whatever a stop of the server leaves between the two is done when it starts again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

from meldroom.championship.duplicate.announcing import being_played
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import FinishedGame
from meldroom.rooms.runtime.championship_rooms import ChampionshipRooms
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.online.results import game_id, take_in
from meldroom.server.championships.online.tables import OnlineTable, online_tables
from meldroom.server.championships.runtime.live import Championships, LiveChampionship

_LOG = logging.getLogger(__name__)


class Online:
    """Keeps rooms and championships in step. Everything here may be done again and again."""

    def __init__(self, championships: Championships, rooms: Rooms) -> None:
        self._championships = championships
        self._rooms: ChampionshipRooms = rooms.championships
        self._locks: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        championships.follow = self.see_to
        rooms.championships.follow(self._turned)

    async def start(self) -> None:
        """Bring the tables of all championships back, and enter what was played and not yet entered."""
        for code in await self._championships.with_rooms():
            try:
                await self.see_to(await self._championships.championship(code))
            except Exception:  # One broken championship must not keep all others away.
                _LOG.exception("the online tables of championship %s could not be brought back", code)

    async def is_held(self, game: FinishedGame) -> bool:
        """Whether the record of a game must wait: other tables may still be playing its deal."""
        if game.deal is None:
            return False
        try:
            now = (await self._championships.championship(game.deal.championship)).now
        except HallError as error:
            return error.status != 404  # a championship that is gone holds nothing back
        return being_played(now.state, game.deal.stage, game.deal.sitting, game.deal.game)

    async def rest(self) -> None:
        """Wait until nothing is under way."""
        while self._tasks:
            await asyncio.gather(*self._tasks, return_exceptions=True)

    async def see_to(self, championship: LiveChampionship, only: str = "") -> None:
        """Bring rooms in line with their championship and enter what was played; only one room, if named."""
        if not championship.now.hall.rooms:
            return
        async with self._locks.setdefault(championship.now.code, asyncio.Lock()):
            for table in await championship.change(
                lambda running: online_tables(running, only), quietly=True
            ):
                try:
                    await self._table(championship, table)
                except Exception:  # The store or the disk may be back in a moment.
                    _LOG.exception("online table %s could not be seen to", table.code)

    async def _table(self, championship: LiveChampionship, table: OnlineTable) -> None:
        room = await self._rooms.room(table.code)
        if room is None and not table.first_game:
            return
        if room is None:
            await self._rooms.open(
                table.code,
                table.settings,
                table.place,
                table.reserved,
                table.first_game,
                table.first_starter,
                table.deals,
            )
            return
        if len(room.reserved) != len(table.reserved):
            return  # The table was seated anew with more or fewer players; it needs another room.
        await self._take(championship, table, room)
        for seat, reserved in enumerate(table.reserved):
            if room.reserved[seat] != reserved:
                await self._rooms.reserve_seat(table.code, seat, reserved)
        game = table.to_begin(room, championship.now)
        if game:
            await self._rooms.begin(table.code, game)
        for seat in table.out:
            await self._rooms.withdraw(table.code, seat)

    async def _take(self, championship: LiveChampionship, table: OnlineTable, room: Room) -> None:
        """Enter every finished game that the championship does not have."""
        over = room.number - (room.stage == "playing")
        missing = any(game_id(table.code, number) not in table.known for number in range(1, over + 1))
        if not missing and table.first_game:
            return
        finished = await self._rooms.finished(table.code) if missing else []
        await championship.change(lambda running: take_in(running, table.key, finished), quietly=True)

    def _turned(self, room: Room) -> None:
        """A game began, or is over and in its room's log: now it goes into the championship's."""
        assert room.championship is not None
        self._begin(self._see_to_room(room.championship.championship, room.code))

    async def _see_to_room(self, championship: str, room: str) -> None:
        try:
            await self.see_to(await self._championships.championship(championship), room)
        except Exception:
            _LOG.exception("a game of room %s could not be seen to", room)

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
