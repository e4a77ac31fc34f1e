"""The table under mouse and fingers: a hand does what it means, and what it holds looks like itself."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, expect

from testkit.browser.axe import check
from testkit.browser.settings import PHONE
from testkit.browser.staged import Stage
from testkit.browser.table import Table, start_against_bots
from tests.browser.conftest import Visitors
from tests.browser.fingers import middle, pinch

pytestmark = pytest.mark.xdist_group("browser at the table")

Box = tuple[float, float, float, float]


def boxes(what: Locator) -> list[Box]:
    """Left, top, right and bottom of everything that is found."""
    found: list[Box] = what.evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
    )
    return found


def test_a_second_finger_lets_go_of_what_the_first_one_drags(visitors: Visitors) -> None:
    """Pinching moves no tile: neither the one that was being dragged nor one under the second finger."""
    stage = Stage(visitors.come(**PHONE))
    stage.set(("R1 R2 R3", "K5 K6 K7", "B9 B10 B11"))
    table = stage.play()
    before, rack = table.sets(), table.rack()
    pinch(table.set_tile(before[2][1]), table.find("board"), held=40)
    pinch(table.rack_tile(rack[0][0]), table.set_tile(before[0][1]), held=200)
    pinch(table.find("new-set"), table.set_tile(before[1][1]))
    expect(table.page.locator(".ghost")).to_have_count(0)
    assert table.sets() == before
    assert table.rack() == rack
    expect(table.find("reset")).to_be_disabled()


def test_a_dragged_tile_keeps_the_colours_of_its_book(page: Page) -> None:
    """The Mahjong Line has inks of its own; in the hand a tile has the same."""
    stage = Stage(page, "tml")
    stage.set(rack="R11 B12 O12 K12")
    table = stage.play()
    ink = "tile => getComputedStyle(tile.querySelector('.number')).color"
    for tile, face in table.rack():
        lying = table.rack_tile(tile).evaluate(ink)
        page.mouse.move(*middle(table.rack_tile(tile)))
        page.mouse.down()
        page.mouse.move(*middle(table.find("board")), steps=4)
        assert table.page.locator(".ghost").evaluate(ink) == lying, face
        page.keyboard.press("Escape")
        page.mouse.up()


def test_a_run_that_makes_room_does_not_cover_its_neighbour(page: Page) -> None:
    """A tile is held over the middle of a run: none of the run's tiles reaches into the set beside it."""
    stage = Stage(page)
    stage.set(("R1 R2 R3 R4 R5 R6", "K5 K6 K7", "B9 B10 B11"), rack="R3 O1")
    table = stage.play()
    run, neighbour = table.find("set").nth(0), table.find("set").nth(1)
    page.mouse.move(*middle(table.find("rack-tile").first))
    page.mouse.down()
    page.mouse.move(*middle(run), steps=6)
    page.wait_for_timeout(300)
    tiles, beside = boxes(run.get_by_test_id("set-tile")), boxes(neighbour)[0]
    gaps = [right[0] - left[2] for left, right in pairwise(tiles)]
    assert max(gaps) > min(gaps) + 8, "the run makes no room"
    assert max(right for _, _, right, _ in tiles) < beside[0]
    page.mouse.up()


def place_of(table: Table, tile: int) -> int:
    """On which place of the rack a tile stands."""
    found = table.rack_tile(tile).locator("xpath=..").get_attribute("data-place")
    assert found is not None
    return int(found)


def test_a_rack_has_gaps_where_a_player_leaves_them(page: Page) -> None:
    """A tile dropped on a free place stays there, also after a reload; sorting closes the gap."""
    stage = Stage(page)
    stage.set(rack="R11 R12 K3 O2 B5 K13")
    table = stage.play()
    tiles = [tile for tile, _ in table.rack()]
    assert [place_of(table, tile) for tile in tiles] == [0, 1, 2, 3, 4, 5]
    (x0, y), (x1, _) = middle(table.rack_tile(tiles[0])), middle(table.rack_tile(tiles[1]))
    page.mouse.move(*middle(table.rack_tile(tiles[2])))
    page.mouse.down()
    page.mouse.move(x0 + 8 * (x1 - x0), y, steps=6)
    page.mouse.up()
    expect(table.find("rack-tile").last).to_have_attribute("data-tile", str(tiles[2]))
    assert place_of(table, tiles[2]) == 8
    assert [place_of(table, tile) for tile in (*tiles[:2], *tiles[3:])] == [0, 1, 2, 3, 4]
    page.reload()
    expect(table.rack_tile(tiles[2])).to_be_visible()
    assert place_of(table, tiles[2]) == 8
    table.find("sort-runs").click()
    assert sorted(place_of(table, tile) for tile in tiles) == [0, 1, 2, 3, 4, 5]


def test_a_rack_stays_sorted_in_this_game_and_the_next(page: Page) -> None:
    """Sorted once, a drawn tile goes where it belongs, and the next deal comes sorted."""
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    table.find("sort-groups").click()
    table.draw()

    def numbers() -> list[int]:
        return [int(face[1:]) for _, face in table.rack() if face != "*"]

    assert len(table.rack()) == 15
    assert numbers() == sorted(numbers())
    table = start_against_bots(page, "wrc11")
    expect(table.find("sort-groups")).to_have_attribute("aria-pressed", "true")
    assert numbers() == sorted(numbers())


def test_a_complete_set_on_the_rack_is_marked_and_can_be_dragged_whole(page: Page) -> None:
    """Three that belong together have a line, also for ears; held together, their number is seen."""
    stage = Stage(page)
    stage.set(("K5 K6 K7",), rack="R11 R12 R13 K3 O2 O3")
    table = stage.play()
    run = [tile for tile, _ in table.rack()[:3]]
    marked = page.get_by_role("button", name=re.compile("complete set"))
    expect(marked).to_have_count(3)
    check(page)
    for tile in run:
        table.rack_tile(tile).click()
    page.mouse.move(*middle(table.rack_tile(run[1])))
    page.mouse.down()
    page.mouse.move(*middle(table.find("new-set")), steps=6)
    expect(table.find("held-count")).to_have_text("3")
    page.mouse.up()
    expect(table.find("set")).to_have_count(2)
    assert table.sets()[-1] == run
