"""Sentences in parts: words apart from tiles, the same sentence as the text."""

from __future__ import annotations

from meldroom.i18n import Message, TilePart, joined
from meldroom.i18n.tile_parts import parts_of
from meldroom.rules.library import book
from meldroom.rules.verify import Turn, verify
from meldroom.tiles import parse_set, parse_table


def test_tiles_are_apart_from_the_words_around_them() -> None:
    said = Message(
        "solver.movement.extend.rack",
        {"rack": TilePart.of("R4"), "target": TilePart.of("R1 R2 R3"), "result": TilePart.of("R1 R2 R3 R4")},
    )
    assert said.text() == "Add R4 from your rack to [R1 R2 R3]: [R1 R2 R3 R4]."
    assert said.parts() == (
        "Add ",
        TilePart(("R4",)),
        " from your rack to ",
        TilePart(("R1", "R2", "R3")),
        ": ",
        TilePart(("R1", "R2", "R3", "R4")),
        ".",
    )


def test_tiles_inside_lists_and_other_messages_are_found() -> None:
    tiles = (TilePart.of("R4"), TilePart.of("R5"), Message("solver.joker", {"count": 1}))
    said = Message("solver.hint.tile", {"tile": tiles})
    assert said.parts("fr")[1:] == (
        TilePart(("R4",)),
        ", ",
        TilePart(("R5",)),
        said.text("fr").partition("R5")[2],
    )


def test_sentences_are_joined_by_a_space() -> None:
    assert joined([("One.",), (), (TilePart(("R1",)), " two.")]) == ("One.", " ", TilePart(("R1",)), " two.")


def test_an_apostrophe_that_tells_equal_tiles_apart_is_no_part_of_a_face() -> None:
    assert TilePart.of("R7' * K1").tiles == ("R7", "*", "K1")


def test_a_text_without_tiles_is_one_part() -> None:
    assert parts_of("Nothing [here].") == ("Nothing [here].",)


def test_a_fault_names_each_set_it_is_about() -> None:
    wrc11 = book("wrc11")
    before = parse_table("R1 R2 R3 | K9 B9 O9", wrc11.tiles)
    after = parse_table("R1 R2 R3 R4 | K9 B9 O9 R9", wrc11.tiles)
    turn = Turn(before, parse_set("R4 R9", wrc11.tiles), after, melded=False)
    fault = next(each for each in verify(wrc11, turn) if each.code == "TABLE_TOUCHED_BEFORE_MELD")
    sets = [part.tiles for part in fault.parts("fr") if isinstance(part, TilePart)]
    assert sets == [("R1", "R2", "R3"), ("K9", "B9", "O9")]
    assert "|" not in "".join(part for part in fault.parts("fr") if isinstance(part, str))


def test_an_empty_set_is_a_dash() -> None:
    wrc11 = book("wrc11")
    fault = verify(wrc11, Turn((), parse_set("R4", wrc11.tiles), ((),), melded=True))[-1]
    assert fault.parts()[0] == fault.message()
