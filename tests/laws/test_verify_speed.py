"""The speed benchmark measures what it says: tables of 15 to 20 sets, legal or not, jokers freed or not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from meldroom.rules.library import book
from testkit.laws.large_tables import KINDS, LEAST_SETS, MOST_SETS, Kind, turns
from tests.laws.brute_judge import Verdict, is_set, judge_turn, ways_to_tell_apart

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(("jokers", "kind"), KINDS)
def test_the_turns_measured_are_real_positions(jokers: bool, kind: Kind) -> None:
    of = book("wrc11")
    judged: list[Verdict] = []
    for turn in turns(of, jokers, kind, 12):
        assert LEAST_SETS <= len(turn.before) <= MOST_SETS
        assert all(is_set(of, faces) for faces in turn.before)
        on_table = [face for faces in turn.before for face in faces]
        assert of.tiles.too_many([*on_table, *turn.rack]) is None
        assert (of.tiles.joker in on_table) == jokers
        if ways_to_tell_apart(turn.before, turn.after) <= 3_000:
            judged.append(judge_turn(of, turn.before, turn.rack, turn.after, turn.melded))
    assert all(bool(verdict.codes) == (kind == "illegal") for verdict in judged)


def test_the_command_prints_a_line_for_each_kind() -> None:
    words = ["--turns", "3", "--seconds", "0.001", "--imports", "1"]
    shown = subprocess.run(
        [sys.executable, ROOT / "bench" / "verify_speed.py", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert shown.count("wrc11") == shown.count("tml") == len(KINDS)
    assert "import meldroom" in shown
