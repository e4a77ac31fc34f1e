"""The pages about the referee and the papers, and examples in the modules, show what is answered."""

from __future__ import annotations

import doctest
import pkgutil
from importlib import import_module
from pathlib import Path

import pytest

from meldroom import referee

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize("page", ["referee.md", "papers.md"])
def test_the_page_shows_what_python_answers(page: str) -> None:
    failed, tried = doctest.testfile(str(DOCS / page), module_relative=False)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize(
    "module", [found.name for found in pkgutil.walk_packages(referee.__path__, "meldroom.referee.")]
)
def test_examples_in_docstrings_run(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0
