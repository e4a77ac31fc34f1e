"""The referee at the table: positions, leftovers, fresh starts, penalties and disputes."""

from __future__ import annotations

import pytest

from meldroom.i18n import message_ids
from meldroom.referee import (
    PENALTY_KINDS,
    RefereeError,
    check_position,
    prove_redeal,
    rule_leftovers,
    rule_penalty,
    settle,
)
from meldroom.rules.library import BOOK_IDS, book
from meldroom.tiles import Face, parse_set, parse_table

WRC11 = book("wrc11")
WRC9 = book("wrc9")


def faces(text: str) -> tuple[Face, ...]:
    return parse_set(text, WRC11.tiles)


def test_every_fault_of_a_position_is_told_with_its_clause() -> None:
    table = parse_table("R1 R2 R3 | K12 K13 K1 | B9 B9 O9 | O1 O2 | * * *", WRC11.tiles)
    seen = check_position(WRC11, table)
    assert [(fault.code, fault.set_index, fault.clause) for fault in seen.faults] == [
        ("SET_INVALID", 1, "WRC 11 #8"),
        ("SET_INVALID", 2, "WRC 11 #6"),
        ("SET_INVALID", 3, "WRC 11 #6"),
        ("SET_INVALID", 4, "WRC 11 #9"),
        ("TILE_TOO_OFTEN", None, "WRC 11 #9, WRC 11 #11"),
    ]
    assert not seen.legal
    assert [each.legal for each in seen.sets] == [True, False, False, False, False]
    for fault in seen.faults:
        assert fault.message("fr") != fault.message("en")
        assert fault.as_json("en")["message"] == fault.message("en")


def test_a_legal_set_is_read_with_its_jokers() -> None:
    seen = check_position(WRC11, parse_table("R5 * R7 | * O9 K9 | R4 R5 R5 R6", WRC11.tiles))
    assert seen.sets[0].kinds("fr") == ("suite",)
    assert [WRC11.tiles.faces_text(meant) for meant in seen.sets[0].stands_for] == ["R5 R6 R7"]
    assert seen.sets[1].kinds() == ("group",)
    assert seen.sets[2].too_much == (1, 2)


def test_the_whole_box_is_counted_when_all_is_given() -> None:
    table = parse_table("R1 R2 R3", WRC11.tiles)
    assert check_position(WRC11, table, [faces("K1")], 102).legal
    assert [fault.code for fault in check_position(WRC11, table, [faces("K1")], 100).faults] == [
        "TILES_MISSING"
    ]
    assert [fault.code for fault in check_position(WRC11, table, [faces("K1")], 104).faults] == [
        "TOO_MANY_TILES"
    ]
    assert check_position(WRC11, table, [faces("K1")]).legal


def test_wrc11_rule_7_leftovers_go_to_the_rack() -> None:
    ruled = rule_leftovers(WRC11, faces("R5 *"), 2)
    assert (ruled.moves.to_rack_from_table, ruled.moves.to_rack_from_pool) == (2, 2)
    assert ruled.message(WRC11).startswith("R5 * go to the player's rack")
    assert (ruled.clause, "R29" in ruled.ruling) == ("WRC 11 #7", True)


def test_wrc9_p9_leftovers_go_under_the_pool() -> None:
    ruled = rule_leftovers(WRC9, faces("R5 B1"), 40)
    assert (ruled.moves.to_rack_from_table, ruled.moves.to_rack_from_pool) == (0, 5)
    assert "under the pool" in ruled.message(WRC9)
    with pytest.raises(RefereeError, match="R31"):
        rule_leftovers(book("tml"), faces("R5"), 40)


def test_wrc11_rule_14_three_doubles() -> None:
    proof = prove_redeal(WRC11, faces("R7 R7 K1 K1 O2 O2 B1"))
    assert proof.granted
    assert proof.message(WRC11).startswith("K1 K1, R7 R7, O2 O2: a fresh start")
    assert not prove_redeal(WRC11, faces("R7 R7 K1 K1 * *")).granted
    assert prove_redeal(WRC11, faces("R7 K1")).message(WRC11, "fr").startswith("aucun double")
    assert "no fresh start" in prove_redeal(book("tml"), faces("R7 R7 K1 K1 O2 O2")).message(book("tml"))
    with pytest.raises(RefereeError, match="15 tiles are shown"):
        prove_redeal(WRC11, faces("R1 R2 R3 R4 R5 R6 R7 R8 R9 R10 R11 R12 R13 K1 K2"))
    with pytest.raises(RefereeError, match="the box holds 2 of R7"):
        prove_redeal(WRC11, faces("R7 R7 R7"))


def test_penalties_cost_what_the_book_says() -> None:
    assert rule_penalty(WRC11, "time_out", 50).tiles == 3
    assert rule_penalty(WRC11, "time_out", 1).tiles == 1
    late = rule_penalty(WRC11, "late", 50)
    assert (late.tiles, late.restore, late.ruling) == (0, False, "R50")
    both = rule_penalty(WRC11, "illegal_table", 50, leftovers=2)
    assert (both.tiles, both.leftovers_to_rack, both.pool_after) == (3, 2, 47)
    assert rule_penalty(book("rummyo"), "illegal_table", 50).tiles == 0
    assert rule_penalty(book("tml"), "illegal_table", 50).tiles == 3
    with pytest.raises(RefereeError):
        rule_penalty(book("tml"), "illegal_table", 50, leftovers=1)


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_penalty_can_be_ruled_and_told(book_id: str) -> None:
    for kind in PENALTY_KINDS:
        ruled = rule_penalty(book(book_id), kind, 10)
        assert ruled.clause or ruled.ruling
        assert ruled.message("fr") != ruled.message("en")


def test_a_dispute_cites_rules_that_exist() -> None:
    found = settle(
        WRC11,
        "May they pick the joker up?",
        "No; table restored, three tiles.",
        referee="Rita",
        cites=["#9", "R23", "JOKER_NOT_IN_NEW_SET", "WRC 11 #9"],
        parties=(3, 7),
        evidence=["photo before the turn"],
    )
    assert found.clauses[0] == "WRC 11 #9"
    assert len(set(found.clauses)) == len(found.clauses)
    assert found.rulings[0] == "R23"
    with pytest.raises(RefereeError, match="neither a clause of WRC 11"):
        settle(WRC11, "a", "b", referee="c", cites=["#99"])
    with pytest.raises(RefereeError, match="question"):
        settle(WRC11, " ", "b", referee="c")
    with pytest.raises(RefereeError, match="evidence"):
        settle(WRC11, "a", "b", referee="c", evidence=["two\nlines"])


def test_both_languages_say_the_same_things() -> None:
    own = [[id for id in message_ids(each) if id.startswith("referee.")] for each in ("en", "fr")]
    assert own[0] == own[1]
    assert len(own[0]) > 50
