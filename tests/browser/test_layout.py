"""Where things are on the page: edges that meet, nothing that jumps, nothing out of reach."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

from testkit.browser.staged import Stage
from testkit.browser.table import start_against_bots
from testkit.server.process import ServerProcess
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

WIDE = {"viewport": {"width": 1920, "height": 1080}}


def left_of(what: Locator) -> float:
    """Where something begins, in pixels from the left."""
    box = what.bounding_box()
    assert box is not None
    return box["x"]


def top_of(what: Locator) -> float:
    """Where something begins, in pixels from the top."""
    box = what.bounding_box()
    assert box is not None
    return box["y"]


class Finished:
    """A game that is over, and the profile of whoever played it."""

    def __init__(self, visitors: Visitors) -> None:
        page = visitors.come()
        table = start_against_bots(page, "wrc11", level="tournament", opponents=3)
        table.play_to_the_end()
        address = table.find("replay-link").get_attribute("href")
        assert address is not None
        self.replay = address
        self.cookies = page.context.storage_state()


@pytest.fixture(scope="module")
def finished(browser: Browser, site: ServerProcess) -> Finished:
    """One finished game for all tests."""
    visitors = Visitors(browser, site.url)
    game = Finished(visitors)
    visitors.leave()
    return game


def test_pages_begin_where_the_header_begins(visitors: Visitors, finished: Finished) -> None:
    """Tutorial, position and replay have the header's margins, on a desk and on a wide screen."""
    for options in ({}, WIDE):
        page = visitors.come(**options)
        for address in ("/", "/rules", "/tutorial", "/position", finished.replay):
            page.goto(address)
            heading = page.locator("main h1:not(.hidden)").first
            expect(heading).to_be_visible()
            name = page.locator("header a.name").first
            assert left_of(heading) == pytest.approx(left_of(name), abs=1), address


def test_all_cards_of_an_analysis_have_one_edge(visitors: Visitors, finished: Finished) -> None:
    """Whatever the text of a turn, it begins where the others begin."""
    page = visitors.come(storage_state=finished.cookies)
    page.goto(finished.replay)
    page.get_by_test_id("analysis-tab").click()
    cards = page.get_by_test_id("analysis-turn")
    expect(cards.first).to_be_visible()
    indents = cards.evaluate_all(
        """cards => cards.map(card => [...card.children].map(
             part => Math.round(part.getBoundingClientRect().left - card.getBoundingClientRect().left)))"""
    )
    assert len({indent for card in indents for indent in card}) == 1, indents


def test_a_minus_is_a_minus_everywhere(visitors: Visitors, finished: Finished) -> None:
    """Scores in one's list of games and in the replay are written alike."""
    page = visitors.come(storage_state=finished.cookies)
    scores = ""
    for address in ("/games", finished.replay):
        page.goto(address)
        expect(page.locator("main").get_by_text(re.compile(r"[-−]\d")).first).to_be_visible()
        scores += page.locator("main").inner_text()
    assert re.search(r"−\d", scores)
    assert not re.search(r"(?<![\w–])-\d", scores)


def test_the_shortcuts_are_read_from_the_beginning(visitors: Visitors) -> None:
    """The list is longer than a low window: it opens at its title, and can be closed at once."""
    page = visitors.come(viewport={"width": 1280, "height": 600})
    stage = Stage(page)
    stage.set()
    table = stage.play()
    page.keyboard.press("?")
    dialog = table.find("keys")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("dialog => dialog.scrollHeight > dialog.clientHeight")
    assert dialog.evaluate("dialog => dialog.scrollTop") == 0
    expect(dialog.get_by_role("button")).to_be_focused()
    expect(dialog.get_by_role("button")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
def test_the_buttons_of_a_replay_stay_under_the_finger(
    size: tuple[int, int], visitors: Visitors, finished: Finished
) -> None:
    """The table grows from nothing to a whole game; the buttons below it do not move."""
    page = visitors.come(viewport={"width": size[0], "height": size[1]})
    page.goto(finished.replay)
    button = page.get_by_test_id("step-next")
    expect(button).to_be_enabled()
    places = set[float]()
    while button.is_enabled():
        places.add(top_of(button))
        button.press("Enter")
    places.add(top_of(button))
    assert len(places) == 1, places
