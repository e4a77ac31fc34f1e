"""What sets the levels apart, one position for each thing they know."""

from typing import Any

import pytest

from meldroom.bots import Clock, make_bot
from meldroom.bots.attention import ATTENTION
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.bots.rearranging.fighting import Smallest
from meldroom.bots.rearranging.last_draws import LAST_DRAWS, SmallPlays
from meldroom.game import Draw, Lay, Pass, View
from meldroom.game.actions import Action
from meldroom.rules.library import book
from meldroom.solver.best import Solution
from tests.bots.rearranging.positions import seen

WRC11 = book("wrc11")
TML = book("tml")


def answer(level: str, view: View, **parameters: str) -> Action:
    """The action of a bot in a position."""
    return make_bot(level, TML, seed="x", **parameters).act(view, Clock())


def laid(action: Action, view: View) -> str:
    """The faces that a lay takes from the rack, in order."""
    assert isinstance(action, Lay)
    faces = [tile for tiles in action.table for tile in tiles if tile in view.rack]
    return TML.tiles.faces_text(tuple(sorted(TML.tiles.face_of[tile] for tile in faces)))


def test_a_beginner_lays_whole_sets_and_never_adds_to_the_table() -> None:
    view = seen(TML, "R1 R2 R3", "R4 K9 B9 O9")
    assert laid(answer("beginner", view), view) == "K9 B9 O9"
    assert answer("beginner", seen(TML, "R1 R2 R3", "R4 K9")) == Draw(0)


def test_a_club_player_adds_to_sets_and_takes_one_or_two_apart() -> None:
    view = seen(TML, "R1 R2 R3", "R4 K9")
    assert laid(answer("club", view), view) == "R4"
    # The run is cut in two around a second R4.
    view = seen(TML, "R2 R3 R4 R5 R6", "R4 K13")
    assert laid(answer("club", view), view) == "R4"


def test_a_club_player_does_not_see_three_sets_at_once() -> None:
    # K7 needs a 7 from each of three runs: a tournament player finds it.
    view = seen(TML, "R7 R8 R9 R10 | B4 B5 B6 B7 | O7 O8 O9 O10", "K7 K1")
    assert answer("club", view) == Draw(0) or laid(answer("club", view), view) == "K7"
    assert laid(answer("tournament", view), view) == "K7"


def noticed(level: str, view: View) -> float:
    """In how many of a hundred games a bot lays something in a position."""
    bots = (make_bot(level, TML, seed=str(seed)) for seed in range(100))
    return sum(isinstance(bot.act(view, Clock()), Lay) for bot in bots) / 100


def test_a_tile_that_fits_is_overlooked_less_and_less() -> None:
    view = seen(TML, "R1 R2 R3", "R4 K9")
    levels = ("beginner", "learner", "improver", "casual", "family", "club")
    shares = [noticed(level, view) for level in levels]
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
    assert shares == sorted(set(shares))


def test_a_set_to_rearrange_is_overlooked_less_and_less() -> None:
    # The run is cut in two around a second R4.
    view = seen(TML, "R2 R3 R4 R5 R6", "R4 K13")
    shares = [noticed(level, view) for level in ("casual", "family", "regular", "keen", "skilled")]
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert shares[1] < shares[2] < shares[3]


def test_two_sets_together_are_seen_by_a_skilled_player_and_not_by_a_keen_one() -> None:
    # K7 goes with a 7 from the end of each run.
    view = seen(TML, "R4 R5 R6 R7 | B4 B5 B6 B7", "K7 K1")
    assert answer("keen", view) == Draw(0)
    assert laid(answer("skilled", view), view) == "K7"


