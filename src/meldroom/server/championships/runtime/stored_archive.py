"""Championships and leagues in the database: see Archive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select, update
from sqlalchemy.exc import IntegrityError

from meldroom.championship.actions import Adopt, Found
from meldroom.championship.log.file import now
from meldroom.rooms.errors import StorageError
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.leagues.store import Leagues
from meldroom.server.championships.runtime.archive import (
    CODE,
    Asked,
    ChampionshipCard,
    ChampionshipOpened,
    card_of,
    changes_card,
    found,
    in_order,
    new_code,
    no_such_championship,
    opened,
    opens_rooms,
)
from meldroom.server.championships.storage.files import HALL, LOG
from meldroom.server.championships.storage.running import RunningChampionship
from meldroom.server.championships.storage.stored import (
    Committer,
    Contents,
    StoredFiles,
    create,
    fetcher,
    read_contents,
    waited_for,
)
from meldroom.server.storage.store import SqlStore
from meldroom.server.storage.tables import championships, leagues

_read_card = msgspec.json.Decoder(ChampionshipCard).decode


class StoredArchive:
    """The championships in a database."""

    def __init__(self, store: SqlStore, clock: Callable[[], datetime] = now) -> None:
        self._store = store
        self._clock = clock
        self.leagues = Leagues(StoredLeagues(store))

    async def create(self, asked: Asked, first: tuple[Found | Adopt, str]) -> ChampionshipOpened:
        """See Archive."""
        while True:
            files = StoredFiles(new_code(), Contents(), _nothing)
            secret, key = await asyncio.to_thread(found, files, asked, first, self._clock)
            try:
                await self._store.write(partial(create, files=files, listed=listing(files.code, files)))
            except IntegrityError:
                continue  # the code is taken
            except StorageError:
                raise HallError(503, "not_written") from None
            return ChampionshipOpened(files.code, secret, key.id)

    async def load(self, code: str) -> tuple[RunningChampionship, Committer]:
        """See Archive."""
        if not CODE.match(code):
            raise no_such_championship(code)
        try:
            contents = await self._store.read(lambda connection: read_contents(connection, code))
        except StorageError:
            raise HallError(503, "unreadable") from None
        if contents is None:
            raise no_such_championship(code)
        files = StoredFiles(code, contents, fetcher(self._store, code))
        running = await asyncio.to_thread(opened, files, self._clock)
        return running, Committer(self._store, files, listing)

    async def listed(self) -> tuple[ChampionshipCard, ...]:
        """See Archive."""
        query = select(championships.c.card).where(championships.c.card.is_not(None))
        rows = await self._read(lambda connection: list(connection.execute(query).scalars()))
        return in_order(map(_read_card, rows))

    async def with_rooms(self) -> tuple[str, ...]:
        """See Archive."""
        query = select(championships.c.code).where(championships.c.has_rooms.is_(True))
        return tuple(await self._read(lambda connection: list(connection.execute(query).scalars())))

    async def is_any(self) -> bool:
        """See Archive."""
        query = select(championships.c.code).limit(1)
        return bool(await self._read(lambda connection: list(connection.execute(query).scalars())))

    async def _read(self, work: Callable[[Connection], list[Any]]) -> list[Any]:
        try:
            return await self._store.read(work)
        except StorageError:
            raise HallError(503, "unreadable") from None


def listing(code: str, files: StoredFiles) -> dict[str, Any]:
    """What lists show of a championship; only what its new lines may have changed."""
    log, hall = files.texts[LOG], files.texts[HALL]
    new = hall.lines if hall.rewritten or log.rewritten else hall.lines[hall.saved :]
    found: dict[str, Any] = {"has_rooms": True} if opens_rooms(b"\n".join(new)) else {}
    if files.revision == 0:
        found.setdefault("has_rooms", False)
    if log.rewritten or any(changes_card(line) for line in new):
        card = card_of(code, log.lines[0], hall.lines)
        found["card"] = None if card is None else msgspec.json.encode(card)
    return found


def _nothing(_: str) -> None:
    """A championship that is being made has no photos."""


class StoredLeagues:
    """See LeagueFiles. Called by threads beside the event loop."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._loop = asyncio.get_running_loop()

    def get(self, code: str) -> bytes | None:
        """See LeagueFiles."""
        query = select(leagues.c.data).where(leagues.c.code == code)
        try:
            return waited_for(
                self._loop, self._store.read(lambda connection: connection.execute(query).scalar())
            )
        except StorageError as error:
            raise OSError(error.message()) from None

    def put(self, code: str, data: bytes, before: bytes | None) -> bool:
        """See LeagueFiles."""
        try:
            return waited_for(self._loop, self._put(code, data, before))
        except StorageError as error:
            raise OSError(error.message()) from None

    async def _put(self, code: str, data: bytes, before: bytes | None) -> bool:
        if before is not None:
            same = (leagues.c.code == code) & (leagues.c.data == before)
            return bool(await self._store.change(update(leagues).where(same).values(data=data)))
        try:
            row = {"code": code, "data": data}
            await self._store.write(lambda connection: connection.execute(insert(leagues), row))
        except IntegrityError:
            return False
        return True
