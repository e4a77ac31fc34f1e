"""Rummy-O, clause by clause; a clause is named by its heading."""

from __future__ import annotations

import pytest

from meldroom.game import Discard, Match, RequestRedeal, Result, Take, new_game
from meldroom.game import events as ev
from meldroom.rules.laying_off import Judgement
from meldroom.rules.library import book
from meldroom.rules.procedures import starters
from meldroom.rules.scoring import Final, FinalRack, GoingOut, score
from tests.clauses.tables import (
    NAMES,
    SHUFFLE,
    Sitting,
    assert_faults,
    assert_outcome,
    faces,
    judged,
    named,
    rummyo,
)

RUMMYO = book("rummyo")
RUN = ("SET_INVALID", "Rummy-O Runs", "R53")
GROUP = ("SET_INVALID", "Rummy-O Groups", "R56")
LOOSE = ("SET_INVALID", "Rummy-O Runs, Rummy-O Groups", "R55")
SHORT = ("MELD_LT_50", "Rummy-O Going on Board", "R55")
NO_RUN = ("NO_RUN", "Rummy-O Going on Board", "R55")
ADDED = ("ADD_ON_SAME_TURN", "Rummy-O Adding On", "R55")
CHANGED = ("MELD_CHANGED", "Rummy-O Going on Board, Rummy-O Claiming a Joker", "R56, R57")
CLAIM = ("JOKER_CLAIM", "Rummy-O Going on Board, Rummy-O Claiming a Joker", "R56, R57")
GONE = ("TILE_LEFT_TABLE", "Rummy-O Going on Board", "R23, R56")
NO_DISCARD = ("NO_DISCARD", "Rummy-O Going Out", "R58")
FOREIGN = ("TILE_NOT_ON_RACK", "Rummy-O Going on Board", "R55")


def where(field: str) -> tuple[str, str]:
    citation = RUMMYO.cite(field)
    return citation.clause, citation.ruling


def turn(before: str, rack: str, after: str, discard: str | None, on_board: bool = True) -> Judgement:
    return judged(RUMMYO, before, rack, after, discard, on_board=on_board)


def new_set(tiles: str) -> Judgement:
    """One new meld by a player on board who has two more tiles."""
    return turn("", f"{tiles} K8 O3", f"A: {tiles}", "O3")


# Tiles, players, deal


def test_rummyo_rule_the_tiles_are_106_with_two_jokers() -> None:
    tiles = RUMMYO.tiles
    assert (tiles.size, tiles.numbers, tiles.copies, tiles.jokers, len(tiles.colours)) == (106, 13, 2, 2, 4)
    assert where("tiles.jokers") == ("Rummy-O The Tiles", "")


@pytest.mark.parametrize(("count", "fits"), [(1, False), (2, True), (4, True), (5, False)])
def test_rummyo_rule_number_of_players_is_two_to_four(count: int, fits: bool) -> None:
    names = [f"player {seat}" for seat in range(count)]
    if fits:
        state, _ = new_game(RUMMYO, names, SHUFFLE)
        assert len(state.racks) == count
    else:
        with pytest.raises(ValueError, match="2 to 4 players"):
            new_game(RUMMYO, names, SHUFFLE)


def test_rummyo_rule_number_of_players_four_rounds_each_begins_one() -> None:
    assert RUMMYO.match.games == 4
    assert sorted(starters(RUMMYO, 4, 4, 3)) == [0, 1, 2, 3]
    match = Match.of(RUMMYO, NAMES, first=3)
    begun = []
    while not match.over:
        begun.append(match.starter)
        match = match.played(Result("out", (150, -10, -10, -10), (0,), "open"))
    assert begun == [3, 0, 1, 2]
    assert where("match.games") == ("Rummy-O Number of Players", "R62")


def test_rummyo_rule_dealing_the_tiles_starter_takes_15_and_discards_one() -> None:
    state, _ = new_game(RUMMYO, NAMES, SHUFFLE, starter=2)
    assert [len(rack) for rack in state.racks] == [14, 14, 15, 14]
    assert (state.seat, state.phase) == (2, "opening_discard")
    game = Sitting(state)
    game.do(Discard(2, tile=state.racks[2][0]))
    assert [len(rack) for rack in game.state.racks] == [14] * 4
    assert len(game.state.discards) == 1
    assert (game.seat, game.state.phase) == (3, "take")
    assert where("deal.starter_tiles") == ("Rummy-O Dealing the Tiles", "R51")


