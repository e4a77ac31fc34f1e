"""Counts of racks: the published figures that are cheap, and brute force on tiny tile sets for the rest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from random import Random
from typing import Any

import pytest

from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book
from meldroom.rules.opening import opening
from meldroom.rules.verify import set_points
from meldroom.solver.counting.chances import (
    Box,
    Goal,
    closed_racks,
    expected_draws,
    opening_chance,
    racks_that_go_out,
)
from meldroom.solver.counting.estimates import estimate_opening_chance
from meldroom.solver.errors import PositionError, TooLargeError
from meldroom.solver.kernel import mode
from meldroom.solver.odds import after_draw
from meldroom.tiles import Face, parse_set, parse_table

Counts = tuple[int, ...]

TML = book("tml")
NO_JOKERS = house_book(
    {"id": "no-jokers", "version": "1", "base": "tml", "tiles": {"jokers": 0, "spare_jokers": 4}}
)


def tiny(base: str, colours: str, numbers: int, copies: int, jokers: int, **sections: Any) -> RuleBook:
    """A house book with few tiles."""
    return house_book(
        {
            "id": "tiny",
            "version": "1",
            "base": base,
            "tiles": {"colours": list(colours), "numbers": numbers, "copies": copies, "jokers": jokers},
            "players": {"minimum": 1, "maximum": 1},
            "deal": {"tiles": 3, "starter_tiles": 4 if base == "rummyo" else 3},
            **sections,
        }
    )


TINY = {
    "groups and short runs": tiny("tml", "RBK", 4, 1, 2, opening={"points": 12}),
    "four colours": tiny("tml", "RBKO", 3, 1, 1),
    "one colour twice": tiny("tml", "R", 6, 2, 2, opening={"points": 16}),
    "two colours twice": tiny("tml", "RB", 4, 2, 1),
    "three colours twice": tiny("tml", "RBK", 3, 2, 1, opening={"points": 9}),
    "groups only": tiny("tml", "RBKO", 2, 2, 1),
    "sets of two": tiny("tml", "RB", 4, 1, 1, sets={"shortest": 2}),
    "a run needed": tiny("tml", "RBK", 4, 1, 1, opening={"run_required": True}),
    "1 above the highest": tiny("rummyo", "RB", 6, 1, 1),
    "1 above the highest, twice": tiny("rummyo", "R", 7, 2, 2),
    "1 above the highest, no run needed": tiny("rummyo", "RB", 6, 1, 1, opening={"run_required": False}),
}


class Brute:
    """Everything that can be made of every rack of a tiny book, one set after the other."""

    def __init__(self, rules: RuleBook) -> None:
        self.rules = rules
        tiles = rules.tiles
        self.sets: list[tuple[Counts, int, bool]] = []
        longest = max(rules.reader.top, len(tiles.colours))
        for size in range(1, longest + 1):
            for faces in combinations_with_replacement(tiles.every_face, size):
                if tiles.too_many(faces) is None and rules.reader.is_set(faces):
                    run = any(reading.is_run for reading in rules.reader.readings(faces))
                    self.sets.append((_counts(rules, faces), set_points(rules, faces), run))
        self.best = cache(self._best)
        self.goes_out = cache(self._goes_out)
        self.contents = [
            (counts, prod(comb(tiles.copies, count) for count in counts))
            for counts in product(range(tiles.copies + 1), repeat=tiles.joker)
        ]

    def _after(self, counts: Counts) -> Iterator[tuple[Counts, int, bool, Counts]]:
        for taken, points, run in self.sets:
            left = tuple(map(int.__sub__, counts, taken))
            if min(left) >= 0:
                yield left, points, run, taken

    def _best(self, counts: Counts) -> tuple[int, int]:
        """The most points, and the most with a run among the sets (−1 if there is none)."""
        most, with_run = 0, -1
        for left, points, run, _ in self._after(counts):
            rest, rest_with_run = self.best(left)
            most = max(most, points + rest)
            if run or rest_with_run >= 0:
                with_run = max(with_run, points + (rest if run else rest_with_run))
        return most, with_run

    def _goes_out(self, counts: Counts) -> bool:
        if not any(counts):
            return True
        first = next(face for face, count in enumerate(counts) if count)
        return any(taken[first] and self.goes_out(left) for left, _, _, taken in self._after(counts))

    def value(self, counts: Counts) -> int:
        """The most an opening counts."""
        return self.best(counts)[1 if self.rules.opening.run_required else 0]


@cache
def brute_force(name: str) -> Brute:
    """The brute force of a tiny book, made once."""
    return Brute(TINY[name])


@pytest.mark.parametrize("name", TINY)
def test_openings_equal_brute_force_at_every_threshold(name: str) -> None:
    rules, brute = TINY[name], brute_force(name)
    for jokers in range(rules.tiles.jokers + 1):
        values = [(sum(c), ways, brute.value((*c, jokers))) for c, ways in brute.contents]
        top = max(value for _, _, value in values)
        for points in {1, 4, top // 3, top // 2, top, top + 1} - {0}:
            wanted = [0] * (rules.tiles.numbered + 1)
            for size, ways, value in values:
                wanted[size] += ways if value < points else 0
            assert closed_racks(Box.of(rules), Goal.of(rules, points), jokers) == wanted, (jokers, points)


@pytest.mark.parametrize("name", [name for name in TINY if name != "sets of two"])
def test_going_out_equals_brute_force(name: str) -> None:
    rules, brute = TINY[name], brute_force(name)
    distinct, physical = (
        racks_that_go_out(Box.of(rules), rules.tiles.jokers, distinct=once) for once in (True, False)
    )
    for jokers in range(rules.tiles.jokers + 1):
        once, each = ([0] * (rules.tiles.numbered + 1) for _ in range(2))
        for counts, ways in brute.contents:
            if brute.goes_out((*counts, jokers)):
                once[sum(counts)] += 1
                each[sum(counts)] += ways
        assert (distinct[jokers], physical[jokers]) == (once, each)


@pytest.mark.parametrize("name", ["groups only", "two colours twice", "1 above the highest"])
def test_interpreted_counts_are_the_same(name: str) -> None:
    pytest.importorskip("numba")
    rules, found = TINY[name], []
    for wish in ("interpreted", "compiled"):
        mode.choose(wish)
        counts = closed_racks(Box.of(rules), Goal.of(rules, 9), rules.tiles.jokers, 6)
        found.append((counts, racks_that_go_out(Box.of(rules), 1, 5)))
    assert found[0] == found[1]


def test_a_limit_of_tiles_changes_nothing_below_it() -> None:
    box, goal = Box.of(TML), Goal.of(TML)
    assert closed_racks(box, goal, 1, 6) == closed_racks(box, goal, 1)[:7]
    tiny_box = Box.of(TINY["three colours twice"])
    whole = racks_that_go_out(tiny_box, 1)
    assert racks_that_go_out(tiny_box, 1, 7) == [counts[:8] for counts in whole]


def test_published_racks_that_cannot_open() -> None:
    rack = opening_chance(TML)
    assert sum(rack.closed) == 53109163093530206
    assert sum(rack.racks) == comb(106, 14)
    assert [round(rack.given(jokers), 6) * 10**6 for jokers in range(3)] == [348869, 945469, 999990]
    assert round(opening_chance(NO_JOKERS).chance * 10**10) == 3488690542
    assert round(opening_chance(TML, 30).chance * 10**10) == 9986930691
    assert round(opening_chance(TML, points=1).chance * 10**10) == 7848538659


def test_published_draws_until_a_rack_can_open() -> None:
    for rules, published in ((TML, 248928905), (NO_JOKERS, 351452902)):
        found = expected_draws(rules)
        assert found.mean is not None
        assert round(found.mean * 10**8) == published
        assert found.closed[0] == 1 - opening_chance(rules).chance


@pytest.mark.parametrize(("points", "published"), [(1, [52, 27, 2]), (30, [59, 45, 27])])
def test_published_largest_racks(points: int, published: list[int]) -> None:
    largest = []
    for jokers in range(3):
        closed = closed_racks(Box.of(TML), Goal.of(TML, points), jokers)
        largest.append(jokers + max(n for n, count in enumerate(closed) if count))
    assert largest == published


def test_published_racks_that_go_out() -> None:
    found = racks_that_go_out(Box.of(TML), 2, 9)
    assert found[0][3:] == [96, 53, 36, 4656, 4980, 4731, 151728]
    together = [sum(found[jokers][n - jokers] for jokers in range(3)) for n in range(3, 10)]
    assert together == [318, 439, 416, 38243, 58292, 79983, 2279404]


def test_every_published_rearranging_book_has_the_same_chance() -> None:
    chances = {opening_chance(book(name)).chance for name in ("wrc9", "wrc11", "nzrc2024", "tml")}
    assert len(chances) == 1


def test_the_chance_of_a_small_rack_is_that_of_all_racks_dealt_one_by_one() -> None:
    rules = tiny("tml", "RBK", 4, 1, 2, opening={"points": 9})
    racks = [
        [rules.tiles.face_of[tile] for tile in rack] for rack in combinations(range(rules.tiles.size), 5)
    ]
    able = sum(opening(rules, rack) is not None for rack in racks)
    found = opening_chance(rules, 5)
    assert found.chance == Fraction(able, len(racks))
    assert sum(found.racks) == len(racks)


@pytest.mark.parametrize("rack", ["R4 B4", "R2 R3 *", "R1 B2 K3", ""])
def test_draws_of_a_given_rack_equal_every_way_to_draw(rack: str) -> None:
    rules = tiny("tml", "RBK", 4, 1, 1, opening={"points": 9})
    held, seen = parse_set(rack, rules.tiles) if rack else (), parse_set("B1 K4", rules.tiles)
    unseen = list(rules.tiles.face_of)
    for face in (*held, *seen):
        unseen.remove(face)
    wanted = []
    for draws in range(len(unseen) + 1):
        after = [opening(rules, (*held, *drawn)) for drawn in combinations(unseen, draws)]
        wanted.append(Fraction(after.count(None), len(after)))
    found = expected_draws(rules, held, seen)
    assert list(found.closed) == wanted
    assert found.mean == sum(wanted)
    assert found.never == 0


def test_one_draw_is_the_odds_of_the_next_tile() -> None:
    chance = Random(7)
    box = sorted(TML.tiles.face_of)
    for _ in range(6):
        tiles = chance.sample(box, 34)
        rack, seen = tiles[:14], tiles[14:]
        found = expected_draws(TML, rack, seen)
        draw = after_draw(TML, (), rack, "open", melded=False, seen=seen)
        assert found.closed[0] == (0 if draw.already else 1)
        assert found.closed[1] == 1 - draw.chance


@pytest.mark.parametrize("name", ["groups and short runs", "one colour twice", "three colours twice"])
def test_the_next_tile_equals_brute_force(name: str) -> None:
    rules, brute = TINY[name], brute_force(name)
    chance = Random(name)
    for _ in range(12):
        taken, _, _ = chance.choice(brute.sets)
        table = tuple(Face(face) for face, count in enumerate(taken) for _ in range(count))
        left = list(rules.tiles.face_of)
        for face in table:
            left.remove(face)
        rack = tuple(chance.sample(left, chance.randint(1, 5)))
        for face in rack:
            left.remove(face)
        out = [face for face in left if brute.goes_out(_counts(rules, (*table, *rack, face)))]
        able = [face for face in left if brute.value(_counts(rules, (*rack, face))) >= rules.opening.points]
        found = after_draw(rules, [table], rack, "go_out")
        assert found.helping == tuple(sorted({*out}))
        assert found.chance == Fraction(len(out), len(left))
        assert after_draw(rules, [table], rack, "open", melded=False).chance == Fraction(len(able), len(left))


def _counts(rules: RuleBook, faces: Counts) -> Counts:
    return tuple(faces.count(face) for face in range(rules.tiles.joker + 1))


def test_a_rack_that_can_never_open_has_no_expected_draws() -> None:
    rules = tiny("tml", "RBK", 4, 1, 0, opening={"points": 100})
    found = expected_draws(rules, parse_set("R1", rules.tiles))
    assert found.never == 1
    assert found.mean is None


def test_rack_without_tiles_or_with_all_of_them() -> None:
    assert opening_chance(TML, 0).chance == 0
    assert opening_chance(TML, 106).chance == 1


def test_impossible_racks_are_refused() -> None:
    with pytest.raises(PositionError, match="a rack of 107 tiles, but there are 106"):
        opening_chance(TML, 107)
    with pytest.raises(PositionError, match="3 × R1, but there are only 2"):
        expected_draws(TML, parse_set("R1 R1", TML.tiles), parse_set("R1", TML.tiles))
    with pytest.raises(PositionError, match="99 is not a face"):
        expected_draws(TML, [Face(99)])


def test_books_beyond_the_count_are_refused() -> None:
    four = book("tml", {"jokers": 4})
    with pytest.raises(TooLargeError, match="at most 2 jokers"):
        opening_chance(four)
    with pytest.raises(TooLargeError, match="needs more numbers"):
        opening_chance(tiny("rummyo", "RB", 5, 1, 1))


def test_importing_the_counts_loads_no_numeric_library() -> None:
    loaded = "'numpy' in sys.modules or 'numba' in sys.modules"
    program = f"import sys, meldroom.solver.counting.chances; sys.exit({loaded})"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# Where counting would take hours.


def test_racks_that_are_too_many_to_count_are_refused_at_once() -> None:
    rummyo = book("rummyo")
    for size in (None, 9, 15, 106):
        with pytest.raises(TooLargeError, match="estimate_opening_chance") as caught:
            opening_chance(rummyo, size)
        assert "13" in caught.value.message("fr")
    with pytest.raises(TooLargeError, match="too many"):
        expected_draws(rummyo)
    with pytest.raises(PositionError):
        opening_chance(rummyo, 107)


def test_an_estimate_repeats_itself_and_holds_the_exact_chance() -> None:
    found = estimate_opening_chance(TML, racks=2_000, seed="counting")
    assert found == estimate_opening_chance(TML, racks=2_000, seed="counting")
    assert found != estimate_opening_chance(TML, racks=2_000, seed="others")
    assert found.low < 0.4975973854 < found.high  # tests do not depend on luck: the seed is fixed
    assert found.high - found.low < 0.05


def test_an_estimate_for_rummyo_agrees_with_the_exact_count_of_small_racks() -> None:
    rummyo = book("rummyo")
    found = estimate_opening_chance(rummyo, 8, racks=4_000, seed=1)
    assert found.low < 0.00961331508333499 < found.high  # counted in 8 s by compiled kernels
    with pytest.raises(PositionError, match="107"):
        estimate_opening_chance(rummyo, 107)
    with pytest.raises(PositionError, match="one rack"):
        estimate_opening_chance(rummyo, racks=0)


def test_an_estimate_of_something_certain_has_an_interval() -> None:
    never = estimate_opening_chance(TML, 2, racks=100)
    assert (never.chance, never.low) == (0, 0)
    assert 0.03 < never.high < 0.04
    always = estimate_opening_chance(TML, 70, racks=20)
    assert (always.chance, always.high) == (1, 1)
    assert 0.8 < always.low < 0.9


def test_the_next_tile_in_rummyo() -> None:
    rummyo = book("rummyo")
    table, rack = parse_table("R5 R6 R7", rummyo.tiles), parse_set("R8 K2 K3", rummyo.tiles)
    draw = after_draw(rummyo, table, rack, "go_out")
    assert rummyo.tiles.faces_text(draw.helping) == "K1 K4 *"  # The 8 is then left to discard.
    out = after_draw(rummyo, table, parse_set("R8 K2 K3 O9", rummyo.tiles), "go_out")
    assert rummyo.tiles.faces_text(out.helping) == "K1 K4 *"
    assert out.chance == Fraction(2 + 2 + 2, 106 - 7)
    assert after_draw(rummyo, table, rack, "play", melded=False).helping == draw.helping  # only by going out
    board = after_draw(rummyo, (), parse_set("R11 R12 B10 K10 O10 B2", rummyo.tiles), "open", melded=False)
    assert rummyo.tiles.faces_text(board.helping) == "R10 R13 *"
