"""The ruling between 100 and 200: exact, with and without the tile drawn last (R41–R45)."""

from __future__ import annotations

from random import Random

import pytest

from meldroom.i18n import Language
from meldroom.referee import RefereeError, best_meld, rule_charge
from meldroom.rules.library import book
from meldroom.rules.opening import opening
from meldroom.rules.scoring import could_have_melded
from meldroom.rules.verify import Turn, verify
from meldroom.tiles import Face, parse_set
from tests.referee.brute_melds import most_points, some_rack

WRC11 = book("wrc11")


def faces(text: str, book_id: str = "wrc11") -> tuple[Face, ...]:
    return parse_set(text, book(book_id).tiles)


@pytest.mark.parametrize("seed", range(8))
def test_the_ruling_equals_brute_force(seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        names = some_rack(random, 10, 22)
        last = random.choice(names)
        rest = list(names)
        rest.remove(last)
        ruled = rule_charge(WRC11, faces(" ".join(names)), melded=False, drawn_last=faces(last))
        assert ruled.at_end is not None
        assert ruled.at_last_turn is not None
        assert ruled.at_end.points == most_points(names)
        assert ruled.at_last_turn.points == most_points(rest)
        assert ruled.charge == (200 if most_points(rest) >= 30 else 100)


@pytest.mark.parametrize("book_id", ["wrc11", "wrc9", "tml", "rummyo"])
def test_the_meld_shown_can_really_be_laid(book_id: str) -> None:
    rules, random = book(book_id), Random(book_id)
    for _ in range(150):
        rack = faces(" ".join(some_rack(random, 12, 24)), book_id)
        found = best_meld(rules, rack)
        assert found.opens == (opening(rules, rack) is not None)
        if found.opens and rules.family == "rearranging":
            assert verify(rules, Turn((), rack, found.sets, melded=False)) == ()


def test_r43_the_tile_drawn_last_made_it_possible() -> None:
    """The question a competitor put in writing: the enabling tile came with the last draw."""
    rack = faces("R10 B10 K10 O3 O4")
    late = rule_charge(WRC11, rack, melded=False, drawn_last=faces("K10"))
    assert (late.charge, late.why, late.able) == (100, "last_tile", False)
    assert "K10, drawn in the last turn: 100" in late.message(WRC11)
    early = rule_charge(WRC11, rack, melded=False, drawn_last=faces("O4"))
    assert (early.charge, early.why) == (200, "could")
    assert early.message(WRC11).endswith("(30 points) was on the rack at the start of a turn: 200")
    assert (early.clause, "R43" in early.ruling) == ("WRC 11 #12", True)


def test_r43_final_rack_is_the_option_for_tables_without_a_log() -> None:
    rules = book("wrc11", {"charge_test": "final_rack"})
    ruled = rule_charge(rules, faces("R10 B10 K10"), melded=False, drawn_last=faces("K10"))
    assert (ruled.charge, ruled.why) == (200, "could_final")


def test_no_turn_means_100() -> None:
    ruled = rule_charge(WRC11, faces("R10 B10 K10"), melded=False, had_turn=False)
    assert (ruled.charge, ruled.why) == (100, "no_turn")


def test_29_points_are_not_30() -> None:
    ruled = rule_charge(WRC11, faces("R9 B9 K9 O1 O2 *"), melded=False)
    assert ruled.at_end is not None
    assert ruled.at_end.points == 36
    short = rule_charge(WRC11, faces("R9 B9 K9 O1 O3"), melded=False)
    assert (short.charge, short.why) == (100, "could_not")
    assert "R9 B9" in short.message(WRC11) or "K9" in short.message(WRC11)
    assert "27 of 30 points" in short.message(WRC11)


def test_books_without_the_charge_count_the_rack() -> None:
    tml = rule_charge(book("tml"), faces("R10 B10 K10", "tml"), melded=False)
    assert (tml.charge, tml.why) == (30, "rack")
    rummyo = rule_charge(book("rummyo"), faces("R10 B10 K10", "rummyo"), melded=False)
    assert (rummyo.charge, rummyo.why) == (100, "flat")
    melded = rule_charge(WRC11, faces("R10 *"), melded=True)
    assert (melded.charge, melded.why) == (110, "melded")


def test_a_tile_that_is_not_there_cannot_have_been_drawn() -> None:
    with pytest.raises(RefereeError, match="seat 3: K1 was drawn last but is not on the rack"):
        rule_charge(WRC11, faces("R10"), melded=False, drawn_last=faces("K1"), seat=2)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_reason_has_its_sentence(language: Language) -> None:
    rack = faces("R10 B10 K10 O3")
    for rules, options in (
        (WRC11, {"melded": True}),
        (WRC11, {"melded": False}),
        (WRC11, {"melded": False, "had_turn": False}),
        (book("tml"), {"melded": False}),
        (book("rummyo"), {"melded": False}),
    ):
        ruled = rule_charge(rules, rack, melded=options["melded"], had_turn=options.get("had_turn", True))
        assert ruled.message(rules, language)


def test_the_engine_and_the_referee_agree() -> None:
    random = Random(3)
    for _ in range(200):
        rack = faces(" ".join(some_rack(random, 8, 20)))
        drawn = (random.choice(rack),)
        ruled = rule_charge(WRC11, rack, melded=False, drawn_last=drawn)
        assert ruled.able == could_have_melded(WRC11, rack, drawn, True)
        assert ruled.at_last_turn is not None
        assert ruled.able == ruled.at_last_turn.opens
