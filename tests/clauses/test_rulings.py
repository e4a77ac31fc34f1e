"""The rulings R1–R75: what is played where a book is silent or can be read in two ways; options too."""

from __future__ import annotations

import pytest

from meldroom.game import (
    Correct,
    Discard,
    Draw,
    Match,
    Move,
    Pass,
    RequestRedeal,
    Result,
    RuleLeftovers,
    Shuffle,
    Take,
    TimeOut,
    legal,
    new_game,
    view,
)
from meldroom.game import events as ev
from meldroom.referee import Rack, RefereeError, count_racks
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Judgement
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.opening import opening
from meldroom.rules.procedures import (
    after_pool_empty,
    declared,
    eligible,
    end_of_time,
    final_turns,
    first_player,
    highest_totals,
    leftover,
    ranking,
    starters,
    three_doubles,
)
from meldroom.rules.requests import check
from meldroom.rules.rulings import rulings
from meldroom.rules.scoring import Final, FinalRack, could_have_melded, score
from meldroom.rules.verify import Turn, opening_points
from tests.clauses.tables import (
    NAMES,
    SHUFFLE,
    Sitting,
    assert_faults,
    assert_legal,
    assert_outcome,
    assert_refused,
    faces,
    faults,
    judged,
    named,
    rummyo,
    sets,
    sitting,
)

REARRANGING = ("wrc9", "wrc11", "nzrc2024", "tml")
CHAMPIONSHIPS = ("wrc9", "wrc11", "nzrc2024")
ONE_TEXT = ("wrc11", "nzrc2024")
every_rearranging = pytest.mark.parametrize("rules", [book(name) for name in REARRANGING], ids=REARRANGING)
every_championship = pytest.mark.parametrize(
    "rules", [book(name) for name in CHAMPIONSHIPS], ids=CHAMPIONSHIPS
)
both_of_one_text = pytest.mark.parametrize("rules", [book(name) for name in ONE_TEXT], ids=ONE_TEXT)
wrc9_and_tml = pytest.mark.parametrize("rules", [book("wrc9"), book("tml")], ids=["wrc9", "tml"])
WRC11, TML, RUMMYO = book("wrc11"), book("tml"), book("rummyo")


def codes(rules: RuleBook, before: str, rack: str, after: str, melded: bool = True) -> list[tuple[str, str]]:
    """Faults as code and ruling."""
    return [(fault.code, fault.ruling) for fault in faults(rules, before, rack, after, melded=melded)]


def turn(before: str, rack: str, after: str, discard: str | None, on_board: bool = True) -> Judgement:
    """A Rummy-O turn of player A."""
    return judged(RUMMYO, before, rack, after, discard, on_board=on_board)


def clause_and_rulings(judgement: Judgement) -> list[tuple[str, str]]:
    return [(fault.code, fault.ruling) for fault in judgement.violations]


def ended(rules: RuleBook, *racks: str, unmelded: tuple[int, ...] = (), able: tuple[int, ...] = ()) -> Final:
    """A game whose pool ran out."""
    players = [
        FinalRack(faces(rules, rack), seat not in unmelded, seat in able) for seat, rack in enumerate(racks)
    ]
    return Final(tuple(players), "exhausted")


# A. Equipment and set-up


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_r1_106_tiles_and_two_to_four_players(book_id: str) -> None:
    rules = book(book_id)
    assert (rules.tiles.size, rules.tiles.numbers, rules.tiles.copies, rules.tiles.jokers) == (106, 13, 2, 2)
    assert len(rules.tiles.colours) == 4
    for count in (2, 4):
        assert len(new_game(rules, NAMES[:count], SHUFFLE)[0].racks) == count
    for names in (NAMES[:1], (*NAMES, "Eve")):
        with pytest.raises(ValueError, match="2 to 4 players"):
            new_game(rules, names, SHUFFLE)
    assert rules.tournament.table_size == 4


@every_rearranging
def test_r2_what_a_legitimate_set_is(rules: RuleBook) -> None:
    run = " ".join(f"R{number}" for number in range(1, 14))
    for good in ("R7 B7 K7", "R7 B7 K7 O7", "R1 R2 R3", run, "R11 R12 R13", "R7 B7 *", "* R2 R3"):
        assert_legal(rules, "", f"{good} O1", good)
    bad_sets = (
        "R7 B7 R7",
        "R7 B7 K7 O7 *",
        "R12 R13 R1",
        "R13 R1 R2",
        "R7 R8 R10",
        "R7 B8 K9",
        "R7 R7 R8",
        "R7 B7",
    )
    for bad in bad_sets:
        ((code, ruling),) = codes(rules, "", f"{bad} O1", bad)
        assert code == "SET_INVALID"
        assert "R2" in ruling.split(", ")
    # Nothing below 1, nothing above 13.
    ((code, ruling),) = codes(rules, run, "*", f"{run} *")
    assert (code, ruling) == ("SET_INVALID", "R2")


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_r3_first_player_direction_and_later_games(book_id: str) -> None:
    rules = book(book_id)
    assert first_player(rules, faces(rules, "R5 K12 K13 O2")).first == 2
    assert first_player(rules, faces(rules, "R5 * K13 O2")).first == 1
    tie = first_player(rules, faces(rules, "R13 B12 K13 O2"))
    assert (tie.first, tie.draw_again) == (None, (0, 2))
    assert starters(book("wrc11"), 4, 5, 3) == (3, 0, 1, 2, 3)
    state, events = new_game(rules, NAMES, SHUFFLE)
    assert isinstance(events[1], ev.StarterChosen)
    assert events[1].rounds
    assert state.seat == state.starter == events[1].seat
    # The tiles that were turned go back: all 106 are dealt or in the pool.
    assert sum(map(len, state.racks)) + len(state.pool) == 106
    assert "R3" in rules.cite("start.first_player").rulings


def test_r3_tied_players_draw_again_and_only_they() -> None:
    tied = 0
    for game in range(1, 60):
        _, events = new_game(WRC11, NAMES, SHUFFLE, game=game)
        chosen = events[1]
        assert isinstance(chosen, ev.StarterChosen)
        for turned, following in zip(chosen.rounds, chosen.rounds[1:], strict=False):
            verdict = first_player(WRC11, [WRC11.tiles.face_of[tile] for _, tile in turned])
            assert [seat for seat, _ in following] == [turned[place][0] for place in verdict.draw_again]
            tied += 1
        last = first_player(WRC11, [WRC11.tiles.face_of[tile] for _, tile in chosen.rounds[-1]])
        assert last.first is not None
        assert chosen.rounds[-1][last.first][0] == chosen.seat
    assert tied


def test_r4_two_jokers_and_no_blanks_or_all_four_by_option() -> None:
    assert (TML.tiles.jokers, TML.tiles.spare_jokers, TML.tiles.blanks, TML.tiles.size) == (2, 2, 4, 106)
    four = book("tml", {"jokers": 4})
    assert (four.tiles.jokers, four.tiles.spare_jokers, four.tiles.blanks, four.tiles.size) == (4, 0, 4, 108)
    assert_legal(four, "", "R5 * * *", "R5 * * *")
    assert_refused(four, "", "* * * R5", "* * *", ("SET_INVALID", "The Mahjong Line l.82", "R4, R11"))
    third = {
        "rulebook": "tml",
        "table_before": [],
        "rack": ["*", "*", "*", "R5"],
        "table_after": [],
        "has_melded": True,
    }
    with pytest.raises(ValueError, match=r"only 2 tiles \*"):
        check(third)
    assert check({**third, "options": {"jokers": 4}})["legal"] is False
    state, _ = new_game(four, NAMES, SHUFFLE)
    assert sum(map(len, state.racks)) + len(state.pool) == 108


@every_championship
def test_r5_a_double_is_two_equal_numbered_tiles(rules: RuleBook) -> None:
    assert three_doubles(rules, faces(rules, "R3 R3 B8 B8 O10 O10"))
    assert three_doubles(rules, faces(rules, "R3 R3 B8 B8 O10 O10 K1 K1"))
    assert not three_doubles(rules, faces(rules, "R3 R3 B8 B8 * *"))
    assert not three_doubles(rules, faces(rules, "R3 B3 B8 O8 O10 R10"))
    assert rules.cite("redeal.doubles").rulings == ("R5", "R6")


@every_championship
def test_r6_fresh_start_is_asked_for_with_proof_before_the_first_action(rules: RuleBook) -> None:
    def fresh() -> Sitting:
        return sitting(rules, ["K1 K2", "R3 R3 B8 B8 O10 O10 K5", "K6"], turns=0, melded=[False] * 3, seat=0)

    game = fresh()
    pairs = tuple(tile for tile in game.state.racks[1] if game.text([tile]) != "K5")
    game.do(RequestRedeal(1, tiles=pairs))
    assert (game.seat, game.state.starter, game.state.deals) == (0, 0, 2)
    assert [len(rack) for rack in game.state.racks] == [14] * 3
    # The pairs are shown, two of them are not enough, and they must be one's own.
    short = fresh()
    assert short.refused(RequestRedeal(1, tiles=pairs[:4])).code == "no_doubles"
    assert short.refused(RequestRedeal(0, tiles=pairs)).code == "tile_not_on_rack"
    # Optional, and gone with the first completed action.
    late = fresh()
    late.draw()
    assert late.refused(RequestRedeal(1, tiles=pairs)).code == "too_late_to_redeal"


