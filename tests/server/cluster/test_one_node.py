"""A server on PostgreSQL without a bus is the only one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from meldroom.cli.app import app
from meldroom.server.config import Config
from meldroom.server.container import opened
from meldroom.server.storage import DataFolderError


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


def test_a_bus_needs_a_database(tmp_path: Path) -> None:
    done = CliRunner().invoke(app(["serve"]), ["serve", "--bus", "nats://host", "--data", str(tmp_path)])
    assert done.exit_code == 1
    assert "--database" in done.stderr
