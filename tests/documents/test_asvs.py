"""The ASVS table: every requirement of level 2 is in it once, and every named test exists."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "asvs.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| ([\d., ]+) \| (.+?) \| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)


def test_every_requirement_is_answered_once() -> None:
    wanted = (ROOT / "tests" / "fixtures" / "asvs-5.0-level-2.txt").read_text("utf-8").split()
    answered = Counter(number for row in ROWS for number in row[0].split(", "))
    assert answered == Counter(wanted)


def test_every_named_test_exists_and_whatever_is_met_names_one() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    there = {name for file in files for name in re.findall(r"def (test_\w+)", file.read_text("utf-8"))}
    assert set(re.findall(r"`(test_\w+)`", PAGE)) - there == set()
    assert {row[2] for row in ROWS} == {"met", "by design", "**not met**", "—"}
    for numbers, _, state, reason in ROWS:
        assert state != "met" or re.fullmatch(r"`test_\w+`", reason), numbers


def test_the_sums_are_right() -> None:
    sums: Counter[str] = Counter()
    for numbers, _, state, _ in ROWS:
        sums[state] += len(numbers.split(", "))
    order = ("met", "by design", "**not met**", "—")
    said = re.search(r"Of (\d+), (\d+) are met .*?, (\d+) by design, (\d+) are not met, and (\d+) ", PAGE)
    assert said is not None
    assert [int(each) for each in said.groups()] == [sums.total(), *(sums[state] for state in order)]
