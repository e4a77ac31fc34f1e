"""WRC 11 and NZRC 2024 have one text, so they have one set of tests, run under each book's own name."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from meldroom.game import Draw, Lay, Pass, RequestRedeal, RuleLeftovers, new_game, view
from meldroom.game import events as ev
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book, house_book, with_options
from meldroom.rules.procedures import final_turns, three_doubles
from meldroom.rules.scoring import Final, FinalRack, score
from tests.clauses.tables import (
    NAMES,
    SHUFFLE,
    Fault,
    assert_legal,
    assert_refused,
    faces,
    named,
    sitting,
)


def tests_of(book_id: str) -> dict[str, Callable[[], None]]:
    """Every `rule_…` function of this module as a test of one book: `test_wrc11_rule_9_…`."""
    found: dict[str, Callable[[], None]] = {}
    module = sys.modules[__name__]
    for name, check in vars(module).items():
        if name.startswith("rule_"):
            found[f"test_{book_id}_{name}"] = _bound(f"test_{book_id}_{name}", check, book_id)
    return found


def _bound(name: str, check: Callable[[RuleBook], None], book_id: str) -> Callable[[], None]:
    def test() -> None:
        check(book(book_id))

    test.__name__ = test.__qualname__ = name
    test.__doc__ = check.__doc__
    return test


def at(rules: RuleBook, *clauses: str) -> str:
    """Clauses as a violation names them."""
    return ", ".join(f"{rules.label} {clause}" for clause in clauses)


def loose(rules: RuleBook) -> Fault:
    """The fault of tiles that are too few for a set."""
    return ("SET_INVALID", at(rules, "#6"), "R2, R15")


# #1 aim


def rule_1_first_to_lay_every_tile_scores_the_other_racks(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "K9 O1", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.state.over
    assert (game.scores(), game.winners()) == ((23, -10, -13), (0,))
    assert (rules.cite("scoring.winner").clause, rules.cite("scoring.winner").ruling) == (
        at(rules, "#1"),
        "R39, R42",
    )


def rule_1_one_tile_left_is_not_yet_a_win(rules: RuleBook) -> None:
    game = sitting(rules, ["R4 R9", "K9 O1", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert not game.state.over
    assert game.seat == 1


# #2 deal


def rule_2_everyone_begins_with_14_tiles(rules: RuleBook) -> None:
    for count in (2, 3, 4):
        state, _ = new_game(rules, NAMES[:count], SHUFFLE)
        assert [len(rack) for rack in state.racks] == [14] * count
        assert len(state.pool) == 106 - 14 * count
        assert state.table == ()
    assert rules.cite("deal.tiles").clause == at(rules, "#2")


# #3 turn


def rule_3_a_turn_is_one_drawn_tile(rules: RuleBook) -> None:
    game = sitting(rules, ["R4 K9", "B1"], "R1 R2 R3", top="O5 O6")
    game.draw()
    assert game.rack(0) == "K9 R4 O5"
    assert game.kinds() == ["Drew", "TurnBegan"]
    # The drawn tile, and any other, has to wait: the turn is over.
    assert game.refused(Draw(0)).code == "not_your_turn"
    assert game.refused(Lay(0, table=game.state.table)).code == "not_your_turn"


def rule_3_a_turn_is_one_or_more_laid_tiles_and_no_draw(rules: RuleBook) -> None:
    game = sitting(rules, ["R4 R5 K9", "B1"], "R1 R2 R3")
    before = len(game.state.pool)
    game.lay("R1 R2 R3 R4 R5")
    assert (game.seat, len(game.state.pool), game.rack(0)) == (1, before, "K9")


def rule_3_neither_drawing_nor_laying_is_refused(rules: RuleBook) -> None:
    game = sitting(rules, ["R4 K9", "B1"], "R1 R2 R3")
    assert game.refused(Pass(0)).code == "may_not_pass"
    error = game.refused(game.laying("R1 R2 R3"))
    assert named(error.violations) == [("NO_RACK_TILE", at(rules, "#3", "#9"), "R14")]


def rule_3_tiles_never_return_from_the_table(rules: RuleBook) -> None:
    gone = ("TILE_LEFT_TABLE", at(rules, "#3", "#9"), "R15, R23")
    assert_refused(
        rules, "R4 B4 K4 O4", "R9", "R4 B4 K4", gone, ("NO_RACK_TILE", at(rules, "#3", "#9"), "R14")
    )
    # Taking one tile back while another is laid is no better.
    assert_refused(
        rules, "R4 B4 K4 O4", "K5 K6", "R4 B4 O4", gone, ("NO_RACK_TILE", at(rules, "#3", "#9"), "R14")
    )
    assert_refused(rules, "R4 R5 R6 R7", "R3", "R3 R4 R5 R6", gone)
    assert_legal(rules, "R4 R5 R6 R7", "R3", "R3 R4 R5 R6 R7")


def rule_3_only_tiles_of_the_rack_are_laid(rules: RuleBook) -> None:
    foreign = ("TILE_NOT_ON_RACK", at(rules, "#3"), "R15")
    nothing = ("NO_RACK_TILE", at(rules, "#3", "#9"), "R14")
    assert_refused(rules, "R1 R2 R3", "K9", "R1 R2 R3 R4", foreign, nothing)
    assert_refused(rules, "R1 R2 R3", "R4", "R1 R2 R3 R4 R5", foreign)


# #4 opening


def rule_4_opening_needs_30_points(rules: RuleBook) -> None:
    rack = "R4 R5 R6 B2 B3 B4 B5 K10 R10 O10"
    short = ("MELD_LT_30", at(rules, "#4"), "R7")
    assert_legal(rules, "", rack, "K10 R10 O10", melded=False)
    assert_refused(rules, "", rack, "R4 R5 R6 | B2 B3 B4 B5", short, melded=False)  # 29
    assert_refused(rules, "", rack, "R4 R5 R6", short, melded=False)
    assert_legal(rules, "", rack, "R4 R5 R6 | B2 B3 B4 B5", melded=True)


def rule_4_no_set_is_touched_before_or_during_the_opening(rules: RuleBook) -> None:
    touched = ("TABLE_TOUCHED_BEFORE_MELD", at(rules, "#4"), "R8")
    short = ("MELD_LT_30", at(rules, "#4"), "R7")
    rack = "R10 R11 R12 B6 O10"
    assert_legal(rules, "B3 B4 B5", rack, "B3 B4 B5 | R10 R11 R12", melded=False)
    assert_refused(rules, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12", touched, melded=False)
    assert_refused(rules, "B3 B4 B5", rack, "B3 B4 B5 B6", touched, short, melded=False)
    # Points that lie on the table are not the player's.
    assert_refused(
        rules, "B10 K10 R10 O10", "R11 R12", "B10 K10 O10 | R10 R11 R12", touched, short, melded=False
    )
    assert_legal(rules, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12")


def rule_4_the_table_is_open_from_the_next_turn(rules: RuleBook) -> None:
    game = sitting(rules, ["R10 B10 K10 R4 O9", "B1 B2"], "R1 R2 R3", melded=[False, True])
    game.lay("R1 R2 R3 | R10 B10 K10")
    assert game.state.melded == (True, True)
    game.draw()
    game.lay("R1 R2 R3 R4 | R10 B10 K10")
    assert game.rack(0) == "O9"


# #5 delay


def rule_5_entry_may_be_delayed_by_drawing(rules: RuleBook) -> None:
    game = sitting(rules, ["R10 B10 K10", "B1"], melded=[False, True], top="O5")
    game.draw()
    assert game.state.melded == (False, True)
    assert game.rack(0) == "K10 R10 B10 O5"
    assert rules.cite("pool_end.must_play_if_able").clause == at(rules, "#5")


# #6 manipulation


def rule_6_sets_may_be_manipulated_in_many_ways(rules: RuleBook) -> None:
    assert_legal(rules, "R4 B4 K4 O4", "B3 B5", "R4 K4 O4 | B3 B4 B5")  # borrow the fourth
    assert_legal(rules, "R4 R5 R6 R7 R8", "R6", "R4 R5 R6 | R6 R7 R8")  # split
    assert_legal(rules, "R3 R4 R5 | R7 R8 R9", "R6", "R3 R4 R5 R6 R7 R8 R9")  # join
    assert_legal(rules, "B8 B9 B10", "B11 R8 K8", "B9 B10 B11 | B8 R8 K8")  # replace an end
    assert_legal(rules, "R1 R2 R3 | B1 B2 B3 | K1 K2 K3", "O2", "R1 B1 K1 | R2 B2 K2 O2 | R3 B3 K3")


def rule_6_only_legitimate_sets_and_no_loose_tiles_remain(rules: RuleBook) -> None:
    invalid = ("SET_INVALID", at(rules, "#6"), "R2")
    assert_refused(rules, "R4 R5 R6 R7", "B6 K6", "R4 R5 | R7 | R6 B6 K6", loose(rules), loose(rules))
    assert_refused(rules, "R4 R5 R6", "R8", "R4 R5 R6 R8", invalid)
    assert_refused(rules, "R4 R5 R6", "B7", "R4 R5 R6 B7", invalid)
    assert_refused(rules, "R4 B4 K4", "R4", "R4 R4 B4 K4", invalid)
    assert_refused(rules, "R4 R5 R6", "R5", "R4 R5 R5 R6", invalid)


# #7 clock, penalty, leftovers


def rule_7_a_turn_has_40_seconds(rules: RuleBook) -> None:
    assert rules.clock.seconds == 40
    assert rules.cite("clock.seconds").clause == at(rules, "#7")


def rule_7_time_out_restores_the_table_and_costs_three_tiles(rules: RuleBook) -> None:
    game = sitting(rules, ["B6 K6 O1", "B1"], "R4 R5 R6 R7", top="O2 O3 O4 O5")
    game.time_out("R4 R5 | R7 | R6 B6 K6")
    assert game.table() == "R4 R5 R6 R7"
    assert game.rack(0) == "K6 B6 O1 O2 O3 O4"
    assert game.seat == 1
    assert game.kinds() == ["TimedOut", "Penalised", "TurnBegan"]
    penalty = game.event(ev.Penalised)
    assert isinstance(penalty, ev.Penalised)
    assert (penalty.cause, len(penalty.tiles), penalty.codes) == ("time", 3, ("SET_INVALID",))
    assert rules.cite("penalty.tiles").clause == at(rules, "#7")


def rule_7_a_completed_manipulation_costs_nothing(rules: RuleBook) -> None:
    game = sitting(rules, ["B7 K7 O1", "B1"], "R4 R5 R6 R7")
    game.time_out("R4 R5 R6 | R7 B7 K7")
    assert game.kinds() == ["TimedOut", "Laid", "TurnBegan"]
    assert (game.table(), game.rack(0)) == ("R4 R5 R6 | R7 B7 K7", "O1")


def rule_7_forgotten_tiles_join_the_rack_with_the_three(rules: RuleBook) -> None:
    game = sitting(rules, ["O1", "B1"], "R4 R5 R6 R7 | K9 B9 O9", top="O2 O3 O4 O5")
    game.rule_leftovers("R4 R5 R6 | K9 B9 O9", "R7")
    assert game.table() == "R4 R5 R6 | K9 B9 O9"
    assert game.rack(0) == "R7 O1 O2 O3 O4"
    assert game.kinds() == ["LeftoversRuled", "Penalised", "TurnBegan"]
    assert rules.cite("penalty.leftovers").clause == at(rules, "#7")


def rule_7_leftovers_are_tiles_of_the_table(rules: RuleBook) -> None:
    game = sitting(rules, ["O1 O2", "B1"], "R4 R5 R6 R7")
    table, rack = game.state.table, game.state.racks[0]
    assert game.refused(RuleLeftovers(0, table=table, leftovers=rack[:1])).code == "bad_leftovers"
    assert game.refused(RuleLeftovers(0, table=((),), leftovers=table[0])).code == "bad_leftovers"


# #8 the 1


def rule_8_one_stands_before_two_only(rules: RuleBook) -> None:
    wrong = ("SET_INVALID", at(rules, "#8"), "R2")
    assert_legal(rules, "R2 R3 R4", "R1", "R1 R2 R3 R4")
    assert_legal(rules, "", "R1 R2 *", "R1 R2 *")
    assert_refused(rules, "R11 R12 R13", "R1", "R11 R12 R13 R1", wrong)
    assert_refused(rules, "", "R13 R1 R2", "R13 R1 R2", wrong)
    assert_refused(rules, "", "R12 R13 R1", "R12 R13 R1", wrong)
    assert_refused(rules, "", "* R13 R1", "* R13 R1", wrong)


def rule_8_a_joker_after_13_is_an_11(rules: RuleBook) -> None:
    assert_legal(rules, "", "R12 R13 *", "R12 R13 *", melded=False)
    said = ("SET_INVALID", at(rules, "#9"), "R10")
    assert_refused(rules, "", "R12 R13 *", "R12 R13 *", said, stated={0: "R12 R13 R1"})
    # The whole run from 1 to 13 is a set; nothing can be added to it, not even a joker.
    run = " ".join(f"R{number}" for number in range(1, 14))
    assert_legal(rules, run.removesuffix(" R13"), "R13", run)
    assert_refused(rules, run, "*", f"{run} *", ("SET_INVALID", at(rules, "#8"), "R2"))


# #9 the joker


def rule_9_joker_stands_for_any_tile(rules: RuleBook) -> None:
    assert_legal(rules, "", "R5 * R7", "R5 * R7")
    assert_legal(rules, "", "R5 B5 *", "R5 B5 *")
    assert_legal(rules, "R5 B5 *", "K5", "R5 B5 K5 *")
    assert_refused(rules, "R5 B5 K5 O5", "*", "R5 B5 K5 O5 *", ("SET_INVALID", at(rules, "#6"), "R2"))
    assert_refused(rules, "", "* * K1", "* * ", loose(rules))


def rule_9_set_with_a_joker_may_be_added_to_or_split(rules: RuleBook) -> None:
    assert_legal(rules, "R7 R8 *", "R6", "R6 R7 R8 *")
    assert_legal(rules, "R5 R6 R7 *", "B5 K5", "R5 B5 K5 | R6 R7 *")
    assert_legal(rules, "R4 R5 * R7 R8", "R6 B9 B10", "R4 R5 R6 R7 R8 | B9 B10 *")


def rule_9_freed_joker_must_enter_a_new_set(rules: RuleBook) -> None:
    old = ("JOKER_NOT_IN_NEW_SET", at(rules, "#9"), "R20")
    assert_legal(rules, "R7 R8 *", "R9 B4 B5", "R7 R8 R9 | B4 B5 *")
    assert_refused(rules, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *", old)
    assert_refused(rules, "R7 R8 * | B3 B4 B5", "R9 B7", "R7 R8 R9 | B3 B4 B5 * B7", old)
    # Breaking the old run makes what holds the joker new.
    assert_legal(rules, "R7 R8 * | B3 B4 B5 B6", "R9 K3 O3", "R7 R8 R9 | B3 K3 O3 | B4 B5 B6 *")


def rule_9_freed_joker_must_be_used_in_the_same_turn(rules: RuleBook) -> None:
    gone = ("TILE_LEFT_TABLE", at(rules, "#3", "#9"), "R15, R23")
    assert_refused(rules, "R7 R8 *", "R9", "R7 R8 R9", gone)
    assert_refused(rules, "R7 R8 *", "R9", "R7 R8 R9 | *", loose(rules))


def rule_9_a_rack_tile_must_be_used_in_the_turn(rules: RuleBook) -> None:
    before = "R5 R6 R7 * | B4 B5 B6 B7 B8"
    none = ("NO_RACK_TILE", at(rules, "#3", "#9"), "R14")
    assert_refused(rules, before, "O1", "R5 R6 R7 | B4 B5 B6 | B7 B8 *", none)
    assert_legal(rules, before, "B3", "R5 R6 R7 | B3 B4 B5 B6 | B7 B8 *")


# #10 the joker in a group


def rule_10_one_missing_colour_replaces_the_joker(rules: RuleBook) -> None:
    for colour in "KO":
        assert_legal(rules, "R2 B2 *", f"{colour}2 R5 R6", f"R2 B2 {colour}2 | R5 R6 *")
    # A colour that is there already is no replacement.
    same = ("SET_INVALID", at(rules, "#6"), "R2")
    assert_refused(rules, "R2 B2 *", "B2 R5 R6", "R2 B2 B2 | R5 R6 *", same)
    assert at(rules, "#10") in rules.cite("jokers.reuse").clauses


def rule_10_both_missing_colours_may_be_laid_too(rules: RuleBook) -> None:
    assert_legal(rules, "R2 B2 *", "K2 O2 R5 R6", "R2 B2 K2 O2 | R5 R6 *")


# #11 and #12 what is charged


def rule_11_each_joker_left_counts_100(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "* K9", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.scores() == (122, -109, -13)
    both = sitting(rules, ["R4", "* * K9", "B13"], "R1 R2 R3")
    both.lay("R1 R2 R3 R4")
    assert both.scores() == (222, -209, -13)
    assert rules.cite("scoring.joker").clause == at(rules, "#11")


def rule_12_unmelded_player_is_charged_100_or_200(rules: RuleBook) -> None:
    for rack, charged in (("R9 B9 K9 O1", 100), ("R10 B10 K10 O1", 200), ("* * R13 K13 O1", 200)):
        game = sitting(rules, ["R4", rack, "B13"], "R1 R2 R3", melded=[True, False, True])
        game.lay("R1 R2 R3 R4")
        assert game.scores() == (charged + 13, -charged, -13)
    assert rules.cite("scoring.unmelded").clause == at(rules, "#12")
    assert rules.cite("scoring.unmelded_able").clause == at(rules, "#12")


def rule_12_melded_player_is_counted_by_tiles(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "R10 B10 K10 O1", "B13"], "R1 R2 R3")
    game.lay("R1 R2 R3 R4")
    assert game.scores() == (44, -31, -13)


# #13 counting


def rule_13_racks_stay_until_they_are_counted(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "K9 O1", "B13"], "R1 R2 R3")
    assert view(game.state, None).racks is None
    game.lay("R1 R2 R3 R4")
    shown = view(game.state, None).racks
    assert shown is not None
    assert [game.text(rack) for rack in shown] == ["", "K9 O1", "B13"]
    for action in (Draw(1), Pass(1), Lay(1, table=game.state.table)):
        assert game.refused(action).code == "game_over"
    assert at(rules, "#13") in rules.cite("scoring.values").clauses


# #14 fresh start


def rule_14_three_doubles_give_a_fresh_start(rules: RuleBook) -> None:
    fresh = sitting(rules, ["K1 K2", "R3 R3 B8 B8 O10 O10 K5"], turns=0, melded=[False, False])
    shown = tuple(tile for tile in fresh.state.racks[1] if fresh.state.book.tiles.face_of[tile] != 4)
    fresh.do(RequestRedeal(1, tiles=shown))
    assert fresh.kinds() == ["RedealGranted", "Dealt", "TurnBegan"]
    assert [len(rack) for rack in fresh.state.racks] == [14, 14]
    assert fresh.seat == 0
    assert rules.cite("redeal.doubles").clause == at(rules, "#14")


def rule_14_two_doubles_do_not(rules: RuleBook) -> None:
    game = sitting(rules, ["K1 K2", "R3 R3 B8 B8 O10 B10"], turns=0, melded=[False, False])
    assert game.refused(RequestRedeal(1, tiles=game.state.racks[1])).code == "no_doubles"
    assert not three_doubles(rules, faces(rules, "R3 R3 B8 B8 O10 B10"))


def rule_14_not_once_the_game_has_started(rules: RuleBook) -> None:
    game = sitting(rules, ["K1 K2", "R3 R3 B8 B8 O10 O10"], turns=0, melded=[False, False])
    game.draw()
    assert game.refused(RequestRedeal(1, tiles=game.state.racks[1])).code == "too_late_to_redeal"


# #15 changes


def rule_15_organisers_may_change_the_rules(rules: RuleBook) -> None:
    organisers = "NZRC" if rules.id == "nzrc2024" else "WRC"
    (clause,) = [clause for clause in rules.clauses if clause.id == "#15"]
    assert organisers in clause.text["en"]
    assert organisers in clause.text["fr"]
    # A change is explicit: a named option, or a house book, and both travel with the game.
    changed = with_options(rules, {"joker_reuse": "any_set"})
    state, events = new_game(changed, NAMES, SHUFFLE)
    created = events[0]
    assert isinstance(created, ev.GameCreated)
    assert created.book.options == {"joker_reuse": "any_set"}
    longer = house_book({"id": "longer", "version": "1", "base": rules.id, "clock": {"seconds": 50}})
    assert (longer.clock.seconds, longer.cite("clock.seconds").clauses[0]) == (50, "house rule of longer")
    assert state.book.clock.seconds == 40


# #16 the pool is finished


def rule_16_after_the_last_tile_each_player_has_one_more_turn(rules: RuleBook) -> None:
    game = sitting(rules, ["R13", "B13", "K13 O1", "O13"], pool="K12", seat=1)
    game.draw()
    assert game.kinds() == ["Drew", "PoolExhausted", "TurnBegan"]
    turns = []
    while not game.state.over:
        turns.append(game.seat)
        game.pass_turn()
    assert turns == [2, 3, 0, 1]
    assert final_turns(rules, NAMES, "Bo") == ("Chi", "Dev", "Ada", "Bo")
    assert at(rules, "#16") in rules.cite("pool_end.ending").clauses


def rule_16_smallest_rack_is_deducted_from_all(rules: RuleBook) -> None:
    game = sitting(rules, ["R13", "B13", "K13 O1", "O12"], pool="K12", seat=1)
    game.draw()
    for _ in range(4):
        game.pass_turn()
    # Counts are 13, 25, 14 and 12.
    assert (game.scores(), game.winners()) == ((-1, -13, -2, 0), (3,))
    assert rules.cite("scoring.exhausted").clause == at(rules, "#16")


def rule_16_going_out_in_the_last_turn_is_a_normal_win(rules: RuleBook) -> None:
    game = sitting(rules, ["R13", "K13", "O13"], "R10 R11 R12", pool="B13", seat=2)
    game.draw()
    game.lay("R10 R11 R12 R13")
    assert (game.scores(), game.winners()) == ((39, -13, -26), (0,))


def rule_16_example_of_the_book(rules: RuleBook) -> None:
    racks = ["R12", "B5", "K13 K12 K5", "O9"]
    players = tuple(FinalRack(faces(rules, rack), melded=True) for rack in racks)
    sheet = score(rules, Final(players, "exhausted"))
    assert (sheet.scores, sheet.winners) == ((-7, 0, -25, -4), (1,))
    with pytest.raises(ValueError, match="seat of its winner"):
        score(rules, Final(players, "out"))