@pytest.mark.parametrize("level", ATTENTION)
def test_who_overlooks_things_looks_no_more_often_than_it_says(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = 0

    def counted(*given: Any, **more: Any) -> Solution:
        nonlocal solved
        solved += 1
        return best_or_none(*given, **more)

    monkeypatch.setattr("meldroom.bots.rearranging.attentive.best_or_none", counted)
    sets = "R1 R2 R3 | R5 R6 R7 R8 | K9 R9 B9 | O5 O6 O7 O8 | B4 B5 B6 B7 | K1 K2 K3 K4"
    view = seen(TML, sets, "R4 K7 O9 B8 K5 R13 B13 O2 K12")
    make_bot(level, TML, seed="x").act(view, Clock())
    most = ATTENTION[level]
    looks = (6 + 9 if most.sets else 0) + most.pairs
    assert 1 <= solved <= 1 + most.steps * looks


def test_who_plays_sparingly_draws_first_and_then_lays_one_tile() -> None:
    view = seen(TML, "R1 R2 R3", "R4 R5 K9 K10")
    for level, most in (("expert", 1), ("thrifty", 2), ("canny", 3), ("squirrel", 4), ("collector", 8)):
        bot = make_bot(level, TML, seed="x")
        answers = [bot.act(view, Clock()) for _ in range(most + 1)]
        lays = [action for action in answers if isinstance(action, Lay)]
        assert answers[0] == Draw(0)
        assert [laid(action, view) for action in lays] == ["R4"]


def test_an_expert_holds_back_longer_when_somebody_is_nearly_out() -> None:
    for size, lays in ((14, [False, True, False]), (2, [False, False, True])):
        bot = make_bot("expert", TML)
        view = seen(TML, "R1 R2 R3", "R4 K9 K10", sizes=(size,))
        assert [isinstance(bot.act(view, Clock()), Lay) for _ in range(3)] == lays


@pytest.mark.parametrize(
    "level", ["expert", "squirrel", "collector", "strategist", "challenger", "contender"]
)
def test_who_holds_back_goes_out_when_it_can(level: str) -> None:
    view = seen(TML, "R1 R2 R3", "R4 R5")
    assert laid(answer(level, view), view) == "R4 R5"


def test_a_strategist_lays_a_tile_to_have_the_last_draw() -> None:
    rack = "R4 K9 K10"
    assert noticed("strategist", seen(TML, "R1 R2 R3", rack, pool=3)) == 0.0
    assert 0.5 < noticed("strategist", seen(TML, "R1 R2 R3", rack, pool=2)) < 0.9
    assert noticed("strategist", seen(TML, "R1 R2 R3", rack, pool=1)) == 0.0


def test_a_contender_weighs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def weighed(*given: Any) -> None:
        raise AssertionError("it weighed its plays")

    monkeypatch.setattr(SmallPlays, "best_first", weighed)
    view = seen(WRC11, "R1 R2 R3 R4", "R5 K2 K3 K4 B12", sizes=(9,), pool=2)
    assert isinstance(Smallest(WRC11, "x").act(view, Clock()), Lay)
    with pytest.raises(AssertionError, match="weighed"):
        make_bot("master", WRC11, seed="x").act(view, Clock())


def test_a_contender_waits_with_a_single_tile_before_a_set() -> None:
    rules = WRC11
    rack = "R5 K2 K3 K4 B12 B13 O1 O2 K7 K13"
    view = seen(rules, "R1 R2 R3 R4 | K9 R9 B9 | O5 O6 O7 O8", rack, sizes=(9,), pool=2)
    plays = SmallPlays(Seat(rules, view), [1], 1, 1, LAST_DRAWS).smallest_first()
    assert [len(lay) for lay in plays] == sorted(len(lay) for lay in plays)
    assert {len(lay) for lay in plays} >= {1, 3}
    action = Smallest(rules, "x").act(view, Clock())
    assert len(laid(action, view).split()) == 1


@pytest.mark.parametrize(("objective", "expected"), [("tiles", "R1 R2 R3 R4"), ("points", "R13 B13 O13")])
def test_a_tournament_player_lays_most_tiles_or_most_points(objective: str, expected: str) -> None:
    rack = "R1 R2 R3 R4 R13 B13 O13"
    view = seen(TML, "K5 K6 K7", rack)
    found = laid(answer("tournament", view, objective=objective), view)
    assert set(expected.split()) <= set(found.split())


def test_a_patient_player_holds_until_everything_goes() -> None:
    assert answer("patient", seen(TML, "R1 R2 R3", "R4 K9")) == Draw(0)
    view = seen(TML, "R1 R2 R3", "R4 R5")
    assert laid(answer("patient", view), view) == "R4 R5"


def test_a_patient_player_opens_as_soon_as_it_can() -> None:
    view = seen(TML, "", "R13 B13 O13 K1 K5", melded=(False, False))
    assert laid(answer("patient", view), view) == "R13 B13 O13"


def test_a_patient_player_lays_what_it_can_when_the_pool_is_empty() -> None:
    view = seen(TML, "R1 R2 R3", "R4 K9", pool=0)
    assert laid(answer("patient", view), view) == "R4"
    assert answer("patient", seen(TML, "R1 R2 R3", "K9", pool=0)) == Pass(0)


def test_master_goes_out_when_it_can() -> None:
    view = seen(TML, "R1 R2 R3", "R4 R5")
    assert laid(answer("master", view), view) == "R4 R5"


def test_master_keeps_its_opening_back_while_nobody_is_close() -> None:
    rack = "R13 B13 O13 K1 K5 R2 B8"
    assert answer("master", seen(TML, "", rack, melded=(False, False), pool=70)) == Draw(0)
    close = seen(TML, "R1 R2 R3", rack, melded=(False, True), sizes=(5,), pool=70)
    assert laid(answer("master", close), close) == "R13 B13 O13"
    late = seen(TML, "", rack, melded=(False, False), pool=12)
    assert laid(answer("master", late), late) == "R13 B13 O13"


def test_master_opens_with_few_tiles_and_no_joker() -> None:
    rack = "R13 B13 O13 K1 K2 K3 R5 R6 R7 * B8"
    view = seen(TML, "O1 O2 O3", rack, melded=(False, True), sizes=(4,), pool=60)
    assert laid(answer("master", view), view) == "R13 B13 O13"
    assert len(laid(answer("tournament", view), view).split()) > 6


def test_master_for_score_lays_all_it_can_when_it_would_be_caught() -> None:
    """Two others hold one tile each, and the rack is full of points."""
    view = seen(
        TML,
        "R1 R2 R3 | K9 R9 B9 O9 | O5 O6 O7 | B1 B2 B3 B4",
        "R13 B13 O13 K4 K13 B11 O11 R11 O1 K7",
        melded=(True, True, True),
        sizes=(1, 1),
        pool=30,
    )
    assert answer("master", view) == Draw(0)
    assert "R13" in laid(answer("master", view, aim="score"), view)


def test_master_holds_while_the_pool_lasts() -> None:
    assert answer("master", seen(TML, "R1 R2 R3", "R4 K9", pool=40)) == Draw(0)


def test_master_gives_the_last_draw_away_when_that_wins() -> None:
    """Two tiles are left. To draw one gives the other player the last one, and with it the last turn."""
    rules = WRC11
    view = seen(
        rules,
        "R1 R2 R3 R4 | K9 R9 B9 | O5 O6 O7 O8",
        "R5 K2 K3 B12 B13 O1 O2 K7 K13",
        sizes=(9,),
        pool=2,
    )
    action = make_bot("master", rules, seed="x").act(view, Clock())
    assert isinstance(action, Lay)
    tiles = [tile for tiles in action.table for tile in tiles if tile in view.rack]
    assert len(tiles) == 1


def test_master_lays_what_counts_when_its_turn_is_the_last() -> None:
    view = seen(WRC11, "R9 R10 R11", "R12 R13 K1", sizes=(1,), pool=0, queue=())
    action = make_bot("master", WRC11, seed="x").act(view, Clock())
    assert laid(action, view) == "R12 R13"
