"""What each level of the laying-off ladder does in positions that show how it thinks."""

from __future__ import annotations

from typing import Any

import pytest

from meldroom.bots import BotError, Clock, make_bot
from meldroom.bots.interface import Bot
from meldroom.game import Discard, Play, Shuffle, State, Take, apply, view
from meldroom.game.actions import Action
from tests.bots.laying_off.positions import RUMMYO, position

ALL = ["beginner", "club", "tournament", "patient", "master"]
OPENING = "R10 R11 R12 K9 B9 O9"
"""A run and a group that count 57 together."""


def answer(level: str | Bot, state: State) -> Action:
    """What a level does, seen by nobody else."""
    bot = make_bot(level, RUMMYO, seed="tactics") if isinstance(level, str) else level
    action = bot.act(view(state, 0), Clock())
    apply(state, action, Shuffle("tactics"))
    return action


def thrown(level: str | Bot, state: State) -> str:
    """The tile a level discards, by its face."""
    action = answer(level, state)
    assert isinstance(action, Discard | Play)
    tile = action.tile if isinstance(action, Discard) else action.discard
    assert tile is not None
    return RUMMYO.tiles.face_names[RUMMYO.tiles.face_of[tile]]


def source(level: str, state: State) -> str:
    """Where a level takes from."""
    action = answer(level, state)
    assert isinstance(action, Take)
    return action.source


def result(level: str, state: State) -> str | None:
    """How a level goes out, if it does."""
    after, _ = apply(state, answer(level, state), Shuffle("tactics"))
    return after.result.going_out if after.result is not None else None


WHOLE = f"{OPENING} K2 K3 K4 K5 B11 B12 B13 B1 O7"


@pytest.mark.parametrize("level", ALL)
def test_everybody_goes_out_with_a_hand_when_the_whole_rack_lies_in_melds(level: str) -> None:
    assert result(level, position(WHOLE)) == "hand"


@pytest.mark.parametrize("level", ["club", "tournament", "patient", "master"])
def test_a_foot_is_seen_where_the_last_tile_fits_an_opponents_meld(level: str) -> None:
    rack = f"{OPENING} K2 K3 K4 B11 B12 B13 B1 R8 O2"
    assert result(level, position(rack, melds=[("R5 R6 R7", 1), ("O5 O6 O7 O8", 1)])) == "foot"


@pytest.mark.parametrize("level", ["beginner", "club", "tournament"])
def test_the_lower_levels_go_on_board_as_soon_as_they_can(level: str) -> None:
    action = answer(level, position(f"{OPENING} K1 K3 R2 B4 B6 O11 O1 K13 R7"))
    assert isinstance(action, Play)
    assert len(action.melds) == 2


@pytest.mark.parametrize("level", ["collector", "patient", "strategist", "master"])
def test_the_higher_levels_hold_everything_while_a_hand_may_come(level: str) -> None:
    assert isinstance(answer(level, position(f"{OPENING} K2 K3 K4 R2 R3 B6 B7 K13 O1")), Discard)


@pytest.mark.parametrize("level", ["patient", "master"])
def test_nobody_holds_on_when_the_stock_is_used_up_for_good(level: str) -> None:
    late = position(f"{OPENING} K1 K3 R2 B4 B6 O11 O1 K13 R7", stock=1, reshuffles=1, turns=40)
    assert isinstance(answer(level, late), Play)


def test_who_overlooks_things_adds_to_melds_in_some_turns_only() -> None:
    state = position("R8 K1 K3 R2 B4 B6 O11", melds=[("R5 R6 R7", 0)])
    shares = []
    for level in ("learner", "regular", "skilled"):
        bots = [make_bot(level, RUMMYO, seed=str(seed)) for seed in range(60)]
        shares.append(sum(isinstance(answer(bot, state), Play) for bot in bots) / len(bots))
    assert shares[0] == 0.0
    assert 0.0 < shares[1] < 1.0
    assert shares[2] == 1.0


def test_who_holds_back_goes_on_board_after_a_while() -> None:
    rack = f"{OPENING} K1 K3 R2 B4 B6 O11 O1 K13 R7"
    for level in ("thrifty", "canny", "squirrel", "collector"):
        assert isinstance(answer(level, position(rack, turns=9)), Discard)
        assert isinstance(answer(level, position(rack, turns=10)), Play)
    assert isinstance(answer("expert", position(rack, turns=0)), Play)


def test_a_beginner_throws_the_highest_loose_tile_even_of_a_pair() -> None:
    assert thrown("beginner", position("K4 K5 K6 R12 B12 O2 O5 R3 B8 K9 R6 B1 O9 O10 R2")) == "R12"


def test_a_beginner_does_not_add_to_melds_while_it_could_make_one() -> None:
    state = position("R8 K2 K4 B6 O9", melds=[("R5 R6 R7", 0)], on_board=True)
    assert isinstance(answer("beginner", state), Discard)
    assert isinstance(answer("club", state), Play)