def test_r6_right_exists_again_after_a_new_deal() -> None:
    start = sitting(WRC11, ["K1", "R3 R3 B8 B8 O10 O10"], turns=0, melded=[False, False])
    for attempt in range(1000):
        game = Sitting(start.state)
        game.do(RequestRedeal(1, tiles=game.state.racks[1]), Shuffle(f"secret {attempt}"))
        if three_doubles(WRC11, game.state.faces(game.state.racks[0])):
            game.do(RequestRedeal(0, tiles=game.state.racks[0]))
            assert (game.state.deals, game.seat) == (3, 0)
            return
    raise AssertionError("no shuffle dealt three doubles again")


def test_r6_new_deal_never_gives_the_turn_to_a_player_who_left() -> None:
    game = sitting(WRC11, ["K1", "R3 R3 B8 B8 O10 O10", "K5"], turns=0, melded=[False] * 3)
    game.withdraw(0)
    assert game.seat == 1
    game.do(RequestRedeal(1, tiles=game.state.racks[1]))
    assert game.state.withdrawn == (True, False, False)
    assert game.seat == 1


def test_r6_a_player_who_left_has_no_right_to_a_new_deal() -> None:
    game = sitting(WRC11, ["K1", "R3 R3 B8 B8 O10 O10", "K5"], turns=0, melded=[False] * 3)
    game.withdraw(1)
    assert game.refused(RequestRedeal(1, tiles=game.state.racks[1])).code == "withdrawn"


# B. Entering the game


@every_rearranging
def test_r7_several_sets_are_added_up_and_may_empty_the_rack(rules: RuleBook) -> None:
    assert_legal(
        rules, "", "R1 R2 R3 B4 B5 B6 K3 O3 R3", "R1 R2 R3 | B4 B5 B6 | K3 O3 R3", melded=False
    )  # 30
    assert codes(rules, "", "R1 R2 R3 B4 B5 B6 K2 O2 R2", "R1 R2 R3 | B4 B5 B6 | K2 O2 R2", False) == [
        ("MELD_LT_30", "R7")
    ]  # 27
    assert_legal(rules, "", "R11 R12 R13 B1 B2 B3", "R11 R12 R13 | B1 B2 B3", melded=False)
    game = sitting(rules, ["R10 B10 K10", "O4"], melded=[False, True])
    game.lay("R10 B10 K10")
    assert (game.scores(), game.winners()) == ((4, -4), (0,))


@every_rearranging
def test_r8_the_turn_of_the_opening_touches_nothing_old(rules: RuleBook) -> None:
    rack = "R10 R11 R12 B6 R9 K9 O9"
    touched = ("TABLE_TOUCHED_BEFORE_MELD", "R8")
    assert_legal(rules, "B3 B4 B5", rack, "B3 B4 B5 | R10 R11 R12", melded=False)
    assert codes(rules, "B3 B4 B5", rack, "B3 B4 B5 B6 | R10 R11 R12", False) == [touched]
    assert codes(rules, "B3 B4 B5 B6", rack, "B3 B4 B5 | B6 | R10 R11 R12", False)[-1:] == [touched]
    assert (
        codes(rules, "R7 R8 *", "R9 B10 B11 K10 O10", "R7 R8 R9 | B10 K10 O10 | B10 B11 *", False)[-1]
        == touched
    )
    # The old set may be written in another order, and an equal set of one's own may lie beside it.
    assert_legal(rules, "R10 B10 K10", "R10 B10 K10 O1", "K10 B10 R10 | R10 B10 K10", melded=False)


@every_rearranging
def test_r9_joker_in_the_opening_counts_what_it_stands_for(rules: RuleBook) -> None:
    assert_legal(rules, "", "R10 B10 *", "R10 B10 *", melded=False)
    assert_legal(rules, "", "R12 * R10 K1", "R10 * R12", melded=False)
    assert codes(rules, "", "R9 B9 *", "R9 B9 *", False) == [("MELD_LT_30", "R9, R10")]
    assert "R9" in rules.cite("opening.joker_value").rulings


@every_rearranging
def test_r10_highest_reading_counts_unless_another_is_stated(rules: RuleBook) -> None:
    assert_legal(rules, "", "R9 R10 *", "R9 R10 *", melded=False)
    assert_legal(rules, "", "R9 R10 *", "R9 R10 *", melded=False, stated={0: "R9 R10 R11"})
    low = faults(rules, "", "R9 R10 *", "R9 R10 *", melded=False, stated={0: "R8 R9 R10"})
    assert [(fault.code, fault.details["count"]) for fault in low] == [("MELD_LT_30", 27)]
    # 12-13-joker can only be 11.
    assert_legal(rules, "", "R12 R13 *", "R12 R13 *", melded=False, stated={0: "R11 R12 R13"})
    for impossible in ("R12 R13 R1", "R12 R13 R10", "R12 R13 B13", "R11 R12 R13 R1", "R12 R13"):
        found = faults(rules, "", "R12 R13 *", "R12 R13 *", stated={0: impossible})
        assert [(fault.code, fault.ruling) for fault in found] == [("SET_INVALID", "R10")]


def test_r10_points_of_every_reading() -> None:
    for meld, points in (
        ("R9 * *", 30),  # 9-10-11
        ("R13 * *", 39),  # a group; 11-12-13 would be 36
        ("R12 * *", 36),  # a group, or 11-12-13
        ("R11 * *", 36),  # 11-12-13
        ("R1 * *", 6),  # 1-2-3
        ("* R5 *", 18),  # 5-6-7, wherever the jokers are written
        ("R5 * * R8", 26),
        ("R5 B5 * *", 20),
    ):
        table = sets(WRC11, meld)
        assert opening_points(WRC11, Turn((), faces(WRC11, meld), table, False)) == points


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_r11_both_jokers_in_one_set_with_a_numbered_tile(book_id: str) -> None:
    rules = book(book_id)
    for good in ("R5 * *", "* * R5", "R5 * * R8", "R5 B5 * *", "* R5 R6 *"):
        assert rules.reader.is_set(faces(rules, good))
    assert not rules.reader.is_set(faces(rules, "* *"))
    more = book("tml", {"jokers": 4})
    assert not more.reader.is_set(faces(more, "* * *"))
    assert not more.reader.is_set(faces(more, "* * * *"))
    assert "R11" in rules.codes["SET_INVALID.jokers_only"]


@every_rearranging
def test_r12_nobody_is_obliged_to_lay_while_the_pool_has_tiles(rules: RuleBook) -> None:
    for melded in (False, True):
        game = sitting(rules, ["R10 B10 K10 R4", "B1"], "R1 R2 R3", melded=[melded, True], top="O5")
        game.draw()
        assert game.state.melded == (melded, True)
        assert game.seat == 1


# C. The turn


@every_rearranging
def test_r13_draw_or_lay_and_no_pass_while_the_pool_has_tiles(rules: RuleBook) -> None:
    game = sitting(rules, ["R3 K9", "B1"], "R4 R5 R6", top="R7")
    assert game.refused(Pass(0)).code == "may_not_pass"
    game.draw()
    assert game.rack(0) == "K9 R3 R7"
    assert game.refused(Draw(0)).code == "not_your_turn"
    empty = sitting(rules, ["R3 K9", "B1"], "R4 R5 R6 R7", pool="")
    assert empty.refused(Draw(0)).code == "pool_empty"
    empty.pass_turn()
    assert empty.seat == 1


@every_rearranging
def test_r14_rearranging_alone_is_no_turn(rules: RuleBook) -> None:
    before = "R1 R2 R3 | B1 B2 B3 | K1 K2 K3"
    after = "R1 B1 K1 | R2 B2 K2 | R3 B3 K3"
    assert codes(rules, before, "O9", after) == [("NO_RACK_TILE", "R14")]
    assert_legal(rules, before, "O1 O9", after.replace("R1 B1 K1", "R1 B1 K1 O1"))


@every_rearranging
def test_r15_only_the_end_of_the_turn_is_judged(rules: RuleBook) -> None:
    assert_legal(rules, "R1 R2 R3 | B1 B2 B3 | K1 K2 K3", "O2", "R1 B1 K1 | R2 B2 K2 O2 | R3 B3 K3")
    ((code, ruling),) = codes(rules, "R4 R5 R6 R7", "R3", "R3 R4 R5 R6")
    assert (code, ruling.split(", ")[0]) == ("TILE_LEFT_TABLE", "R15")
    ((code, ruling),) = codes(rules, "R5 R6 R7", "* B1", "R5 R6 R7 | *")
    assert (code, ruling) == ("SET_INVALID", "R2, R15")


