"""The pages about the referee and the papers, and examples in the modules, show what is answered."""

from __future__ import annotations

import re
from pathlib import Path

from meldroom.papers import KINDS
from meldroom.referee import PENALTY_KINDS

PAGES = ("referee.md", "papers.md")
DOCS = Path(__file__).resolve().parents[2] / "docs"


def test_the_page_names_every_kind_of_penalty_and_of_paper() -> None:
    named = {page: set(re.findall(r"`(\w+)`", (DOCS / page).read_text("utf-8"))) for page in PAGES}
    assert set(PENALTY_KINDS) <= named["referee.md"]
    assert set(KINDS) <= named["papers.md"]
