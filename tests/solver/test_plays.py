"""Other best plays, playable parts of a rack, going out, and old sets left alone; against brute force."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from meldroom.solver import solve_faces
from meldroom.solver.fewest_changes import tidy
from meldroom.solver.plays import best_plays, count_playable, going_out, is_unique, playable
from meldroom.tiles import parse_set, parse_table
from testkit.solver.oracles import FaceSet, brute_plays, tiny
from testkit.solver.positions import random_position

TML = book("tml")
BOOKS = [tiny("wrc11", "KRB", 6, 2, 2), tiny("tml", "KRBO", 6, 2, 2), tiny("wrc11", "KRB", 4, 2, 2)]


def brute_parts(rules: RuleBook, table: tuple[FaceSet, ...], rack: FaceSet) -> set[FaceSet]:
    """Every part of a rack that a legal turn lays."""
    old = Counter(face for faces in table for face in faces)
    parts: set[FaceSet] = set()
    for after in brute_plays(rules, table, rack):
        laid = tuple(sorted((Counter(face for faces in after for face in faces) - old).elements()))
        if not laid or laid in parts:
            continue
        if rules.jokers.reuse == "any_set" or freed_joker_fault(rules.reader, table, after) is None:
            parts.add(laid)
    return parts


@pytest.mark.parametrize("rules", BOOKS, ids=[rules.id for rules in BOOKS])
def test_playable_parts_equal_brute_force(rules: RuleBook) -> None:
    rng = Random(rules.id)
    for i in range(25):
        table, rack = random_position(rules, rng, rng.choice((0, 3, 6)), rng.randint(2, 5), i % 3, swap=0.4)
        expected = brute_parts(rules, table, rack)
        found = list(playable(rules, table, rack))
        assert len(found) == len(set(found)) == count_playable(rules, table, rack)
        assert set(found) == expected
        best = solve_faces(rules, table, rack)
        equal = [
            part
            for part in expected
            if (len(part), sum(rules.values[f] for f in part)) == (best.tiles, best.points)
        ]
        others = best_plays(rules, table, rack, limit=1000)
        assert {other.played for other in others if other.played} == set(equal)
        assert is_unique(rules, table, rack) == (len(equal) <= 1)


def test_unmelded_parts_are_openings() -> None:
    wrc = book("wrc11")
    rack = parse_set("R10 B10 K10 O10 R1 R2 R3", wrc.tiles)
    parts = {wrc.tiles.faces_text(part) for part in playable(wrc, (), rack, melded=False)}
    assert "K10 R10 B10 O10" in parts
    assert "R1 R2 R3" not in parts
    assert len(parts) == 10


def test_going_out() -> None:
    table = parse_table("B5 R5 K5 O5", TML.tiles)
    assert going_out(TML, table, parse_set("B4 B6 B7", TML.tiles)) is not None
    assert going_out(TML, table, parse_set("B4 B6 B7 K1", TML.tiles)) is None


@pytest.mark.parametrize("rules", BOOKS[:2], ids=[rules.id for rules in BOOKS[:2]])
def test_a_neat_answer_changes_fewest_old_sets(rules: RuleBook) -> None:
    rng = Random(7)
    for i in range(40):
        table, rack = random_position(rules, rng, rng.choice((6, 9)), rng.randint(1, 3), i % 3, swap=0.2)
        best = solve_faces(rules, table, rack)
        neat = solve_faces(rules, table, rack, neat=True)
        assert (neat.tiles, neat.points, neat.optimal) == (best.tiles, best.points, best.optimal)
        if not best.played:
            continue
        assert not verify(rules, Turn(table, rack, neat.table, True))
        result = tidy(rules, table, rack, "tiles", best.table, best.played)
        if result.fewest:
            assert result.disturbed == _fewest_disturbed(rules, table, rack, (best.tiles, best.points))


def _fewest_disturbed(
    rules: RuleBook, table: tuple[FaceSet, ...], rack: FaceSet, score: tuple[int, int]
) -> int:
    old = Counter(face for faces in table for face in faces)
    before = Counter(tuple(sorted(faces)) for faces in table)
    fewest = len(table)
    for after in brute_plays(rules, table, rack):
        laid = Counter(face for faces in after for face in faces) - old
        if (laid.total(), sum(rules.values[f] * n for f, n in laid.items())) == score:
            kept = before & Counter(tuple(sorted(faces)) for faces in after)
            fewest = min(fewest, len(table) - kept.total())
    return fewest


def test_a_neat_answer_keeps_no_fewer_sets_than_the_plain_one() -> None:
    """A neat answer leaves at least as many sets as the plain one, on larger positions too."""
    rng = Random(1)
    for i in range(30):
        table, rack = random_position(TML, rng, 45, 10, i % 3)
        best = solve_faces(TML, table, rack)
        if best.played:
            neat = solve_faces(TML, table, rack, neat=True)
            assert not verify(TML, Turn(table, rack, neat.table, True))
            before = Counter(tuple(sorted(faces)) for faces in table)
            kept = [(before & Counter(tuple(sorted(f)) for f in s.table)).total() for s in (best, neat)]
            assert kept[1] >= kept[0]
