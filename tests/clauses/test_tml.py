"""The Mahjong Line's field guide, clause by clause; a clause is named by its first line."""

from __future__ import annotations

from meldroom.game import Draw, Match, Pass, RequestRedeal, Result, RuleLeftovers, new_game
from meldroom.game import events as ev
from meldroom.rules.library import book
from meldroom.rules.procedures import first_player, leftover
from tests.clauses.tables import NAMES, SHUFFLE, assert_legal, assert_refused, faces, sitting

TML = book("tml")
LOOSE = ("SET_INVALID", "The Mahjong Line l.62, The Mahjong Line l.63, The Mahjong Line l.70-75", "R2, R15")
NOT_A_SET = ("SET_INVALID", "The Mahjong Line l.62, The Mahjong Line l.63", "R2")
NOT_A_GROUP = ("SET_INVALID", "The Mahjong Line l.62", "R2")
NOT_A_RUN = ("SET_INVALID", "The Mahjong Line l.63", "R2")
SHORT = ("MELD_LT_30", "The Mahjong Line l.64", "R7")
SHORT_WITH_JOKER = ("MELD_LT_30", "The Mahjong Line l.64, The Mahjong Line l.65", "R9, R10")
TOUCHED = ("TABLE_TOUCHED_BEFORE_MELD", "The Mahjong Line l.66", "R8")
GONE = ("TILE_LEFT_TABLE", "The Mahjong Line l.70-75, The Mahjong Line l.82", "R15, R23")
NO_RACK = ("NO_RACK_TILE", "The Mahjong Line l.76", "R14")


def where(field: str) -> tuple[str, str]:
    citation = TML.cite(field)
    return citation.clause, citation.ruling


def test_tml_rule_l25_neither_clock_nor_penalty_for_a_poor_memory() -> None:
    assert TML.clock.seconds == 0
    assert where("clock.seconds") == ("The Mahjong Line l.25-31", "R31")
    assert leftover(TML, 2, 20) is None
    game = sitting(TML, ["O1", "B1"], "R4 R5 R6 R7")
    refused = game.refused(
        RuleLeftovers(0, table=(game.state.table[0][:3],), leftovers=game.state.table[0][3:])
    )
    assert refused.code == "no_leftovers"


def test_tml_rule_l37_four_colours_from_1_to_13() -> None:
    names = [colour["en"] for colour in TML.tiles.colours]
    assert names == ["cornflower", "pink", "cobalt", "chartreuse"]
    assert [colour.letter for colour in TML.tiles.colours] == ["K", "R", "B", "O"]
    assert TML.tiles.numbers == 13
    assert where("tiles.colours") == ("The Mahjong Line l.37-40", "")


def test_tml_rule_l42_106_tiles_of_112_are_in_play() -> None:
    tiles = TML.tiles
    assert (tiles.size, tiles.jokers, tiles.copies) == (106, 2, 2)
    assert tiles.size + tiles.spare_jokers + tiles.blanks == 112
    state, _ = new_game(TML, NAMES, SHUFFLE)
    assert sum(map(len, state.racks)) + len(state.pool) == 106
    assert where("tiles.jokers") == ("The Mahjong Line l.42-51, The Mahjong Line l.82", "R4")


