"""The printed joker rule: a freed joker must enter a new set (R19–R21), and what TML allows instead (R22)."""

from __future__ import annotations

from random import Random

import pytest

from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from meldroom.solver import Objective, Solution, solve_faces
from meldroom.tiles import parse_set, parse_table
from testkit.solver.oracles import by_brute_force, tiny
from testkit.solver.positions import random_position


def best(rules_id: str, table: str, rack: str, **options: str) -> Solution:
    """Solves a position given as text and has the answer judged."""
    rules = book(rules_id, options)
    old, held = parse_table(table, rules.tiles), parse_set(rack, rules.tiles)
    found = solve_faces(rules, old, held)
    if found.played:
        assert not verify(rules, Turn(old, held, found.table, True))
    return found


FULL = "R5 B5 K5 * | R1 R2 R3"


@pytest.mark.parametrize("rules", ["wrc9", "wrc11", "nzrc2024"])
def test_rule_9_a_freed_joker_may_not_lengthen_an_old_set(rules: str) -> None:
    assert best(rules, FULL, "O5").tiles == 0


def test_tml_a_freed_joker_may_go_anywhere() -> None:
    assert best("tml", FULL, "O5").tiles == 1


def test_wrc11_any_set_is_the_organisers_alternative() -> None:
    assert best("wrc11", FULL, "O5", joker_reuse="any_set").tiles == 1


def test_wrc11_rule_9_a_freed_joker_enters_a_new_set() -> None:
    assert best("wrc11", FULL, "O5 K9 B9").tiles == 3


def test_wrc11_r19_a_joker_in_a_remnant_of_its_own_set_was_not_freed() -> None:
    assert best("wrc11", "R3 R4 * R6 | K6 B6 O6", "R5 K9").tiles == 1


def test_wrc11_r20_equal_tiles_may_be_exchanged() -> None:
    """R3 from the rack lies with the joker, the table's R3 in the group: the old run is broken."""
    assert best("wrc11", "R5 B5 K5 * | R1 R2 R3 | K3 B3 O3", "O5 R3").tiles == 2


@pytest.mark.parametrize(
    "tiles", [("KR", 9, 1, 2), ("KRB", 6, 2, 2), ("KRB", 7, 1, 2), ("KR", 7, 2, 2), ("KRBO", 6, 1, 2)]
)
def test_where_the_rule_costs_something_brute_force_agrees(tiles: tuple[str, int, int, int]) -> None:
    """An answer is judged legal, and free jokers bound it: only where those do better can it be too low."""
    strict, free = tiny("wrc11", *tiles), tiny("wrc11", *tiles, "any_set")
    rng = Random(str(tiles))
    costly = 0
    for i in range(1200):
        objective: Objective = ("tiles", "points")[i % 2]
        table, rack = random_position(strict, rng, rng.choice((4, 6, 8)), rng.randint(1, 2), i % 3, swap=0.5)
        lawful = solve_faces(strict, table, rack, objective=objective)
        loose = solve_faces(free, table, rack, objective=objective)
        if lawful.played:
            assert not verify(strict, Turn(table, rack, lawful.table, True))
        if (lawful.tiles, lawful.points) != (loose.tiles, loose.points):
            costly += 1
            expected = by_brute_force(strict, table, rack, objective)
            assert (lawful.tiles, lawful.points) == expected, (table, rack)
    assert costly