def test_r15_tiles_may_be_taken_back_until_the_turn_is_declared_finished() -> None:
    game = sitting(WRC11, ["R4 R5 R9", "B1"], "R1 R2 R3")
    assert game.refused(game.laying("R1 R2 R3 R4 R5 R9")).code == "illegal_turn"
    game.lay("R1 R2 R3 R4 R5")
    assert game.rack(0) == "R9"


@every_rearranging
def test_r16_equal_sets_may_coexist_and_jokers_keep_no_value(rules: RuleBook) -> None:
    assert_legal(rules, "R1 R2 R3", "R1 R2 R3 O9", "R1 R2 R3 | R1 R2 R3")
    # The joker was laid as 9; the next player reads it as 6.
    game = sitting(rules, ["R7 R8 * O1", "R9 R10 O2"])
    game.lay("R7 R8 *")
    game.lay("* R7 R8 R9 R10")
    assert game.rack(1) == "O2"


def test_r16_in_rummyo_a_joker_keeps_its_place() -> None:
    before = "B: R7 R8 * | A: B10 B11 B12"
    assert_outcome(turn(before, "R10 O1 O2", "B: R7 R8 * R10 | A: B10 B11 B12", "O1"), "OK")
    moved = turn(before, "R9 O1 O2", "B: * R7 R8 R9 | A: B10 B11 B12", "O1")
    assert "JOKER_CLAIM" in [fault.code for fault in moved.violations]
    assert_outcome(turn("", "R1 R2 R3 R1 R2 R3 O1 O2", "A: R1 R2 R3 | A: R1 R2 R3", "O1"), "OK")


# D. Jokers


@every_rearranging
def test_r17_jokers_are_alike_and_may_stand_for_a_tile_in_view_twice(rules: RuleBook) -> None:
    before = "R5 R6 R7 | R7 B7 K7"
    assert_legal(rules, before, "R6 R8 * B1", f"{before} | R6 * R8")
    assert_legal(rules, "R7 R8 *", "* B4 B5", "R7 R8 * | B4 B5 *")
    assert_legal(rules, "R7 R8 * | B3 B4 *", "R9 B5", "R7 R8 R9 * | B3 B4 B5 *")


@every_rearranging
def test_r18_every_way_to_free_a_joker(rules: RuleBook) -> None:
    assert_legal(rules, "R7 R8 *", "R9 B4 B5", "R7 R8 R9 | B4 B5 *")  # replaced from the rack
    assert_legal(rules, "R7 R8 * | R9 B9 K9 O9", "B4 B5", "R7 R8 R9 | B9 K9 O9 | B4 B5 *")  # from the table
    assert_legal(rules, "R2 B2 *", "O2 B4 B5", "R2 B2 O2 | B4 B5 *")  # one missing colour
    assert_legal(rules, "R5 R6 R7 *", "B4 B5", "R5 R6 R7 | B4 B5 *")  # surplus
    assert_legal(rules, "R2 B2 K2 *", "B4 B5", "R2 B2 K2 | B4 B5 *")  # surplus in a group
    assert_legal(
        rules, "R5 R6 * | B5 K5 O5 | B6 K6 O6", "B8 B9", "R5 B5 K5 O5 | R6 B6 K6 O6 | * B8 B9"
    )  # its neighbours move away


@every_championship
def test_r19_joker_in_a_legal_remnant_of_its_own_set_was_not_freed(rules: RuleBook) -> None:
    old = "R9 R10 R11"
    # Three of its own set stay with it: not freed, so it may meet the old run.
    assert_legal(rules, f"R5 R6 R7 * | {old}", "B5 K5", f"R5 B5 K5 | R6 R7 * {old}")
    # Only two stay: freed.
    before = f"R6 R7 * | {old}"
    assert codes(rules, before, "B6 K6", f"R6 B6 K6 | R7 * {old}") == [("JOKER_NOT_IN_NEW_SET", "R20")]
    # The whole old set joins another: not freed.
    assert_legal(rules, before, "R5", f"R5 R6 R7 * {old}")
    # Three of its own that are no set by themselves (4, 7 and a joker): freed.
    two = "R4 * * R7 | R8 R9 R10"
    assert codes(rules, two, "R5 R6 K9 O9", "* R4 R5 R6 R7 R8 R9 R10 | K9 O9 *") == [
        ("JOKER_NOT_IN_NEW_SET", "R20")
    ]
    # Three of its own that are one (4, a joker, 6): not freed.
    assert_legal(rules, "R4 * R6 * | R8 R9 R10", "R7 K9 O9", "R4 * R6 R7 R8 R9 R10 | K9 O9 *")


@every_championship
def test_r20_freed_joker_may_not_just_lengthen_an_old_set(rules: RuleBook) -> None:
    before = "R7 R8 * | B3 B4 B5"
    longer = "R7 R8 R9 | B3 B4 B5 *"
    assert codes(rules, before, "R9", longer) == [("JOKER_NOT_IN_NEW_SET", "R20")]
    assert_legal(rules, before, "R9 K9 O9", "R7 R8 R9 | B3 B4 B5 | K9 O9 *")
    # Two old sets that are both broken give a new one.
    assert_legal(rules, "R7 R8 * | B3 B4 B5 B6", "R9 K3 O3", "R7 R8 R9 | B3 K3 O3 | B4 B5 B6 *")
    # Two old runs joined by it lie there unbroken.
    joined = "R7 R8 R9 | B3 B4 B5 * B7 B8 B9"
    assert codes(rules, f"{before} | B7 B8 B9", "R9", joined) == [("JOKER_NOT_IN_NEW_SET", "R20")]
    # It may meet another joker's set only if that is broken too.
    two = "R7 R8 * | B3 B4 *"
    assert codes(rules, two, "R9", "R7 R8 R9 | B3 B4 * *") == [("JOKER_NOT_IN_NEW_SET", "R20")]


@every_championship
def test_r20_equal_tiles_are_matched_in_the_players_favour(rules: RuleBook) -> None:
    # The old B3 goes to the group and the one from the rack into the run: then the run is new.
    assert_legal(rules, "R7 R8 * | B3 B4 B5", "R9 B3 K3 O3", "R7 R8 R9 | B3 B4 B5 * | B3 K3 O3")
    # A joker from the rack may lengthen, if the freed one has its new set.
    assert_legal(rules, "R7 R8 * | B3 B4 B5", "R9 * K9 O9", "R7 R8 R9 | B3 B4 B5 * | K9 O9 *")
    assert codes(rules, "R7 R8 * | B3 B4 B5 | K3 K4 K5", "R9 *", "R7 R8 R9 | B3 B4 B5 * | K3 K4 K5 *") == [
        ("JOKER_NOT_IN_NEW_SET", "R20")
    ]


