"""A newcomer goes from the landing page to a finished game against bots, in each of the five books."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from meldroom.rules.library import BOOK_IDS
from testkit.browser.table import Table, start_against_bots
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")


@pytest.mark.parametrize("book", BOOK_IDS)
def test_a_newcomer_finishes_a_game_against_bots(book: str, page: Page) -> None:
    """Two clicks to the table, hints where the book's table gives them, and an end that explains itself."""
    table = start_against_bots(page, book, level="tournament", opponents=3)
    if book != "rummyo" and table.what_now() == "draw" and not table.lay_by_hints():
        expect(table.find("status-line")).to_be_visible()
    table.play_to_the_end()
    expect(table.find("score-sheet").locator("> li")).to_have_count(4)
    expect(table.find("score-sheet").get_by_role("link").first).to_be_visible()
    table.open_more()
    table.find("verify-shuffle").click()
    expect(table.find("verification").locator("h2.good")).to_be_visible()


def test_the_end_leads_to_the_replay_and_to_a_rematch(page: Page) -> None:
    """Replay steps, verification, and one click to the next game."""
    table = start_against_bots(page, "wrc11", level="tournament", opponents=3)
    table.play_to_the_end()
    address = page.url
    table.open_more()
    table.find("replay-link").click()
    expect(page.get_by_test_id("step-text")).to_be_visible()
    first = page.get_by_test_id("step-text").inner_text()
    page.get_by_test_id("step-next").click()
    expect(page.get_by_test_id("step-text")).not_to_have_text(first)
    page.get_by_test_id("analysis-tab").click()
    expect(page.get_by_test_id("analysis-turn").first).to_be_visible()
    page.goto(address)
    page.get_by_test_id("rematch").click()
    expect(page.get_by_test_id("rack")).to_be_visible()


def test_friends_come_by_a_link_and_four_browsers_finish_a_game(visitors: Visitors) -> None:
    """Four people with four browsers: a link, four seats, a whole game, the same score sheet for all."""
    host = visitors.come()
    host.goto("/")
    host.locator("form select").first.select_option("wrc11")
    host.locator("form input[type=radio][value='3']").check(force=True)
    host.get_by_role("button", name="Play with friends").click()
    host.wait_for_url("**/r/*")
    guests = [visitors.come() for _ in range(3)]
    for guest in guests:
        guest.goto(host.url)
        guest.get_by_role("button", name="Sit here").first.click()
        expect(guest.get_by_text("you", exact=True)).to_be_visible()
    host.get_by_role("button", name="Start game").click()
    tables = [Table(each, "wrc11") for each in (host, *guests)]
    for table in tables:
        expect(table.find("rack")).to_be_visible()
    play_together(tables)
    sheets = {table.find("score").all_inner_texts().__repr__() for table in tables}
    assert len(sheets) == 1


def play_together(tables: list[Table]) -> None:
    """Whoever has the turn plays, until the game is over for everybody."""
    for turn in range(400):
        while all(table.now() is None for table in tables):
            tables[0].page.wait_for_timeout(20)
        for table in tables:
            match table.now():
                case "draw":
                    if turn % 3 or not table.lay_by_hints():
                        table.draw()
                case "pass":
                    table.find("pass").click()
                    table.wait_while("pass")
                case "over":
                    for other in tables:
                        assert other.what_now() == "over"
                    return
                case _:
                    continue
    raise AssertionError("the game does not end")
