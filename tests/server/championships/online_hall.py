"""A championship played online in one process: its rooms, and players with personal keys."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Awaitable, Callable
from datetime import UTC, date, datetime
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from meldroom.championship.state import ChampionshipState
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.rate_limit import Allowance
from meldroom.server.championships.commands.answers import Done
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandRequest
from meldroom.server.championships.hall.state import Hall
from meldroom.server.championships.online.rooms import Online
from meldroom.server.championships.runtime.archive import Archive, FolderArchive, NewChampionship
from meldroom.server.championships.runtime.live import Championships, LiveChampionship
from meldroom.server.championships.storage.keys import Key
from tests.rooms.house import Guest, House, Time
from tests.rooms.memory_store import MemoryStore

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal")
FORMAT = """
base = "wrc"
book = "wrc11"
id = "online"
version = "1"
name = { en = "Online evening", fr = "Soirée en ligne" }
about = { en = "One game, then a final.", fr = "Une partie, puis une finale." }
conditions = {}

[[stages]]
id = "evening"
name = { en = "Evening", fr = "Soirée" }
games = 1
sittings = 1

[[stages]]
id = "final"
name = { en = "Final", fr = "Finale" }
games = 2
takes = 4
"""
_ids = count(1)


class OnlineHall:
    """A championship and its tables. `reopened` is the same after the server was killed."""

    def __init__(self, folder: Path, house: House, code: str = "", archive: Archive | None = None) -> None:
        self.folder, self.house, self.code = folder, house, code
        self.championships = Championships(archive or FolderArchive(folder), opening=Allowance(100, 100))
        self.online = Online(self.championships, house.rooms)
        self.key = Key("director", "", "director", "Dana", datetime(2026, 11, 15, tzinfo=UTC))
        self.guests: dict[int, Guest] = {}

    @property
    def championship(self) -> LiveChampionship:
        """The championship, loaded."""
        return self.championships._championships[self.code]

    @property
    def state(self) -> ChampionshipState:
        """What the championship's log says."""
        return self.championship.now.state

    @property
    def hall(self) -> Hall:
        """What the hall's file says."""
        return self.championship.now.hall

    async def command(self, do: str, *, reason: str = "", **command: Any) -> Done:
        """The director does something."""
        asked = {"id": f"online-{next(_ids):05d}", "command": {"do": do, **command}, "reason": reason}
        request = msgspec.convert(asked, CommandRequest)
        done = await self.championship.change(lambda running: perform(running, self.key, request, "en"))
        assert isinstance(done, Done)
        return done

    async def seated(self, format_toml: str = FORMAT) -> None:
        """A new championship whose eight players have drawn their seats."""
        asked = NewChampionship(
            name="Online Open", by="Olga", date=date(2026, 11, 15), format_toml=format_toml
        )
        self.code = (await self.championships.open(asked)).code
        await self.championships.championship(self.code)
        await self.command("import_entrants", entrants=[{"name": name} for name in NAMES])
        for number in range(1, len(NAMES) + 1):
            await self.command("check_in", number=number)
        await self.command("announce_draw", seed="an example")
        await self.command("reveal")

    async def key_of(self, number: int) -> str:
        """An entrant's personal key."""
        return await self.championship.change(
            lambda running: running.personal_keys().key_of(number), quietly=True
        )

    def room_of(self, stage: str, table: int = 1) -> str:
        """The code of a table's room."""
        return self.hall.rooms[stage, 1, table]

    def table(self, stage: str, table: int = 1) -> tuple[int, ...]:
        """Who sits at a table, by number."""
        return self.state.seatings[stage, 1].tables[table - 1]

    async def sit(self, stage: str, table: int = 1, but: tuple[int, ...] = ()) -> list[Guest]:
        """Everybody comes to their table with their key, except some seats."""
        found = []
        for seat, number in enumerate(self.table(stage, table)):
            guest = self.guests.setdefault(number, Guest(self.house, f"guest{number}"))
            guest.house = self.house
            found.append(guest)
            if seat not in but:
                room = self.room_of(stage, table)
                await guest.done(do.Enter, room)
                await guest.done(do.Claim, room, key=await self.key_of(number))
        await self.rest()
        return found

    async def rest(self) -> None:
        """Let everything that is under way come to rest."""
        for _ in range(3):
            await self.house.settle()
            await self.online.rest()

    async def play(self, stage: str, table: int, guests: list[Guest], seed: int = 1) -> None:
        """A game at a table, to its end."""
        await self.house.play_on(self.room_of(stage, table), guests, random.Random(seed))
        await self.rest()

    def killed(self) -> tuple[Path, MemoryStore]:
        """What a server that is killed now leaves behind: copies of its files and of its store."""
        copy = self.folder.with_name(f"{self.folder.name}-{next(_ids)}")
        shutil.copytree(self.folder, copy)
        return copy, self.house.store.copy()

    async def reopened(self, left: tuple[Path, MemoryStore] | None = None) -> OnlineHall:
        """The server started again on what was left."""
        folder, store = left or self.killed()
        hall = OnlineHall(folder, House(store, Time(self.house.time.now)), self.code)
        hall.guests = self.guests
        await hall.house.rooms.start()
        await hall.online.start()
        await hall.rest()
        return hall

    async def close(self) -> None:
        """Close everything."""
        await self.house.rooms.close()
        await self.online.rest()
        await self.championships.close()


def online(test: Callable[[OnlineHall], Awaitable[None]]) -> Callable[[Path], None]:
    """Run an asynchronous test with a championship of its own."""

    async def whole(folder: Path) -> None:
        hall = OnlineHall(folder / "championships", House())
        await hall.house.rooms.start()
        try:
            await test(hall)
        finally:
            await hall.close()

    def run(tmp_path: Path) -> None:
        asyncio.run(whole(tmp_path))

    run.__name__ = getattr(test, "__name__", "online")
    run.__doc__ = test.__doc__
    return run
