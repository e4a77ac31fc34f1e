"""The quick lane of `run.py` leaves nothing out by mistake: each package keeps tests in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import SLOW

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = sorted(path.parent.name for path in (ROOT / "src" / "meldroom").glob("*/__init__.py"))
ELSEWHERE = {
    **{"game": "record", "tiles": "clauses", "i18n": "cli"},
    **{"api": "server/games", "browser": "browser_home", "site": "cli"},
}
"""Packages that the tests of another folder try."""


def test_every_slow_path_exists() -> None:
    assert [path for path in SLOW if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_has_quick_tests(package: str) -> None:
    folder = ROOT / "tests" / ELSEWHERE.get(package, package)
    files = (path.relative_to(ROOT).as_posix() for path in folder.rglob("test_*.py"))
    assert any(not path.startswith(SLOW) for path in files)
