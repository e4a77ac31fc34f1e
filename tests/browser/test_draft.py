"""Arranging on the table: by mouse, by finger, by keys; what is refused says why; a reload loses nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.settings import PHONE
from testkit.browser.table import Table, start_against_bots, start_with_a_friend
from tests.browser.conftest import Visitors
from tests.browser.fingers import drag_by_finger

pytestmark = pytest.mark.xdist_group("browser at the table")


def lies(table: Table, sets: list[list[int]]) -> None:
    """The sets lie on the table, among what the others may have laid."""
    for tiles in sets:
        expect(table.set_tile(tiles[-1])).to_be_visible()
    lying = [sorted(tiles) for tiles in table.sets()]
    assert all(sorted(tiles) in lying for tiles in sets), (lying, sets)


def test_a_set_is_laid_by_dragging_with_the_mouse(page: Page) -> None:
    """Tile by tile from the rack to the table: a new set, then pushed in; done ends the turn."""
    table = start_against_bots(page, "wrc11")
    sets = table.until_playable()
    for tiles in sets:
        table.rack_tile(tiles[0]).drag_to(table.find("new-set"))
        for tile in tiles[1:]:
            last = table.set_tile(tiles[tiles.index(tile) - 1])
            box = last.bounding_box()
            assert box is not None
            table.rack_tile(tile).drag_to(
                last, target_position={"x": box["width"] - 2, "y": box["height"] / 2}
            )
    lies(table, sets)
    finish_turn(table, sets)


def finish_turn(table: Table, sets: list[list[int]]) -> None:
    """Done is offered, and what was laid stays."""
    legal = table.page.locator("[data-testid=set][data-legal=true]")
    for tiles in sets:
        expect(legal.filter(has=table.set_tile(tiles[0]))).to_be_visible()
    expect(table.find("done")).to_be_enabled()
    table.find("done").click()
    table.wait_until_laid(sets)


def test_a_whole_turn_by_keyboard_alone(page: Page) -> None:
    """Nothing but keys: reach the rack, choose, put down, undo, redo, declare."""
    table = start_against_bots(page, "wrc11")
    page.mouse.move(0, 0)
    keys = page.keyboard
    for _ in range(60):
        assert table.what_now() == "draw"
        if sets := table.playable():
            break
        before = len(table.rack())
        keys.press("d")
        table.wait_for_another_tile(before)
    for tiles in sets:
        choose_by_keys(table, tiles)
        keys.press("n")
        expect(table.set_tile(tiles[0])).to_be_visible()
    lies(table, sets)
    keys.press("u")
    expect(table.rack_tile(sets[-1][0])).to_be_visible()
    keys.press("r")
    lies(table, sets)
    expect(table.find("done")).to_be_enabled()
    keys.press("Control+Enter")
    table.wait_until_laid(sets)


def choose_by_keys(table: Table, tiles: list[int]) -> None:
    """Tab to the rack, then arrows and the space bar."""
    keys = table.page.keyboard
    focused = "document.activeElement?.dataset?.spot === 'rack'"
    for _ in range(60):
        if table.page.evaluate(focused):
            break
        keys.press("Tab")
    assert table.page.evaluate(focused), "Tab does not lead to the rack"
    keys.press("Home")
    order = [tile for tile, _ in table.rack()]
    place = 0
    for wanted in sorted(tiles, key=order.index):
        for _ in range(order.index(wanted) - place):
            keys.press("ArrowRight")
        place = order.index(wanted)
        keys.press("Space")
        expect(table.rack_tile(wanted)).to_have_attribute("aria-pressed", "true")


def test_a_phone_by_touch(visitors: Visitors) -> None:
    """Tap then tap for one set, a finger's drag for the others; the page does not move sideways."""
    page = visitors.come(**PHONE)
    table = start_against_bots(page, "wrc11")
    sets = table.until_playable()
    first, rest = sets[0], sets[1:]
    for tile in first:
        table.rack_tile(tile).tap()
    table.find("new-set").tap()
    expect(table.set_tile(first[0])).to_be_visible()
    for tiles in rest:
        drag_by_finger(table.rack_tile(tiles[0]), table.find("new-set"))
        for before, tile in pairwise(tiles):
            drag_by_finger(table.rack_tile(tile), table.set_tile(before), right=True)
    lies(table, sets)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    finish_turn(table, sets)


def test_a_rack_of_fourteen_to_thirty_tiles_is_all_visible_on_a_phone(visitors: Visitors) -> None:
    """Two people only draw; every tile of the growing rack lies inside a screen of 360 by 640."""
    phone, desk = start_with_a_friend(visitors.come(**PHONE), visitors.come())
    seen = set[int]()
    while len(phone.rack()) < 30:
        for table in (phone, desk):
            if table.now() == "draw":
                table.draw()
        size = len(phone.rack())
        if size not in seen:
            seen.add(size)
            all_visible(phone, size)
    assert {14, 15, 20, 29, 30} <= seen | {14}


def all_visible(table: Table, size: int) -> None:
    """Every tile is inside the screen, large enough for a finger, and none covers another."""
    boxes = table.find("rack-tile").evaluate_all(
        "tiles => tiles.map(t => t.getBoundingClientRect()).map(b => [b.left, b.top, b.right, b.bottom])"
    )
    assert len(boxes) == size
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= 360, f"{size} tiles: one reaches from {left} to {right}"
        assert 0 <= top < bottom <= 640, f"{size} tiles: one reaches from {top} down to {bottom}"
        assert right - left >= 20, f"a tile is {right - left} wide"
    corners = {(round(left), round(top)) for left, top, _, _ in boxes}
    assert len(corners) == size


def test_a_reload_keeps_the_draft_and_the_order_of_the_rack(page: Page) -> None:
    """Half a set lies on the table and the rack is sorted by groups: after a reload both are as they were."""
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    before = len(table.sets())
    table.find("sort-groups").click()
    tiles = [tile for tile, _ in table.rack()]
    for tile in (tiles[0], tiles[5]):
        table.rack_tile(tile).click()
    table.find("new-set").click()
    table.rack_tile(tiles[2]).click()
    table.find("new-set").click()
    expect(table.find("set")).to_have_count(before + 2)
    rack, sets = table.rack(), table.sets()
    page.reload()
    expect(table.find("set")).to_have_count(before + 2)
    assert table.sets() == sets
    assert table.rack() == rack
    table.find("reset").click()
    expect(table.find("set")).to_have_count(before)
    assert len(table.rack()) == len(tiles)


def test_a_draft_that_may_not_lie_says_why_with_its_clause(page: Page) -> None:
    """Each fault in a sentence that links to the rule; drawing asks before it takes the draft away."""
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    rack, before = table.rack(), len(table.sets())
    table.rack_tile(rack[0][0]).click()
    table.rack_tile(rack[-1][0]).click()
    table.find("new-set").click()
    expect(table.find("set").last).to_have_attribute("data-legal", "false")
    table.find("why").click()
    link = table.find("faults").get_by_role("link").first
    expect(link).to_be_visible()
    address = link.get_attribute("href")
    assert address is not None
    assert address.startswith("/rules/")
    table.find("draw").click()
    expect(table.find("ask-no")).to_be_visible()
    table.find("ask-no").click()
    expect(table.find("set")).to_have_count(before + 1)
    table.find("draw").click()
    table.find("ask-yes").click()
    table.wait_for_another_tile(len(rack))
    page.goto(address)
    place = address.partition("#")[2]
    assert place
    expect(page.locator(f"[id='{place}']")).to_be_in_viewport()