def test_rummyo_rule_dealing_the_tiles_knows_no_fresh_start() -> None:
    game = rummyo(["R3 R3 B8 B8 O10 O10", "K1"], phase="opening_discard")
    assert game.refused(RequestRedeal(0, tiles=game.state.racks[0])).code == "no_redeal"


# Play


def test_rummyo_rule_the_play_take_from_the_stock_and_discard() -> None:
    game = rummyo(["R4 K9", "B1 B2"], top="O5 O6", discards="K13")
    game.take("stock")
    assert (game.rack(0), game.state.phase) == ("K9 R4 O5", "play")
    game.discard("R4")
    assert (game.rack(0), game.seat) == ("K9 O5", 1)
    assert game.text(game.state.discards[-1:]) == "R4"


def test_rummyo_rule_the_play_take_the_tile_just_discarded() -> None:
    game = rummyo(["R4 K9", "B1 B2"], discards="O13 K13")
    game.take("discard")
    assert game.rack(0) == "K9 K13 R4"
    assert game.text(game.state.discards) == "O13"


def test_rummyo_rule_the_play_one_tile_is_taken_before_anything_else() -> None:
    game = rummyo(["R4 K9", "B1 B2"], discards="K13")
    assert game.refused(game.discarding("R4")).code == "wrong_phase"
    assert game.refused(game.playing("", "R4")).code == "wrong_phase"
    game.take()
    assert game.refused(Take(0, source="stock")).code == "wrong_phase"
    assert game.refused(Take(1, source="stock")).code == "not_your_turn"


def test_rummyo_rule_the_play_goes_to_the_left() -> None:
    game = rummyo(["R4", "B1", "K2"], seat=1)
    seats = []
    for _ in range(4):
        seats.append(game.seat)
        game.take()
        game.do(Discard(game.seat, tile=game.state.drawn[game.seat][0]))
    assert seats == [1, 2, 0, 1]
    assert where("start.direction") == ("Rummy-O The Play", "R3")


# Runs, groups, values


def test_rummyo_rule_runs_are_three_or_more_in_sequence() -> None:
    assert_outcome(new_set("R5 R6 R7"), "OK")
    assert_outcome(new_set("R5 R6 R7 R8 R9"), "OK")
    assert_faults(new_set("R5 R6"), LOOSE)
    assert_faults(new_set("R5 R6 R8"), RUN)
    assert_faults(new_set("R5 R6 R6"), RUN)


def test_rummyo_rule_runs_have_the_1_below_2_or_above_13_but_not_both() -> None:
    assert_outcome(new_set("R1 R2 R3"), "OK")
    assert_outcome(new_set("R12 R13 R1"), "OK")
    assert_faults(new_set("R13 R1 R2"), RUN)
    assert_faults(new_set("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13"), RUN)
    assert where("sets.one_after_highest") == ("Rummy-O Runs", "R53")


def test_rummyo_rule_groups_are_three_or_four_of_different_colours() -> None:
    assert_outcome(new_set("R7 B7 K7"), "OK")
    assert_outcome(new_set("R7 B7 K7 O7"), "OK")
    assert_faults(new_set("R7 B7"), LOOSE)
    assert_faults(new_set("R7 B7 R7"), GROUP)
    assert_faults(new_set("R7 B7 K7 O7 *"), GROUP)


def test_rummyo_rule_groups_and_runs_may_hold_a_joker_for_any_tile() -> None:
    assert_outcome(new_set("R7 B7 *"), "OK")
    assert_outcome(new_set("R5 * R7"), "OK")
    assert_outcome(new_set("R13 * *"), "OK")
    assert_faults(turn("", "* * K8 O3", "A: * *", "O3"), LOOSE)


