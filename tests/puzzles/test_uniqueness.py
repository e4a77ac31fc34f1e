"""Best and second best, by looking at every table of small positions; the printed joker rule included."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from meldroom.puzzles.candidate import second_best
from meldroom.puzzles.features import jokers_moved, longest_chain, shape_changes, study
from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.rules.library import book
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.best import solve_faces
from meldroom.tiles import Face, parse_set, parse_table
from testkit.solver.lay_off import every_turn, random_case
from testkit.solver.oracles import all_sets, brute_plays, most_in_opening, most_tiles, tiny

BOOKS = [("tml", "any_set"), ("wrc11", "new_set")]


def small_position(rules: RuleBook, chance: Random) -> tuple[FaceTable, FaceSet]:
    """A few sets on the table and a few tiles on the rack, none more often than the box has it."""
    left = Counter({face: rules.tiles.limits[face] for face in rules.tiles.every_face})
    table: list[FaceSet] = []
    sets = all_sets(rules, 4)
    for _ in range(chance.randint(1, 3)):
        faces = chance.choice(sets)
        if all(left[face] >= n for face, n in Counter(faces).items()):
            left -= Counter(faces)
            table.append(rules.reader.arranged(rules.reader.readings(faces)[0], faces))
    rack = chance.sample(sorted(left.elements()), 5)
    return tuple(table), tuple(sorted(rack))


def playable(rules: RuleBook, table: FaceTable, rack: FaceSet) -> set[FaceSet]:
    """Every choice of rack tiles that some legal table holds."""
    old = Counter(face for faces in table for face in faces)
    found: set[FaceSet] = set()
    for after in brute_plays(rules, table, rack):
        laid = Counter(face for faces in after for face in faces) - old
        chosen = tuple(sorted(laid.elements()))
        strict = rules.jokers.reuse == "new_set"
        if chosen not in found and not (strict and freed_joker_fault(rules.reader, table, after) is not None):
            found.add(chosen)
    return found - {()}


@pytest.mark.parametrize(("base", "reuse"), BOOKS)
def test_second_best_is_the_most_that_any_other_choice_of_tiles_lays(base: str, reuse: str) -> None:
    rules = tiny(base, "KRB", 6, 2, 2, reuse)
    chance = Random(f"second best {base}")
    compared = unique = 0
    while compared < 40:
        table, rack = small_position(rules, chance)
        every = playable(rules, table, rack)
        best = solve_faces(rules, table, rack)
        assert best.tiles == max(map(len, every), default=0)
        if not best.played:
            continue
        others = max((len(chosen) for chosen in every if chosen != best.played), default=0)
        assert second_best(rules, table, rack, best.played) == others
        compared += 1
        unique += others < best.tiles
    assert 3 < unique < 40


def test_an_oracle_finds_the_second_best_in_one_model() -> None:
    """What `bench/puzzles.py oracles` proves the pack with, against looking at every table."""
    rules = tiny("tml", "KRB", 6, 2, 2, "any_set")
    chance = Random("oracle's second best")
    compared = 0
    while compared < 15:
        table, rack = small_position(rules, chance)
        every = playable(rules, table, rack)
        if not every:
            continue
        best = max(every, key=lambda chosen: (len(chosen), chosen))
        assert most_tiles("SciPy", rules, table, rack) == len(best)
        lacking = (len(chosen) for chosen in every if Counter(best) - Counter(chosen))
        assert most_tiles("SciPy", rules, table, rack, best) == max(lacking, default=0)
        compared += 1


@pytest.mark.parametrize(
    ("rack", "most", "second"),
    [
        ("R9 B9 K9 R10 R11 O1", 3, 0),
        ("R9 B9 K9 O1 O2 O3", 6, 0),
        ("R8 B8 K8 O1", 0, 0),
        ("R8 B8 K8 * O1 O2", 6, 4),
    ],
)
def test_an_oracle_opens_with_enough_points_only(rack: str, most: int, second: int) -> None:
    wrc11 = book("wrc11")
    held = parse_set(rack, wrc11.tiles)
    best = solve_faces(wrc11, (), held, False)
    assert best.tiles == most_in_opening("SciPy", wrc11, held) == most
    if most:
        assert most_in_opening("SciPy", wrc11, held, best.played) == second
        assert second_best(wrc11, (), held, best.played, False) == second


def test_in_rummy_o_the_tiles_that_can_be_left_are_those_of_every_turn_that_goes_out() -> None:
    from meldroom.rules.laying_off import GOING_OUT
    from meldroom.solver.lay_off import last_discards

    chance, outs = Random("last discards"), 0
    for number in range(60):
        case = random_case(("six", "three-colours", "no-run")[number % 3], chance, 2, 5)
        turns = [turn for turn in every_turn(case) if turn.outcome in GOING_OUT]
        found = last_discards(case.state.book, case.position)
        assert found == {turn.discard for turn in turns}
        outs += bool(turns)
    assert outs > 5


def test_features_of_a_play_that_can_be_counted_by_hand() -> None:
    tml = book("tml")

    def faces(text: str) -> FaceTable:
        return parse_table(text, tml.tiles)

    before, after = faces("B5 R5 K5 O5 | R1 R2 R3"), faces("R5 K5 O5 | B4 B5 B6 | R1 R2 R3")
    studied = study(tml, before, parse_set("B4 B6 K9", tml.tiles), after, True, 2)
    found = studied.features
    assert (found.disturbed, found.movements, found.chain, found.tiles, found.sets) == (1, 2, 2, 2, 2)
    assert (found.to_group, found.to_run, found.jokers) == (0, 1, 0)
    moved = [step.movement for step in studied.explanation.steps]
    assert longest_chain(moved) == 2
    assert longest_chain(moved[1:]) == 1
    assert shape_changes(tml.reader, after, before) == (1, 0)
    swap = study(
        tml,
        faces("R5 B5 K5 *"),
        parse_set("O5 K9 B9", tml.tiles),
        faces("R5 B5 K5 O5 | K9 B9 *"),
        True,
        3,
    )
    assert swap.features.jokers == 1
    assert jokers_moved([step.movement for step in swap.explanation.steps], Face(tml.tiles.joker)) == 1
