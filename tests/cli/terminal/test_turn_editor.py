"""Rack order, selection, cursor and layout: what a person has before them, without any screen."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from msgspec.structs import replace

from meldroom.cli.terminal.rack_order import RackOrder
from meldroom.cli.terminal.screens.layout import neighbour, rack_grid, table_grid
from meldroom.cli.terminal.set_order import steady
from meldroom.cli.terminal.status_line import status
from meldroom.cli.terminal.turn_editor import TurnEditor
from meldroom.i18n import Language, message
from meldroom.rules.library import book
from meldroom.tiles import Tile
from tests.cli.terminal.positions import Box, refused, seen

WRC11 = book("wrc11")
RUMMYO = book("rummyo")


def names(editor: TurnEditor, tiles: Sequence[Tile]) -> str:
    tile_set = editor.book.tiles
    return " ".join(tile_set.face_names[tile_set.face_of[tile]] for tile in tiles)


def test_own_order_survives_turns_and_new_tiles_come_last() -> None:
    box = Box(WRC11)
    order = RackOrder(WRC11)
    order.follow(box.tiles("K9 R1 B5"))
    k9, r1, b5 = order.tiles
    order.move([b5], k9)
    (drawn,) = box.tiles("K1")
    order.follow((k9, r1, b5, drawn))
    assert order.tiles == [b5, k9, r1, drawn]
    order.follow((k9, b5, drawn))
    assert order.tiles == [b5, k9, drawn]


def test_a_sorted_rack_stays_sorted() -> None:
    box = Box(WRC11)
    order = RackOrder(WRC11)
    tiles = box.tiles("R3 K7 * B3 K2")
    order.follow(tiles)
    names_of = WRC11.tiles.face_names
    assert [names_of[WRC11.tiles.face_of[tile]] for tile in order.tiles] == ["K2", "K7", "R3", "B3", "*"]
    order.sort("groups")
    order.follow((*tiles, *box.tiles("O2")))
    shown = [names_of[WRC11.tiles.face_of[tile]] for tile in order.tiles]
    assert shown == ["K2", "O2", "R3", "B3", "K7", "*"]


def test_a_laid_tile_comes_back_to_its_old_place() -> None:
    editor = TurnEditor(WRC11, seen(WRC11, "R4 K9 B1", "R1 R2 R3"))
    before = editor.rack
    editor.selected = [editor.rack[1]]
    editor.put(0)
    assert len(editor.rack) == 2
    editor.undo()
    assert editor.rack == before


def test_shifting_moves_a_tile_past_those_that_are_laid() -> None:
    editor = TurnEditor(WRC11, seen(WRC11, "R4 K9 B1", "R1 R2 R3"))
    k9, r4, b1 = editor.rack
    editor.put(0, [r4])
    editor.cursor = k9
    editor.shift(1)
    assert editor.rack == (b1, k9)
    editor.shift(1)
    assert editor.rack == (b1, k9)


def test_numbers_put_tiles_into_sets_once_they_are_complete() -> None:
    table = " | ".join(
        f"{letter}{low} {letter}{low + 1} {letter}{low + 2}" for letter in "KRB" for low in (1, 5, 9)
    )
    editor = TurnEditor(WRC11, seen(WRC11, "O4 R12 K12", f"{table} | O1 O2 O3"))
    o4 = next(tile for tile in editor.rack if names(editor, [tile]) == "O4")
    editor.toggle(o4)
    editor.digit("1")
    assert editor.typed == "1"
    editor.digit("0")
    assert names(editor, editor.draft.sets[9].tiles) == "O1 O2 O3 O4"
    editor.clear()
    editor.digit("3")
    assert editor.cursor == editor.draft.sets[2].tiles[0]
    with refused("no_such_set"):
        editor.digit("0")


def test_the_cursor_stays_on_the_rack_while_tiles_are_laid() -> None:
    editor = TurnEditor(WRC11, seen(WRC11, "R4 R5 K9", "R1 R2 R3"))
    editor.cursor = editor.rack[1]
    editor.put(0, [editor.rack[1]])
    assert editor.cursor in editor.rack


def test_nothing_can_be_laid_when_it_is_not_the_moment() -> None:
    view = seen(WRC11, "R4", "R1 R2 R3")
    editor = TurnEditor(WRC11, replace(view, seat=1))
    with refused("not_your_turn"):
        editor.put(0, [editor.rack[0]])
    taking = TurnEditor(RUMMYO, replace(seen(RUMMYO, "R4 R5"), phase="take"))
    with refused("take_first"):
        taking.new_set(list(taking.rack))
    with refused("take_first"):
        taking.finish()
    first = TurnEditor(RUMMYO, replace(seen(RUMMYO, "R4 R5"), phase="opening_discard"))
    with refused("only_discard"):
        first.new_set(list(first.rack))


def test_a_discard_is_one_selected_tile() -> None:
    editor = TurnEditor(RUMMYO, seen(RUMMYO, "R4 R5 K9"))
    with refused("choose_discard"):
        editor.finish()
    editor.selected = list(editor.rack[:2])
    with refused("one_discard"):
        editor.finish()
    editor.selected = [editor.rack[0]]
    assert editor.finish() == editor.draft.as_play(editor.rack[0])


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_status_says_what_matters_most(language: Language) -> None:
    thirty = message("terminal.points", language, count=30)
    editor = TurnEditor(WRC11, seen(WRC11, "R10 R11 R12 K9 B9", melded=False))
    assert status(editor, language).text == message("terminal.status.opening", language, points=thirty)
    tiles = {names(editor, [tile]): tile for tile in editor.rack}
    editor.new_set([tiles["R10"], tiles["R11"]])
    line = status(editor, language)
    assert line.tone == "bad"
    assert line.text.startswith(message("terminal.status.points", language, reached=0, points=thirty))
    assert message("terminal.status.unplaced", language, tiles="R10 R11") in line.text
    editor.put(0, [tiles["R12"]])
    line = status(editor, language)
    assert (line.tone, line.text.split(" · ")[-1]) == (
        "good",
        message("terminal.status.ready", language, count=3),
    )


def some(*numbers: int) -> tuple[Tile, ...]:
    """Tiles by number."""
    return tuple(map(Tile, numbers))


def test_sets_stay_where_they_were_shown() -> None:
    shown = [some(1, 2, 3), some(4, 5, 6)]
    now = [some(7, 8, 9), some(4, 5, 6, 10), some(1, 2, 3)]
    assert steady(shown, now) == ((1, 2, 3), (4, 5, 6, 10), (7, 8, 9))


@pytest.mark.parametrize("width", [20, 38, 78, 118])
@pytest.mark.parametrize("count", [0, 1, 14, 30, 45])
def test_every_tile_of_a_rack_is_on_the_screen_once(width: int, count: int) -> None:
    grid = rack_grid(some(*range(count)), width)
    cells = [cell for line in grid.lines for cell in line.cells]
    assert [cell.tile for cell in cells] == list(range(count))
    assert all(cell.x + cell.width <= width for cell in cells)
    if width == 78 and count == 30:
        assert grid.height == 2


def test_sets_wrap_and_never_overlap() -> None:
    sets = [(f"{index + 1:>2}✓", some(*range(index * 13, index * 13 + 3 + index))) for index in range(9)]
    grid = table_grid(sets, 40, new_set="+ new set")
    for line in grid.lines:
        ends = [(cell.x, cell.x + cell.width) for cell in line.cells]
        assert all(end <= start for (_, end), (start, _) in pairwise(ends))
        assert ends[-1][1] <= 40
    assert grid.find(Tile(0)) is not None
    assert grid.find(None) is not None


def test_the_cursor_reaches_every_tile_and_comes_back() -> None:
    table = table_grid([("1", some(1, 2, 3)), ("2", some(4, 5, 6))], 40, new_set="+")
    rack = rack_grid(some(7, 8, 9), 40)
    start = Tile(7)
    visited, cursor = [], start
    for _ in range(10):
        visited.append(cursor)
        cursor = neighbour(table, rack, cursor, "right")  # type: ignore[assignment]
    assert set(visited) == {1, 2, 3, 4, 5, 6, 7, 8, 9, None}
    assert cursor == 7
    assert neighbour(table, rack, start, "down") == 7
    above = neighbour(table, rack, start, "up")
    assert neighbour(table, rack, above, "down") in (7, 8)
