"""Hints as people see them: tiles are drawn, and named aloud; each step is a line and can be shown."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.axe import check
from testkit.browser.settings import PHONE
from testkit.browser.table import Table, start_against_bots
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

NOTATION = re.compile(r"\b[KRBO]\d{1,2}\b")


def climb(table: Table, step: int) -> None:
    """Ask until the hint of this number is shown."""
    if table.find("hint-card").count() == 0:
        table.find("hint").click()
    for number in range(1, step + 1):
        expect(table.find("hint-card")).to_have_attribute("data-step", str(number))
        if number < step:
            table.find("hint-next").click()


def test_a_hint_draws_its_tiles_and_says_them_in_words(page: Page) -> None:
    table = start_against_bots(page, "wrc11")
    table.until_playable()
    climb(table, 2)
    line = table.find("hint-line")
    expect(line).to_have_text(re.compile(r"^Look at (black|red|blue|orange) \d+ on your rack\."))
    expect(line.locator(".small-tile")).to_be_visible()
    table.find("hint-show").click()
    drawn = line.locator(".small-tile").get_attribute("data-face")
    pointed = page.evaluate(
        """() => [...document.querySelectorAll('[data-testid="rack-tile"]')].filter(
          tile => tile.getAnimations().some(one => one.id === 'pointed')).map(tile => tile.dataset.face)"""
    )
    assert pointed == [drawn]
    check(page)


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_each_step_of_a_play_is_a_line_and_can_be_laid_as_a_draft(visitors: Visitors, locale: str) -> None:
    page = visitors.come(**PHONE, locale=locale)
    table = start_against_bots(page, "tml")
    sets = table.until_playable()
    held = len(table.rack())
    climb(table, 4)
    lines = table.find("hint-line")
    assert lines.count() == len(sets)
    shown = lines.all_inner_texts()
    assert not any(NOTATION.search(text) for text in shown), shown
    table.find("hint-show").first.click()
    expect(table.find("rack-tile")).not_to_have_count(held)
    expect(table.find("hint-card")).to_be_visible()
    table.find("hint-show").last.click()
    expect(table.find("done")).to_be_enabled()
    check(page)
    laid = [tile for tile, _ in table.rack()]
    assert held - len(laid) == sum(map(len, sets))
    table.find("done").click()
    table.wait_until_laid([[tile for tiles in sets for tile in tiles if tile not in laid]])


def test_rummyo_gives_hints_for_taking_laying_and_discarding(page: Page) -> None:
    table = start_against_bots(page, "rummyo")
    seen: set[str] = set()
    for _ in range(40):
        wanted = table.what_now()
        if wanted == "over" or len(seen) == 2:
            break
        table.find("hint").click()
        expect(table.find("hint-line").first).to_be_visible()
        while table.find("hint-next").count():
            step = table.find("hint-card").get_attribute("data-step")
            table.find("hint-next").click()
            expect(table.find("hint-card")).not_to_have_attribute("data-step", step or "")
        text = table.find("hint-card").inner_text()
        assert not NOTATION.search(text), text
        table.find("hint-show").last.click()
        if wanted == "take":
            assert "Take" in text
            glowing = page.evaluate(
                """() => ['stock', 'discard-pile'].filter(id => document.querySelector(
                  `[data-testid="${id}"]`).getAnimations().some(one => one.id === 'pointed'))"""
            )
            assert len(glowing) == 1
            table.find(glowing[0]).click()
            table.wait_while("take")
        else:
            assert "Discard" in text
            expect(table.find("chosen-discard")).to_be_visible()
            check(page)
            table.find("done").click()
            table.wait_while("throw")
        seen.add(wanted)
    assert seen == {"take", "throw"}


def test_a_fault_shows_the_tiles_it_is_about(page: Page) -> None:
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    table.find("rack-tile").first.click()
    table.find("new-set").click()
    table.find("why").click()
    fault = table.find("faults").locator("li").first
    expect(fault.locator(".small-tile").first).to_be_visible()
    assert not NOTATION.search(fault.locator(".tile-message").inner_text())
