"""The data folder: one server at a time, migrations with a backup, newer databases refused, full disks."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from meldroom.server.storage import DataFolderError, SqlStore, StorageError, migrate, sqlite
from meldroom.server.storage.migrations import HEAD, REVISIONS
from meldroom.server.storage.tables import metadata
from tests.server.storage.cards import card


def reopened(folder: Path) -> None:
    """Open and close the store of a folder."""

    async def run() -> None:
        await (await SqlStore.open(folder)).close()

    asyncio.run(run())


def tables_of(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The columns of every table of ours, as the database tells of them."""
    with closing(sqlite3.connect(path)) as database:
        names = [
            row[0]
            for row in database.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'index')")
            if not row[0].startswith("sqlite_") and row[0] != "alembic_version"
        ]
        return {name: database.execute(f"PRAGMA table_xinfo({name})").fetchall() for name in sorted(names)}


def test_the_migrations_lead_to_the_tables(tmp_path: Path) -> None:
    reopened(tmp_path)
    other = tmp_path / "other.db"
    engine = create_engine(f"sqlite:///{other}")
    metadata.create_all(engine)
    engine.dispose()
    assert tables_of(tmp_path / sqlite.DATABASE) == tables_of(other)


def test_the_list_of_revisions_is_that_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", migrate.LOCATION)
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    assert scripts.get_current_head() == HEAD
    assert tuple(step.revision for step in scripts.walk_revisions())[::-1] == REVISIONS


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    async def run() -> None:
        store = await SqlStore.open(tmp_path)
        with pytest.raises(DataFolderError, match="another Meldroom server is already using"):
            await SqlStore.open(tmp_path)
        await store.append("room1", 1, b"1", card("room1"))
        await store.close()

    asyncio.run(run())
    reopened(tmp_path)


def test_a_database_of_a_newer_meldroom_is_refused_and_left_alone(tmp_path: Path) -> None:
    reopened(tmp_path)
    with closing(sqlite3.connect(tmp_path / sqlite.DATABASE)) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    with pytest.raises(DataFolderError, match="written by a newer Meldroom"):
        reopened(tmp_path)
    with closing(sqlite3.connect(tmp_path / sqlite.DATABASE)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)


def test_a_migration_of_an_old_database_makes_a_backup_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reopened(tmp_path)
    assert not (tmp_path / sqlite.BACKUPS).exists()
    with closing(sqlite3.connect(tmp_path / sqlite.DATABASE)) as database:
        database.execute("INSERT INTO meta VALUES ('alive', '77')")
        database.commit()
    monkeypatch.setattr(migrate, "REVISIONS", (*REVISIONS, "later"))
    monkeypatch.setattr(migrate, "HEAD", "later")
    reopened(tmp_path)
    (copy,) = (tmp_path / sqlite.BACKUPS).iterdir()
    with closing(sqlite3.connect(copy)) as database:
        assert database.execute("SELECT value FROM meta WHERE key = 'alive'").fetchone() == ("77",)


def test_only_the_last_backups_are_kept(tmp_path: Path) -> None:
    reopened(tmp_path)
    day = datetime(2026, 1, 1, tzinfo=UTC)
    made = [sqlite.back_up(tmp_path / sqlite.DATABASE, day + timedelta(days=n)) for n in range(8)]
    assert sorted((tmp_path / sqlite.BACKUPS).iterdir()) == made[-sqlite.KEPT_BACKUPS :]


def test_a_folder_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    with pytest.raises(DataFolderError, match=r"can.t be used"):
        reopened(tmp_path / "file" / "data")


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / sqlite.DATABASE).write_bytes(b"this is a diary, not a database" * 100)
    with pytest.raises(DataFolderError, match=r"isn.t a sound Meldroom database"):
        reopened(tmp_path)


def test_a_full_disk_acknowledges_nothing_and_then_goes_on(tmp_path: Path) -> None:
    async def run() -> None:
        store = await SqlStore.open(tmp_path)
        await store.append("room1", 1, b"1", card("room1"))

        def fill_up(connection: Connection) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")

        await store.write(fill_up)
        with pytest.raises(StorageError, match="is full; nothing was saved"):
            await store.append("room1", 2, b"2" * 1_000_000, card("room1", players=("eve",)))
        assert await store.events("room1") == [b"1"]
        assert store.counters.failures == 1
        await store.append("room1", 2, b"2", card("room1"))
        assert await store.events("room1") == [b"1", b"2"]
        assert await store.cards(player="eve") == []
        await store.close()

    asyncio.run(run())


def test_work_that_fails_undoes_only_itself(tmp_path: Path) -> None:
    async def run() -> None:
        store = await SqlStore.open(tmp_path)

        def fails(connection: object) -> None:
            raise LookupError("nothing there")

        outcomes = await asyncio.gather(
            store.alive(5), store.write(fails), store.append("room1", 1, b"1", card("room1")),
            return_exceptions=True,
        )  # fmt: skip
        assert [type(one) for one in outcomes] == [type(None), LookupError, type(None)]
        assert await store.last_alive() == 5
        await store.close()

    asyncio.run(run())


def test_a_deleted_write_ahead_log_is_noticed(tmp_path: Path) -> None:
    """The folder is copied while the server runs, as a kill would leave it, and its log is deleted."""

    async def run() -> Path:
        store = await SqlStore.open(tmp_path / "data")
        await store.append("room1", 1, b"1", card("room1"))
        left = tmp_path / "left"
        shutil.copytree(tmp_path / "data", left)
        await store.close()
        return left

    left = asyncio.run(run())
    whole, without = tmp_path / "whole", tmp_path / "without"
    shutil.copytree(left, whole)
    shutil.copytree(left, without)
    reopened(whole)
    (without / f"{sqlite.DATABASE}-wal").unlink()
    with pytest.raises(DataFolderError, match=r"aren.t in .*: a file that ends in -wal was deleted"):
        reopened(without)
    (without / "meldroom.lock").unlink()
    reopened(without)  # what the message says helps


def test_a_database_that_is_gone_is_not_replaced_by_an_empty_one(tmp_path: Path) -> None:
    reopened(tmp_path)
    (tmp_path / sqlite.DATABASE).unlink()
    with pytest.raises(DataFolderError, match="is gone"):
        reopened(tmp_path)
    assert not (tmp_path / sqlite.DATABASE).exists()


def test_damage_inside_the_database_is_noticed_at_start(tmp_path: Path) -> None:
    async def fill() -> None:
        store = await SqlStore.open(tmp_path)
        for number in range(1, 60):
            await store.append("room1", number, bytes(2000), card("room1"))
        await store.close()

    asyncio.run(fill())
    reopened(tmp_path)
    path = tmp_path / sqlite.DATABASE
    data = bytearray(path.read_bytes())
    assert len(data) > 100_000
    data[60_000:90_000] = b"\xa5" * 30_000
    path.write_bytes(data)
    with pytest.raises(DataFolderError, match=r"is damaged|isn.t a sound"):
        reopened(tmp_path)


def test_a_full_disk_is_said_before_somebody_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        store = await SqlStore.open(tmp_path)
        await store.check_writable()
        usage = shutil.disk_usage(tmp_path)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
        with pytest.raises(StorageError, match="is full"):
            await store.check_writable()
        monkeypatch.undo()
        await store.check_writable()
        await store.close()

    asyncio.run(run())