def test_a_beginner_takes_from_the_stock_what_a_club_player_takes_from_the_pile() -> None:
    state = position("R5 R6 K1 K3 B9 O2 O4 O11 B13 K7 R9 R12 B2 K10", discards="R7", phase="take")
    assert source("beginner", state) == "stock"
    for level in ALL[1:]:
        assert source(level, state) == "discard"


@pytest.mark.parametrize("level", ALL)
def test_everybody_takes_the_discard_that_lets_it_go_out(level: str) -> None:
    rack = WHOLE.replace(" B12", "")
    assert source(level, position(rack, discards="B12", phase="take")) == "discard"


@pytest.mark.parametrize("level", ALL)
def test_nobody_takes_a_discard_that_helps_nothing(level: str) -> None:
    state = position(WHOLE.replace(" B12", ""), discards="O4", phase="take")
    assert source(level, state) == "stock"


def test_a_master_far_from_going_out_draws_instead_of_taking_what_only_makes_a_pair() -> None:
    rack = "R1 R2 R3 K5 K6 K7 B9 B11 O2 O4 O11 K10 R9 R12"
    assert source("master", position(rack, discards="B12", phase="take")) == "stock"
    assert source("master", position(rack, discards="B10", phase="take")) == "discard"


@pytest.mark.parametrize("level", ALL)
def test_a_game_that_has_outlasted_the_box_is_played_from_the_stock(level: str) -> None:
    rack = "R5 R6 K1 K3 B9 O2 O4 O11 B13 K7 R9 R12 B2 K10"
    assert source(level, position(rack, discards="R7", phase="take", turns=200)) == "stock"


def test_a_club_player_keeps_pairs_and_throws_the_tile_without_a_neighbour() -> None:
    assert thrown("club", position("K4 K5 K6 R12 B12 O2 O3 R6 R7 B8 B9 O10 O11 K1 K2")) not in ("R12", "B12")


def test_a_tournament_player_lays_most_tiles_or_most_points_as_it_is_told() -> None:
    state = position("R2 R3 R4 R5 K4 B4 * K13 B13", melds=[("O5 O6 O7", 0)], on_board=True)
    tiles = answer(make_bot("tournament", RUMMYO), state)
    points = answer(make_bot("tournament", RUMMYO, objective="points"), state)
    assert isinstance(tiles, Play)
    assert isinstance(points, Play)
    held = set(state.racks[0])

    def worth(play: Play) -> int:
        laid = [tile for meld in play.melds for tile in meld.tiles if tile in held]
        return sum(RUMMYO.values[RUMMYO.tiles.face_of[tile]] for tile in laid)

    assert worth(points) >= worth(tiles)


def test_a_master_waits_for_the_wider_chance() -> None:
    # Without K13 the rest waits for R7 or R10 to join R8 R9; without R8 only a third 13 would help.
    rack = "K2 K3 K4 B5 B6 B7 O9 O10 O11 O12 R8 R9 R1 K13"
    assert thrown("master", position(f"{rack} B2")) in ("R1", "K13", "B2")


def test_a_master_does_not_hand_the_last_tile_to_a_player_on_board() -> None:
    # O9 could go to the next player's run, who has a single tile left; K11 helps nobody.
    melds = [("O6 O7 O8", 1), ("K1 K2 K3", 1)]
    state = position("R2 R3 R4 B5 B6 B7 K9 K10 R12 R13 B11 B13 O1 O9 R6", melds=melds, others=(1,))
    assert thrown("master", state) not in ("O9", "K4")


def test_a_master_never_throws_a_joker_it_can_keep() -> None:
    assert thrown("master", position("* R2 R3 K9 K13 B1 B5 B8 O3 O6 O10 O12 K6 R8 R11")) != "*"


def test_a_master_playing_for_score_saves_the_charge_when_it_is_about_to_lose() -> None:
    # Two players on board hold one tile each; what is left of the rack is far from going out.
    melds = [("O6 O7 O8", 1), ("K1 K2 K3", 1), ("B2 B3 B4", 2), ("K6 K7 K8 K9", 2)]
    state = position(f"{OPENING} O1 O2 O3 R2 B7 B8 K13 R4 R7", melds=melds, others=(1, 1), turns=9)
    assert isinstance(answer(make_bot("master", RUMMYO, aim="score"), state), Play)
    assert isinstance(answer(make_bot("master", RUMMYO, aim="wins"), state), Discard)


@pytest.mark.parametrize(
    ("level", "parameter"),
    [("master", {"aim": "glory"}), ("master", {"effort": 0}), ("tournament", {"objective": "speed"})],
)
def test_a_parameter_without_sense_is_refused_with_what_would_do(
    level: str, parameter: dict[str, Any]
) -> None:
    with pytest.raises(BotError, match="“"):
        make_bot(level, RUMMYO, **parameter)
