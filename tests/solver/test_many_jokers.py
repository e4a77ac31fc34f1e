"""Three and four jokers: against a MILP that knows nothing of the kernel, and brute force on tiny books."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from meldroom.bots.rearranging.base import best_or_none
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.rules.verify import FaceSet, FaceTable, Turn, verify
from meldroom.solver import Objective, Solution, TooLargeError, solve_faces
from meldroom.solver.kernel import engine
from meldroom.tiles import Face, parse_set, parse_table
from testkit.solver.oracles import by_brute_force, by_milp, tiny
from testkit.solver.positions import random_position

TML = book("tml", {"jokers": 4})
OBJECTIVES: tuple[Objective, ...] = ("tiles", "points")
TINY = [
    tiny("tml", "KRB", 6, 2, 3),
    tiny("tml", "KRBO", 6, 1, 4),
    tiny("tml", "KR", 6, 2, 3),
    tiny("tml", "KR", 7, 2, 4),
    tiny("wrc11", "KRB", 6, 1, 3),
    tiny("wrc11", "KRBO", 6, 1, 4),
]


def judged(
    rules: RuleBook,
    table: tuple[tuple[Face, ...], ...],
    rack: tuple[Face, ...],
    objective: Objective = "tiles",
) -> Solution:
    """The answer, which must be proven and legal."""
    found = solve_faces(rules, table, rack, objective=objective)
    assert found.optimal
    if found.played:
        assert not verify(rules, Turn(table, rack, found.table, True))
    return found


@pytest.mark.parametrize("jokers", [3, 4])
def test_equal_to_a_milp(jokers: int, kernels: str) -> None:
    rng = Random(jokers)
    for i in range(36 if kernels == "compiled" else 12):
        size = rng.choice((0, 10, 20, 30, 45, 60, 80))
        table, rack = random_position(TML, rng, size, rng.randint(jokers, 20), jokers, swap=0.15)
        objective = OBJECTIVES[i % 2]
        found = judged(TML, table, rack, objective)
        # The model of sets has thousands of them with four jokers: it takes a small share.
        expected = by_milp(TML, table, rack, objective, flow=i % 12 > 0 or size > 20)
        assert (found.tiles, found.points) == expected, (table, rack)


def test_what_was_solved_before_changes_nothing(kernels: str) -> None:
    """A thread keeps what it prepared for the colours that are unchanged; a new thread has nothing."""
    rng = Random(7)
    table, rack = random_position(TML, rng, 40, 14, 2)
    asked: list[tuple[FaceTable, FaceSet, Objective]] = []
    for _ in range(120 if kernels == "compiled" else 24):
        held = list(rack)
        held.remove(rng.choice(rack))
        if rng.random() < 0.2:
            held.append(TML.tiles.joker)
        stands = rng.randrange(len(table) - 3, len(table) + 1)
        for faces in table[stands:]:
            held.extend(faces)
        asked.append((table[:stands], tuple(held), rng.choice(OBJECTIVES)))
    for question in asked:
        with ThreadPoolExecutor(1) as fresh:
            assert judged(TML, *question) == fresh.submit(judged, TML, *question).result()


@pytest.mark.parametrize("rules", TINY, ids=[rules.id for rules in TINY])
def test_equal_to_brute_force(rules: RuleBook) -> None:
    rng = Random(rules.id)
    for i in range(30):
        jokers = rng.choice((3, rules.tiles.jokers))
        size, more = rng.choice((0, 3, 6)), jokers if i % 3 == 0 else 0
        table, rack = random_position(rules, rng, size, rng.randint(1, 3) + more, jokers, swap=0.5)
        objective = OBJECTIVES[i % 2]
        found = judged(rules, table, rack, objective)
        assert (found.tiles, found.points) == by_brute_force(rules, table, rack, objective), (table, rack)


@pytest.mark.parametrize(
    ("table", "rack", "tiles"),
    [
        ("", "* * * *", 0),  # a set needs a numbered tile
        ("", "R5 * * * *", 5),
        ("R5 B5 K5 O5", "* * * *", 4),  # a full group is taken apart
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13", "* * * *", 4),
        ("R5 * * | K5 * *", "R6", 1),
        ("", "R11 * * *", 4),
        ("R4 R5 R6", "R10 * * *", 4),
    ],
)
def test_positions_by_hand(table: str, rack: str, tiles: int, kernels: str) -> None:
    found = judged(TML, parse_table(table, TML.tiles) if table else (), parse_set(rack, TML.tiles))
    assert found.tiles == tiles


@pytest.mark.parametrize(
    "full", ["K1 K2 K3 * * *", "K1 K2 K3 K4 K5 K6", "K1 * * K4 K5 K6", "K1 K2 K3 K4 * *"]
)
def test_a_full_run_takes_another_joker(full: str) -> None:
    rules = tiny("tml", "KR", 6, 2, 4)
    faces = parse_set(full, rules.tiles)
    sets = [faces]
    engine.lay_jokers(rules.tiles, sets, 1, ())
    assert all(map(rules.reader.is_set, sets))
    assert sorted(face for made in sets for face in made) == sorted((*faces, rules.tiles.joker))


def test_a_bot_lays_something_where_the_solver_refuses() -> None:
    rules = tiny("tml", "KRBO", 13, 4, 6)
    table = parse_table("R1 R2 R3 | K9 B9 O9", rules.tiles)
    rack = parse_set("R4 R9 K5 K6 K7 B1 B1 B1 B1 O1 O1 O1 O1 * * * * *", rules.tiles)
    with pytest.raises(TooLargeError):
        solve_faces(rules, table, rack)
    found = best_or_none(rules, table, rack)
    assert found.tiles >= 5
    assert not found.optimal
    assert not verify(rules, Turn(table, rack, found.table, True))
    opening = best_or_none(rules, table, rack, melded=False)
    assert opening.table[: len(table)] == table
    assert not verify(rules, Turn(table, rack, opening.table, False))
    assert best_or_none(rules, table, parse_set("K13 B1", rules.tiles), melded=False).played == ()
