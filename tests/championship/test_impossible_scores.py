"""Scores that cannot be: a winner who was forgotten, and more points than the box holds (R67)."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from meldroom.championship import (
    ChampionshipError,
    EnterResult,
    Format,
    Found,
    GameResult,
    from_scores,
    preset,
    read_state,
)
from meldroom.championship.actions import CHECKS
from meldroom.championship.results import check_result
from meldroom.rules.library import book
from tests.championship.championship_play import Played
from tests.championship.command_line import club, run

WRC = preset("wrc", book("wrc11"))
WRC9 = preset("wrc", book("wrc9"))
RUMMYO = preset("german", book("rummyo"))


@pytest.mark.parametrize("made", [WRC, WRC9, RUMMYO])
@pytest.mark.parametrize("scores", [(0, -13, -24), (0, 0, 0, 0)])
def test_r67_without_a_plus_the_pool_is_asked_about(made: Format, scores: tuple[int, ...]) -> None:
    with pytest.raises(ChampionshipError) as caught:
        from_scores(made, scores)
    assert caught.value.code == "did_pool_run_out"
    with pytest.raises(ChampionshipError) as caught:
        from_scores(made, scores, exhausted=False)
    assert caught.value.code == "winner_missing"


def test_an_exhausted_game_says_so() -> None:
    found = from_scores(WRC, (0, -13, -24), exhausted=True)
    assert found == GameResult((0, -13, -24), (0,), "exhausted")
    assert from_scores(RUMMYO, (-5, -13, -24), exhausted=True) == GameResult((-5, -13, -24), (), "exhausted")
    assert from_scores(WRC9, (37, -13, -24), exhausted=True) == GameResult((37, -13, -24), (0,), "exhausted")
    assert from_scores(WRC, (37, -13, -24)).end == "out"


@pytest.mark.parametrize(
    ("scores", "fits"),
    [
        ((5000, -4980, -10, -10), False),
        ((928, -900, -27, -1), True),
        ((929, -900, -27, -2), False),
        ((1328, -928, -200, -200), True),  # two never opened: 200 is no rack
        ((600, -200, -200, -200), True),
    ],
)
def test_r67_no_more_points_than_the_box_holds(scores: tuple[int, ...], fits: bool) -> None:
    if fits:
        check_result(WRC, from_scores(WRC, scores), 4)
    else:
        with pytest.raises(ChampionshipError, match="928"):
            from_scores(WRC, scores)


def test_the_box_is_that_of_the_book() -> None:
    with pytest.raises(ChampionshipError, match="788"):  # jokers count 30
        from_scores(preset("wrc", book("tml")), (800, -800, 0, 0))
    check_result(RUMMYO, from_scores(RUMMYO, (150, -10, -20, -100)), 4)
    with pytest.raises(ChampionshipError):
        from_scores(RUMMYO, (9000, -10, -20, -100))


def test_a_log_of_today_keeps_the_box_and_an_old_one_is_read_as_it_was_written() -> None:
    too_much = GameResult((5000, -4980, -10, -10), (0,))
    for checks in (1, CHECKS):
        event = Played.founded(Found("Open", 1, date(2026, 11, 15), preset("german"), checks))
        event.enter(4)
        event.draw("rounds")
        if checks == 1:
            event.do(EnterResult("rounds", 1, 1, 1, too_much))
        else:
            with pytest.raises(ChampionshipError, match="928"):
                event.do(EnterResult("rounds", 1, 1, 1, too_much))


def test_the_command_line_asks(tmp_path: Path) -> None:
    log = club(tmp_path)
    run("draw", log, "--announce", "--seed", "s", "--by", "Dana")
    run("draw", log, "--reveal", "s", "--by", "Dana")
    status, told = run("enter", log, "1", "1", "0,-13,-24,-5", "--by", "Sam")
    assert status == 2
    assert "Did the pool run out?" in told
    status, told = run("enter", log, "1", "1", "0,-13,-24,-5", "--by", "Sam", "--lang", "fr")
    assert "La pioche est-elle épuisée" in told
    status, _ = run("enter", log, "1", "1", "--rack", "1=R1", "--rack", "2=R2", "--by", "Sam")
    assert status == 2
    assert run("enter", log, "1", "1", "0,-13,-24,-5", "--exhausted", "--by", "Sam")[0] == 0
    assert read_state(Path(log)).results["rounds", 1, 1, 1].end == "exhausted"
    pile = tmp_path / "pile.csv"
    pile.write_text("stage,sitting,table,game,scores\nrounds,1,1,2,0 -1 -2 -3\n", encoding="utf-8")
    status, told = run("enter", log, "--results", str(pile), "--by", "Sam")
    assert (status, "Did the pool run out?" in told) == (2, True)
    pile.write_text(
        "stage,sitting,table,game,scores,exhausted\nrounds,1,1,2,0 -1 -2 -3,yes\n", encoding="utf-8"
    )
    assert run("enter", log, "--results", str(pile), "--by", "Sam")[0] == 0
