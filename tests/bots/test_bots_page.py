"""The example of `docs/bots.md` gives what the page shows, and the page names every level."""

from pathlib import Path

from meldroom.bots import LEVELS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "bots.md"


def test_every_level_is_described() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert all(f"| `{level}` |" in page for level in LEVELS)
