"""WRC 9, clause by clause: regulations G1–G9, playing rules P1–P16."""

from __future__ import annotations

from meldroom.game import Correct, Draw, Match, Move, Pass, RequestRedeal, Result, RuleLeftovers, new_game
from meldroom.game import events as ev
from meldroom.rules.library import book, with_options
from meldroom.rules.procedures import eligible, ranking, three_doubles
from meldroom.rules.requests import ruling
from tests.clauses.tables import NAMES, SHUFFLE, assert_legal, assert_refused, faces, named, sitting

WRC9 = book("wrc9")
LOOSE = ("SET_INVALID", "WRC 9 P7", "R2, R15")
INVALID = ("SET_INVALID", "WRC 9 P7", "R2")
SHORT = ("MELD_LT_30", "WRC 9 P4", "R7")
TOUCHED = ("TABLE_TOUCHED_BEFORE_MELD", "WRC 9 P6", "R8")
GONE = ("TILE_LEFT_TABLE", "WRC 9 P7, WRC 9 P11", "R15, R23")
NO_RACK = ("NO_RACK_TILE", "WRC 9 P3, WRC 9 P12", "R14")
OLD_SET = ("JOKER_NOT_IN_NEW_SET", "WRC 9 P11, WRC 9 P12", "R20")


def where(field: str) -> tuple[str, str]:
    citation = WRC9.cite(field)
    return citation.clause, citation.ruling


def clause(clause_id: str) -> str:
    (found,) = [one for one in WRC9.clauses if one.id == clause_id]
    return found.text["en"]


# Regulations


def test_wrc9_rule_g1_only_citizens_represent_a_country() -> None:
    assert eligible(WRC9, True, [], 9)
    assert not eligible(WRC9, False, [], 9)
    assert where("tournament.citizens_only") == ("WRC 9 G1", "R49")
    assert eligible(book("wrc11"), False, [], 11)


def test_wrc9_rule_g2_nobody_plays_for_a_country_twice_in_a_row() -> None:
    assert not eligible(WRC9, True, [8], 9)
    assert eligible(WRC9, True, [7], 9)
    assert eligible(WRC9, True, [6, 7], 9)
    assert where("tournament.not_twice_running") == ("WRC 9 G2", "R49")


def test_wrc9_rule_g3_seats_are_drawn_by_lot() -> None:
    assert WRC9.tournament.seating == "raffle"
    assert where("tournament.seating") == ("WRC 9 G3", "R50")


def test_wrc9_rule_g4_the_referee_decides_and_it_is_on_record() -> None:
    game = sitting(WRC9, ["R4 K9", "B1"], "R1 R2 R3")
    moved = game.state.racks[0][0]
    game.do(Correct(1, reason="K9 had fallen off the other rack", moves=(Move(moved, "rack", 1),)))
    assert (game.rack(0), game.rack(1), game.seat) == ("R4", "K9 B1", 1)
    decision = game.event(ev.Corrected)
    assert isinstance(decision, ev.Corrected)
    assert decision.reason == "K9 had fallen off the other rack"
    assert "decide" in clause("G4")


def test_wrc9_rule_g5_organisers_supply_the_tiles() -> None:
    assert WRC9.tiles.size == 106
    assert where("tiles.colours") == ("WRC 9 G5", "R1")
    # No tile of one's own: what is not in the set, or not on the rack, cannot be laid.
    foreign = ("TILE_NOT_ON_RACK", "WRC 9 P3", "R15")
    assert_refused(WRC9, "R1 R2 R3", "K9", "R1 R2 R3 R4", foreign, NO_RACK)


def test_wrc9_rule_g6_a_turn_has_one_minute() -> None:
    assert WRC9.clock.seconds == 60
    assert where("clock.seconds") == ("WRC 9 G6, WRC 9 P8", "R24, R26")


def test_wrc9_rule_g7_three_rounds_of_four_games() -> None:
    assert (WRC9.tournament.rounds, WRC9.tournament.games_per_round, WRC9.match.games) == (3, 4, 4)
    assert where("tournament.rounds") == ("WRC 9 G7", "R47")
    match = Match.of(WRC9, NAMES, first=2)
    starters = []
    for game in range(4):
        assert not match.over
        starters.append(match.starter)
        match = match.played(Result("out", (30, -10, -10, -10), (0,)))
        assert len(match.results) == game + 1
    assert match.over
    assert starters == [2, 3, 0, 1]


def test_wrc9_rule_g8_most_wins_then_highest_score() -> None:
    results = {
        "two small wins": [(1, 20), (1, 20), (0, -90), (0, -90)],
        "one great win": [(1, 400), (0, -1), (0, -1), (0, -1)],
        "one small win": [(1, 396), (0, -1), (0, -1), (0, -1)],
    }
    assert ranking(results) == (("two small wins",), ("one great win",), ("one small win",))
    match = Match.of(WRC9, NAMES[:2], first=0, games=2)
    match = match.played(Result("out", (10, -10), (0,))).played(Result("out", (-50, 50), (1,)))
    assert match.standing().winners == (1,)
    assert where("match.winner") == ("WRC 9 G8", "R48")


