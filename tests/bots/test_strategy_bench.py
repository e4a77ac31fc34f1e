"""The bench behind docs/strategy.md plays, goes on where it was, and draws the page's positions."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "strategy.md").read_text(encoding="utf-8")


def bench(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "bench/strategy.py", *words], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_a_question_is_answered_and_the_answer_is_kept(tmp_path: Path) -> None:
    first = bench("jokers", "--deals", "1", "--out", str(tmp_path))
    assert "| anything, jokers kept |" in first
    chunks = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("chunks/*.msgpack")}
    assert chunks
    assert bench("jokers", "--deals", "1", "--out", str(tmp_path)) == first
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("chunks/*.msgpack")} == chunks


def test_every_command_of_the_page_is_one_of_the_bench() -> None:
    named = set(re.findall(r"python bench/strategy\.py (\w+)", PAGE))
    known = re.search(r"\{([\w,]+)\}", bench("--help"))
    assert known is not None
    assert named
    assert named <= set(known.group(1).split(","))


def test_every_table_of_the_bench_has_its_place_on_the_page() -> None:
    parts = ("lay", "open", "last", "jokers", "tables", "rummyo", "chances", "chances-on-board", "corpus")
    for part in parts:
        assert PAGE.count(f"<!-- {part}: start -->") == PAGE.count(f"<!-- {part}: end -->") == 1


def test_the_pictures_of_the_page_are_there() -> None:
    for name in re.findall(r"images/(strategy-\w+\.svg)", PAGE):
        assert (ROOT / "docs" / "images" / name).read_text(encoding="utf-8").startswith("<svg")