@every_championship
def test_r20_option_any_set(rules: RuleBook) -> None:
    lenient = book(rules.id, {"joker_reuse": "any_set"})
    assert_legal(lenient, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *")
    # The joker still has to stay on the table, and a rack tile has to be laid.
    assert codes(lenient, "R7 R8 *", "R9", "R7 R8 R9")[0][0] == "TILE_LEFT_TABLE"
    assert codes(lenient, "R5 R6 R7 * | B3 B4 B5", "R9", "R5 R6 R7 | B3 B4 B5 *") == [("NO_RACK_TILE", "R14")]


@every_championship
def test_r21_new_set_may_be_of_table_tiles_and_each_joker_counts_for_itself(rules: RuleBook) -> None:
    before = "R7 R8 * | B4 B5 B6 B7 B8"
    assert_legal(rules, before, "R9", "R7 R8 R9 | B4 B5 B6 | B7 B8 *")
    assert codes(rules, "R5 R6 R7 * | B4 B5 B6 B7 B8", "O1", "R5 R6 R7 | B4 B5 B6 | B7 B8 *") == [
        ("NO_RACK_TILE", "R14")
    ]
    two = "R7 R8 * | K1 K2 * | B3 B4 B5"
    rack = "R9 K3 O9 B9"
    assert_legal(rules, two, rack, "R7 R8 R9 | K1 K2 K3 | B3 B4 B5 | O9 B9 * *")
    assert codes(rules, two, rack, "R7 R8 R9 | K1 K2 K3 | B3 B4 B5 * | O9 B9 *") == [
        ("JOKER_NOT_IN_NEW_SET", "R20")
    ]


def test_r22_in_tml_a_freed_joker_goes_into_any_set() -> None:
    assert_legal(TML, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *")
    strict = book("tml", {"joker_reuse": "new_set"})
    assert codes(strict, "R7 R8 * | B3 B4 B5", "R9", "R7 R8 R9 | B3 B4 B5 *") == [
        ("JOKER_NOT_IN_NEW_SET", "R22")
    ]


@every_rearranging
def test_r23_no_joker_returns_to_the_rack(rules: RuleBook) -> None:
    ((code, ruling),) = codes(rules, "R7 R8 *", "R9 B4", "R7 R8 R9")
    assert (code, ruling) == ("TILE_LEFT_TABLE", "R15, R23")
    ((code, ruling),) = codes(rules, "R5 * *", "R6 R7 K9 B9", "R5 R6 R7 | K9 B9 *")
    assert (code, ruling) == ("TILE_LEFT_TABLE", "R15, R23")


def test_r23_nor_in_rummyo_except_among_leftovers_of_wrc11() -> None:
    kept = turn("B: R5 R6 * | A: B10 B11 B12", "R7 O1 O2", "B: R5 R6 R7 | A: B10 B11 B12", "O1")
    assert ("TILE_LEFT_TABLE", "R23, R56") in clause_and_rulings(kept)
    game = sitting(WRC11, ["O1", "B1"], "R4 R5 R6 *", top="O2 O3 O4")
    game.rule_leftovers("R4 R5 R6", "*")
    assert game.rack(0) == "O1 O2 O3 O4 *"


# E. Clock and penalties


@every_championship
def test_r24_time_out_with_nothing_touched_is_a_draw(rules: RuleBook) -> None:
    game = sitting(rules, ["R4 K9", "B1"], "R1 R2 R3", top="O5")
    game.time_out()
    assert game.kinds() == ["TimedOut", "Drew", "TurnBegan"]
    assert game.rack(0) == "K9 R4 O5"
    # Tiles lifted and put back where they were are nothing either.
    same = sitting(rules, ["R4 K9", "B1"], "R1 R2 R3", top="O5")
    same.time_out("R3 R2 R1")
    assert same.kinds() == ["TimedOut", "Drew", "TurnBegan"]
    empty = sitting(rules, ["R4 K9", "B1"], "R1 R2 R3", pool="")
    empty.time_out()
    assert empty.kinds()[:2] == ["TimedOut", "Passed"]
    assert end_of_time(rules, False, True, False, 0).result == "pass"
    assert "R24" in rules.cite("clock.seconds").rulings


@every_championship
def test_r25_penalty_restores_draws_three_and_ends_the_turn(rules: RuleBook) -> None:
    game = sitting(rules, ["B6 K6 O1", "B1"], "R4 R5 R6 R7", top="O2 O3 O4 O5")
    game.time_out("R4 R5 | R6 B6 K6 | R7")
    assert (game.table(), game.rack(0), game.seat) == ("R4 R5 R6 R7", "K6 B6 O1 O2 O3 O4", 1)
    verdict = end_of_time(rules, True, False, True, 20)
    assert (verdict.result, verdict.draw) == ("restore and penalty", 3)


@every_championship
def test_r26_complete_legal_turn_at_the_buzzer_stands(rules: RuleBook) -> None:
    game = sitting(rules, ["R4 K9", "B1"], "R1 R2 R3")
    game.time_out("R1 R2 R3 R4")
    assert game.kinds() == ["TimedOut", "Laid", "TurnBegan"]
    winning = sitting(rules, ["R4", "B1"], "R1 R2 R3")
    winning.time_out("R1 R2 R3 R4")
    assert winning.winners() == (0,)
    # A legal table without a rack tile is not a complete turn, nor is an opening of 27.
    before = "R1 R2 R3 | B1 B2 B3 | K1 K2 K3"
    bare = sitting(rules, ["K9", "B13"], before, top="O2 O3 O4")
    bare.time_out("R1 B1 K1 | R2 B2 K2 | R3 B3 K3")
    assert (bare.table(), bare.rack(0)) == (before, "K9 O2 O3 O4")
    short = sitting(rules, ["R9 B9 K9", "B13"], melded=[False, True], top="O2 O3 O4")
    short.time_out("R9 B9 K9")
    assert (short.table(), len(short.state.racks[0])) == ("", 6)


@every_championship
def test_r27_declared_illegal_table_is_handed_back_by_default(rules: RuleBook) -> None:
    game = sitting(rules, ["R9 B9 K9", "B1"], melded=[False, True], top="O2 O3 O4")
    error = game.refused(game.laying("R9 B9 K9"))
    assert (error.code, [fault.code for fault in error.violations]) == ("illegal_turn", ["MELD_LT_30"])
    assert declared(rules, False, 20).result == "go on (clock runs)"


@every_championship
def test_r27_option_strict_declare(rules: RuleBook) -> None:
    strict = book(rules.id, {"strict_declare": True})
    game = sitting(strict, ["R9 B9 K9", "B1"], melded=[False, True], top="O2 O3 O4")
    game.lay("R9 B9 K9")
    assert game.kinds() == ["Penalised", "TurnBegan"]
    assert (game.rack(0), game.state.melded[0]) == ("K9 R9 B9 O2 O3 O4", False)
    touching = sitting(strict, ["R10 B10 K10 B6", "B1"], "B3 B4 B5", melded=[False, True], top="O2 O3 O4")
    touching.lay("B3 B4 B5 B6 | R10 B10 K10")
    penalty = touching.event(ev.Penalised)
    assert isinstance(penalty, ev.Penalised)
    assert (penalty.cause, penalty.codes) == ("declared", ("TABLE_TOUCHED_BEFORE_MELD",))
    good = sitting(strict, ["R10 B10 K10 O1", "B1"], melded=[False, True])
    good.lay("R10 B10 K10")
    assert good.rack(0) == "O1"


def test_r27_tml_is_strict_unless_the_table_chooses_otherwise() -> None:
    assert declared(TML, False, 20).draw == 3
    lenient = book("tml", {"strict_declare": False})
    game = sitting(lenient, ["B4 K4 O1", "K1"], "R4 R5 R6")
    assert game.refused(game.laying("R5 R6 | R4 B4 K4")).code == "illegal_turn"


@every_rearranging
def test_r28_a_short_pool_shortens_the_penalty(rules: RuleBook) -> None:
    strict = book(rules.id, {"strict_declare": True})
    for pool, drawn in (("O2 O3", 2), ("", 0)):
        game = sitting(strict, ["B6 K6 O1", "B1"], "R4 R5 R6 R7", pool=pool)
        game.lay("R4 R5 | R6 B6 K6 | R7")
        assert len(game.state.racks[0]) == 3 + drawn
        assert game.state.pool == ()
    for pool_size, drawn in ((4, 3), (3, 3), (2, 2), (0, 0)):
        assert declared(strict, False, pool_size).draw == drawn


@both_of_one_text
def test_r29_leftovers_go_to_the_rack_with_the_three(rules: RuleBook) -> None:
    ruled = leftover(rules, 2, 20)
    assert ruled is not None
    assert (ruled.to_rack_from_table, ruled.to_rack_from_pool, ruled.pool_after) == (2, 3, 17)
    game = sitting(rules, ["O1", "B1"], "R4 R5 R6 R7 *", top="O2 O3 O4 O5")
    game.rule_leftovers("R4 R5 R6", "R7 *")
    assert game.rack(0) == "R7 O1 O2 O3 O4 *"
    assert "R29" in rules.cite("penalty.leftovers").rulings


def test_r30_leftovers_go_under_the_pool_and_are_drawn_for() -> None:
    wrc9 = book("wrc9")
    for pool, drawn, after in ((20, 5, 17), (3, 5, 0), (1, 3, 0), (0, 2, 0)):
        ruled = leftover(wrc9, 2, pool)
        assert ruled is not None
        assert (ruled.to_rack_from_table, ruled.to_rack_from_pool, ruled.pool_after) == (0, drawn, after)
    # The leftovers lie lowest, so a short pool gives them back.
    game = sitting(wrc9, ["O1", "B1"], "R4 R5 R6 R7 R8", pool="O2")
    game.rule_leftovers("R4 R5 R6", "R7 R8")
    assert game.rack(0) == "R7 R8 O1 O2"
    assert game.state.pool == ()


def test_r31_software_has_no_leftovers_and_tml_no_ruling_for_them() -> None:
    # A time-out is restored from the log; leftovers arise only by the referee's own action.
    game = sitting(WRC11, ["B6 K6 O1", "B1"], "R4 R5 R6 R7", top="O2 O3 O4")
    game.time_out("R4 R5 | R6 B6 K6 | R7")
    assert "LeftoversRuled" not in game.kinds()
    assert game.table() == "R4 R5 R6 R7"
    assert (leftover(TML, 1, 9), leftover(RUMMYO, 1, 9)) == (None, None)
    at_home = sitting(TML, ["O1", "B1"], "R4 R5 R6 R7")
    table = at_home.state.table
    assert (
        at_home.refused(RuleLeftovers(0, table=(table[0][:3],), leftovers=table[0][3:])).code
        == "no_leftovers"
    )
    assert (TML.clock.seconds, TML.penalty.leftovers) == (0, "none")


# F. End of the game


@every_rearranging
def test_r32_an_empty_rack_ends_the_game_at_once(rules: RuleBook) -> None:
    game = sitting(rules, ["K1", "R4", "B13"], "R1 R2 R3", seat=1)
    game.lay("R1 R2 R3 R4")
    assert game.kinds() == ["Laid", "GameEnded"]
    assert game.winners() == (1,)
    assert game.refused(Draw(2)).code == "game_over"


@both_of_one_text
def test_r33_one_more_turn_each_beginning_with_the_next_player(rules: RuleBook) -> None:
    game = sitting(rules, ["R13", "B13", "K13", "O13"], pool="K12", seat=2)
    game.draw()
    assert game.state.queue == (0, 1, 2)
    assert seats_of_passes(game) == [3, 0, 1, 2]


@both_of_one_text
def test_r33_the_last_tile_may_be_taken_as_a_penalty(rules: RuleBook) -> None:
    game = sitting(rules, ["B6 K6 O1", "B1"], "R4 R5 R6 R7", pool="O2 O3")
    game.time_out("R4 R5 | R6 B6 K6 | R7")
    assert "PoolExhausted" in game.kinds()
    assert seats_of_passes(game) == [1, 0]
    # With one tile left in the pool nothing is final yet.
    going_on = sitting(rules, ["B6 K6 O1", "B1"], "R4 R5 R6 R7", pool="O2 O3 O4 O5")
    going_on.time_out("R4 R5 | R6 B6 K6 | R7")
    assert not going_on.state.final


@both_of_one_text
def test_r33_option_final_turns_start_with_the_drawer(rules: RuleBook) -> None:
    jumbo = book(rules.id, {"final_turns_start": "drawer"})
    assert final_turns(rules, NAMES, "Bo") == ("Chi", "Dev", "Ada", "Bo")
    assert final_turns(jumbo, NAMES, "Bo") == ("Bo", "Chi", "Dev", "Ada")
    game = sitting(jumbo, ["R13", "B13", "K13", "O13"], pool="K12", seat=2)
    game.draw()
    assert seats_of_passes(game) == [2, 3, 0, 1]


def seats_of_passes(game: Sitting) -> list[int]:
    """Who passes, in order, until the game is over."""
    seats = []
    while not game.state.over:
        seats.append(game.seat)
        game.pass_turn()
    return seats


@both_of_one_text
def test_r34_a_final_turn_may_open_lay_pass_or_win(rules: RuleBook) -> None:
    game = sitting(
        rules, ["R13", "R10 B10 K10 O1", "K13"], "O10 O11 O12", pool="O13", seat=0, melded=[True, False, True]
    )
    game.draw()
    game.lay("O10 O11 O12 | R10 B10 K10")
    assert game.state.melded[1]
    game.pass_turn()
    assert game.seat == 0
    game.lay("O10 O11 O12 O13 | R10 B10 K10")
    # 13, 1 and 13 are left.
    assert (game.scores(), game.winners()) == ((-12, 0, -12), (1,))
    winning = sitting(rules, ["K13", "R13", "B13"], "R10 R11 R12", pool="O13", seat=0)
    winning.draw()
    winning.lay("R10 R11 R12 R13")
    assert (winning.scores(), winning.winners()) == ((-26, 39, -13), (1,))


@both_of_one_text
def test_r34_the_clock_runs_in_a_final_turn_too(rules: RuleBook) -> None:
    game = sitting(rules, ["R13 B6 K6", "O4"], "R4 R5 R6 R7", pool="O12", seat=1)
    game.draw()
    game.time_out("R4 R5 | R6 B6 K6 | R7")
    assert game.table() == "R4 R5 R6 R7"
    assert (game.rack(0), game.seat) == ("K6 R13 B6", 1)


@wrc9_and_tml
def test_r35_play_goes_on_without_drawing_until_all_pass(rules: RuleBook) -> None:
    game = sitting(rules, ["R13 K13", "B13", "O13"], "R10 R11 R12", pool="K12", seat=2)
    game.draw()
    assert not game.state.final
    assert game.refused(Draw(0)).code == "pool_empty"
    game.lay("R10 R11 R12 R13")
    assert seats_of_passes(game) == [1, 2, 0]
    assert after_pool_empty(rules, ["pass", "pass", "lay", "pass", "pass"], NAMES[:3]).over_after is None
    assert after_pool_empty(rules, ["pass", "lay", "pass", "pass", "pass"], NAMES[:3]).over_after == 4


@wrc9_and_tml
def test_r35_a_player_may_pass_unless_the_table_agreed_to_play_if_able(rules: RuleBook) -> None:
    free = sitting(rules, ["R13 K13", "B13"], "R10 R11 R12", pool="")
    free.pass_turn()
    assert free.seat == 1
    bound = sitting(book(rules.id, {"must_play_if_able": True}), ["R13 K13", "O12"], "R10 R11 R12", pool="")
    assert bound.refused(Pass(0)).code == "must_play"
    assert Pass(0) not in legal(bound.state)
    bound.lay("R10 R11 R12 R13")
    assert bound.rack(0) == "K13"


@wrc9_and_tml
def test_r35_nobody_is_passed_over_when_a_player_leaves(rules: RuleBook) -> None:
    game = sitting(rules, ["R13", "B13", "K13", "O13"], pool="")
    game.pass_turn()
    game.pass_turn()
    game.withdraw(0)
    game.pass_turn()
    # Bo and Chi have passed; Dev has not had a turn.
    assert not game.state.over
    assert game.seat == 3
    game.pass_turn()
    assert game.state.over


@wrc9_and_tml
def test_r36_lowest_count_wins_the_differences(rules: RuleBook) -> None:
    sheet = score(rules, ended(rules, "R12", "B5", "K13 K12 K5", "O9"))
    assert (sheet.scores, sheet.winners) == ((-7, 36, -25, -4), (1,))
    assert sum(sheet.scores) == 0


@every_championship
def test_r37_only_a_player_who_entered_wins_an_exhausted_game(rules: RuleBook) -> None:
    # The unmelded player pays 100 less the winner's 5, however small their rack.
    sheet = score(rules, ended(rules, "R12", "B5", "K1", unmelded=(2,)))
    assert sheet.winners == (1,)
    assert (sheet.scores[0], sheet.scores[2]) == (-7, -95)
    able = score(rules, ended(rules, "R12", "B5", "R10 B10 K10", unmelded=(2,), able=(2,)))
    assert able.scores[2] == -195
    # Nobody entered: the smallest charge wins.
    nobody = score(rules, ended(rules, "R12", "R10 B10 K10", "K1", unmelded=(0, 1, 2), able=(1,)))
    assert nobody.winners == (0, 2)
    assert nobody.scores[1] == -100
    # No score rises above zero, even if the winner's rack is worth more than the charge.
    jokers = score(rules, ended(rules, "* * R12 B13", "* * R12 B13 K1", "K1", unmelded=(2,)))
    assert jokers.winners == (0,)
    assert jokers.scores[1:] == (-1, 0)


@both_of_one_text
def test_r38_co_winners_at_zero(rules: RuleBook) -> None:
    sheet = score(rules, ended(rules, "R12", "B5", "K5", "O9"))
    assert (sheet.scores, sheet.winners) == ((-7, 0, 0, -4), (1, 2))
    match = Match.of(rules, NAMES, first=0, games=1).played(Result("exhausted", sheet.scores, sheet.winners))
    assert match.standing().wins == (0, 1, 1, 0)


@wrc9_and_tml
def test_r38_co_winners_divide_the_plus_rounded_down(rules: RuleBook) -> None:
    even = score(rules, ended(rules, "R12", "B5", "K5", "O10"))
    assert (even.scores, even.winners) == ((-7, 6, 6, -5), (1, 2))
    odd = score(rules, ended(rules, "R12", "B5", "K5", "O9"))
    assert odd.scores == (-7, 5, 5, -4)


# G. Scoring


@every_rearranging
def test_r39_a_game_won_by_going_out_sums_to_zero(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "* K9", "R9 B9", "B13"], "R1 R2 R3", melded=[True, True, False, True])
    game.lay("R1 R2 R3 R4")
    assert sum(game.scores()) == 0
    assert game.scores()[3] == -13
    exhausted = score(rules, ended(rules, "R12", "B5", "O9"))
    assert (sum(exhausted.scores) == 0) == (rules.id in ("wrc9", "tml"))


@pytest.mark.parametrize(
    ("book_id", "each"), [("wrc11", 100), ("nzrc2024", 100), ("wrc9", 50), ("tml", 30), ("rummyo", 15)]
)
def test_r40_every_joker_on_a_rack_counts(book_id: str, each: int) -> None:
    rules = book(book_id)
    fourteen = faces(rules, "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5")
    own = (fourteen, "open") if book_id == "rummyo" else ((), None)
    for rack, expected in (("K9", 9), ("* K9", each + 9), ("* * K9", 2 * each + 9)):
        players = (FinalRack((), True), FinalRack(faces(rules, rack), True))
        final = Final(players, "out", 0, "open" if own[1] else None, own[0])
        sheet = score(rules, final)
        assert sheet.scores[1] == -expected
        if book_id != "rummyo":
            assert sheet.scores[0] == expected
    assert "R40" in rules.cite("scoring.joker").rulings


@every_championship
def test_r41_the_charge_replaces_the_rack_jokers_included(rules: RuleBook) -> None:
    rack = "R13 B13 R11 K11 B10 O10 R9 K9 B8 O8 *"
    for able, charge in ((False, 100), (True, 200)):
        players = (FinalRack((), True), FinalRack(faces(rules, rack), False, able))
        sheet = score(rules, Final(players, "out", 0))
        assert sheet.scores == (charge, -charge)
        assert sheet.lines[1].count > 100


@every_championship
def test_r42_the_winner_scores_the_charges_instead_of_the_tiles(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "K1", "R10 B10 K10", "B13"], "R1 R2 R3", melded=[True, False, False, True])
    game.lay("R1 R2 R3 R4")
    assert game.scores() == (313, -100, -200, -13)


