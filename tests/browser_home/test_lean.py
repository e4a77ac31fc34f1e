"""A device has no numba, no threads, no database and no network; and loads no more than it needs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from tests.browser_home.bare_python import LATER

ROOT = Path(__file__).resolve().parents[2]


def python(folder: Path, *arguments: str) -> str:
    """What a fresh Python prints that has no packages but msgspec."""
    (folder / "msgspec").symlink_to(Path(msgspec.__file__).parent)
    environment = {name: value for name, value in os.environ.items() if name != "MELDROOM_KERNELS"}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, (ROOT / "src", ROOT, folder)))
    done = subprocess.run(
        [sys.executable, "-S", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    assert "had no answer" not in done.stderr, done.stderr[-500:]
    return done.stdout


def test_a_game_is_played_and_solved_with_nothing_but_msgspec(tmp_path: Path) -> None:
    found = json.loads(python(tmp_path, "-m", "tests.browser_home.bare_python"))
    assert found["laid"] > 5  # The bot did play.
    assert found["verified"]
    assert (found["best"], found["charge"]) == (1, 200)
    assert "WRC 11" in found["rules"]


def test_importing_the_package_loads_only_what_the_first_move_needs(tmp_path: Path) -> None:
    program = f"import sys, meldroom.browser\nprint([name for name in {LATER} if name in sys.modules])"
    assert python(tmp_path, "-c", program).strip() == "[]"