def test_wrc9_rule_g9_organisers_may_change_the_regulations() -> None:
    cut = with_options(WRC9, {"cut_after_round_1": True})
    assert (WRC9.tournament.cut_after_round_1, cut.tournament.cut_after_round_1) == (False, True)
    assert cut.ref.options == {"cut_after_round_1": True}
    assert "organisers" in clause("G9")


# Playing rules


def test_wrc9_rule_p1_first_to_lay_every_tile_scores_the_other_racks() -> None:
    game = sitting(WRC9, ["R4", "K9 O1", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert (game.scores(), game.winners()) == ((23, -10, -13), (0,))
    assert where("scoring.winner") == ("WRC 9 P1", "R39, R42")
    going_on = sitting(WRC9, ["R4 R9", "K9 O1", "B13"], "R1 R2 R3")
    going_on.lay("R1 R2 R3 R4")
    assert not going_on.state.over


def test_wrc9_rule_p2_everyone_begins_with_14_tiles() -> None:
    state, _ = new_game(WRC9, NAMES, SHUFFLE)
    assert [len(rack) for rack in state.racks] == [14] * 4
    assert len(state.pool) == 50
    assert where("deal.tiles") == ("WRC 9 P2", "")


def test_wrc9_rule_p3_a_turn_is_a_draw_or_a_lay() -> None:
    game = sitting(WRC9, ["R4 K9", "B4 B9"], "R1 R2 R3", top="O5")
    game.draw()
    assert (game.seat, game.rack(0)) == (1, "K9 R4 O5")
    assert game.refused(Draw(0)).code == "not_your_turn"
    assert game.refused(Pass(1)).code == "may_not_pass"
    assert named(game.refused(game.laying("R1 R2 R3")).violations) == [NO_RACK]
    laid = sitting(WRC9, ["R4 K9", "B4 B9"], "R1 R2 R3")
    laid.lay("R1 R2 R3 R4")
    assert (laid.seat, laid.rack(0)) == (1, "K9")


def test_wrc9_rule_p4_opening_needs_30_points() -> None:
    rack = "R3 R4 R5 B6 K6 O6 B1 B2 B3 B4 K1"
    assert_legal(WRC9, "", rack, "R3 R4 R5 | B6 K6 O6", melded=False)  # 30
    assert_refused(WRC9, "", rack, "B6 K6 O6 | B1 B2 B3 B4", SHORT, melded=False)  # 28
    assert_legal(WRC9, "", rack, "B6 K6 O6 | B1 B2 B3 B4", melded=True)
    assert where("opening.points") == ("WRC 9 P4, WRC 9 P6", "R7, R8")


def test_wrc9_rule_p5_entry_may_be_delayed() -> None:
    game = sitting(WRC9, ["R10 B10 K10", "B1"], melded=[False, True], top="O5")
    game.draw()
    assert (game.state.melded, game.rack(0)) == ((False, True), "K10 R10 B10 O5")
    assert "WRC 9 P5" in WRC9.cite("pool_end.must_play_if_able").clauses


def test_wrc9_rule_p6_no_set_is_touched_before_or_during_the_opening() -> None:
    rack = "R10 R11 R12 B6"
    assert_legal(WRC9, "B3 B4 B5", rack, "B3 B4 B5 | R10 R11 R12", melded=False)
    assert_refused(WRC9, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12", TOUCHED, melded=False)
    assert_refused(WRC9, "B3 B4 B5", rack, "B3 B4 B5 B6", TOUCHED, SHORT, melded=False)
    assert_legal(WRC9, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12")


def test_wrc9_rule_p7_only_legitimate_sets_and_no_loose_tiles_remain() -> None:
    assert_legal(WRC9, "R4 B4 K4 O4", "B3 B5", "R4 K4 O4 | B3 B4 B5")
    assert_refused(WRC9, "R4 B4 K4", "B3 B5", "R4 K4 | B3 B4 B5", LOOSE)
    assert_refused(WRC9, "R4 B4 K4", "R4", "R4 B4 K4 R4", INVALID)
    assert_refused(WRC9, "R4 R5 R6 R7", "R3", "R3 R4 R5 R6", GONE)


def test_wrc9_rule_p8_time_out_restores_and_costs_three_tiles() -> None:
    game = sitting(WRC9, ["B3 B5", "B1"], "R4 B4 K4", top="O1 O2 O3 O4")
    game.time_out("R4 K4 | B3 B4 B5")
    assert (game.table(), game.rack(0), game.seat) == ("R4 B4 K4", "B3 B5 O1 O2 O3", 1)
    in_time = sitting(WRC9, ["B3 B5 O9", "B1"], "R4 B4 K4 O4", top="O1 O2 O3")
    in_time.time_out("R4 K4 O4 | B3 B4 B5")
    assert (in_time.table(), in_time.rack(0)) == ("R4 K4 O4 | B3 B4 B5", "O9")
    assert where("penalty.tiles") == ("WRC 9 P8", "R25, R28")


def test_wrc9_rule_p9_forgotten_tiles_go_under_the_pool_and_as_many_are_drawn() -> None:
    game = sitting(WRC9, ["O13", "B1"], "R4 R5 R6 R7 R8 | K9 B9 O9", top="O1 O2 O3 O4 O5 O6")
    size = len(game.state.pool)
    game.rule_leftovers("R4 R5 R6 | K9 B9 O9", "R7 R8")
    assert game.rack(0) == "O1 O2 O3 O4 O5 O13"
    assert len(game.state.pool) == size - 3
    assert game.text(game.state.pool[-2:]) == "R7 R8"
    assert where("penalty.leftovers") == ("WRC 9 P9", "R30, R31")
    assert game.refused(RuleLeftovers(0, table=(), leftovers=())).code == "not_your_turn"


def test_wrc9_rule_p10_one_stands_before_two_only() -> None:
    wrong = ("SET_INVALID", "WRC 9 P10", "R2")
    assert_legal(WRC9, "R2 R3 R4", "R1", "R1 R2 R3 R4")
    assert_refused(WRC9, "R11 R12 R13", "R1", "R11 R12 R13 R1", wrong)
    assert_refused(WRC9, "", "R13 R1 R2", "R13 R1 R2", wrong)


def test_wrc9_rule_p11_joker_is_replaced_from_rack_or_table_and_forms_a_new_set() -> None:
    assert_legal(WRC9, "R7 R8 *", "R9 B4 B5", "R7 R8 R9 | B4 B5 *")
    assert_legal(WRC9, "R7 R8 * | R9 B9 K9 O9", "R12 R13", "R7 R8 R9 | B9 K9 O9 | * R12 R13")
    assert_refused(WRC9, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *", OLD_SET)
    assert_refused(WRC9, "R7 R8 *", "R9", "R7 R8 R9", GONE)
    # Two jokers of one set may go into two new sets.
    assert_legal(WRC9, "R5 * *", "R6 R7 K9 B9 O3 O4", "R5 R6 R7 | K9 B9 * | O3 O4 *")


def test_wrc9_rule_p12_a_joker_that_comes_loose_forms_a_new_set_with_a_rack_tile_in_the_turn() -> None:
    assert_legal(WRC9, "R7 R8 *", "R6", "R6 R7 R8 *")
    before = "R5 R6 R7 * | B4 B5 B6 B7 B8"
    assert_refused(WRC9, before, "O1", "R5 R6 R7 | B4 B5 B6 | B7 B8 *", NO_RACK)
    assert_legal(WRC9, before, "B9", "R5 R6 R7 | B4 B5 B6 | B7 B8 B9 *")
    assert_refused(WRC9, "R5 R6 R7 * | B4 B5 B6", "B8", "R5 R6 R7 | B4 B5 B6 * B8", OLD_SET)


def test_wrc9_rule_p13_a_joker_left_counts_50() -> None:
    game = sitting(WRC9, ["R4", "* K9", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.scores() == (72, -59, -13)
    assert where("scoring.joker") == ("WRC 9 P13", "R40")


def test_wrc9_rule_p14_unmelded_player_is_charged_100_or_200() -> None:
    for rack, charged in (("R9 B9 K9 O1", 100), ("R10 B10 K10 O1", 200), ("R9 * * O1", 200)):
        game = sitting(WRC9, ["R4", rack, "B13"], "R1 R2 R3", melded=[True, False, True])
        game.lay("R1 R2 R3 R4")
        assert game.scores() == (charged + 13, -charged, -13)
    assert where("scoring.unmelded") == ("WRC 9 P14", "R41")


def test_wrc9_rule_p15_three_doubles_give_a_fresh_start() -> None:
    assert three_doubles(WRC9, faces(WRC9, "R3 R3 B8 B8 O10 O10 K1"))
    assert not three_doubles(WRC9, faces(WRC9, "R3 R3 B8 B8 O10 B10 K1"))
    game = sitting(WRC9, ["K1", "R3 R3 B8 B8 O10 O10"], turns=0, melded=[False, False])
    game.do(RequestRedeal(1, tiles=game.state.racks[1]))
    assert [len(rack) for rack in game.state.racks] == [14, 14]
    assert where("redeal.doubles") == ("WRC 9 P15", "R5, R6")


def test_wrc9_rule_p16_organisers_may_change_the_playing_rules() -> None:
    assert "WRC" in clause("P16")
    lenient = with_options(WRC9, {"joker_reuse": "any_set"})
    assert_legal(lenient, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *")
    answer = ruling(
        {
            "check": "declared",
            "rulebook": "wrc9",
            "options": {"strict_declare": True},
            "input": {"table_legal": False, "pool": 9},
        }
    )
    assert answer["answer"] == {"result": "restore and penalty", "draw": 3}