def test_rummyo_rule_scoring_value_of_tiles_is_10_for_1_and_10_to_13() -> None:
    value = dict(zip(RUMMYO.tiles.face_names, RUMMYO.values, strict=True))
    assert [value[f"B{number}"] for number in range(1, 14)] == [10, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
    assert value["*"] == 15
    assert where("scoring.values") == ("Rummy-O Scoring Value of Tiles", "")
    assert where("scoring.joker") == ("Rummy-O Scoring Value of Tiles", "R40, R54")


# On board


def test_rummyo_rule_going_on_board_needs_50_points() -> None:
    rack = "R7 R8 R9 B8 K8 O8 R2 R3 R4 R13 B13"
    assert_faults(turn("", rack, "A: R7 R8 R9 | A: B8 K8 O8", "R13", False), SHORT)  # 48
    assert_outcome(turn("", rack, "A: R7 R8 R9 | A: B8 K8 O8 | A: R2 R3 R4", "R13", False), "ON_BOARD")
    fifty = "R10 R11 R12 R13 R1 O3 O4"
    assert_outcome(turn("", fifty, "A: R10 R11 R12 R13 R1", "O3", False), "ON_BOARD")
    assert_faults(turn("", fifty, "A: R10 R11 R12 R13", "O3", False), SHORT)
    assert where("opening.points") == ("Rummy-O Going on Board", "R55")


def test_rummyo_rule_going_on_board_needs_a_run() -> None:
    rack = "R10 B10 K10 R13 B13 K13 O2 O3 O4 R5 B5"
    assert_faults(turn("", rack, "A: R10 B10 K10 | A: R13 B13 K13", "R5", False), NO_RUN)
    after = "A: R10 B10 K10 | A: R13 B13 K13 | A: O2 O3 O4"
    assert_outcome(turn("", rack, after, "R5", False), "ON_BOARD")


def test_rummyo_rule_going_on_board_melds_come_from_the_rack() -> None:
    rack = "R10 R11 R12 R13 O3 O4"
    assert_faults(turn("", rack, "A: R10 R11 R12 R13 R1", "O3", False), FOREIGN)


def test_rummyo_rule_going_on_board_a_laid_meld_cannot_be_changed() -> None:
    own = "A: B10 B11 B12"
    assert_faults(
        turn(f"B: R4 R5 R6 R7 R8 | {own}", "R6 K2 O2", f"B: R4 R5 R6 | {own} | A: R6 R7 R8", "K2"), CHANGED
    )
    assert_faults(turn(f"B: R4 R5 R6 R7 | {own}", "K2 O2", f"B: R4 R5 R6 | {own}", "K2"), GONE, CHANGED)
    longer = turn(f"B: R4 R5 R6 | {own}", "R7 K2 O2", f"B: R4 R5 R6 R7 | {own}", "K2")
    assert_outcome(longer, "OK")


def test_rummyo_rule_going_on_board_through_the_game() -> None:
    game = rummyo(["R10 R11 R12 R13 R1 O3 O4", "B1"], on_board=[False, False], phase="play")
    game.play("0: R10 R11 R12 R13 R1", discard="O3")
    assert game.kinds() == ["Played", "Discarded", "TurnBegan"]
    assert (game.state.melded, game.rack(0)) == ((True, False), "O4")


# Adding on


def test_rummyo_rule_adding_on_from_the_turn_after_going_on_board() -> None:
    before = "B: B3 B4 B5"
    rack = "R10 R11 R12 R13 R1 B6 O3 O4"
    assert_faults(turn(before, rack, "B: B3 B4 B5 B6 | A: R10 R11 R12 R13 R1", "O3", False), ADDED)
    assert_outcome(turn(before, rack, "B: B3 B4 B5 | A: R10 R11 R12 R13 R1", "O3", False), "ON_BOARD")
    assert_outcome(turn(before, "B6 O3 O4", "B: B3 B4 B5 B6", "O3"), "OK")
    assert_faults(turn(before, "B6 O3 O4", "B: B3 B4 B5 B6", "O3", False), ADDED, SHORT, NO_RUN)


def test_rummyo_rule_adding_on_to_own_and_others_melds() -> None:
    before = "A: R4 R5 R6 | B: B7 K7 O7"
    after = "A: R3 R4 R5 R6 R7 | B: B7 K7 O7 R7"
    assert_outcome(turn(before, "R3 R7 R7 O3 O4", after, "O3"), "OK")
    assert_faults(turn(before, "R8 O3 O4", "A: R4 R5 R6 R8 | B: B7 K7 O7", "O3"), RUN)
    assert_faults(turn(before, "B7 O3 O4", "A: R4 R5 R6 | B: B7 K7 O7 B7", "O3"), GROUP)


def test_rummyo_rule_adding_on_the_added_tile_stays_with_the_adder() -> None:
    game = rummyo(["R7 O3 O4", "K1"], "1: R4 R5 R6 | 0: B10 B11 B12", phase="play")
    game.play("1: R4 R5 R6 R7 | 0: B10 B11 B12", discard="O3")
    assert game.in_front_of(0) == "R7 B10 B11 B12"
    assert game.in_front_of(1) == "R4 R5 R6"


# Claiming a joker


def test_rummyo_rule_claiming_a_joker_with_the_very_tile_for_an_own_meld() -> None:
    before = "B: R5 R6 * | A: B10 B11 B12"
    new = turn(before, "R7 K2 K3 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 | A: K2 K3 *", "O9")
    assert_outcome(new, "OK")
    existing = turn(before, "R7 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 *", "O9")
    assert_outcome(existing, "OK")
    other = turn(before, "R4 K2 K3 O9", "B: R4 R5 R6 | A: B10 B11 B12 | A: K2 K3 *", "O9")
    assert_faults(other, CHANGED)


def test_rummyo_rule_claiming_a_joker_not_for_the_rack_nor_an_opponents_meld() -> None:
    before = "B: R5 R6 * | A: B10 B11 B12 | B: K4 K5 K6"
    kept = turn(before, "R7 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 | B: K4 K5 K6", "O9")
    assert_faults(kept, GONE, CLAIM)
    given = turn(before, "R7 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 | B: K4 K5 K6 *", "O9")
    assert_faults(given, CLAIM)
    same = turn(before, "R7 O9 O1", "B: R5 R6 R7 * | A: B10 B11 B12 | B: K4 K5 K6", "O9")
    assert_faults(same, CLAIM)


def test_rummyo_rule_claiming_a_joker_moves_it_in_front_of_the_claimant() -> None:
    game = rummyo(["R7 K2 K3 O9 O1", "K1"], "1: R5 R6 * | 0: B10 B11 B12", phase="play")
    game.play("1: R5 R6 R7 | 0: B10 B11 B12 | 0: K2 K3 *", discard="O9")
    assert game.in_front_of(0) == "K2 K3 B10 B11 B12 *"
    assert game.in_front_of(1) == "R5 R6 R7"
    assert game.rack(0) == "O1"


# Going out

HAND = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5"
HAND_MELDS = "A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 O4 | A: R5 B5 K5 O5"


def test_rummyo_rule_going_out_leaves_one_tile_to_discard() -> None:
    assert_outcome(turn("A: B10 B11 B12", "R2 R3 R4 O9", "A: B10 B11 B12 | A: R2 R3 R4", "O9"), "OPEN_RUMMY")
    nothing_left = turn("A: B10 B11 B12", "R2 R3 R4", "A: B10 B11 B12 | A: R2 R3 R4", None)
    assert_faults(nothing_left, NO_DISCARD)
    two_left = turn("A: B10 B11 B12", "R2 R3 R4 O9 O1", "A: B10 B11 B12 | A: R2 R3 R4", "O9")
    assert_outcome(two_left, "OK")


def test_rummyo_rule_going_out_ends_the_round_at_once() -> None:
    game = rummyo([f"{HAND} K13", "K1 *", "O8"], on_board=[False, False, True], phase="play")
    game.play(HAND_MELDS.replace("A", "0"), discard="K13")
    assert game.kinds() == ["Played", "Discarded", "GameEnded"]
    assert game.state.racks[0] == ()
    assert game.refused(Take(1, source="stock")).code == "game_over"


def test_rummyo_rule_open_rummy_scores_100() -> None:
    game = rummyo(["R12 O9", "K1"], "0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11", phase="play")
    game.play("0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11 R12", discard="O9")
    # 44 + 20 + 9 + 30 for the tiles.
    assert (game.scores(), game.winners()) == ((203, -10), (0,))
    ended = game.event(ev.GameEnded)
    assert isinstance(ended, ev.GameEnded)
    assert ended.going_out == "open"
    assert where("scoring.open_bonus") == ("Rummy-O Open Rummy", "")


FOOT_RACK = "R8 B2 B3 B4 K2 K3 K4 O9 R9 K9 R12 B12 K12 O12"
FOOT_MELDS = "A: B2 B3 B4 | A: K2 K3 K4 | A: O9 R9 K9 | A: R12 B12 K12 O12"


def test_rummyo_rule_foot_scores_200() -> None:
    foot = turn("B: R5 R6 R7", f"{FOOT_RACK} O1", f"B: R5 R6 R7 R8 | {FOOT_MELDS}", "O1", False)
    assert_outcome(foot, "FOOT")
    kept_one = turn("B: R5 R6 R7", f"{FOOT_RACK} O1", f"B: R5 R6 R7 | {FOOT_MELDS}", "O1", False)
    assert_outcome(kept_one, "ON_BOARD")
    game = rummyo([f"{FOOT_RACK} O1", "K1"], "1: R5 R6 R7", on_board=[False, True], phase="play")
    game.play(f"1: R5 R6 R7 R8 | {FOOT_MELDS.replace('A', '0')}", discard="O1")
    # 8 + 9 + 9 + 27 + 40 for the tiles.
    assert (game.scores(), game.winners()) == ((293, -10), (0,))
    assert where("scoring.foot_bonus") == ("Rummy-O Foot", "R59")


@pytest.mark.parametrize(
    ("melds", "tiles", "total"),
    [
        (HAND_MELDS, HAND, 51 + 500),
        (HAND_MELDS.replace("K2", "*"), HAND.replace("K2", "*"), 51 + 13 + 400),
        (
            HAND_MELDS.replace("K2", "*").replace("K3", "*"),
            HAND.replace("K2", "*").replace("K3", "*"),
            51 + 13 + 12 + 300,
        ),
    ],
)
def test_rummyo_rule_hand_scores_500_400_or_300_by_its_jokers(melds: str, tiles: str, total: int) -> None:
    assert_outcome(turn("", f"{tiles} K13", melds, "K13", False), "HAND")
    game = rummyo([f"{tiles} K13", "K1 O2"], on_board=[False, True], phase="play")
    game.play(melds.replace("A", "0"), discard="K13")
    assert game.scores() == (total, -12)
    assert where("scoring.hand_bonus") == ("Rummy-O Hand", "R59")


# Scoring a round


def test_rummyo_rule_scoring_a_round_own_tiles_racks_and_minus_100() -> None:
    racks = [("", True), ("R10 K9", True), ("O1 O2 O3", False), ("K13 *", True)]
    players = tuple(FinalRack(faces(RUMMYO, rack), melded) for rack, melded in racks)
    ways: list[tuple[GoingOut, int]] = [("open", 151), ("foot", 251), ("hand", 551)]
    for way, total in ways:
        sheet = score(RUMMYO, Final(players, "out", 0, way, faces(RUMMYO, HAND)))
        assert (sheet.scores, sheet.winners) == ((total, -19, -100, -25), (0,))
    with pytest.raises(ValueError, match="14 tiles"):
        score(RUMMYO, Final(players, "out", 0, "open", faces(RUMMYO, HAND)[:13]))
    assert where("scoring.unmelded") == ("Rummy-O Scoring a Round", "R60")


def test_rummyo_rule_scoring_a_round_highest_total_of_four_rounds_wins() -> None:
    match = Match.of(RUMMYO, NAMES[:3], first=0)
    for scores, winner in (
        ((151, -10, -100), 0),
        ((-20, 180, -5), 1),
        ((-90, -5, 160), 2),
        ((-5, -60, 150), 2),
    ):
        assert match.standing().winners is None
        match = match.played(Result("out", scores, (winner,), "open"))
    assert match.standing().totals == (36, 105, 205)
    assert match.standing().winners == (2,)
    # One great round outweighs three lost ones.
    match = Match.of(RUMMYO, NAMES[:2], first=0, games=2)
    match = match.played(Result("out", (550, -100), (0,), "hand")).played(
        Result("out", (-60, 151), (1,), "open")
    )
    assert match.standing().winners == (0,)
    assert where("match.winner") == ("Rummy-O Scoring a Round", "R62")


def test_rummyo_rule_going_on_board_an_illegal_play_names_its_faults() -> None:
    game = rummyo(["R7 R8 R9 B8 K8 O8 O3 O4", "B1"], on_board=[False, False], phase="play")
    error = game.refused(game.playing("0: R7 R8 R9 | 0: B8 K8 O8", "O3"))
    assert error.code == "illegal_turn"
    assert named(error.violations) == [SHORT]