@every_championship
def test_r43_could_have_melded_is_decided_before_the_last_draw(rules: RuleBook) -> None:
    rack = faces(rules, "R10 B10 K10 R1")
    assert could_have_melded(rules, rack, faces(rules, "R1"), True)
    assert not could_have_melded(rules, rack, faces(rules, "K10"), True)
    assert not could_have_melded(rules, rack, (), False)
    for last, charge in (("R1", 200), ("K10", 100)):
        game = sitting(rules, ["R4", "R10 B10 K10 R1"], "R1 R2 R3", melded=[True, False], drawn={1: last})
        game.lay("R1 R2 R3 R4")
        assert game.scores() == (charge, -charge)
    no_turn = sitting(rules, ["R4", "R10 B10 K10 R1"], "R1 R2 R3", melded=[True, False], turns=0)
    no_turn.lay("R1 R2 R3 R4")
    assert no_turn.scores() == (100, -100)


@every_championship
def test_r43_time_outs_and_penalties_count_as_choices(rules: RuleBook) -> None:
    game = sitting(rules, ["R10 B10 O1", "R4 K9"], "R1 R2 R3", melded=[False, True], turns=0, top="K10 O2")
    game.time_out()  # draws K10: from now on Ada could open
    game.draw()
    game.time_out()  # a choice not to
    assert could_have_melded(
        rules, game.state.faces(game.state.racks[0]), game.state.faces(game.state.drawn[0]), True
    )
    fresh = sitting(rules, ["R10 B10 O1", "R4"], "R1 R2 R3", melded=[False, True], turns=0, top="K10 O2")
    fresh.time_out()
    fresh.lay("R1 R2 R3 R4")
    assert fresh.scores() == (-100, 100)
    # Three penalty tiles of the last turn do not count against the player either.
    punished = sitting(rules, ["R10 B10 O1 O2 O3", "R4"], "R1 R2 R3", melded=[False, True], top="K10 K9 K8")
    punished.time_out("R1 R2 R3 | O1 O2 O3")
    punished.lay("R1 R2 R3 R4")
    assert punished.scores() == (-100, 100)


