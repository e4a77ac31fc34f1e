"""Openings: the threshold, the joker's value, and the best, smallest and dearest meld (R7–R11, R55)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from meldroom.rules.library import book
from meldroom.rules.opening import opening
from meldroom.rules.verify import Turn, set_points, verify
from meldroom.solver import solve_faces
from meldroom.solver.opening import Goal, best_opening, can_open
from meldroom.tiles import parse_set, parse_table
from testkit.solver.oracles import brute_plays, tiny

WRC = book("wrc11")
RUMMYO = book("rummyo")


def test_wrc11_rule_4_thirty_points_from_the_rack_alone() -> None:
    table = parse_table("R10 R11 R12", WRC.tiles)
    assert solve_faces(WRC, table, parse_set("R13 R9 K1 K2 K3", WRC.tiles), melded=False).tiles == 0
    found = solve_faces(WRC, table, parse_set("R9 B9 K9 K1 K2 K3 O1", WRC.tiles), melded=False)
    assert found.tiles == 6
    assert found.table[0] == table[0]


def test_r9_a_joker_counts_what_it_stands_for() -> None:
    assert can_open(WRC, parse_set("R10 B10 *", WRC.tiles))
    assert can_open(WRC, parse_set("R9 R10 *", WRC.tiles))
    assert not can_open(WRC, parse_set("R8 R9 *", WRC.tiles), 28)
    assert can_open(WRC, parse_set("R8 R9 *", WRC.tiles), 27)


def test_r55_rummyo_needs_fifty_with_a_run() -> None:
    groups = parse_set("R10 B10 K10 R11 B11 K11", RUMMYO.tiles)
    assert not can_open(RUMMYO, groups)
    assert can_open(RUMMYO, (*groups, *parse_set("K2 K3 K4", RUMMYO.tiles)))


def test_smallest_and_dearest_opening() -> None:
    rack = parse_set("R10 B10 K10 O10 R1 R2 R3 K8 K9 K11", WRC.tiles)
    smallest = best_opening(WRC, rack, "fewest")
    dearest = best_opening(WRC, rack, "value")
    assert smallest is not None
    assert len(smallest.played) == 3
    assert dearest is not None
    assert dearest.value == 30 + 38 + 6


def test_the_same_racks_can_open_as_the_rules_say() -> None:
    rng = Random(5)
    pool = list(WRC.tiles.face_of)
    for rules in (WRC, RUMMYO):
        for _ in range(150):
            rack = tuple(rng.sample(pool, 15))
            found = solve_faces(WRC, (), rack, melded=False) if rules is WRC else None
            assert can_open(rules, rack) == (opening(rules, rack) is not None)
            if found is not None and found.played:
                assert not verify(WRC, Turn((), rack, found.table, False))
            assert found is None or bool(found.played) == can_open(rules, rack)


@pytest.mark.parametrize("goal", ["tiles", "points", "value", "fewest"])
def test_equal_to_brute_force(goal: Goal) -> None:
    rules = tiny("wrc11", "KRB", 6, 2, 2)
    rng = Random(goal)
    pool = list(rules.tiles.face_of)
    for _ in range(60):
        rack = tuple(rng.sample(pool, rng.randint(5, 9)))
        needed = rng.choice((6, 12, 18, 24))
        best: tuple[int, ...] | None = None
        for sets in brute_plays(rules, (), rack):
            value = sum(set_points(rules, faces) for faces in sets)
            tiles = sum(map(len, sets))
            points = sum(rules.values[f] * n for f, n in Counter(f for s in sets for f in s).items())
            if not sets or value < needed:
                continue
            keys = {
                "tiles": (tiles, points),
                "points": (points, tiles),
                "value": (value,),
                "fewest": (-tiles, -value),
            }
            best = keys[goal] if best is None else max(best, keys[goal])
        found = best_opening(rules, rack, goal, needed)
        if found is None:
            assert best is None
            continue
        tiles, points = len(found.played), sum(rules.values[f] for f in found.played)
        keys = {
            "tiles": (tiles, points),
            "points": (points, tiles),
            "value": (found.value,),
            "fewest": (-tiles, -found.value),
        }
        assert found.value >= needed
        assert keys[goal] == best, (rack, needed)
