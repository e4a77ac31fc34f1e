"""Puzzles in a browser: one solved by mouse, today's on a phone, practice, a streak; axe, French."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from meldroom.api import puzzles as api
from meldroom.puzzles import Puzzle, starter_pack
from testkit.browser.axe import check
from testkit.browser.settings import PHONE
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")


def small_puzzle() -> Puzzle:
    """A puzzle that few tiles solve: the hands of a test are slow."""
    fitting = [
        each for each in starter_pack() if each.kind in ("most_tiles", "go_out") and each.book == "tml"
    ]
    return min(fitting, key=lambda each: (each.rating, each.id))


def lay(page: Page, puzzle: Puzzle) -> None:
    """Build every set of the answer that does not lie there yet, as a set of its own."""
    given = puzzle.read().position
    old = {frozenset(tiles) for tiles in given.table}
    for tiles in api.solution(puzzle, "en").table:
        if frozenset(tiles) in old:
            continue
        for tile in tiles:
            where = page.locator(f'[data-tile="{tile}"]').first
            where.scroll_into_view_if_needed()
            where.click(modifiers=["Control"])
        place = page.get_by_test_id("new-set")
        place.scroll_into_view_if_needed()
        place.click()


def goal(page: Page, ended: str) -> None:
    expect(page.get_by_test_id("puzzle-goal")).to_have_attribute("data-ended", ended)


def test_a_puzzle_is_solved_on_the_normal_table_and_rated(page: Page) -> None:
    puzzle = small_puzzle()
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.get_by_test_id("rack")).to_be_visible()
    check(page)
    lay(page, puzzle)
    page.get_by_test_id("done").click()
    goal(page, "solved")
    expect(page.get_by_test_id("puzzle-change")).to_have_text(re.compile(r"\(\+\d+ points\)"))
    steps = page.get_by_test_id("puzzle-solution").locator("li")
    expect(steps.first).to_be_visible()
    check(page)
    kept = page.evaluate("JSON.parse(localStorage.getItem('meldroom.puzzles')).tried.length")
    assert kept == 1


def test_the_puzzle_of_the_day_on_a_phone_in_french(visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR")
    page.goto("/puzzles")
    expect(page.get_by_test_id("rack")).to_be_visible()
    expect(page.get_by_test_id("puzzle-goal")).to_be_visible()
    page.get_by_test_id("puzzle-show").click()
    goal(page, "shown")
    expect(page.get_by_test_id("puzzle-solution")).to_contain_text("Solution")
    check(page)
    first = page.get_by_test_id("puzzle-goal").get_attribute("data-puzzle")
    page.get_by_test_id("puzzle-next").click()
    expect(page.get_by_test_id("puzzle-goal")).not_to_have_attribute("data-puzzle", first or "")


def test_by_theme_and_level_and_a_streak_that_a_mistake_ends(page: Page) -> None:
    page.goto("/puzzles?mode=practice")
    expect(page.get_by_test_id("rack")).to_be_visible()
    page.get_by_test_id("puzzle-theme").select_option("split_run")
    expect(page).to_have_url(re.compile("theme=split_run"))
    # Any puzzle may come first, also one in which to draw is right, or Rummy-O's; this one wants tiles.
    page.route("**/api/v1/puzzles/row*", lambda route: route.fulfill(json={"ids": [small_puzzle().id]}))
    page.get_by_test_id("mode-streak").click()
    page.get_by_test_id("puzzle-start").click()
    expect(page.get_by_test_id("rack")).to_be_visible()
    check(page)
    page.get_by_test_id("draw").click()
    goal(page, "shown")
    expect(page.get_by_test_id("puzzle-score")).to_contain_text("In a row: 0")
    expect(page.get_by_test_id("puzzle-start")).to_be_visible()
