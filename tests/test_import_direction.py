"""Imports point downwards only: each package of meldroom uses what lies below it and nothing else."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "src" / "meldroom"

BASE = ("file_lock", "i18n", "errors", "decode")
RULES_OF_PLAY = ("tiles", "rules", "game", "record")
PROGRAMS_THAT_PLAY = ("solver", "bots", "coach", "arena", "corpus", "env")
OVER_THE_BOARD = ("referee", "championship", "league", "papers")
CORE = frozenset((*BASE, *RULES_OF_PLAY, "referee", "championship"))

FRONT = "meldroom"  # the names that `import meldroom` offers: meldroom/__init__.py
MAIN = "meldroom.__main__"


def _layers() -> dict[str, frozenset[str]]:
    """For each package, the packages that it may import."""
    below = _chain(*BASE, *RULES_OF_PLAY, *PROGRAMS_THAT_PLAY)
    below |= _chain(*BASE, *RULES_OF_PLAY, *OVER_THE_BOARD)
    below["puzzles"] = frozenset((*BASE, *RULES_OF_PLAY, "solver", "bots", "coach"))
    below["corpus"] |= {"puzzles"}
    below["rooms"] = frozenset((*BASE, *RULES_OF_PLAY, "solver", "bots", "coach", "puzzles"))
    below["api"] = frozenset((*CORE, "solver", "bots", "coach", "puzzles", "rooms"))
    below["browser"] = frozenset((*CORE, "solver", "bots", "coach", "puzzles", "rooms", "api"))
    for name in ("arena", "corpus"):
        below[name] |= {FRONT}  # for the version, which all workers of an experiment share
    below["site"] = frozenset(BASE)
    below["server"] = frozenset((*below, FRONT))
    below["cli"] = frozenset((*below, FRONT))
    below[FRONT] = CORE | {"solver", "bots"}  # by name, when they are first used
    below[MAIN] = frozenset({"cli"})
    return below


def _chain(*names: str) -> dict[str, frozenset[str]]:
    """Packages on top of each other: each may import all that come before it."""
    return {name: frozenset(names[:place]) for place, name in enumerate(names)}


MAY_IMPORT = _layers()

INSIDE: dict[str, tuple[tuple[str, ...], ...]] = {
    "rooms": (
        ("protocol", "rate_limit"),  # commands, events, answers and settings, as they travel
        ("errors",),  # refusals
        ("ports",),  # what rooms need of storage, bus, workers and clients
        ("domain",),  # a room as a value, and pure decisions
        ("views",),  # what each audience may see
        ("runtime", "worker"),  # rooms in memory: load, lock, write, publish; bots and hints
    ),
    "server": (
        (
            "config",
            "config_file",
            "counters",
            "histogram",
            "idle_collector",
            "logs",
            "msgspec_warmup",
            "prometheus",
        ),  # values without a network
        ("storage",),  # the database
        ("workers",),  # processes for bots, hints and analyses
        ("background",),  # what is made while the server already serves
        ("web",),  # pieces of ASGI: requests, cookies, problems, pages
        ("https",),  # a certificate of its own, for halls
        ("control",),  # what whoever runs the server decides while it runs
        ("identity",),  # guests, accounts, sessions, tokens
        ("push",),  # notifications for players whose browser is closed
        ("profiles",),  # people as others see them: friends, invitations, statistics
        ("championships", "championships.errors"),  # refusals of championships
        ("championships.hall",),  # what happens beside the tables, as values
        ("championships.storage",),  # files, keys, one championship with one writer
        ("championships.commands",),  # what devices send, checked and performed
        ("championships.pages",),  # what each reader may see
        ("championships.leagues",),  # several championships in one table
        ("championships.runtime",),  # championships on the event loop
        ("championships.online",),  # tables played in rooms
        ("cluster",),  # several nodes on one database
        ("topics",),  # lists that pages follow
        ("live",),  # sockets
        ("container",),  # everything, started in order
        ("routes", "championships.routes", "control.from_outside"),  # HTTP, one module a resource; a command
        ("app",),  # one ASGI application
        ("run",),  # uvicorn
    ),
}
"""The layers inside a package, lowest first: imports point downwards, also between sub-packages."""


def owner(module: str) -> str:
    """The package that answers for a dotted module name: `rules` for `meldroom.rules.book`."""
    if module in (FRONT, MAIN):
        return module
    return module.split(".")[1]


def place_inside(module: str) -> tuple[str, int] | None:
    """The package of a module and the layer inside it; None where the package has no layers of its own.

    The package itself stands below its layers. Raises LookupError for a module without a layer.
    """
    package, _, inner = module.removeprefix("meldroom.").partition(".")
    if package not in INSIDE or module == FRONT:
        return None
    if not inner:
        return package, -1
    found = [
        (len(name), level)
        for level, names in enumerate(INSIDE[package])
        for name in names
        if inner == name or inner.startswith(f"{name}.")
    ]
    if not found:
        raise LookupError(f"{module}: no layer is known for it inside {package}; give it one")
    return package, max(found)[1]


def imported_modules(tree: ast.AST, package: str) -> Iterator[tuple[int, str]]:
    """Every import of ours in a module, wherever it stands, as (line, dotted name).

    `package` is the one that relative imports start from. `from x import y` counts as `x.y`, since `y` may be
    a module. A module name given as text to `import_module` counts too.
    """
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            start = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*start, *([node.module] if node.module else [])])
            names = [f"{base}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call) and _called(node) in ("import_module", "__import__"):
            names = [
                (package if argument.value.startswith(".") else "") + argument.value
                for argument in node.args[:1]
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            ]
        for name in names:
            if name.split(".")[0] == FRONT:
                yield node.lineno, name  # type: ignore[attr-defined]


def _called(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def faults(source: str, module: str, *, is_package: bool = False) -> list[str]:
    """What is wrong with the imports of one module, a sentence each."""
    own = owner(module)
    if own not in MAY_IMPORT:
        return [f"{module}: no layer is known for the package {own!r}; give it one in {Path(__file__).name}"]
    package = module if is_package else module.rpartition(".")[0]
    found = []
    for line, name in imported_modules(ast.parse(source), package):
        parts = name.split(".")
        # `from meldroom import verify` uses the front; `from meldroom import rules` uses the package.
        used = parts[1] if len(parts) > 1 and (parts[1] in MAY_IMPORT or len(parts) > 2) else FRONT
        if used != own and used not in MAY_IMPORT[own]:
            found.append(f"{module}, line {line}: {own} may not import {used}")
        elif used == own and _points_up(module, name):
            found.append(f"{module}, line {line}: {name} stands above it inside {own}")
    return found


def _points_up(module: str, name: str) -> bool:
    """True for an import inside a package from a layer to a higher one."""
    here = place_inside(module)
    if here is None:
        return False
    if name.count(".") == 2 and not _is_module(name):
        name = name.rpartition(".")[0]  # a name that the package itself offers
    there = place_inside(name)
    return there is not None and there[1] > here[1]


def _is_module(name: str) -> bool:
    path = PACKAGE.parent / name.replace(".", "/")
    return path.is_dir() or path.with_suffix(".py").is_file()


def _modules() -> list[tuple[str, Path]]:
    """Every module of the package as (dotted name, path)."""
    modules = []
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        modules.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return modules


@pytest.mark.parametrize(("module", "path"), [pytest.param(*each, id=each[0]) for each in _modules()])
def test_module_imports_only_what_lies_below(module: str, path: Path) -> None:
    found = faults(path.read_text(encoding="utf-8"), module, is_package=path.name == "__init__.py")
    assert not found, "\n".join(found)


def test_every_folder_of_the_package_has_a_layer() -> None:
    folders = {path.name for path in PACKAGE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert folders <= set(MAY_IMPORT), f"no layer is known for {sorted(folders - set(MAY_IMPORT))}"


def test_there_is_something_to_check() -> None:
    names = {name for name, _ in _modules()}
    assert {"meldroom", "meldroom.tiles", "meldroom.rules", "meldroom.game"} <= names


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("meldroom.tiles.text", "import meldroom.rules"),
        ("meldroom.tiles.text", "from meldroom.rules import book"),
        ("meldroom.tiles.text", "from meldroom import rules"),
        ("meldroom.tiles.text", "from ..rules import book"),
        ("meldroom.tiles.text", "from .. import rules"),
        ("meldroom.tiles.text", "from meldroom import verify"),
        ("meldroom.tiles.text", "import meldroom"),
        ("meldroom.rules.book", "def f():\n    from ..game import state"),
        ("meldroom.rules.book", "import typing\nif typing.TYPE_CHECKING:\n    from ..game import state"),
        ("meldroom.rules.book", "from importlib import import_module\nimport_module('meldroom.game')"),
        ("meldroom.record.text", "from meldroom.solver import best"),
        ("meldroom.solver.search", "from meldroom.bots import ladder"),
        ("meldroom.bots.ladder", "from meldroom.referee import charges"),
        ("meldroom.referee.charges", "from meldroom.championship import stages"),
        ("meldroom.championship.results", "from meldroom.papers import pdf"),
        ("meldroom.rooms.domain.decide", "from meldroom.server import storage"),
        ("meldroom.rooms.domain.decide", "from meldroom.arena import run"),
        ("meldroom.championship.stages", "from meldroom.solver import best"),
        ("meldroom.server.routes.lobby", "from meldroom.cli import main"),
        ("meldroom", "from .arena import run"),
        ("meldroom", "def __getattr__(name):\n    from .cli import main"),
        ("meldroom.rooms.domain.decide", "from meldroom.rooms.runtime import rooms"),
        ("meldroom.rooms.protocol.events", "from ..domain.state import Room"),
        ("meldroom.server.storage.store", "from meldroom.server import web"),
        ("meldroom.server.web.problems", "from meldroom.server.live.socket import Socket"),
        ("meldroom.server.championships.pages.desk", "from ..routes import router"),
        ("meldroom.server.championships.pages.desk", "from ..runtime.live import LiveChampionship"),
        ("meldroom.server.championships.storage.running", "from ..commands import requests"),
        ("meldroom.server.championships.hall.state", "from ..storage.keys import Key"),
        ("meldroom.helpers", ""),
        ("meldroom.utils.text", ""),
    ],
)
def test_a_wrong_import_is_found(module: str, source: str) -> None:
    assert len(faults(source, module, is_package=module == FRONT)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("meldroom.tiles.text", "import re\nfrom . import tile\nfrom .tile import Tile"),
        ("meldroom.tiles.text", "import meldroom.tiles.tile\nfrom meldroom.tiles import tile"),
        ("meldroom.rules.book", "from ..tiles.text import parse\nfrom meldroom import tiles"),
        ("meldroom.rules.families.laying_off", "from ...tiles import text\nfrom ..book import RuleBook"),
        ("meldroom.env.gym", "from meldroom.arena import series\nfrom meldroom.bots import ladder"),
        ("meldroom.referee.charges", "from meldroom.record import position"),
        (
            "meldroom.server.routes.lobby",
            "from meldroom.championship import stages\nfrom meldroom.env import gym",
        ),
        ("meldroom.cli.app", "import meldroom\nfrom meldroom import verify"),
        ("meldroom.cli.app", "from meldroom.server import lobby"),
        ("meldroom", "from .rules import verify\nfrom meldroom.championship import seating"),
        ("meldroom.__main__", "from .cli import main"),
        ("meldroom.rooms.runtime.rooms", "from ..domain.state import Room\nfrom . import scheduler"),
        ("meldroom.server.live.socket", "from meldroom.server.web import asgi"),
        ("meldroom.server.championships.routes.staff", "from ..pages import desk"),
    ],
)
def test_a_right_import_passes(module: str, source: str) -> None:
    assert faults(source, module, is_package=module == FRONT) == []


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("tests", {"bench"}),
        ("bench", {"tests"}),
        ("testkit", {"tests", "bench"}),
        ("src", {"tests", "bench", "testkit"}),
        ("examples", {"tests", "bench", "testkit"}),
    ],
)
def test_tests_and_benchmarks_share_testkit_and_nothing_else(folder: str, forbidden: set[str]) -> None:
    found = set()
    files = list((Path(__file__).resolve().parent.parent / folder).rglob("*.py"))
    assert files
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = [node.module]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            found |= {f"{path.name}: {name}" for name in names if name.partition(".")[0] in forbidden}
    assert not found