@every_championship
def test_r43_a_turn_that_was_begun_and_left_was_a_turn(rules: RuleBook) -> None:
    game = sitting(rules, ["R10 B10 K10 O1", "R4 K9"], "R1 R2 R3", melded=[False, True], drawn={0: "K10"})
    game.withdraw(0)  # at the start of a turn in which the rack held 30
    assert game.seat == 1
    game.do(Draw(1))
    while not game.state.over:
        game.withdraw(1)
    assert game.scores()[0] < -100


@every_championship
def test_r43_option_final_rack(rules: RuleBook) -> None:
    final_rack = book(rules.id, {"charge_test": "final_rack"})
    rack = faces(rules, "R10 B10 K10 R1")
    assert could_have_melded(final_rack, rack, faces(rules, "K10"), True)
    assert could_have_melded(final_rack, rack, (), False)
    assert not could_have_melded(final_rack, faces(rules, "R9 B9 K9 R1"), (), True)
    game = sitting(final_rack, ["R4", "R10 B10 K10 R1"], "R1 R2 R3", melded=[True, False], drawn={1: "K10"})
    game.lay("R1 R2 R3 R4")
    assert game.scores() == (200, -200)


@every_championship
def test_r44_the_test_is_that_of_the_opening(rules: RuleBook) -> None:
    for rack in ("R9 * *", "R12 R13 *", "R3 R4 R5 B6 K6 O6", "R1 R2 R3 B4 B5 B6 K3 O3 R3", "R4 R5 R6 R7 R8"):
        assert opening(rules, faces(rules, rack)) is not None
    for rack in (
        "R8 * *",
        "R8 R9 *",
        "R9 B9 K9",
        "R7 B7 K7 O7",
        "R13 B13 R12 B12",
        "R4 R5 R6 B2 B3 B4 B5",
        "* *",
    ):
        assert opening(rules, faces(rules, rack)) is None


def test_r45_in_tml_the_unmelded_player_pays_their_rack() -> None:
    for rack, count in (("R10 B10 K10 R1", 31), ("* R1", 31), ("K1", 1)):
        game = sitting(TML, ["R4", rack, "B13"], "R1 R2 R3", melded=[True, False, True])
        game.lay("R1 R2 R3 R4")
        assert game.scores() == (count + 13, -count, -13)


@every_championship
def test_r46_racks_are_frozen_shown_and_counted(rules: RuleBook) -> None:
    game = sitting(rules, ["R4", "K9 O1", "B13"], "R1 R2 R3")
    assert view(game.state, 1).racks is None
    game.lay("R1 R2 R3 R4")
    for seat in (None, 0, 1, 2):
        shown = view(game.state, seat).racks
        assert shown is not None
        assert [game.text(rack) for rack in shown] == ["", "K9 O1", "B13"]
    fix = Correct(1, reason="too late", moves=(Move(game.state.racks[1][0], "table", 0),))
    assert game.refused(fix).code == "game_over"


# H. Tournament


@every_championship
def test_r47_format_and_the_cut_after_round_1(rules: RuleBook) -> None:
    plan = rules.tournament
    assert (plan.table_size, plan.games_per_round, plan.rounds, plan.finalists) == (4, 4, 3, 4)
    assert not plan.cut_after_round_1
    assert book(rules.id, {"cut_after_round_1": True}).tournament.cut_after_round_1
    assert "R47" in rules.cite("tournament.cut_after_round_1").rulings
    assert "cut_after_round_1" in rulings()["R47"].options


def test_r48_wins_then_score_then_best_games() -> None:
    assert ranking({"a": [(1, 10), (0, -99)], "b": [(0, 500), (0, 0)]}) == (("a",), ("b",))
    assert ranking({"a": [(1, 60), (0, -20)], "b": [(1, 50), (0, -9)]}) == (("b",), ("a",))
    assert ranking({"a": [(1, 60), (0, -20)], "b": [(1, 50), (0, -10)]}) == (("a",), ("b",))
    same_best = {"a": [(1, 60), (0, -30), (0, -10)], "b": [(1, 60), (0, -20), (0, -20)]}
    assert ranking(same_best) == (("a",), ("b",))
    assert ranking({"a": [(1, 60), (0, -20)], "b": [(0, -20), (1, 60)]}) == (("a", "b"),)


def test_r49_citizens_and_not_twice_running() -> None:
    wrc9 = book("wrc9")
    assert eligible(wrc9, True, [7], 9)
    assert not eligible(wrc9, True, [8], 9)
    assert not eligible(wrc9, False, [], 9)
    for other in ("wrc11", "nzrc2024", "tml", "rummyo"):
        assert eligible(book(other), False, [8], 9)


@every_rearranging
def test_r50_a_player_who_leaves_keeps_their_rack_and_is_skipped(rules: RuleBook) -> None:
    game = sitting(rules, ["R13 K9", "K7", "R4 O9"], "R1 R2 R3")
    game.withdraw(0)
    assert game.seat == 1
    game.draw()
    game.draw()
    assert game.seat == 1
    assert game.rack(0) == "K9 R13"
    assert game.refused(Draw(0)).code == "not_your_turn"
    left = sitting(rules, ["R13 K9", "K7", "R4"], "R1 R2 R3", seat=1)
    left.withdraw(0)
    left.draw()
    left.lay("R1 R2 R3 R4")
    assert left.scores()[0] == -22


def test_r50_seats_by_lot_decisions_logged_and_overrides_recorded() -> None:
    assert all(book(name).tournament.seating == "raffle" for name in BOOK_IDS)
    game = sitting(WRC11, ["R4 K9", "B1"], "R1 R2 R3")
    game.do(
        Correct(0, reason="a tile fell", moves=(Move(game.state.pool[-1], "rack", 1),), melded={1: False})
    )
    logged = game.event(ev.Corrected)
    assert isinstance(logged, ev.Corrected)
    assert (logged.reason, game.state.melded) == ("a tile fell", (True, False))
    _, events = new_game(book("wrc11", {"strict_declare": True}), NAMES, SHUFFLE)
    assert isinstance(events[0], ev.GameCreated)
    assert events[0].book.options == {"strict_declare": True}


# I. Rummy-O


def test_r51_the_opening_turn_is_only_the_discard() -> None:
    rack = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5 K13"
    game = rummyo([rack, "B1"], on_board=[False, False], phase="opening_discard")
    melds = "0: R2 B2 K2 | 0: R3 B3 K3 | 0: R4 B4 K4 O4 | 0: R5 B5 K5 O5"
    assert game.refused(game.playing(melds, "K13")).code == "wrong_phase"
    assert game.refused(Take(0, source="stock")).code == "wrong_phase"
    game.discard("K13")
    assert (game.seat, game.state.phase, len(game.state.racks[0])) == (1, "take", 14)


