"""Who to play next, from results against the measured ladder."""

import re
from pathlib import Path
from random import Random

import pytest

from meldroom.bots.levels import DEFAULT_LEVEL, LEVELS
from meldroom.coach.matching import Result, expected, ladder, match, rating
from meldroom.rules.library import BOOK_IDS

PAGE = Path(__file__).parents[2] / "docs" / "bots.md"


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_the_ladder_is_the_one_that_was_measured(book_id: str) -> None:
    """The table in docs/bots.md and the figures that the code reads are the same."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.split(f"<!-- ladder-{book_id}: start -->")[1].split(f"<!-- ladder-{book_id}: end -->")[0]
    rows = {found[1]: int(found[2]) for found in re.finditer(r"^\| (\w+) \| (\d+) \|", table, re.MULTILINE)}
    assert ladder(book_id) == rows
    assert set(rows) <= set(LEVELS)


def test_somebody_without_results_plays_the_usual_opponent() -> None:
    for book_id in BOOK_IDS:
        found = match(book_id, [])
        assert found.games == 0
        assert found.level == (DEFAULT_LEVEL if DEFAULT_LEVEL in ladder(book_id) else found.level)


def test_wins_lead_upwards_and_losses_down() -> None:
    rungs = list(ladder("wrc11"))
    usual = rungs.index(match("wrc11", []).level)
    up = match("wrc11", [Result("regular", 1.0)] * 10)
    down = match("wrc11", [Result("regular", 0.0)] * 10)
    assert rungs.index(up.level) > usual > rungs.index(down.level)
    assert rating("wrc11", [Result("regular", 1.0)]) < rating("wrc11", [Result("regular", 1.0)] * 5)


def test_the_latest_games_count() -> None:
    early = [Result("tournament", 1.0)] * 40
    late = [Result("casual", 0.0)] * 40
    assert rating("wrc11", early + late) < rating("wrc11", late + early)


@pytest.mark.parametrize("level", ["casual", "club", "squirrel", "strategist"])
def test_a_player_of_known_strength_is_found(level: str) -> None:
    """Forty simulated games against whoever was matched: the rating ends near the truth."""
    rungs, chance, results = ladder("wrc11"), Random(level), list[Result]()
    for _ in range(40):
        now = match("wrc11", results).level
        won = chance.random() < expected(rungs[level] - rungs[now])
        results.append(Result(now, float(won)))
    assert abs(rating("wrc11", results) - rungs[level]) < 350


def test_levels_that_were_not_measured_do_not_count() -> None:
    assert match("rummyo", [Result("keen", 1.0)] * 9) == match("rummyo", [])
