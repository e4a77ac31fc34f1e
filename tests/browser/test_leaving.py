"""Leaving a table: resigning ends a game of two, more play on; a stranger sees that a game is in progress."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, TimeoutError, expect

from testkit.browser.table import Table, start_against_bots, start_with_a_friend
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

QUICK = 3000
"""Milliseconds in which a table that others play on at is left."""


def resign(table: Table) -> None:
    """Open the panel, ask to resign, and confirm."""
    table.find("chat-toggle").click()
    table.find("resign").click()
    expect(table.find("status-line")).to_contain_text("Your remaining tiles", ignore_case=True)
    table.find("ask-yes").click()


@pytest.mark.parametrize("book", ["wrc11", "rummyo"])
def test_resigning_against_a_bot_shows_the_score_sheet(page: Page, book: str) -> None:
    """The bot wins, the sheet says why, the shuffle verifies, and a new game is one click away."""
    table = start_against_bots(page, book)
    table.what_now()
    resign(table)
    expect(table.find("headline")).to_have_text("Ada wins")
    expect(table.find("final")).to_contain_text("You resigned.")
    expect(table.find("score-sheet").locator("> li")).to_have_count(2)
    expect(table.find("rematch").or_(table.find("next-game"))).to_be_visible()
    table.open_more()
    expect(page.get_by_role("link", name="New game")).to_be_visible()
    table.find("verify-shuffle").click()
    expect(table.find("verification").locator("h2.good")).to_be_visible()


def test_whoever_stays_wins(visitors: Visitors) -> None:
    """A friend resigns: the other is told that they have won."""
    host, guest = start_with_a_friend(visitors.come(), visitors.come())
    resign(guest)
    expect(host.find("headline")).to_have_text("You win!")
    expect(host.find("final")).to_contain_text("resigned.")
    expect(guest.find("score-sheet")).to_be_visible()


def test_with_more_players_the_game_goes_on_and_a_new_one_is_offered(page: Page) -> None:
    """Two bots play on; whoever left gets another table like it."""
    table = start_against_bots(page, "wrc11", opponents=2)
    table.what_now()
    left = page.url
    resign(table)
    try:
        table.find("new-game").click(timeout=QUICK)
    except TimeoutError:  # The bots were quicker: the game is over, and its page offers the same.
        table.open_more()
        page.get_by_role("link", name="New game").click()
        page.locator("form button.play").click()
    page.wait_for_url(lambda url: url != left and "/r/" in url)
    expect(table.find("rack-tile").first).to_be_visible()


def test_a_player_may_stay_or_keep_the_seat(page: Page) -> None:
    """The question can be answered with no; leaving without resigning keeps the game."""
    table = start_against_bots(page, "wrc11")
    table.what_now()
    table.find("chat-toggle").click()
    table.find("resign").click()
    table.find("ask-no").click()
    assert table.what_now() == "draw"
    rack, address = table.rack(), page.url
    table.find("chat-toggle").click()
    table.find("leave").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.goto(address)
    expect(table.find("rack-tile")).to_have_count(len(rack))
    assert table.what_now() == "draw"


def test_a_stranger_sees_that_a_private_game_is_in_progress(visitors: Visitors) -> None:
    """No waiting room, no seats to take: the table is not open to spectators."""
    host, _ = start_with_a_friend(visitors.come(), visitors.come())
    stranger = visitors.come()
    stranger.goto(host.page.url)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Game in progress")
    expect(stranger.get_by_test_id("closed-table")).to_contain_text("isn’t open to spectators")
    expect(stranger.get_by_role("link", name="New game")).to_be_visible()
    expect(stranger.get_by_text("Table settings")).to_have_count(0)