def test_r51_only_the_starter_has_an_opening_turn() -> None:
    state, _ = new_game(RUMMYO, NAMES[:3], SHUFFLE, starter=0)
    game = Sitting(state)
    game.withdraw(0)
    # Bo has 14 tiles: the turn takes one before it discards one.
    assert (game.seat, len(game.state.racks[1])) == (1, 14)
    game.take("stock")
    game.do(Discard(1, tile=game.state.racks[1][0]))
    assert len(game.state.racks[1]) == 14


def test_r52_only_the_last_discard_by_anybody_without_duty() -> None:
    game = rummyo(["R4 K9", "B1"], discards="O12 O13", on_board=[False, False])
    game.take("discard")
    assert game.rack(0) == "K9 R4 O13"
    game.discard("O13")  # even that very tile
    assert game.text(game.state.discards[-1:]) == "O13"
    assert (game.seat, game.rack(0)) == (1, "K9 R4")
    nothing = rummyo(["R4 K9", "B1"])
    assert nothing.refused(Take(0, source="discard")).code == "nothing_to_take"


def test_r53_runs_with_a_1() -> None:
    full = [f"R{number}" for number in range(1, 14)]
    longest = [full[:12], full[1:], [*full[2:], "R1"]]
    for good in (["R1", "R2", "R3"], ["R12", "R13", "R1"], ["R12", "R13", "*"], ["*", "R2", "R3"], *longest):
        text = " ".join(good)
        assert_outcome(turn("", f"{text} K8 O3", f"A: {text}", "O3"), "OK")
    too_long = [full, [*full[1:], "R1"], [*full, "*"]]
    for bad in (["R13", "R1", "R2"], ["*", "R1", "R2"], ["R12", "R13", "R1", "R2"], *too_long):
        text = " ".join(bad)
        judgement = turn("", f"{text} K8 O3", f"A: {text}", "O3")
        if bad == ["*", "R1", "R2"]:
            assert_outcome(judgement, "OK")  # carelessly written: it is 1-2-3
        else:
            assert clause_and_rulings(judgement) == [("SET_INVALID", "R53")]


def test_r54_a_joker_is_worth_15_everywhere() -> None:
    on_board = turn("", "R2 R3 * B10 K10 O10 O1 O2", "A: R2 R3 * | A: B10 K10 O10", "O1", False)
    assert_outcome(on_board, "ON_BOARD")  # 2 + 3 + 15 + 30
    short = turn("", "R2 R3 * B9 K9 O9 O1 O2", "A: R2 R3 * | A: B9 K9 O9", "O1", False)
    assert clause_and_rulings(short) == [("MELD_LT_50", "R54, R55")]  # 47
    tiles = faces(RUMMYO, "* R2 B2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5")
    sheet = score(
        RUMMYO, Final((FinalRack((), True), FinalRack(faces(RUMMYO, "*"), True)), "out", 0, "open", tiles)
    )
    assert sheet.scores == (164, -15)


def test_r55_on_board_first_add_later_and_keep_a_discard() -> None:
    rack = "R10 R11 R12 R13 R1 B6 O3 O4"
    assert_outcome(turn("B: B3 B4 B5", rack, "B: B3 B4 B5 | A: R10 R11 R12 R13 R1", "O3", False), "ON_BOARD")
    adding = turn("B: B3 B4 B5", rack, "B: B3 B4 B5 B6 | A: R10 R11 R12 R13 R1", "O3", False)
    assert clause_and_rulings(adding) == [("ADD_ON_SAME_TURN", "R55")]
    assert_outcome(turn("A: B3 B4 B5", "R2 R3 R4 O3 O4", "A: B3 B4 B5 | A: R2 R3 R4", "O3"), "OK")
    groups = "R10 B10 K10 R13 B13 K13 O3 O4"
    assert clause_and_rulings(turn("", groups, "A: R10 B10 K10 | A: R13 B13 K13", "O3", False)) == [
        ("NO_RUN", "R55")
    ]
    missing = turn("A: B3 B4 B5", "R2 R3 R4 O3 O4", "A: B3 B4 B5 | A: R2 R3 R4", None)
    assert clause_and_rulings(missing) == [("NO_DISCARD", "R58")]


def test_r55_adding_in_the_game_waits_for_the_next_turn() -> None:
    game = rummyo(
        ["R10 R11 R12 R13 R1 B6 O3 O4", "K1"],
        "1: B3 B4 B5",
        on_board=[False, True],
        phase="play",
        top="O5 O6",
    )
    assert game.refused(game.playing("1: B3 B4 B5 B6 | 0: R10 R11 R12 R13 R1", "O3")).code == "illegal_turn"
    game.play("1: B3 B4 B5 | 0: R10 R11 R12 R13 R1", discard="O3")
    game.take()
    game.discard("K1")
    game.take()
    game.play("1: B3 B4 B5 B6 | 0: R10 R11 R12 R13 R1", discard="O4")
    assert game.in_front_of(0) == "R1 R10 R11 R12 R13 B6"


def test_r56_melds_are_only_extended() -> None:
    own = "A: B10 B11 B12"
    assert_outcome(turn(f"B: R4 R5 R6 | {own}", "R3 R7 O3 O4", f"B: R3 R4 R5 R6 R7 | {own}", "O3"), "OK")
    assert_outcome(turn(f"B: R4 B4 K4 | {own}", "O4 O3 O5", f"B: R4 B4 K4 O4 | {own}", "O3"), "OK")
    split = turn(f"B: R4 R5 R6 R7 R8 | {own}", "R6 O3 O4", f"B: R4 R5 R6 | {own} | A: R6 R7 R8", "O3")
    assert clause_and_rulings(split) == [("MELD_CHANGED", "R56, R57")]
    joined = turn(
        f"B: R4 R5 R6 | B: R8 R9 R10 | {own}", "R7 O3 O4", f"B: R4 R5 R6 R7 R8 R9 R10 | {own}", "O3"
    )
    assert "MELD_CHANGED" in [code for code, _ in clause_and_rulings(joined)]


def test_r56_a_joker_in_a_group_is_either_missing_colour_until_the_fourth() -> None:
    own = "A: B10 B11 B12"
    for colour in "KO":
        claimed = turn(
            f"B: R5 B5 * | {own}", f"{colour}5 K2 K3 O9", f"B: R5 B5 {colour}5 | {own} | A: K2 K3 *", "O9"
        )
        assert_outcome(claimed, "OPEN_RUMMY")
    assert_outcome(turn(f"B: R5 B5 * | {own}", "K5 O9 O1", f"B: R5 B5 * K5 | {own}", "O9"), "OK")
    # With the fourth tile there it can only be orange.
    full = f"B: R5 B5 * K5 | {own}"
    assert_outcome(turn(full, "O5 K2 K3 O9", f"B: R5 B5 O5 K5 | {own} | A: K2 K3 *", "O9"), "OPEN_RUMMY")
    wrong = turn(full, "K5 K2 K3 O9", f"B: R5 B5 K5 K5 | {own} | A: K2 K3 *", "O9")
    assert "SET_INVALID" in [code for code, _ in clause_and_rulings(wrong)]


def test_r56_an_added_tile_extends_the_meld_for_everyone_and_counts_for_the_adder() -> None:
    two = rummyo(
        ["R7 O3 O2", "R8 O4 O6", "K1"], "2: R4 R5 R6 | 0: B10 B11 B12 | 1: K7 K8 K9", phase="play", top="O5"
    )
    two.play("2: R4 R5 R6 R7 | 0: B10 B11 B12 | 1: K7 K8 K9", discard="O3")
    two.take()
    two.play("2: R4 R5 R6 R7 R8 | 0: B10 B11 B12 | 1: K7 K8 K9", discard="O4")
    assert [two.in_front_of(seat) for seat in range(3)] == ["R7 B10 B11 B12", "K7 K8 K9 R8", "R4 R5 R6"]


def test_r57_claim_only_with_the_very_tile_and_for_an_own_meld() -> None:
    before = "B: R5 R6 * | A: B10 B11 B12"
    assert_outcome(turn(before, "R7 K2 K3 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 | A: K2 K3 *", "O9"), "OK")
    assert_outcome(turn(before, "R7 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 *", "O9"), "OK")
    # One's own joker may be claimed, and the same meld lengthened with it.
    mine = "A: R5 R6 * | B: B10 B11 B12"
    assert_outcome(turn(mine, "R7 O9 O1", "A: R5 R6 R7 * | B: B10 B11 B12", "O9"), "OK")
    theirs = turn(before, "R7 O9 O1", "B: R5 R6 R7 * | A: B10 B11 B12", "O9")
    assert clause_and_rulings(theirs) == [("JOKER_CLAIM", "R56, R57")]
    wrong = turn(before, "R4 K2 K3 O9", "B: R4 R5 R6 | A: B10 B11 B12 | A: K2 K3 *", "O9")
    assert clause_and_rulings(wrong) == [("MELD_CHANGED", "R56, R57")]


