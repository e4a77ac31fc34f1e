"""Everything moves between SQLite and PostgreSQL without loss; a backup under load replays."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, select

from meldroom.server.storage import DataFolderError, SqlStore
from meldroom.server.storage.copying import Copied, back_up, move, reading, restore
from meldroom.server.storage.tables import meta, metadata
from tests.server.conftest import ON_POSTGRES, Place
from tests.server.storage.cards import card

WRITTEN = Path(__file__).parents[2] / "fixtures" / "v0.1" / "server"

pytestmark = pytest.mark.skipif(ON_POSTGRES, reason="it chooses the databases itself")


def contents(connection: Connection) -> dict[str, list[Any]]:
    """Every row of every table but the notes about the database itself."""
    found = {
        table.name: sorted(repr(tuple(row)) for row in connection.execute(select(table)))
        for table in metadata.sorted_tables
        if table is not meta
    }
    return {name: rows for name, rows in found.items() if rows}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A data folder with people, a running game and finished ones."""
    folder = tmp_path / "games"
    folder.mkdir()
    shutil.copy(WRITTEN / "meldroom.db", folder)

    async def migrated() -> None:
        store = await SqlStore.open(folder)
        await store.alive(77)
        await store.close()

    asyncio.run(migrated())
    return folder


def test_there_and_back_again_is_the_same(games: Path, database_url: str, tmp_path: Path) -> None:
    before = reading(games / "meldroom.db", contents)
    assert {"room_events", "finished_games", "players", "accounts"} <= set(before)
    there = asyncio.run(move(games, database_url))
    assert reading(database_url, contents) == before
    again = asyncio.run(move(database_url, tmp_path / "again"))
    assert reading(tmp_path / "again" / "meldroom.db", contents) == before
    assert there.verdict == again.verdict
    assert (there.verdict.faults, there.verdict.rooms > 1, there.verdict.finished > 0) == ((), True, True)

    async def opened() -> int | None:
        store = await SqlStore.open(tmp_path / "again")
        try:
            return await store.last_alive()
        finally:
            await store.close()

    assert asyncio.run(opened()) == 77


def test_nothing_is_copied_over_what_is_there(games: Path, database_url: str) -> None:
    asyncio.run(move(games, database_url))
    before = reading(database_url, contents)
    with pytest.raises(DataFolderError, match="isn't empty"):
        asyncio.run(move(games, database_url))
    assert reading(database_url, contents) == before


def test_a_folder_in_use_is_not_moved(games: Path, tmp_path: Path) -> None:
    async def run() -> None:
        store = await SqlStore.open(games)
        with pytest.raises(DataFolderError, match="already using"):
            await move(games, tmp_path / "other")
        await store.close()

    asyncio.run(run())


def test_a_backup_is_made_while_others_write(place: Place, tmp_path: Path) -> None:
    async def run() -> Copied:
        store = await SqlStore.open(place.folder / "data", place.url)
        (place.folder / "data" / "events").mkdir()
        (place.folder / "data" / "events" / "log.jsonl").write_text("{}\n")
        stopped = asyncio.Event()

        async def write(room: str) -> None:
            number = 0
            while not stopped.is_set() or number < 2:
                number += 1
                await store.append(room, number, b"{}", card(room, changed_at=number))

        writing = [asyncio.create_task(write(f"room{n}")) for n in range(5)]
        while store.counters.appends < 20:
            await asyncio.sleep(0.01)
        try:
            # What is written here are no events that replay: only the copy is looked at.
            return await back_up(place.folder / "data", place.url, tmp_path / "copy")
        finally:
            stopped.set()
            await asyncio.gather(*writing)
            await store.close()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("meldroom.server.storage.copying.check_logs", lambda connection: None)
        copied = asyncio.run(run())
    assert copied.rows["room_events"] >= 20
    found = reading(tmp_path / "copy" / "meldroom.db", contents)
    assert len(found["room_events"]) == copied.rows["room_events"]
    assert len(found["room_cards"]) == 5
    assert (tmp_path / "copy" / "events" / "log.jsonl").read_text() == "{}\n"
    assert not (tmp_path / "copy" / "backups").exists()


def test_a_backup_is_restored_and_replayed(games: Path, database_url: str, tmp_path: Path) -> None:
    before = reading(games / "meldroom.db", contents)
    made = asyncio.run(back_up(games, "", tmp_path / "copy"))
    assert made.verdict.faults == ()
    for folder, url in ((tmp_path / "new", ""), (tmp_path / "node", database_url)):
        restored = asyncio.run(restore(tmp_path / "copy", folder, url))
        assert reading(url or folder / "meldroom.db", contents) == before
        assert restored.verdict == made.verdict
    with pytest.raises(DataFolderError, match="isn't empty"):
        asyncio.run(restore(tmp_path / "copy", games, ""))


def test_a_log_that_does_not_replay_is_reported(games: Path, tmp_path: Path) -> None:
    asyncio.run(back_up(games, "", tmp_path / "copy"))

    async def damaged() -> Copied:
        store = await SqlStore.open(tmp_path / "copy")

        def lose_an_event(connection: Connection) -> None:
            connection.exec_driver_sql("DELETE FROM room_events WHERE seq = 3")

        await store.write(lose_an_event)
        await store.close()
        return await restore(tmp_path / "copy", tmp_path / "new", "")

    assert any("gaps" in fault for fault in asyncio.run(damaged()).verdict.faults)
