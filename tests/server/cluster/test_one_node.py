"""A server on PostgreSQL without a bus is the only one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.cli.app import app
from meldroom.server.config import Config
from meldroom.server.container import NODE, opened
from meldroom.server.storage import DataFolderError, SqlStore


def test_a_second_server_without_a_bus_is_refused(tmp_path: Path, database_url: str) -> None:
    async def run() -> None:
        first, second = (
            Config(data=tmp_path / name, pages=tmp_path, database=database_url) for name in ("a", "b")
        )
        async with opened(first):
            with pytest.raises(DataFolderError, match="need --bus"):
                async with opened(second):
                    pass
        async with opened(second):  # the first has given everything back
            pass

    asyncio.run(run())


def test_a_killed_server_does_not_keep_its_successor_waiting(tmp_path: Path, database_url: str) -> None:
    async def run() -> None:
        killed = await SqlStore.open(tmp_path / "a", database_url)
        await (await killed.share("killed")).renew()
        await killed.close()  # and its lease has not run out
        (tmp_path / "a" / NODE).write_text("killed")
        async with opened(Config(data=tmp_path / "a", pages=tmp_path, database=database_url)):
            assert (tmp_path / "a" / NODE).read_text() != "killed"

    asyncio.run(run())


def test_a_bus_needs_a_database(tmp_path: Path) -> None:
    done = CliRunner().invoke(app(["serve"]), ["serve", "--bus", "nats://host", "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert "--database" in done.stderr
