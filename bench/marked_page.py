"""Fills the parts of a documentation page that a measurement writes, between two comments."""

from __future__ import annotations

from pathlib import Path


def fill(page: Path, part: str, text: str) -> None:
    """Puts a text between `<!-- part: start -->` and `<!-- part: end -->`. Raises ValueError without them."""
    start, end = f"<!-- {part}: start -->", f"<!-- {part}: end -->"
    written = page.read_text(encoding="utf-8")
    before, found, rest = written.partition(start)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{page.name} has no part {part!r}")
    page.write_text(f"{before}{start}\n\n{text.strip()}\n\n{end}{after}", encoding="utf-8", newline="\n")
