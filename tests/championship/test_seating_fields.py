"""Every field: repeats, seats, tables of three and time, counted by a verifier that shares no code."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from itertools import combinations, product
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meldroom.championship.seating import Seating, SeatingError, seating
from meldroom.championship.seating.metrics import least_repeats, repeats, seat_deviation, table_revisits
from meldroom.championship.seating.plan import constructed, plan
from meldroom.championship.seating.seat_order import with_seats
from meldroom.championship.seating.types import FOURS, Sitting, TableSize
from tests.championship.independent import every_seat_once, verify

LEAST = {  # players: repeats in 2, 3, 4, 5 sittings
    6: (2, 6, 12, 20),
    7: (3, 9, 18, 30),
    8: (4, 12, 24, 40),
    9: (0, 0, 0, 9),
    10: (1, 3, 6, 15),
    11: (2, 6, 12, 20),
    12: (3, 9, 18, 30),
}
KEPT = Path(__file__).resolve().parents[1] / "fixtures" / "v0.1" / "seating_plans.json"
ZERO = ((15, 24, 5), (25, 28, 7), (29, 32, 8), (33, 40, 9), (41, 48, 10), (49, 64, 12))  # from, to, sittings


def reported(found: Seating) -> tuple[int, int, int, int]:
    return found.repeats, found.seat_deviation, found.most_short_tables, found.table_revisits


@pytest.mark.parametrize("first", range(13, 401, 40))
def test_thirteen_to_four_hundred_repeat_nothing_and_share_seats(first: int) -> None:
    for players in range(first, min(first + 40, 401)):
        found = seating(players, 4, f"draw {players}")
        verdict = verify(range(players), found.sittings)
        assert not verdict.faults, (players, verdict.faults)
        assert verdict.repeats == 0, players
        assert verdict.uneven_seats == 0, players
        assert reported(found) == verdict[1:], players
        assert found.bound == 0
        if players % 4 == 0:
            assert every_seat_once(range(players), found.sittings), players


def test_two_thousand_players_are_seated_without_a_repeat() -> None:
    found = seating(2000, 4, "large")
    assert (found.repeats, found.bound, found.seat_deviation) == (0, 0, 0)
    assert every_seat_once(range(2000), found.sittings)


@pytest.mark.parametrize("players", LEAST)
@pytest.mark.parametrize("sittings", [2, 3, 4, 5])
def test_six_to_twelve_reach_the_proven_minimum(players: int, sittings: int) -> None:
    found = seating(players, sittings, "small")
    verdict = verify(range(players), found.sittings)
    least = LEAST[players][sittings - 2]
    assert not verdict.faults
    assert (verdict.repeats, found.repeats, found.bound) == (least, least, least)
    assert verdict.uneven_seats == 0


@cache
def partitions(players: int) -> list[Sitting]:
    """Every way to seat a field of two tables."""
    first = [(0, *rest) for rest in combinations(range(1, players), FOURS.tables(players)[0] - 1)]
    if len(set(FOURS.tables(players))) > 1:
        first += [(0, *rest) for rest in combinations(range(1, players), FOURS.tables(players)[1] - 1)]
    everybody = set(range(players))
    return [(table, tuple(sorted(everybody - set(table)))) for table in first]


@pytest.mark.parametrize("players", [6, 7, 8])
def test_minimum_of_two_tables_agrees_with_trying_everything(players: int) -> None:
    every = partitions(players)
    between = [[repeats([one, two]) for two in every] for one in every]
    fewest = min(
        between[0][b] + between[0][c] + between[b][c] + between[0][d] + between[b][d] + between[c][d]
        for b, c, d in product(range(len(every)), repeat=3)
        if b <= c <= d
    )
    assert fewest == LEAST[players][2] == least_repeats(players, 4, FOURS)


def test_five_players_sit_out_in_turn() -> None:
    found = seating(["Ada", "Bo", "Chi", "Dee", "Eve"], 5, "five")
    out = [player for each in found.sitting_out() for player in each]
    assert sorted(out) == [0, 1, 2, 3, 4]
    assert all(len(sitting) == 1 and len(sitting[0]) == 4 for sitting in found.sittings)
    assert found.repeats == found.bound == 30
    assert seating(5, 4).repeats == seating(5, 4).bound == 18
    assert found.seat_deviation == 0


@pytest.mark.parametrize("players", [0, 1, 4, -3])
def test_fewer_than_five_are_refused(players: int) -> None:
    with pytest.raises(SeatingError, match="at least 5") as error:
        seating(players)
    assert error.value.code == "too_few_players"
    assert "au moins 5" in error.value.message("fr")


def test_thirty_three_players_are_at_a_table_of_three_at_most_twice() -> None:
    for seed in range(20):
        found = seating(33, 4, str(seed))
        assert verify(range(33), found.sittings).most_short == 2 == found.most_short_tables


@pytest.mark.parametrize("players", [n for n in range(13, 401) if n % 4])
def test_tables_of_three_are_shared_fairly(players: int) -> None:
    threes = -players % 4
    fair = -(-12 * threes // players)
    allowed = fair + (players in (26, 37, 41))
    assert seating(players).most_short_tables <= allowed


def test_tables_are_revisited_by_nobody_from_seventeen_players_on() -> None:
    assert all(table_revisits(plan(players, 4)) == 0 for players in range(17, 401))
    assert [table_revisits(plan(players, 4)) for players in (13, 14, 15, 16)] == [3, 6, 9, 12]


@pytest.mark.parametrize(("first", "last", "sittings"), ZERO)
def test_more_sittings_without_repeats(first: int, last: int, sittings: int) -> None:
    for players in range(first, last + 1):
        found = seating(players, sittings, "more")
        verdict = verify(range(players), found.sittings)
        assert not verdict.faults
        assert (verdict.repeats, verdict.uneven_seats, found.bound) == (0, 0, 0), players


@pytest.mark.parametrize("sittings", [1, 2, 3])
def test_fewer_sittings_without_repeats(sittings: int) -> None:
    for players in range(13, 80):
        found = seating(players, sittings, "fewer")
        verdict = verify(range(players), found.sittings)
        assert not verdict.faults
        assert (verdict.repeats, verdict.uneven_seats) == (0, 0), players


@pytest.mark.parametrize("tables", [*range(13, 60), 64, 100])
def test_twelve_sittings_without_repeats_from_forty_nine_players_on(tables: int) -> None:
    sittings = constructed(tables, 12, 4)
    assert len(sittings) == 12
    met = [pair for sitting in sittings for table in sitting for pair in combinations(table, 2)]
    assert len(met) == len(set(met)) == 12 * tables * 6


def test_sixty_four_players_in_seventeen_sittings_go_on_within_the_rows() -> None:
    assert repeats(constructed(16, 17, 4)) == 0
    assert len(constructed(16, 17, 4)) == 17


@pytest.mark.parametrize(("players", "sittings"), [(13, 5), (20, 6), (24, 7), (12, 7), (33, 11)])
def test_beyond_the_constructions_a_search_is_honest_about_its_bound(players: int, sittings: int) -> None:
    found = seating(players, sittings, "beyond")
    verdict = verify(range(players), found.sittings)
    least = least_repeats(players, sittings, FOURS)
    assert not verdict.faults
    assert verdict.uneven_seats == 0
    assert found.repeats == verdict.repeats >= least
    assert found.bound == (least if found.repeats == least else None)


@pytest.mark.parametrize("sittings", [0, -1, 101])
def test_impossible_numbers_of_sittings_are_refused(sittings: int) -> None:
    with pytest.raises(SeatingError, match="sittings"):
        seating(16, sittings)


def test_an_enormous_field_is_refused_at_once() -> None:
    with pytest.raises(SeatingError, match="seats"):
        seating(10**15)


@st.composite
def some_tables(draw: st.DrawFn) -> tuple[int, list[Sitting]]:
    """Any sittings of a field, as they come."""
    players = draw(st.integers(6, 40))
    sittings = []
    for _ in range(draw(st.integers(1, 9))):
        order = iter(draw(st.permutations(range(players))))
        sittings.append(tuple(tuple(next(order) for _ in range(size)) for size in FOURS.tables(players)))
    return players, sittings


@settings(max_examples=100, deadline=None)
@given(some_tables())
def test_seats_are_even_for_any_tables(given_tables: tuple[int, list[Sitting]]) -> None:
    players, sittings = given_tables
    seated = with_seats(sittings, FOURS)
    assert [[set(table) for table in each] for each in seated] == [
        [set(table) for table in each] for each in sittings
    ]
    assert verify(range(players), seated).uneven_seats == 0 == seat_deviation(players, seated, FOURS)


def test_tables_of_four_are_planned_as_version_0_1_planned_them() -> None:
    kept = json.loads(KEPT.read_text())
    assert len(kept) > 150
    for field, digest in kept.items():
        players, sittings = map(int, field.split())
        found = hashlib.sha256(msgspec.json.encode(plan(players, sittings))).hexdigest()
        assert found[: len(digest)] == digest, field


OTHER_SIZES = [
    *((TableSize(3, 2), players) for players in (4, 5, 6, 7, 8, 9, 10, 12, 15, 17, 27, 28, 50, 100)),
    *((TableSize(5, 4), players) for players in (6, 7, 8, 11, 12, 13, 16, 23, 25, 27, 40, 61)),
    *((TableSize(6, 5), players) for players in (7, 14, 19, 31, 36, 50)),
    *((TableSize(2, 2), players) for players in (3, 4, 7, 10, 21)),
    *((TableSize(4, 4), players) for players in (5, 8, 11, 16, 30)),
    *((TableSize(3, 3), players) for players in (4, 9, 11, 20)),
]


@pytest.mark.parametrize(("size", "players"), OTHER_SIZES)
@pytest.mark.parametrize("sittings", [1, 3, 4])
def test_tables_of_every_size(size: TableSize, players: int, sittings: int) -> None:
    found = seating(players, sittings, "sizes", size=size)
    verdict = verify(range(players), found.sittings, (size.full, size.short))
    assert not verdict.faults, verdict.faults
    assert verdict.uneven_seats == 0 == found.seat_deviation
    assert reported(found) == verdict[1:]
    assert found.repeats >= least_repeats(players, sittings, size)
    assert found.bound in (None, found.repeats)


@pytest.mark.parametrize("players", [15, *range(18, 101)])
def test_four_sittings_at_tables_of_three_repeat_nobody(players: int) -> None:
    found = seating(players, 4, "threes", size=TableSize(3, 2))
    assert (verify(range(players), found.sittings, (3, 2)).repeats, found.bound) == (0, 0)


def test_nine_at_tables_of_three_all_meet_once() -> None:
    found = seating(9, 4, "nine", size=TableSize(3, 2))
    pairs = [
        pair for sitting in found.sittings for table in sitting for pair in combinations(sorted(table), 2)
    ]
    assert len(set(pairs)) == len(pairs) == 36


def test_everybody_sits_out_equally_often() -> None:
    found = seating(11, 11, "turns", size=TableSize(5, 4))
    out = [player for each in found.sitting_out() for player in each]
    assert sorted(out) == list(range(11))


@pytest.mark.parametrize("full", [0, 1, 9])
def test_impossible_tables_are_refused(full: int) -> None:
    with pytest.raises(SeatingError) as error:
        TableSize.at_most(full)
    assert error.value.code == "bad_table_size"
