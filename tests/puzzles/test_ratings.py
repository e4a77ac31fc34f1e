"""Glicko-2 against its published example, and the bounds on what an attempt can do."""

from __future__ import annotations

import math
from random import Random

import pytest

from meldroom.puzzles.glicko2 import Rating, aged, expected, update
from meldroom.puzzles.ratings import (
    LEAST_DEVIATION,
    MOST,
    MOST_FOR_PLAYER,
    MOST_FOR_PUZZLE,
    NEWCOMER,
    TOO_SOON,
    Attempt,
    Ledger,
    Rated,
    after_attempt,
    of_prior,
)

ROUNDING = 1e-9


def attempt(solved: bool, seconds: float = 30.0, puzzle: str = "p", day: int = 0) -> Attempt:
    return Attempt("ada", puzzle, "wrc11", solved, seconds, day)


def test_glickmans_example() -> None:
    """Glickman, Example of the Glicko-2 system: 1464.06, 151.52, 0.05999."""
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = update(Rating(1500, 200, 0.06), results, tau=0.5)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


@pytest.mark.parametrize(
    ("before", "results", "tau"),
    [
        # His example: v = 1.7785, delta = -0.4834, and the volatility is the root of his f.
        (
            Rating(1500, 200, 0.06),
            [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)],
            0.5,
        ),
        # Four upsets in a row, where the volatility has to grow.
        (Rating(1500, 30, 0.06), [(Rating(2000, 30), 1.0)] * 4, 1.2),
        (Rating(1800, 60, 0.05), [(Rating(1400, 80), 0.0), (Rating(1500, 350), 0.5)], 0.75),
    ],
)
def test_the_volatility_is_the_root_of_the_papers_equation(
    before: Rating, results: list[tuple[Rating, float]], tau: float
) -> None:
    """Steps 3 to 7 once more, with the root of f found by halving: a variance off by a twentieth shows."""
    phi = before.deviation / 173.7178
    information = delta = 0.0
    for other, score in results:
        g = 1 / math.sqrt(1 + 3 * (other.deviation / 173.7178) ** 2 / math.pi**2)
        chance = 1 / (1 + math.exp(-g * (before.rating - other.rating) / 173.7178))
        information += g * g * chance * (1 - chance)
        delta += g * (score - chance)
    v = 1 / information
    change = v * delta

    def f(x: float) -> float:
        spread = phi**2 + v + math.exp(x)
        return (
            math.exp(x) * (change**2 - spread) / (2 * spread**2)
            - (x - math.log(before.volatility**2)) / tau**2
        )

    low, high = -30.0, math.log(before.volatility**2) + 2  # near where it was: f may have more roots far off
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    volatility = math.exp(low / 2)
    deviation = 1 / math.sqrt(1 / (phi**2 + volatility**2) + 1 / v)
    after = update(before, results, tau=tau)
    assert after.volatility == pytest.approx(volatility, rel=5e-6)
    assert after.deviation == pytest.approx(173.7178 * deviation, rel=1e-6)
    assert after.rating == pytest.approx(before.rating + 173.7178 * deviation**2 * delta, rel=1e-6)


def test_glickmans_example_to_the_figures_of_his_own_iteration() -> None:
    """He ends between A = -5.62682 and B = -5.62696 for the logarithm of the squared volatility."""
    results = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = update(Rating(1500, 200, 0.06), results, tau=0.5)
    assert after.volatility == pytest.approx(0.0599960, abs=5e-8)


def test_his_expectations_of_the_same_example() -> None:
    me = Rating(1500, 200)
    chances = [expected(me, Rating(*other)) for other in ((1400, 30), (1550, 100), (1700, 300))]
    assert chances == pytest.approx([0.639, 0.432, 0.303], abs=0.001)


def test_a_period_without_games_only_widens_the_deviation() -> None:
    before = Rating(1500, 200, 0.06)
    assert update(before, []) == aged(before, 1)
    assert aged(before, 1).deviation == pytest.approx(200.27, abs=0.01)
    assert aged(before, 1).rating == 1500


def test_solving_gains_and_failing_costs_and_the_puzzle_moves_the_other_way() -> None:
    known = Rated(Rating(1500, 90, 0.06), 20)
    for solved, sign in ((True, 1), (False, -1)):
        player, puzzle = after_attempt(known, of_prior(1500), attempt(solved))
        assert sign * (player.rating.rating - 1500) > 0
        assert sign * (puzzle.rating.rating - 1500) < 0
        assert player.rating.deviation < 90


