"""The next draw: every unseen tile tried, none twice."""

from __future__ import annotations

from fractions import Fraction

from meldroom.rules.library import book
from meldroom.solver.odds import after_draw
from meldroom.tiles import parse_set, parse_table

TML = book("tml")


def test_a_rack_that_needs_one_of_two_tiles() -> None:
    found = after_draw(TML, parse_table("R1 R2 R3", TML.tiles), parse_set("R5", TML.tiles), "go_out")
    assert not found.already
    assert TML.tiles.faces_text(found.helping) == "R4 *"
    assert found.chance == Fraction(4, 102)


def test_tiles_seen_elsewhere_cannot_be_drawn() -> None:
    seen = parse_set("R4 R4 *", TML.tiles)
    found = after_draw(
        TML, parse_table("R1 R2 R3", TML.tiles), parse_set("R5", TML.tiles), "go_out", seen=seen
    )
    assert found.chance == Fraction(1, 99)


def test_opening_with_the_next_tile() -> None:
    found = after_draw(TML, (), parse_set("R10 B10 K10", TML.tiles), "open", melded=False)
    assert found.already
    assert found.chance == 1
