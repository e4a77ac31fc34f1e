"""The rules as prose: each picture is as the book judges it, each number the book's."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from meldroom.i18n import Language
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, book
from meldroom.rules.prose import ProseParagraph, ProsePicture, opening_example, prose
from meldroom.rules.verify import set_points
from meldroom.tiles import parse_set

LANGUAGES: tuple[Language, ...] = ("en", "fr")


def words(rules: RuleBook, section: str, language: Language = "en") -> str:
    """All sentences of a section."""
    found = next((each for each in prose(rules, language) if each.id == section), None)
    blocks = found.blocks if found else ()
    said = [block.parts for block in blocks if isinstance(block, ProseParagraph)]
    return " ".join("".join(part for part in parts if isinstance(part, str)) for parts in said)


def pictures(rules: RuleBook) -> list[ProsePicture]:
    """All pictures of a book."""
    return [block for section in prose(rules) for block in section.blocks if isinstance(block, ProsePicture)]


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_every_picture_is_judged_by_the_book_and_says_so(book_id: str) -> None:
    rules = book(book_id)
    found = pictures(rules)
    assert {picture.good for picture in found} == {True, False, None}
    for picture in found:
        sets = [parse_set(" ".join(names), rules.tiles) for names in picture.sets]
        if picture.good is not None:
            assert picture.good == all(map(rules.reader.is_set, sets))
            assert picture.good != picture.caption.startswith("Not")


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_the_numbers_of_the_prose_are_the_books(book_id: str) -> None:
    rules = book(book_id)
    assert f"at least {rules.opening.points} points" in words(rules, "opening")
    assert f"{rules.deal.tiles} tiles" in words(rules, "deal")
    assert f"costs {rules.scoring.joker} points" in words(rules, "scoring")
    assert (f"{rules.clock.seconds} seconds" in words(rules, "time")) == (rules.clock.seconds > 0)
    assert ("pairs of equal tiles" in words(rules, "deal")) == (rules.redeal.doubles > 0)
    example = opening_example(rules)
    assert sum(set_points(rules, faces) for faces in example) >= rules.opening.points
    if rules.opening.run_required:
        assert any(reading.is_run for reading in rules.reader.readings(example[0]))


@pytest.mark.parametrize("book_id", BOOK_IDS)
def test_both_languages_tell_the_same_sections_and_leave_no_place_open(book_id: str) -> None:
    english, french = (prose(book(book_id), language) for language in LANGUAGES)
    assert [each.id for each in english] == [each.id for each in french]
    for one, other in zip(english, french, strict=True):
        assert len(one.blocks) == len(other.blocks)
        assert one.title != other.title
        for language in LANGUAGES:
            assert not re.search(r"[{}]", words(book(book_id), one.id, language))


def test_a_house_book_is_told_with_what_it_changes() -> None:
    base = book("wrc11")
    changed = replace(
        base,
        opening=replace(base.opening, points=45),
        jokers=replace(base.jokers, reuse="any_set"),
        clock=replace(base.clock, seconds=0),
    )
    assert "at least 45 points" in words(changed, "opening")
    assert "in any set" in words(changed, "jokers")
    assert "seconds" not in words(changed, "time")
    captions = [picture.caption for picture in pictures(changed)]
    assert any(caption.startswith("Enough to open: ") for caption in captions)


def test_a_book_of_few_tiles_has_prose_too() -> None:
    base = book("wrc11")
    tiles = replace(base.tiles, numbers=3, jokers=0, colours=base.tiles.colours[:2])
    small = replace(base, tiles=tiles)
    assert words(small, "jokers") == ""
    assert "1 to 3" in words(small, "tiles")
