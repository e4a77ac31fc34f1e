"""Puzzles in a browser: by mouse, by touch on a phone, by keys; practice, streak, account; axe, French."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from meldroom.puzzles import Puzzle
from meldroom.puzzles.ratings import TOO_SOON
from testkit.browser.axe import check
from testkit.browser.puzzles import (
    lay_by_keys,
    lay_by_mouse,
    lay_by_touch,
    make_puzzle_of_the_day,
    smallest,
)
from testkit.browser.settings import PHONE
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")

TALL: dict[str, Any] = {**PHONE, "viewport": {"width": 390, "height": 844}}
PASSWORD = "a long and quiet evening"


def turn() -> Puzzle:
    """One in which sets of the table are rearranged."""
    return smallest("most_tiles", "go_out")


def goal(page: Page, ended: str) -> None:
    expect(page.get_by_test_id("puzzle-goal")).to_have_attribute("data-ended", ended)


def title(page: Page) -> Locator:
    return page.locator("h1[tabindex]")


def test_a_puzzle_is_solved_on_the_normal_table_and_rated(page: Page) -> None:
    puzzle = turn()
    page.goto(f"/puzzles/{puzzle.id}")
    expect(page.get_by_test_id("rack")).to_be_visible()
    check(page)
    lay_by_mouse(page, puzzle)
    page.wait_for_timeout(1000 * TOO_SOON)
    page.get_by_test_id("done").click()
    goal(page, "solved")
    expect(page.get_by_test_id("puzzle-change")).to_have_text(re.compile(r"\(\+\d+ points\)"))
    steps = page.get_by_test_id("puzzle-solution").locator("li")
    expect(steps.first).to_be_visible()
    check(page)
    kept = page.evaluate("JSON.parse(localStorage.getItem('meldroom.puzzles')).tried.length")
    assert kept == 1


def test_the_puzzle_of_the_day_by_touch_on_a_phone_in_french(visitors: Visitors) -> None:
    page = visitors.come(**TALL, locale="fr-FR")
    puzzle = turn()
    make_puzzle_of_the_day(page, puzzle)
    page.goto("/puzzles")
    expect(page.get_by_test_id("rack")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    lay_by_touch(page, puzzle)
    page.get_by_test_id("done").tap()
    goal(page, "solved")
    expect(page.get_by_test_id("puzzle-days")).to_have_text("1 jour d’affilée")
    expect(page.get_by_test_id("puzzle-solution")).to_contain_text("Solution")
    check(page)
    page.get_by_test_id("puzzle-next").tap()
    expect(page.get_by_test_id("puzzle-goal")).not_to_have_attribute("data-puzzle", puzzle.id)
    # Who comes back sees that today's is done.
    page.get_by_test_id("mode-day").tap()
    expect(page.get_by_test_id("puzzle-before")).to_contain_text("déjà résolu")


def test_the_puzzle_of_the_day_by_keys_alone(page: Page) -> None:
    puzzle = smallest("open")
    make_puzzle_of_the_day(page, puzzle)
    page.goto("/puzzles")
    expect(page.get_by_test_id("rack")).to_be_visible()
    lay_by_keys(page, puzzle)
    expect(page.get_by_test_id("done")).to_be_enabled()
    page.keyboard.press("Control+Enter")
    goal(page, "solved")
    expect(page.get_by_test_id("puzzle-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("puzzle-goal")).not_to_have_attribute("data-puzzle", puzzle.id)
    expect(title(page)).to_be_focused()


def test_by_theme_and_kind_and_a_streak_that_a_mistake_ends(page: Page) -> None:
    page.goto("/puzzles?mode=practice&theme=split_run")
    expect(page.get_by_test_id("rack")).to_be_visible()
    expect(page.get_by_test_id("puzzle-theme")).to_have_value("split_run")
    page.get_by_test_id("puzzle-show").click()
    goal(page, "shown")
    expect(page.get_by_test_id("puzzle-solution")).to_contain_text("Split a run")
    page.get_by_test_id("puzzle-theme").select_option("")
    page.get_by_test_id("puzzle-kind").select_option("take")
    expect(page).to_have_url(re.compile("kind=take"))
    expect(title(page)).to_have_text("Take or leave?")
    ids = [smallest("open").id, turn().id]
    page.route("**/api/v1/puzzles/row*", lambda route: route.fulfill(json={"ids": ids}))
    page.get_by_test_id("mode-streak").click()
    page.get_by_test_id("puzzle-start").click()
    expect(page.get_by_test_id("rack")).to_be_visible()
    check(page)
    lay_by_mouse(page, smallest("open"))
    page.get_by_test_id("done").click()
    expect(page.get_by_test_id("puzzle-score")).to_contain_text("In a row: 1")
    expect(page.get_by_test_id("puzzle-goal")).to_have_attribute("data-puzzle", ids[1])
    page.get_by_test_id("draw").click()
    goal(page, "shown")
    expect(page.get_by_test_id("puzzle-score")).to_contain_text("Your best: 1")
    expect(page.get_by_test_id("puzzle-start")).to_be_visible()


def test_the_last_choice_counts_when_an_earlier_answer_arrives_later(page: Page) -> None:
    page.goto("/puzzles?mode=practice&theme=split_run")
    expect(page.get_by_test_id("rack")).to_be_visible()
    held: list[Route] = []
    page.route("**/api/v1/puzzles/next*", lambda route: route.continue_() if held else held.append(route))
    page.get_by_test_id("puzzle-theme").select_option("")
    page.get_by_test_id("puzzle-kind").select_option("take")
    expect(title(page)).to_have_text("Take or leave?")
    address = page.url
    late = page.request.get(f"/api/v1/puzzles/{smallest('open').id}").json()
    with page.expect_response("**/api/v1/puzzles/next*"):
        held[0].fulfill(json=late)
    page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
    expect(title(page)).to_have_text("Take or leave?")
    expect(page).to_have_url(address)


def test_an_account_takes_over_what_a_guest_did_and_has_it_everywhere(visitors: Visitors) -> None:
    first, second = turn(), smallest("open")
    kept = {
        "ratings": {"tml": {"rating": 3000, "deviation": 45, "volatility": 0.06, "attempts": 9, "day": 9}},
        "tried": [
            {"id": first.id, "book": "tml", "solved": True, "rating": 3000, "day": "2026-11-16"},
            {"id": second.id, "book": "tml", "solved": False, "rating": 2990, "day": "2026-11-16"},
        ],
        "bestStreak": 6,
        "bestRound": 0,
    }
    phone = visitors.come(**TALL)
    phone.goto("/rules")  # a page that asks nobody who they are
    phone.evaluate("kept => localStorage.setItem('meldroom.puzzles', kept)", json.dumps(kept))
    who = {"account": "puzzler", "password": PASSWORD}
    assert phone.request.post("/api/v1/session", data={}).ok
    assert phone.request.post("/api/v1/account", data=who).ok
    phone.evaluate("localStorage.setItem('meldroom.met', '1')")
    phone.goto("/puzzles?mode=streak")
    expect(phone.get_by_test_id("puzzle-score")).to_contain_text("Your best: 6")
    expect(phone.get_by_test_id("puzzle-kept")).to_have_text("Your progress is kept with your account.")
    phone.wait_for_function("JSON.parse(localStorage.getItem('meldroom.puzzles')).tried.length === 0")
    desk = visitors.come()
    assert desk.request.post("/api/v1/sign-in", data=who).ok
    desk.goto("/rules")
    desk.evaluate("localStorage.setItem('meldroom.met', '1')")
    desk.goto(f"/puzzles/{first.id}")
    expect(desk.get_by_test_id("puzzle-before")).to_contain_text("solved this one")
    rating = desk.locator("p.facts").inner_text()
    assert "3000" not in rating
    desk.locator("details.history summary").click()
    expect(desk.locator("details.history li")).to_have_count(2)
    expect(desk.locator("details.history li").first).to_contain_text("missed")