def test_tml_rule_l57_first_to_empty_the_rack_wins() -> None:
    game = sitting(TML, ["R4", "K9", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.winners() == (0,)
    going_on = sitting(TML, ["R4 O9", "K9", "B13"], "R1 R2 R3")
    going_on.lay("R1 R2 R3 R4")
    assert not going_on.state.over


def test_tml_rule_l59_highest_tile_begins_and_a_joker_is_highest() -> None:
    assert first_player(TML, faces(TML, "R5 K12 K13 O2")).first == 2
    assert first_player(TML, faces(TML, "R5 * K13 O2")).first == 1
    for game in range(1, 6):
        _, events = new_game(TML, NAMES, SHUFFLE, game=game)
        chosen = events[1]
        assert isinstance(chosen, ev.StarterChosen)
        turned = chosen.rounds[-1]
        verdict = first_player(TML, [TML.tiles.face_of[tile] for _, tile in turned])
        assert verdict.first is not None
        assert turned[verdict.first][0] == chosen.seat
    assert where("start.first_player") == ("The Mahjong Line l.59", "R3")


def test_tml_rule_l60_everyone_takes_14_tiles() -> None:
    for starter in (0, 2):
        state, _ = new_game(TML, NAMES[:3], SHUFFLE, starter=starter)
        assert [len(rack) for rack in state.racks] == [14] * 3
    assert where("deal.tiles") == ("The Mahjong Line l.60", "")
    game = sitting(TML, ["R3 R3 B8 B8 O10 O10", "K1"], turns=0, melded=[False, False])
    assert game.refused(RequestRedeal(0, tiles=game.state.racks[0])).code == "no_redeal"


def test_tml_rule_l61_tiles_make_groups_or_runs() -> None:
    assert_legal(TML, "", "R5 B5 K5 R6 R7 O2", "R5 B5 K5")
    assert_legal(TML, "", "R5 B5 K5 R6 R7 O2", "R5 R6 R7")
    assert_refused(TML, "", "R5 B6 K7 O2", "R5 B6 K7", NOT_A_SET)
    assert "The Mahjong Line l.61" in TML.cite("sets.shortest").clauses


def test_tml_rule_l62_group_is_three_or_four_of_a_number_in_different_colours() -> None:
    assert_legal(TML, "", "R7 B7 K7 O7 R7", "R7 B7 K7")
    assert_legal(TML, "", "R7 B7 K7 O7 R7", "R7 B7 K7 O7")
    assert_refused(TML, "", "R7 B7 K7 O7 R7", "R7 B7 R7", NOT_A_GROUP)
    assert_refused(TML, "R7 B7 K7 O7", "*", "R7 B7 K7 O7 *", NOT_A_GROUP)
    assert_refused(TML, "", "R7 B7 K7", "R7 B7", LOOSE)


def test_tml_rule_l63_run_is_three_or_more_consecutive_of_a_colour() -> None:
    run = " ".join(f"O{number}" for number in range(1, 14))
    assert_legal(TML, "", run, "O1 O2 O3")
    assert_legal(TML, "", run, run)
    assert_refused(TML, "", run, "O1 O2", LOOSE)
    assert_refused(TML, "", run, "O1 O2 O4", NOT_A_RUN)
    assert_refused(TML, "", run, "O12 O13 O1", NOT_A_RUN)
    assert_refused(TML, "", "R5 R5 *", "R5 R5 *", NOT_A_GROUP)


def test_tml_rule_l64_opening_needs_30_points() -> None:
    rack = "R4 R5 R6 B2 B3 B4 B5 K10 R10 O10"
    assert_legal(TML, "", rack, "K10 R10 O10", melded=False)
    assert_refused(TML, "", rack, "R4 R5 R6 | B2 B3 B4 B5", SHORT, melded=False)  # 29
    assert_legal(TML, "", rack, "R4 R5 R6 | B2 B3 B4 B5", melded=True)


def test_tml_rule_l65_joker_counts_as_the_tile_it_represents() -> None:
    assert_legal(TML, "", "R10 B10 *", "R10 B10 *", melded=False)
    assert_legal(TML, "", "R9 R10 *", "R9 R10 *", melded=False)
    assert_refused(TML, "", "R9 B9 *", "R9 B9 *", SHORT_WITH_JOKER, melded=False)
    assert_refused(TML, "", "R9 R10 *", "R9 R10 *", SHORT_WITH_JOKER, melded=False, stated={0: "R8 R9 R10"})
    assert where("opening.joker_value") == ("The Mahjong Line l.65", "R9, R10, R11")


def test_tml_rule_l66_no_adding_in_the_turn_of_the_opening() -> None:
    rack = "R10 R11 R12 B6"
    assert_legal(TML, "B3 B4 B5", rack, "B3 B4 B5 | R10 R11 R12", melded=False)
    assert_refused(TML, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12", TOUCHED, melded=False)
    assert_legal(TML, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12")


def test_tml_rule_l67_without_30_points_a_tile_is_drawn_and_the_turn_is_over() -> None:
    game = sitting(TML, ["R9 B9 K9", "K1"], melded=[False, False], top="O9")
    game.draw()
    assert (game.rack(0), game.seat) == ("K9 R9 B9 O9", 1)
    assert game.refused(Draw(0)).code == "not_your_turn"


def test_tml_rule_l70_every_listed_way_to_work_on_the_table() -> None:
    assert_legal(TML, "R4 R5 R6", "R7", "R4 R5 R6 R7")  # add
    assert_legal(TML, "R4 R5 R6 R7 R8", "R6", "R4 R5 R6 | R6 R7 R8")  # split
    assert_legal(TML, "R1 R2 R3 R4 | B1 B2 B3 B4", "K1", "R1 B1 K1 | R2 R3 R4 | B2 B3 B4")  # combined split
    assert_legal(TML, "R4 B4 K4 O4", "R5 R6", "B4 K4 O4 | R4 R5 R6")  # take from four
    assert_legal(TML, "B8 B9 B10", "B11 R8 K8", "B9 B10 B11 | B8 R8 K8")  # add and take


def test_tml_rule_l70_what_is_left_must_be_legal() -> None:
    assert_refused(TML, "R4 R5 R6", "B4 K4", "R5 R6 | R4 B4 K4", LOOSE)
    assert_refused(TML, "R4 R5 R6 R7", "R3", "R3 R4 R5 R6", GONE)
    # A way that is not on the list is as good as one that is.
    assert_legal(TML, "R1 R2 R3 | B1 B2 B3 | K1 K2 K3", "O2", "R1 B1 K1 | R2 B2 K2 O2 | R3 B3 K3")


def test_tml_rule_l76_who_cannot_or_will_not_lay_draws() -> None:
    game = sitting(TML, ["R4 K9", "K1"], "R1 R2 R3", top="O9")
    game.draw()  # although R4 could be laid
    assert (game.rack(0), game.seat) == ("K9 R4 O9", 1)
    assert game.refused(Pass(1)).code == "may_not_pass"
    assert_refused(TML, "R1 R2 R3", "R4", "R1 R2 R3", NO_RACK)


def test_tml_rule_l77_failed_work_is_put_back_and_costs_three_tiles() -> None:
    game = sitting(TML, ["B4 K4 O1", "K1"], "R4 R5 R6", top="O2 O3 O4 O5")
    game.lay("R5 R6 | R4 B4 K4")
    assert (game.table(), game.rack(0), game.seat) == ("R4 R5 R6", "K4 B4 O1 O2 O3 O4", 1)
    assert game.kinds() == ["Penalised", "TurnBegan"]
    good = sitting(TML, ["B4 K4 O1", "K1"], "R4 R5 R6 R7", top="O2 O3 O4 O5")
    good.lay("R5 R6 R7 | R4 B4 K4")
    assert (good.table(), good.rack(0)) == ("R5 R6 R7 | R4 B4 K4", "O1")
    assert where("penalty.tiles") == ("The Mahjong Line l.77", "R25, R28")


def test_tml_rule_l78_last_tile_ends_the_game_at_once() -> None:
    game = sitting(TML, ["K1", "R4", "B13 *"], "R1 R2 R3", seat=1)
    game.lay("R1 R2 R3 R4")
    assert game.state.over
    assert game.refused(Draw(2)).code == "game_over"
    match = Match.of(TML, NAMES[:2], first=0).played(Result("out", (5, -5), (0,)))
    assert (match.over, match.standing().winners) == (True, (0,))
    assert where("match.games") == ("The Mahjong Line l.78", "")


def test_tml_rule_l79_winner_scores_the_sum_of_the_other_racks() -> None:
    game = sitting(TML, ["R4", "K9 O1", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.scores()[0] == 23
    assert where("scoring.winner") == ("The Mahjong Line l.79", "R39")


def test_tml_rule_l80_losers_score_minus_their_rack_and_30_for_a_joker() -> None:
    game = sitting(TML, ["R4", "K9 O1", "B13 *"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.scores() == (53, -10, -43)
    never = sitting(TML, ["R4", "R10 B10 K10", "B13"], "R1 R2 R3", melded=[True, False, True])
    never.lay("R1 R2 R3 R4")
    assert never.scores() == (43, -30, -13)
    assert where("scoring.joker") == ("The Mahjong Line l.80", "R40")


def test_tml_rule_l82_both_jokers_may_stand_in_one_set() -> None:
    assert_legal(TML, "", "R5 R8 * *", "R5 * * R8")
    assert_legal(TML, "", "R5 * *", "R5 * *")
    assert_refused(TML, "", "R5 * *", "* *", LOOSE)


def test_tml_rule_l82_replaced_joker_is_used_in_the_same_turn_in_any_set() -> None:
    assert_legal(TML, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *")
    assert_legal(TML, "R7 R8 * | R9 B9 K9 O9", "R12 R13", "R7 R8 R9 | B9 K9 O9 | * R12 R13")
    assert_refused(TML, "R7 R8 *", "R9", "R7 R8 R9", GONE)
    assert where("jokers.reuse") == ("The Mahjong Line l.82", "R18, R22")


def test_tml_rule_l84_blanks_are_no_tiles_of_play() -> None:
    assert TML.tiles.blanks == 4
    assert TML.tiles.size == TML.tiles.numbered + TML.tiles.jokers
    assert where("tiles.blanks") == ("The Mahjong Line l.42-51, The Mahjong Line l.84", "R4")


def test_tml_rule_l86_the_turn_passes_clockwise() -> None:
    game = sitting(TML, ["K1", "K2", "K3", "K4"], seat=2)
    seats = []
    for _ in range(5):
        seats.append(game.seat)
        game.draw()
    assert seats == [2, 3, 0, 1, 2]
    assert where("start.direction") == ("The Mahjong Line l.86", "R3")
