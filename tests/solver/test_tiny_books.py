"""Brute force on tiny books: every table is looked at, so nothing can hide."""

from __future__ import annotations

from random import Random

import pytest

from meldroom.rules.book import RuleBook
from meldroom.rules.verify import Turn, verify
from meldroom.solver import Objective, TooLargeError, solve_faces
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.engine import fits
from meldroom.tiles import parse_set, parse_table
from testkit.solver.oracles import by_brute_force, tiny
from testkit.solver.positions import random_position

BOOKS = [
    tiny("wrc11", "KRB", 6, 2, 2),
    tiny("wrc11", "KRB", 6, 2, 2, "any_set"),
    tiny("wrc9", "KRBO", 6, 2, 2),
    tiny("nzrc2024", "KR", 7, 2, 2),
    tiny("tml", "KRBO", 6, 2, 2),
    tiny("tml", "KRB", 4, 2, 2),
    tiny("wrc11", "KRB", 4, 2, 2),
    tiny("wrc11", "KRBO", 6, 1, 2),
    tiny("wrc11", "KRB", 4, 1, 3),
    tiny("wrc11", "KRB", 3, 3, 1),
    tiny("wrc11", "KRB", 3, 1, 4),
]


@pytest.mark.parametrize("rules", BOOKS, ids=[f"{b.id}-{b.jokers.reuse}" for b in BOOKS])
def test_equal_to_brute_force(rules: RuleBook) -> None:
    rng = Random(rules.id)
    for i in range(45):
        jokers = min(rules.tiles.jokers, i % 5)
        table, rack = random_position(rules, rng, rng.choice((3, 6, 9)), rng.randint(1, 4), jokers, swap=0.4)
        objective: Objective = ("tiles", "points")[i % 2]
        found = solve_faces(rules, table, rack, objective=objective)
        assert (found.tiles, found.points) == by_brute_force(rules, table, rack, objective), (table, rack)
        assert found.optimal
        if found.played:
            assert not verify(rules, Turn(table, rack, found.table, True))


def test_every_rack_of_a_very_small_book() -> None:
    """All racks without jokers of two colours and seven numbers, one copy each: no table, no luck."""
    rules = tiny("tml", "KR", 7, 1, 0)
    assert fits(rules)
    for mask in range(1 << 14):
        if mask.bit_count() in (5, 9):
            rack = tuple(face for face in rules.tiles.every_face[:14] if mask >> face & 1)
            runs = 0
            for colour in (mask & 127, mask >> 7):
                tiles = [n for n in range(7) if colour >> n & 1]
                streaks = [t - i for i, t in enumerate(tiles)]
                runs += sum(n for n in (streaks.count(s) for s in set(streaks)) if n >= 3)
            assert solve_faces(rules, (), rack).tiles == runs


@pytest.mark.parametrize(("copies", "jokers"), [(4, 6), (3, 4)])
def test_a_position_that_is_too_large_is_refused(copies: int, jokers: int) -> None:
    rules = tiny("tml", "KRBO", 13, copies, jokers)
    rack = rules.tiles.face_of
    with pytest.raises(TooLargeError):
        solve_faces(rules, (), rack)


def test_four_jokers() -> None:
    rules = tiny("tml", "KRBO", 13, 2, 4)
    table = parse_table("R1 R2 R3 | K9 R9 *", rules.tiles)
    found = solve_faces(rules, table, parse_set("R4 B9 * * *", rules.tiles))
    assert found.tiles == 5
    assert not verify(rules, Turn(table, parse_set("R4 B9 * * *", rules.tiles), found.table, True))


@pytest.mark.parametrize("rules", [BOOKS[1], BOOKS[4]], ids=["three colours", "four colours"])
def test_states_that_others_make_needless_are_needless(
    rules: RuleBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Usually they are looked for in large layers only; here in all of them."""
    before = mode.current()
    mode.choose("interpreted")
    kernel, rng, dropped = mode.kernel("best_play"), Random(rules.id), 0
    drop = kernel._drop_dominated

    def counted(first: int, end: int, *others: object) -> int:
        nonlocal dropped
        to: int = drop(first, end, *others)
        dropped += end - to
        return to

    monkeypatch.setattr(kernel, "DOMINATED", 0)
    monkeypatch.setattr(kernel, "_drop_dominated", counted)
    for i in range(70):
        table, rack = random_position(rules, rng, rng.choice((0, 6, 9)), rng.randint(1, 6), i % 3, swap=0.4)
        objective: Objective = ("tiles", "points")[i % 2]
        found = solve_faces(rules, table, rack, objective=objective)
        assert (found.tiles, found.points) == by_brute_force(rules, table, rack, objective), (table, rack)
    mode.choose(before)
    assert dropped > 20
