"""Intervals treat a deal as one observation; ratings follow the games in the order of their deals."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from scipy import stats

from meldroom.arena import GameRow, Results, SeatRow, read
from meldroom.arena.reporting.ratings import ranks, ratings
from meldroom.arena.reporting.statistics import clustered, share, student
from tests.arena.small import TABLES, small


@pytest.mark.parametrize("freedom", [1, 2, 5, 10, 11, 19, 50, 999, 10**6])
def test_students_points_are_those_of_the_tables(freedom: int) -> None:
    assert student(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), rel=1e-4)


def test_equal_deals_give_the_interval_of_their_means() -> None:
    chance = random.Random(1)
    sums = [chance.gauss(3, 2) for _ in range(40)]
    found = clustered([(value, 2) for value in sums])
    means = [value / 2 for value in sums]
    half = stats.t.ppf(0.975, 39) * statistics.stdev(means) / math.sqrt(40)
    assert found.mean == pytest.approx(statistics.mean(means))
    assert found.low == pytest.approx(found.mean - half, rel=1e-4)
    assert found.high == pytest.approx(found.mean + half, rel=1e-4)


def test_repeating_the_games_of_a_deal_makes_nobody_surer() -> None:
    chance = random.Random(2)
    sums = [chance.gauss(0, 1) for _ in range(30)]
    once = clustered([(value, 1) for value in sums])
    tenfold = clustered([(10 * value, 10) for value in sums])
    assert tenfold.mean == pytest.approx(once.mean)
    assert tenfold.low == pytest.approx(once.low)


def test_intervals_hold_the_truth_in_95_of_100_experiments() -> None:
    chance = random.Random(3)
    held = 0
    for _ in range(1000):
        deals = []
        for _ in range(25):
            luck = chance.uniform(-0.2, 0.2)  # the same tiles for both games of a deal
            deals.append((float(sum(chance.uniform(0, 1) < 0.6 + luck for _ in range(2))), 2))
        found = share(deals)
        assert found.low is not None
        assert found.high is not None
        held += found.low <= 0.6 <= found.high
    assert 930 <= held <= 970


def test_one_deal_gives_no_interval() -> None:
    assert clustered([(3.0, 2)]).low is None
    assert share([(1.0, 2)]).low is None


@pytest.mark.parametrize(("won", "low", "high"), [(2.0, 0.9874, 1.0), (0.0, 0.0, 0.0126)])
def test_always_or_never_winning_is_not_certainty(won: float, low: float, high: float) -> None:
    found = share([(won, 2)] * 300)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


def seat(place: int, score: int, winner: bool = False, opened: int | None = 0) -> SeatRow:
    return SeatRow(place, winner, score, 10, opened, 2, 6, 0, 0)


def test_winners_come_first_and_equal_scores_share_a_place() -> None:
    seats = (seat(0, -20), seat(1, 9, winner=True), seat(2, -20), seat(3, 30))
    assert ranks(GameRow(0, 0, 0, 0, "out", None, seats)) == [3, 1, 3, 2]


def rows() -> list[GameRow]:
    return [
        GameRow(
            0,
            0,
            deal,
            rotation,
            "out",
            None,
            (seat(0, 40, winner=True), seat(1, -30), seat(2, -10, opened=None)),
        )
        for deal in range(4)
        for rotation in range(3)
    ]


def test_ratings_do_not_depend_on_who_finished_first() -> None:
    experiment = read(TABLES)
    mixed = rows()
    random.Random(4).shuffle(mixed)
    assert ratings(experiment, 0, mixed) == ratings(experiment, 0, rows())
    found = ratings(experiment, 0, rows())
    assert found["patient"].mu > 25 > found["tournament"].mu
    assert ratings(experiment, 1, rows()) == {}


def test_a_summary_counts_seats_where_a_bot_has_several() -> None:
    lines = Results(read(TABLES), tuple(rows()), {}).summary()
    tournament = next(line for line in lines if line.bot == "tournament" and line.scope == "book")
    assert (tournament.games, tournament.deals, tournament.never, tournament.opening) == (12, 4, 0.5, 0.0)
    assert tournament.score.mean == -20
    assert tournament.tiles == 3
    assert [(line.scope, line.bot) for line in lines] == [
        ("book", "tournament"),
        ("book", "patient"),
        ("table", "patient"),
        ("table", "tournament"),
    ]


def test_a_shared_win_counts_as_a_share() -> None:
    shared = GameRow(0, 0, 0, 0, "exhausted", None, (seat(0, 0, winner=True), seat(1, 0, winner=True)))
    lines = Results(small(), (shared,), {}).summary()
    assert [line.wins.mean for line in lines] == [0.5] * 4
