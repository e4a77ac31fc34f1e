"""The pages about the referee and the papers, and examples in the modules, show what is answered."""

from __future__ import annotations

import doctest
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest

from meldroom.papers import KINDS
from meldroom.referee import PENALTY_KINDS

PAGES = ("referee.md", "papers.md")
DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(("page", "examples"), [("referee.md", 18), ("papers.md", 3)])
def test_the_page_shows_what_python_answers(page: str, examples: int) -> None:
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False, encoding="utf-8")
    assert (failed, tried >= examples) == (0, True)


def test_the_page_names_every_kind_of_penalty_and_of_paper() -> None:
    named = {page: set(re.findall(r"`(\w+)`", (DOCS / page).read_text("utf-8"))) for page in PAGES}
    assert set(PENALTY_KINDS) <= named["referee.md"]
    assert set(KINDS) <= named["papers.md"]


WITH_EXAMPLES = {
    "meldroom.referee": {"charges", "disputes", "openings", "penalties", "position", "rulings"},
    "meldroom.papers": {"championship_papers", "pdf", "rules_summary", "sheet_codes", "values"},
}


@pytest.mark.parametrize("package", WITH_EXAMPLES)
def test_examples_in_docstrings_run(package: str) -> None:
    """Examples that are there run, and modules that had some still have them."""
    found = set()
    for module in pkgutil.iter_modules(import_module(package).__path__):
        failed, tried = doctest.testmod(import_module(f"{package}.{module.name}"))
        assert failed == 0, module.name
        found |= {module.name} if tried else set()
    assert found == WITH_EXAMPLES[package]
