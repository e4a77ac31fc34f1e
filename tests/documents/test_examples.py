"""Every `>>>` of the project is run: in docstrings, in the README and in the pages of the documentation."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src"
LIBRARY_TASKS = (
    *("mr.State.from_position(", "state.legal", "mr.solve(", "mr.explain("),
    *("mr.play(", "mr.bot(", "record.verify()", "record.states()"),
)


def modules() -> list[str]:
    """The dotted name of every module that holds an example."""
    found = []
    for path in sorted((SOURCE / "meldroom").rglob("*.py")):
        if ">>> " in path.read_text(encoding="utf-8"):
            parts = path.relative_to(SOURCE).with_suffix("").parts
            found.append(".".join(parts[:-1] if parts[-1] == "__init__" else parts))
    return found


def pages() -> list[str]:
    """Every page that holds an example, by its path from the root."""
    every = (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").rglob("*.md"))
    held = (path for path in sorted(every) if ">>> " in path.read_text(encoding="utf-8"))
    return [path.relative_to(ROOT).as_posix() for path in held]


@pytest.mark.parametrize("name", modules())
def test_examples_of_a_module(name: str) -> None:
    result = doctest.testmod(import_module(name))
    assert result.attempted > 0, "the examples are where doctest does not find them"
    assert result.failed == 0


@pytest.mark.parametrize("page", pages())
def test_examples_of_a_page(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert result.attempted > 0
    assert result.failed == 0


def test_the_fronts_of_packages_and_the_guides_show_examples() -> None:
    fronts = ("", ".bots", ".env", ".i18n", ".solver", ".rules.library", ".decode", ".errors", ".game.state")
    assert {f"meldroom{name}" for name in fronts} <= set(modules())
    guides = ("arena", "bots", "championship", "environments", "library", "papers", "referee", "seating")
    assert {"README.md", *(f"docs/{name}.md" for name in guides)} <= set(pages())


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_library_tasks_are_shown(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert [task for task in LIBRARY_TASKS if task not in text] == []
