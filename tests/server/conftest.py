"""Both back ends for the tests of storage; all tests of the server on PostgreSQL where that is asked for.

MELDROOM_TEST_DATABASE=postgresql pytest tests/server     every server and store of these tests on PostgreSQL
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

import pytest

from meldroom.server.storage import SqlStore
from testkit.server.postgres import DATABASES, Postgres, database_name, make_database

ON_POSTGRES = os.environ.get("MELDROOM_TEST_DATABASE") == "postgresql"
TEMPLATE = "migrated"
ABOUT_SQLITE = (
    "tests/server/storage/test_folder.py",
    "tests/server/storage/test_v0_1.py",
    "test_a_newer_database_is_refused_with_a_sentence",
    "test_no_secret_is_in_the_database",
    "test_a_full_disk_is_reported_as_a_full_disk",
)
"""Tests that look into an SQLite file."""


class Place(NamedTuple):
    """Where a store is: its folder, and the address of its database (none for SQLite)."""

    folder: Path
    url: str


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL for this session, with an empty migrated database to copy."""
    server = Postgres()
    try:
        yield server
    finally:
        server.close()


@pytest.fixture(scope="session")
def template(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database at the newest revision, which nobody is connected to."""

    async def made() -> None:
        url = await make_database(postgres.url(), TEMPLATE)
        await (await _open(tmp_path_factory.mktemp("template"), url)).close()

    asyncio.run(made())
    return TEMPLATE


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A place for a store on each back end."""
    if request.param == "sqlite":
        return Place(tmp_path, "")
    return Place(tmp_path, request.getfixturevalue("database_url"))


@pytest.fixture
def database_url(request: pytest.FixtureRequest, postgres: Postgres, template: str, tmp_path: Path) -> str:
    """A fresh database on PostgreSQL, at the newest revision."""
    name = f"t{blake2b(request.node.nodeid.encode(), digest_size=10).hexdigest()}"
    return asyncio.run(make_database(postgres.url(), name, template))


_open = SqlStore.open


@pytest.fixture(scope="session", autouse=ON_POSTGRES)
def everything_on_postgres(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each data folder has a database of its own, in this process and in servers that it starts."""
    server = request.getfixturevalue("postgres")
    template = request.getfixturevalue("template")
    patched = pytest.MonkeyPatch()
    patched.setenv(DATABASES, f"{server.url()} {template}")

    async def opened(folder: Path, url: str = "") -> SqlStore:
        return await _open(
            folder, url or await make_database(server.url(), database_name(str(folder)), template)
        )

    patched.setattr(SqlStore, "open", opened)
    yield
    patched.undo()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """On PostgreSQL, what looks into an SQLite file is skipped."""
    for item in items if ON_POSTGRES else ():
        if any(name in item.nodeid for name in ABOUT_SQLITE):
            item.add_marker(pytest.mark.skip(reason="about SQLite"))
