"""Deadlines: what was found by then is given, and not called proven. And many positions at once."""

from __future__ import annotations

from random import Random

import pytest

from meldroom.rules.book import RuleBook
from meldroom.rules.joker_rule import freed_joker_fault
from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from meldroom.solver import Solution, TooLargeError, solve_faces, solve_many
from meldroom.solver.fewest_changes import tidy
from meldroom.solver.joker_rule import solve_lawful
from meldroom.solver.kernel import engine
from meldroom.solver.opening import open_best
from meldroom.tiles import Face, parse_set, parse_table
from testkit.solver.oracles import tiny
from testkit.solver.positions import random_position

TML, WRC11 = book("tml"), book("wrc11")
PAST, FAR = -1.0, 1e12


def hard_positions(count: int) -> list[tuple[tuple[tuple[Face, ...], ...], tuple[Face, ...]]]:
    """Large racks, on which narrow beams often prove nothing."""
    rng = Random(4)
    return [random_position(TML, rng, 15, rng.randint(45, 70), 2, swap=0.05) for _ in range(count)]


def test_a_deadline_that_is_past_still_gives_a_legal_play(kernels: str) -> None:
    unproven = 0
    for table, rack in hard_positions(60 if kernels == "compiled" else 8):
        quick = engine.engine_of(TML).best(table, rack, "tiles", 0, PAST)
        exact = engine.engine_of(TML).best(table, rack, "tiles")
        assert quick is not None
        assert exact is not None
        assert quick.played
        assert not verify(TML, Turn(table, rack, tuple(quick.sets), True))
        assert quick.score <= exact.score == exact.bound <= quick.bound
        unproven += quick.score < quick.bound
    assert unproven or kernels == "interpreted", "some of these are too hard for a moment"


def test_a_deadline_far_away_changes_nothing(kernels: str) -> None:
    for table, rack in hard_positions(10 if kernels == "compiled" else 2):
        limited = solve_faces(TML, table, rack, time_limit=1e9)
        exact = solve_faces(TML, table, rack)
        assert limited.optimal
        assert (limited.tiles, limited.points) == (exact.tiles, exact.points)


def test_a_lawful_search_that_is_cut_short_is_not_called_proven() -> None:
    rng, cut = Random(1), 0
    for _ in range(300):
        table, rack = random_position(WRC11, rng, 12, 5, 2, swap=0.3)
        free = engine.engine_of(WRC11).best(table, rack, "tiles")
        assert free is not None
        if not free.played or freed_joker_fault(WRC11.reader, table, free.sets) is None:
            continue
        late = solve_lawful(WRC11, table, rack, "tiles", free, PAST)
        exact = solve_lawful(WRC11, table, rack, "tiles", free, FAR)
        assert exact.optimal
        assert late.tiles <= exact.tiles
        cut += not late.optimal
        if late.played:
            assert not verify(WRC11, Turn(table, rack, late.table, True))
    assert cut


def test_tidying_stops_at_the_deadline() -> None:
    table = parse_table("R1 R2 R3 R4 | R4 R5 R6 | K9 B9 O9", TML.tiles)
    rack = parse_set("R7 R9", TML.tiles)
    best = solve_faces(TML, table, rack)
    late = tidy(TML, table, rack, "tiles", best.table, best.played, PAST)
    assert not late.fewest
    assert not verify(TML, Turn(table, rack, late.table, True))
    assert tidy(TML, table, rack, "tiles", best.table, best.played, FAR).fewest


def test_an_opening_is_found_in_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rack = parse_set("R10 R11 R12 B1 B2 B3 K4 O4 * R7", TML.tiles)
    quick, exact = open_best(TML, (), rack, "tiles", PAST), open_best(TML, (), rack, "tiles")
    for found in (quick, exact):
        assert not verify(TML, Turn((), rack, found.table, False))
    # Without the kernel's quick answer only the search is left, and that has no time.
    monkeypatch.setattr("meldroom.solver.opening._by_kernel", lambda *_: None)
    late = open_best(TML, (), rack, "tiles", PAST)
    assert late.played
    assert not late.optimal
    assert not verify(TML, Turn((), rack, late.table, False))


def test_an_unusual_tile_set_is_refused_at_the_deadline() -> None:
    rules = tiny("tml", "KRB", 4, 2, 2)
    rack = parse_set("K1 K2 K3 R1 B1", rules.tiles)
    assert solve_faces(rules, (), rack).tiles == 3
    with pytest.raises(TooLargeError):
        solve_faces(rules, (), rack, time_limit=0.0)


@pytest.mark.parametrize("rules", [TML, WRC11, tiny("tml", "KRB", 4, 2, 2)], ids=lambda rules: rules.id)
def test_many_at_once_are_answered_as_one_by_one(
    rules: RuleBook, kernels: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "MOST_AT_ONCE", 7)
    rng = Random(7)
    sizes = (0, 3, 6) if rules.tiles.numbers < 6 else (0, 20, 40, 60)
    given = [
        random_position(rules, rng, rng.choice(sizes), rng.randint(1, 6), 2, swap=0.2) for _ in range(40)
    ]
    expected = [solve_faces(rules, table, rack) for table, rack in given]
    for threads in (1, 2, 5):
        assert solve_many(rules, given, threads=threads) == expected
    assert solve_many(rules, []) == []
    assert all(isinstance(found, Solution) for found in expected)
