"""The core works from its wheel with its one dependency, and loads nothing heavier."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from email.message import Message
from email.parser import HeaderParser
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "meldroom"

CORE = ("tiles", "rules", "game", "record", "championship", "referee")
PRESENT = [name for name in CORE if (SOURCE / name / "__init__.py").exists()]

HEAVY = (
    *("typer", "rich", "click", "textual"),
    *("numpy", "numba", "scipy", "pandas", "matplotlib"),
    *("sqlalchemy", "sqlite3", "litestar", "starlette", "uvicorn"),
)

# Imports each module of the packages named as arguments, touches each public name of `meldroom`, and
# prints which heavy modules are then loaded.
IMPORT_EVERYTHING = f"""
import importlib, pkgutil, sys
import meldroom
for name in getattr(meldroom, "__all__", ()):
    getattr(meldroom, name)
for name in sys.argv[1:]:
    package = importlib.import_module("meldroom." + name)
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not found.name.endswith(".__main__"):
            importlib.import_module(found.name)
print("from", meldroom.__file__)
print("loaded", sorted(set({HEAVY!r}) & set(sys.modules)))
"""

pytestmark = pytest.mark.xdist_group("core_alone")  # the wheel is built once, not once a worker


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a command outside the checkout, with nothing of this environment but PATH."""
    environment = {"PATH": os.environ.get("PATH", os.defpath), "PYTHONDONTWRITEBYTECODE": "1"}
    if "SYSTEMROOT" in os.environ:  # Windows starts no process without it
        environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
    return subprocess.run(
        [str(part) for part in command],
        cwd=Path(command[0]).parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built by the installed back end without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT,
        env={**os.environ, "MELDROOM_QUICK_BUILD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh environment that holds the wheel and its required dependencies only."""
    folder = tmp_path_factory.mktemp("core") / "venv"
    venv.create(folder, symlinks=os.name != "nt", with_pip=False)
    executable = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    pip = [sys.executable, "-m", "pip", "--python", str(executable), "--disable-pip-version-check"]
    done = subprocess.run(
        [*pip, "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    asked = run(executable, "-c", "import sysconfig; print(sysconfig.get_path('platlib'))")
    copy_distribution("msgspec", Path(asked.stdout.strip()))
    return executable


def copy_distribution(name: str, target: Path) -> None:
    """Copy one installed distribution, and nothing that it might need, into another environment."""
    distribution = metadata.distribution(name)
    for file in distribution.files or ():
        if ".." not in file.parts:  # scripts live outside the library folder
            destination = target / file
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(str(distribution.locate_file(file)), destination)


def test_wheel_holds_types_and_every_data_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    data = {path.relative_to(SOURCE.parent).as_posix() for path in SOURCE.rglob("*.toml")}
    assert data, "the rule books are data files"
    assert data | {"meldroom/py.typed"} <= held


def test_source_distribution_holds_every_file_that_a_wheel_is_built_from(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "--target", "sdist", "--directory", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    (packed,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(packed) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    listed = ["git", "ls-files", "src", "web", "requirements", "docs/*.json", "hatch_build.py"]
    tracked = subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    assert tracked
    assert set(tracked) - held == set()
    assert not [
        name for name in held if "node_modules" in name or name.startswith("src/meldroom/server/pages/")
    ]


def headers_of(wheel: Path) -> Message:
    """What the wheel says of itself."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        return HeaderParser().parsestr(archive.read(name).decode())


def test_wheel_brings_what_it_takes_to_play(wheel: Path) -> None:
    lines = headers_of(wheel).get_all("Requires-Dist", [])
    required = {re.split("[<>=; ]", line)[0] for line in lines if "extra ==" not in line}
    assert {"msgspec", "typer", "textual", "litestar", "uvicorn", "segno"} <= required
    assert not required & {"typst", "matplotlib", "pyarrow", "distributed"}
    kernels = [line for line in lines if line.startswith(("numba", "numpy")) and "extra ==" not in line]
    assert len(kernels) == 2
    assert all("< '3.15'" in line and "platform_machine" in line for line in kernels)


def test_wheel_keeps_the_names_of_extras_that_documents_have_shown(wheel: Path) -> None:
    extras = headers_of(wheel).get_all("Provides-Extra", [])
    assert {"arena", "papers", "env", "cluster", "all", "cli", "solver", "play", "server"} == set(extras)


def test_wheel_holds_the_pages_and_none_of_their_sources(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = archive.namelist()
    assert "meldroom/server/pages/index.html" in held
    assert "meldroom/server/pages/engine/files.json" in held
    assert not [name for name in held if name.endswith((".svelte", ".ts")) or "node_modules" in name]
    assert {name.partition("/")[0] for name in held if ".dist-info" not in name} == {"meldroom"}


def test_heavy_packages_are_absent_where_the_core_is_tried(python: Path) -> None:
    done = run(python, "-c", "import typer")
    assert "ModuleNotFoundError" in done.stderr


@pytest.mark.parametrize(
    "packages", [[], *([name] for name in PRESENT), PRESENT], ids=lambda each: "+".join(each) or "meldroom"
)
def test_core_imports_nothing_heavy(python: Path, packages: list[str]) -> None:
    done = run(python, "-c", IMPORT_EVERYTHING, *packages)
    assert done.returncode == 0, done.stderr
    origin, loaded = done.stdout.splitlines()
    assert str(ROOT) not in origin, "the wheel was to be tried, not the checkout"
    assert loaded == "loaded []"


def test_solver_and_bots_work_with_the_core_alone(python: Path) -> None:
    """Without numba their kernels are interpreted."""
    code = (
        "import meldroom as mr\n"
        "print(mr.solve('wrc11 / table R1 R2 R3 / racks R4 K9, ?x14 / turn 1 / melded 1'))\n"
        "print(mr.play('wrc11', ['tournament', 'tournament'], seed=7).verify().ok)"
    )
    done = run(python, "-c", code)
    assert done.stdout == "R4: 1 tile, 4 points\nTrue\n", done.stderr


def test_a_game_is_played_solved_by_hand_and_recorded_with_the_core_alone(python: Path) -> None:
    code = (
        "import random, meldroom as mr; shuffle = mr.Shuffle('x'); chance = random.Random(1)\n"
        "state, events = mr.new_game(mr.book('wrc11'), ['Ada', 'Bo'], shuffle)\n"
        "while not state.over:\n"
        "    state, more = state.apply(state.legal.sample(chance), shuffle); events += more\n"
        "record = mr.Record.of((*events, mr.reveal(state, shuffle)))\n"
        "print(mr.loads(str(record)).verify().ok)"
    )
    done = run(python, "-c", code)
    assert done.stdout == "True\n", done.stderr


def test_command_without_its_packages_says_so_in_one_sentence(python: Path) -> None:
    done = run(python, "-m", "meldroom")
    assert done.returncode == 2, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1, done.stderr
    assert done.stderr.endswith("Install it with: pip install meldroom\n")