def test_whoever_is_not_known_yet_moves_no_puzzle() -> None:
    player, puzzle = after_attempt(NEWCOMER, of_prior(1500), attempt(False))
    assert player.rating.rating < 1500
    assert puzzle == of_prior(1500)


def test_no_attempt_moves_more_than_the_bounds() -> None:
    chance = Random("bounds")
    for _ in range(300):
        player = Rated(Rating(chance.uniform(400, 3200), chance.uniform(45, 350), chance.uniform(0.01, 0.1)))
        puzzle = Rated(Rating(chance.uniform(400, 3200), chance.uniform(45, 350), 0.06))
        after, asked = after_attempt(player, puzzle, attempt(chance.random() < 0.5))
        assert abs(after.rating.rating - player.rating.rating) <= MOST_FOR_PLAYER + ROUNDING
        assert abs(asked.rating.rating - puzzle.rating.rating) <= MOST_FOR_PUZZLE + ROUNDING
        assert after.rating.deviation >= LEAST_DEVIATION
        assert after.rating.rating <= MOST


def test_a_prior_out_of_bounds_is_brought_inside_once_and_for_all() -> None:
    assert of_prior(-86).rating.rating == 400
    assert of_prior(9000).rating.rating == MOST


def test_an_answer_that_came_too_soon_is_worth_nothing() -> None:
    soon = TOO_SOON / 2
    assert after_attempt(NEWCOMER, of_prior(1500), attempt(True, soon)) == (NEWCOMER, of_prior(1500))
    player, puzzle = after_attempt(NEWCOMER, of_prior(1500), attempt(False, soon))
    assert player.rating.rating < 1500
    assert puzzle == of_prior(1500)


def test_only_the_first_attempt_at_a_puzzle_counts() -> None:
    ledger = Ledger({"p": 1500})
    assert ledger.add(attempt(False))
    before = dict(ledger.players), dict(ledger.puzzles)
    assert not ledger.add(attempt(True))
    assert not ledger.add(attempt(True, puzzle="unknown"))
    assert (ledger.players, ledger.puzzles) == before


def test_every_book_has_a_rating_of_its_own() -> None:
    ledger = Ledger({"p": 1500, "q": 1500})
    ledger.add(attempt(True))
    ledger.add(Attempt("ada", "q", "tml", False, 30.0))
    assert ledger.players["ada", "wrc11"].rating.rating > 1500 > ledger.players["ada", "tml"].rating.rating


def test_a_rating_is_provisional_until_enough_is_known_and_again_after_years() -> None:
    ledger = Ledger({str(number): 1500 for number in range(60)})
    chance = Random("provisional")
    for number in range(60):
        ledger.add(attempt(chance.random() < 0.5, puzzle=str(number)))
    known = ledger.players["ada", "wrc11"]
    assert NEWCOMER.provisional
    assert not known.provisional
    assert NEWCOMER.shown == "1500?"
    assert known.shown.isdigit()
    later, _ = after_attempt(known, of_prior(1500), attempt(True, day=20_000))
    assert later.rating.deviation > known.rating.deviation


def test_ratings_find_known_strengths() -> None:
    """A small version of `bench/puzzles.py ratings`."""
    from math import exp

    chance = Random("strengths")
    strong = {str(who): chance.gauss(1500, 350) for who in range(120)}
    hard = {str(what): chance.gauss(1500, 350) for what in range(60)}
    ledger = Ledger(dict.fromkeys(hard, 1500))
    for _ in range(60):
        for who, strength in strong.items():
            what = chance.choice(list(hard))
            solved = chance.random() < 1 / (1 + exp((hard[what] - strength) / 173.7178))
            ledger.add(Attempt(who, what, "wrc11", solved, 30.0))
    found = sorted(hard, key=lambda what: ledger.puzzles[what].rating.rating)
    true = sorted(hard, key=lambda what: hard[what])
    n = len(true)
    places = {what: place for place, what in enumerate(found)}
    squares = sum((place - places[what]) ** 2 for place, what in enumerate(true))
    assert 1 - 6 * squares / (n * (n * n - 1)) > 0.9
