"""The example of `docs/bots.md` gives what the page shows, and the page names every level."""

import doctest
from pathlib import Path

from meldroom.bots import LEVELS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"


def test_the_example_runs_as_shown() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0


def test_every_level_is_described() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{level}` |" in page for level in LEVELS)
