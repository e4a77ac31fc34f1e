"""Somebody in airplane mode: the offline app was opened once, and now there is no network at all."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Error, Page, expect

from testkit.browser.offline_app import PATIENCE, open_app, start_game, wait_until_kept
from testkit.browser.table import Table

Look = Callable[[Page], None]
"""Looks at a page: whether it is accessible, what it is like."""


def take_off(page: Page) -> None:
    """Open the app once, wait until it is kept, and switch the network off."""
    open_app(page)
    wait_until_kept(page)
    page.context.set_offline(True)


def crash(page: Page) -> Page:
    """Kill the tab, with everything that runs in it; another one at the same address."""
    address = page.url
    another = page.context.new_page()
    with contextlib.suppress(Error):
        page.goto("chrome://crash", timeout=2_000)
    page.close()
    another.goto(address)
    return another


def play(page: Page, book: str, look: Look, *, killed: bool = False) -> Page:
    """A whole game: reloaded in the middle of a turn, to the score sheet, the replay and the analysis.

    With `killed`, the tab is killed on the way. The page that it ended on.
    """
    open_app(page)
    table = start_game(page, book, level="tournament", opponents=3)
    now = table.what_now()
    if now != "over":
        rack = table.rack()
        if now == "take":
            table.find("stock").click()
            table.wait_for_another_tile(len(rack))
            rack = table.rack()
        if killed:
            page = crash(page)
            table = Table(page, book)
        else:
            page.reload()
        assert table.what_now() in ("draw", "throw", "pass", "over")
        assert sorted(table.rack()) == sorted(rack)
        look(page)
    table.play_to_the_end()
    expect(table.find("score-sheet").locator("> li")).to_have_count(4)
    table.open_more()
    table.find("verify-shuffle").click()
    expect(table.find("verification").locator("h2.good")).to_be_visible(timeout=PATIENCE)
    look(page)
    table.find("replay-link").click()
    expect(page.get_by_test_id("step-text")).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("analysis-tab").click()
    expect(page.get_by_test_id("analysis-turn").first).to_be_visible(timeout=PATIENCE)
    look(page)
    return page


def solve_position(page: Page, look: Look) -> None:
    """The best play of a position in which a joker can be freed."""
    page.goto("/offline/position/")
    text = page.get_by_test_id("position-text")
    expect(text).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("position-book").select_option("wrc11")
    text.fill("table R5 B5 K5 * | R1 R2 R3 / racks O5 K9 B9, ?x14 / pool 80 / turn 1 / melded 1")
    page.get_by_test_id("find-best").click()
    expect(page.get_by_test_id("best-play")).to_be_visible(timeout=PATIENCE)
    look(page)


def count_a_rack(page: Page, look: Look) -> None:
    """Two players, one of them out; the other never opened and could have: 200."""
    page.goto("/offline/referee/")
    count = page.get_by_test_id("tool-count")
    expect(count).to_be_visible(timeout=PATIENCE)
    count.click()
    page.get_by_test_id("players").select_option("2")
    page.get_by_test_id("out-0").click()
    page.get_by_test_id("next-step").click()
    for tile in ("R10", "B10", "K10", "O3"):
        page.get_by_test_id(f"key-{tile}").click()
    page.get_by_test_id("unmelded").click()
    page.get_by_test_id("drew-nothing").click()
    page.get_by_test_id("next-step").click()
    expect(page.get_by_test_id("score-0")).to_have_text("+200", timeout=PATIENCE)
    look(page)


def open_record(page: Page, record: Path, look: Look) -> None:
    """A game from a file, as far as its last step."""
    open_app(page)
    page.get_by_test_id("record-file").set_input_files(record)
    expect(page.get_by_test_id("step-text")).to_be_visible(timeout=PATIENCE)
    page.get_by_test_id("step-next").click()
    look(page)


def play_by_house_book(page: Page, book: Path, label: str, look: Look) -> None:
    """A house book from a file, and a game by it."""
    open_app(page)
    page.get_by_test_id("house-file").set_input_files(book)
    expect(page.get_by_test_id("house-books")).to_contain_text(label, timeout=PATIENCE)
    look(page)
    page.locator("form", has=page.locator("button.play")).locator("select").first.select_option(label=label)
    page.locator("form button.play").click()
    expect(page.get_by_test_id("rack")).to_be_visible(timeout=PATIENCE)
