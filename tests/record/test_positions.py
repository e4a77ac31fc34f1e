"""Positions on one line and as pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from meldroom.game import new_game, view
from meldroom.game.shuffle import Shuffle
from meldroom.record import Position, format_position, parse_position, replay, to_svg
from meldroom.rules.book import RuleBook
from meldroom.rules.library import book
from meldroom.tiles import HIDDEN
from tests.record import eventful_games

BOOKS = list(eventful_games.books())
EXAMPLES = [
    "wrc11@1 / table R1 R2 R3 | K9 R9 O9 / racks R4 K9' *, ?x14 / pool 83 / turn 1 / melded 1",
    "rummyo@1 / melds 1: R10 R11 R12 | 2: K9 R9 O9 (1) / racks ?x14, R4 K9' * / pool 60 / turn 2 play "
    "/ melded 1 2 / discards B3 O7 / reshuffled 1",
    "rummyo@1 / melds 2: R5 * *' = group / racks -, R1 / pool 101 / turn 1 take / melded 2",
    "wrc9@1 joker_reuse=any_set / racks -, -, - / pool 0 / turn 3 / withdrawn 2 / final 1",
    "tml@1 jokers=4 / racks *''', *' / pool 0 / turn 1 / exhausted",
    "wrc11@1 / racks R1, - / pool 0 / final -",
]


@pytest.mark.parametrize("text", EXAMPLES)
def test_a_position_is_read_and_printed(text: str) -> None:
    position = parse_position(text)
    assert format_position(position) == str(position) == text
    assert parse_position(str(position)) == position


@pytest.mark.parametrize("rules", BOOKS, ids=lambda rules: rules.id)
def test_every_position_of_a_game_survives(rules: RuleBook) -> None:
    record = eventful_games.record(rules, 3, 4)
    for step in replay(record):
        if step.state.racks:
            position = Position.of(step.state)
            assert parse_position(str(position), rules) == position


def test_what_is_left_out_is_understood() -> None:
    position = parse_position("WRC11@1 / racks r4 r4, ?x3".replace("WRC11", "wrc11"))
    assert position.pool == 101
    assert position.seat == -1
    assert [len(rack) for rack in position.racks] == [2, 3]
    assert position.book.tiles.names(position.racks[0]) == "R4 R4'"


def test_a_view_shows_only_its_own_rack() -> None:
    rules = book("wrc11")
    state, _ = new_game(rules, ["Ada", "Bo"], Shuffle("s"))
    seen = Position.seen(view(state, 0), rules)
    assert seen.racks == (state.racks[0], (HIDDEN,) * 14)
    spectator = Position.seen(view(state, None), rules)
    assert set(spectator.racks[0] + spectator.racks[1]) == {HIDDEN}


def texts(svg: str) -> list[str]:
    root = ET.fromstring(svg)
    return ["".join(element.itertext()) for element in root.iter("{http://www.w3.org/2000/svg}text")]


def test_a_picture_shows_number_and_letter_of_every_tile() -> None:
    position = parse_position("wrc11@1 / table R1 R2 * | K9 B9 O9 / racks R10 ?x2, ?x14 / turn 2 / melded 1")
    found = texts(to_svg(position, names=("Ada", "Bo & <Co>")))
    # Five numbered tiles and the rack's: colour is never the only sign.
    assert [text for text in found if text in ("K", "R", "B", "O")] == ["R", "R", "K", "B", "O", "R"]
    assert [text for text in found if text.isdigit()] == ["1", "2", "9", "9", "9", "10"]
    assert found.count("?") == 16
    assert any(text.startswith("Bo & <Co>") and "to play" in text for text in found)


def test_a_picture_needs_nothing_from_elsewhere() -> None:
    svg = to_svg(parse_position(EXAMPLES[1]), language="fr")
    links = set(re.findall(r"""(?:href|src|url)\s*[=(]["']?([^"')]+)""", svg))
    assert links == set()
    assert "défausses" in svg
    assert "<script" not in svg


@pytest.mark.parametrize("text", EXAMPLES)
def test_every_position_can_be_drawn(text: str) -> None:
    position = parse_position(text)
    assert position._repr_svg_() == to_svg(position)
    ET.fromstring(to_svg(position))
    assert len(to_svg(position, racks=False)) < len(to_svg(position))


def test_inks_are_the_books_own() -> None:
    for book_id in ("wrc11", "tml"):
        rules = book(book_id)
        svg = to_svg(parse_position(f"{book_id}@1 / table K1 R1 B1 O1 / racks -, -"))
        assert all(colour.ink in svg for colour in rules.tiles.colours)


def test_jokers_stand_in_their_places() -> None:
    svg = to_svg(parse_position("wrc11@1 / table R10 R12 * / racks -, -"))
    assert svg.index(">10<") < svg.index("<path") < svg.index(">12<")


def test_strange_names_do_no_harm() -> None:
    svg = to_svg(parse_position(EXAMPLES[0]), names=("\x00\x07<b>", '"&'), title="</title><x>")
    ET.fromstring(svg)