def test_r57_a_claimed_joker_never_goes_into_a_new_meld_of_an_opponent() -> None:
    before = "B: R5 R6 * | A: B10 B11 B12"
    given = turn(before, "R7 K2 K3 O9 O1", "B: R5 R6 R7 | A: B10 B11 B12 | B: K2 K3 *", "O9")
    assert given.outcome is None
    assert "JOKER_CLAIM" in [fault.code for fault in given.violations]


def test_r57_not_on_board_only_when_going_on_board_or_out() -> None:
    before = "B: R5 R6 *"
    rack = "R7 R2 R3 B10 K10 O10 O1 O13"
    entering = turn(before, rack, "B: R5 R6 R7 | A: R2 R3 * | A: B10 K10 O10", "O1", False)
    assert_outcome(entering, "ON_BOARD")  # 2 + 3 + 15 + 30
    short = turn(before, rack, "B: R5 R6 R7 | A: R2 R3 *", "O1", False)
    assert ("JOKER_CLAIM", "R56, R57") in clause_and_rulings(short)
    assert ("MELD_LT_50", "R54, R55") in clause_and_rulings(short)
    out = turn(before, "R7 R2 R3 O1", "B: R5 R6 R7 | A: R2 R3 *", "O1", False)
    assert_outcome(out, "FOOT")


def test_r58_take_play_discard_also_in_the_last_turn() -> None:
    game = rummyo(["R12 O9", "K1"], "0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11", top="O8")
    assert game.refused(
        game.playing("0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11 R12", "O9")
    ).code == ("wrong_phase")
    game.take()
    game.play("0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11 R12", discard="O9")
    assert not game.state.over  # O8 is left
    all_laid = turn("A: B10 B11 B12", "R2 R3 R4", "A: B10 B11 B12 | A: R2 R3 R4", None)
    assert clause_and_rulings(all_laid) == [("NO_DISCARD", "R58")]
    laid_too = turn("A: B10 B11 B12", "R2 R3 R4 O9", "A: B10 B11 B12 | A: R2 R3 R4", "R4")
    assert clause_and_rulings(laid_too) == [("DISCARD_NOT_ON_RACK", "R52")]


def test_r59_foot_and_hand_need_neither_points_nor_a_run() -> None:
    melds = "A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 O4 | A: R5 B5 K5 O5"
    rack = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O5 K13"
    assert_outcome(turn("", rack, melds, "K13", False), "HAND")
    low = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 K5 O2 K13"
    foot = "B: O3 O4 O5 | A: R2 B2 K2 | A: R3 B3 K3 | A: R4 B4 K4 O4 | A: R5 B5 K5"
    assert_outcome(turn("B: O3 O4 O5", low, foot.replace("O3 O4 O5", "O2 O3 O4 O5", 1), "K13", False), "FOOT")
    # A tile given for a claimed joker makes it a Foot too.
    claim_rack = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 O5 R9 K13"
    claimed = melds.replace("K5", "*")
    assert_outcome(turn("B: R7 R8 *", claim_rack, f"B: R7 R8 R9 | {claimed}", "K13", False), "FOOT")
    # One tile more on the rack, and it is going on board, with all its conditions.
    more = turn("", f"{rack} O13", melds, "K13", False)
    assert clause_and_rulings(more) == [("NO_RUN", "R55")]


def test_r60_the_winners_14_tiles_are_those_in_front_of_them() -> None:
    # Ada gives R9 for Bo's joker and adds O2 to Bo's run; R9 counts for Bo, the joker and O2 for Ada.
    rack = "R2 B2 K2 R3 B3 K3 R4 B4 K4 O4 R5 B5 O2 R9 K13"
    game = rummyo(
        [rack, "K1 O8", "K6"], "1: R7 R8 * | 1: O3 O4 O5", on_board=[False, True, False], phase="play"
    )
    game.play(
        "1: R7 R8 R9 | 1: O2 O3 O4 O5 | 0: R2 B2 K2 | 0: R3 B3 K3 | 0: R4 B4 K4 O4 | 0: R5 B5 *",
        discard="K13",
    )
    assert game.in_front_of(0) == "K2 K3 K4 R2 R3 R4 R5 B2 B3 B4 B5 O2 O4 *"
    assert game.in_front_of(1) == "R7 R8 R9 O3 O4 O5"
    # 6 + 9 + 16 + 10 + 15 + 2 and 200 for the foot; Bo loses the rack only, Chi a flat 100.
    assert game.scores() == (258, -18, -100)


def test_r60_a_joker_claimed_from_the_winner_leaves_them_14_tiles() -> None:
    game = rummyo(
        ["R12", "B5 K2 K3 O8 O7"],
        "0: B2 B3 B4 * B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11 | 1: O10 O11 O12",
        phase="play",
        seat=1,
        top="O6",
    )
    game.play(
        "0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11 | 1: O10 O11 O12 | 1: K2 K3 *", discard="O8"
    )
    assert game.in_front_of(0) == "R9 R10 R11 B2 B3 B4 B5 B6 B7 B8 B9 B10 B11"
    assert game.in_front_of(1) == "K2 K3 O10 O11 O12 *"
    game.take("discard")
    rest = "1: O10 O11 O12 | 1: K2 K3 *"
    game.play(f"0: B2 B3 B4 B5 B6 B7 B8 B9 B10 B11 | 0: R9 R10 R11 R12 | {rest}", discard="O8")
    # B5, given for the joker, counts as the winner's: 64 + 39 and 100 for open rummy.
    assert game.scores() == (203, -7)


def test_r61_the_stock_is_renewed_once_then_the_round_ends() -> None:
    game = rummyo(["R4 K9", "* O2", "B1"], stock="", discards="O13", on_board=[True, True, False])
    discards = len(game.state.discards)
    game.take("stock")
    assert game.kinds() == ["Reshuffled", "Took"]
    assert len(game.state.pool) == discards - 2
    assert game.text(game.state.discards) == "O13"
    again = rummyo(
        ["R4 K9", "* O2", "B1"], stock="", discards="O13", on_board=[True, True, False], reshuffles=1
    )
    again.take("stock")
    assert (again.scores(), again.winners()) == ((-13, -17, -100), ())
    # Whoever takes the last discard goes on.
    last = rummyo(["R4 K9", "* O2"], stock="", discards="O13", reshuffles=1)
    last.take("discard")
    assert not last.state.over


def test_r62_rounds_ties_errors_and_no_clock() -> None:
    assert RUMMYO.match.games == 4
    assert [starters(book("rummyo"), players, 4, 0) for players in (2, 3, 4)] == [
        (0, 1, 0, 1),
        (0, 1, 2, 0),
        (0, 1, 2, 3),
    ]
    assert highest_totals({"a": 310, "b": 310, "c": -200}) == ("a", "b")
    match = Match.of(RUMMYO, NAMES[:2], first=0, games=2)
    match = match.played(Result("out", (160, -10), (0,), "open")).played(
        Result("out", (-10, 160), (1,), "open")
    )
    assert match.standing().winners == (0, 1)
    assert (RUMMYO.clock.seconds, RUMMYO.penalty.tiles) == (0, 0)
    game = rummyo(["R7 R8 R9 B8 K8 O8 O3 O4", "B1"], on_board=[False, False], phase="play")
    error = game.refused(game.playing("0: R7 R8 R9 | 0: B8 K8 O8", "O3"))
    assert named(error.violations) == [("MELD_LT_50", "Rummy-O Going on Board", "R55")]
    game.discard("O3")  # taken back, and the turn ends with the discard as always
    assert len(game.state.racks[0]) == 7


def test_r62_a_table_with_its_own_clock_loses_only_the_turn() -> None:
    game = rummyo(["R4 K9", "B1"], top="O5")
    game.do(TimeOut(0))
    assert game.kinds() == ["TimedOut", "Took", "Discarded", "TurnBegan"]
    assert (game.rack(0), game.seat) == ("K9 R4", 1)


def test_r55_one_short_run_is_refused_for_one_reason() -> None:
    assert_faults(
        turn("", "R2 R3 R4 O3 O4", "A: R2 R3 R4", "O3", False),
        ("MELD_LT_50", "Rummy-O Going on Board", "R55"),
    )


# M. Confirmed in a hall (R63, R64, R66, R67: tests/championship)


@every_championship
def test_r65_neither_charge_is_assumed(rules: RuleBook) -> None:
    def counted(**last: object) -> int:
        racks = (Rack(), Rack(("R10", "B10", "K10", "R1"), melded=False, **last))  # type: ignore[arg-type]
        return count_racks(rules, racks, 0).lines[1].score

    with pytest.raises(RefereeError, match="100 or 200"):
        counted()
    with pytest.raises(RefereeError, match="says why"):
        counted(last_draw="unknown", could_open=True)
    assert counted(drawn_in_last_turn=("K10",)) == -100
    assert counted(last_draw="nothing") == -200
    assert counted(last_draw="unknown", could_open=False, why="the table says K10") == -100
    assert counted(last_draw="unknown", could_open=True, why="held it for a round") == -200
    assert counted(had_turn=False) == -100
    # A rack that does not open at the end could not before: nothing to ask.
    assert count_racks(rules, (Rack(), Rack(("R9", "K1"), melded=False)), 0).lines[1].score == -100
