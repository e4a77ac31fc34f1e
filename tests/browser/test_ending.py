"""The ending: the final table is held, then the score sheet; a rematch, a new opponent, and reactions."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.axe import violations
from testkit.browser.offline_app import PATIENCE, open_app, start_game
from testkit.browser.settings import PHONE
from testkit.browser.staged import FULL_TABLE, StagedEnding
from testkit.browser.table import Table, start_against_bots
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

HOLD = 2_600
LAST_LAID = "tiles => tiles.filter(tile => tile.dataset.by === '0').map(tile => tile.dataset.face)"


def stop_the_clock(page: Page) -> None:
    """From now on only `run_for` lets the page's time pass; the clock must have been installed."""
    now = page.evaluate("Date.now()") / 1000
    page.clock.pause_at(datetime.fromtimestamp(now + 1, UTC))


def resign(page: Page) -> None:
    """Open the panel, ask to resign, and confirm."""
    page.get_by_test_id("chat-toggle").click()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("ask-yes").click()


def friends(visitors: Visitors, **options: Any) -> tuple[Page, Page]:
    """Two people at a private table, their first game dealt."""
    host, guest = visitors.come(**options), visitors.come(**options)
    host.goto("/")
    host.locator("form .others button").first.click()
    host.wait_for_url("**/r/*")
    guest.goto(host.url)
    guest.locator("ol button.primary").first.click()
    host.locator(".begin button").click()
    for page in (host, guest):
        expect(page.get_by_test_id("rack")).to_be_visible()
    return host, guest


def end_with(page: Page, end: str, *, held: bool = True) -> Table:
    """A game against a bot that ends so; its final table, held until time passes."""
    StagedEnding(page, end)
    page.clock.install()
    table = start_against_bots(page, "wrc11")
    table.what_now()
    if held:
        stop_the_clock(page)
    resign(page)
    expect(table.find("final-table" if held else "final")).to_be_visible()
    return table


def test_the_final_table_is_held_with_the_winning_tiles_and_the_sheet_follows(page: Page) -> None:
    """The winner is named, what was laid last is marked, racks are turned up; then comes the sheet."""
    table = end_with(page, "out")
    expect(table.find("final-headline")).to_have_text("You win!")
    expect(table.find("final-table")).to_contain_text("You went out.")
    assert table.find("set-tile").or_(page.locator("[data-testid=set] [data-tile]")).count() > 50
    laid = page.locator("[data-testid=board] [data-by]").evaluate_all(LAST_LAID)
    assert " ".join(laid) == FULL_TABLE[-1]
    expect(table.find("final-rack")).to_have_count(2)
    expect(table.find("final-rack").first).to_contain_text("empty")
    expect(table.find("show-sheet")).to_be_focused()
    page.clock.run_for(HOLD - 200)
    expect(table.find("final-table")).to_be_visible()
    page.clock.run_for(300)
    expect(table.find("headline")).to_be_focused()
    expect(table.find("final-table")).to_have_count(0)


@pytest.mark.parametrize("skip", ["button", "tap", "Enter", "Escape"])
def test_the_hold_can_be_skipped(skip: str, page: Page) -> None:
    """The button, a tap on the cloth, and keys lead to the sheet; a tap at once was meant for the game."""
    table = end_with(page, "out")
    board = table.find("board")
    if skip == "button":
        table.find("show-sheet").click()
    elif skip == "tap":
        board.click(position={"x": 700, "y": 5})
        expect(table.find("final-table")).to_be_visible()
        page.clock.run_for(700)
        board.click(position={"x": 700, "y": 5})
    else:
        page.keyboard.press(skip)
    expect(table.find("score-sheet")).to_be_visible()
    # A stopped clock does not advance by itself: nothing but the skip brought the sheet.
    table.find("look-at-table").click()
    page.clock.run_for(4 * HOLD)
    expect(table.find("final-table")).to_be_visible()
    page.keyboard.press("Escape")
    expect(table.find("score-sheet")).to_be_visible()


def test_whoever_looks_around_keeps_the_table(page: Page) -> None:
    """After a turn of the wheel the sheet waits until it is asked for."""
    table = end_with(page, "out")
    table.find("board").hover()
    page.mouse.wheel(0, 40)
    page.clock.run_for(4 * HOLD)
    expect(table.find("final-table")).to_be_visible()
    table.find("show-sheet").click()
    expect(table.find("score-sheet")).to_be_visible()


def test_time_runs_out_visibly_only_where_motion_is_welcome(visitors: Visitors) -> None:
    """With reduced motion nothing moves while the table is held."""
    for motion, lines in (("reduce", 0), ("no-preference", 1)):
        table = end_with(visitors.come(reduced_motion=motion), "out")
        expect(table.find("show-sheet").locator(".time")).to_have_count(lines)


@pytest.mark.parametrize(
    ("end", "language", "headline", "how"),
    [
        ("exhausted", "en-GB", "You win!", "The tiles ran out, so the racks decide."),
        ("resigned", "en-GB", "You win!", "Ada resigned."),
        ("abandoned", "en-GB", "Ended by agreement", "Nobody wins, and nothing is scored."),
        ("exhausted", "fr-FR", "Vous gagnez\u00a0!", "La pioche est épuisée\u00a0: les chevalets décident."),
        (
            "abandoned",
            "fr-FR",
            "Partie arrêtée d’un commun accord",
            "Personne ne gagne, et rien n’est compté.",
        ),
    ],
)
def test_every_way_to_end_has_its_words(
    visitors: Visitors, end: str, language: str, headline: str, how: str
) -> None:
    """The same words on the final table and on the sheet."""
    table = end_with(visitors.come(locale=language), end)
    expect(table.find("final-headline")).to_have_text(headline)
    expect(table.find("final-table")).to_contain_text(how)
    table.find("show-sheet").click()
    expect(table.find("headline")).to_have_text(headline)
    expect(table.find("final")).to_contain_text(how)


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": {"width": 1280, "height": 800}},
        {**PHONE, "locale": "fr-FR", "color_scheme": "dark"},
        {"viewport": {"width": 360, "height": 640}, "color_scheme": "dark"},
        {"viewport": {"width": 844, "height": 390}, "locale": "fr-FR"},
    ],
)
def test_axe_finds_nothing_and_the_winning_tiles_are_in_sight(
    visitors: Visitors, options: dict[str, Any]
) -> None:
    """The final table, the sheet, and what is under More, by finger and by mouse."""
    page = visitors.come(**options)
    table = end_with(page, "out")
    expect(page.locator("[data-testid=board] [data-by]").last).to_be_in_viewport()
    expect(table.find("show-sheet")).to_be_in_viewport()
    table.find("show-sheet").click()
    page.clock.resume()
    table.find("look-at-table").click()
    assert violations(page) == []
    table.find("show-sheet").click()
    expect(table.find("rematch")).to_be_in_viewport()
    expect(table.find("new-opponent")).to_be_in_viewport()
    expect(table.find("analysis-link")).to_be_in_viewport()
    expect(table.find("record-link")).to_be_hidden()
    expect(table.find("verify-shuffle")).to_be_hidden()
    table.open_more()
    expect(table.find("record-link")).to_be_visible()
    assert violations(page) == []
    table.find("verify-shuffle").click()
    expect(table.find("verification").locator("h2.good")).to_be_visible()


def test_a_rematch_with_a_bot_is_one_tap(page: Page) -> None:
    """The same table, dealt again at once."""
    table = end_with(page, "resigned", held=False)
    address = page.url
    table.find("rematch").click()
    expect(table.find("rack")).to_be_visible()
    assert page.url == address


def test_a_friend_sees_the_wish_for_a_rematch_and_accepts_in_one_tap(visitors: Visitors) -> None:
    """One asks, the other accepts, and both sit at a new game; the wish can be withdrawn."""
    host, guest = friends(visitors)
    resign(guest)
    guest.get_by_test_id("rematch").click()
    expect(guest.get_by_test_id("agreed-next")).to_contain_text("Waiting for")
    expect(host.get_by_test_id("wants-rematch")).to_contain_text("wants a rematch.")
    guest.get_by_role("button", name="Cancel rematch").click()
    expect(host.get_by_test_id("wants-rematch")).to_have_count(0)
    guest.get_by_test_id("rematch").click()
    host.get_by_role("button", name="Accept rematch").click()
    for page in (host, guest):
        expect(page.get_by_test_id("rack")).to_be_visible()


def test_a_new_opponent_is_another_bot_next_to_the_last_one(page: Page) -> None:
    """A new table of the same book at once, against another name and another level."""
    table = end_with(page, "out", held=False)
    before = page.url
    table.find("new-opponent").click()
    page.wait_for_url(lambda url: url != before and "/r/" in url)
    expect(table.find("rack")).to_be_visible()
    other = table.find("seat").nth(1)
    expect(other.locator(".name")).to_have_text("Bo")
    expect(other).to_contain_text("Learner")


def test_without_a_server_the_ending_is_the_same(page: Page) -> None:
    """The held table, a rematch and a new opponent in the offline app; there is nobody to react for."""
    open_app(page)
    table = start_game(page, "rummyo")
    resign(page)
    expect(table.find("final-table")).to_be_visible()
    expect(table.find("reactions")).to_have_count(0)
    table.find("show-sheet").click()
    table.find("next-game").click()
    expect(table.find("rack")).to_be_visible(timeout=PATIENCE)
    resign(page)
    table.find("show-sheet").click()
    before = page.url
    table.open_more()
    table.find("new-opponent").click()
    page.wait_for_url(lambda url: url != before)
    expect(table.find("rack")).to_be_visible(timeout=PATIENCE)
    other = table.find("seat").nth(1)
    expect(other.locator(".name")).to_have_text("Bo")
    expect(other).to_contain_text("Regular")


def test_a_new_opponent_among_people_is_found_at_a_public_table(visitors: Visitors) -> None:
    """Whoever asks first waits at a public table; whoever asks next sits down there."""
    host, guest = friends(visitors)
    first = host.url
    resign(guest)
    host.get_by_test_id("new-opponent").click()
    host.wait_for_url(lambda url: url != first and "/r/" in url)
    expect(host.get_by_text("Waiting for players").first).to_be_visible()
    guest.get_by_test_id("new-opponent").click()
    guest.wait_for_url(host.url)
    expect(guest.get_by_text("you", exact=True)).to_be_visible()
    host.get_by_role("button", name="Leave seat").click()
    guest.get_by_role("button", name="Leave seat").click()


@pytest.mark.parametrize("options", [{}, PHONE])
def test_reactions_are_seen_for_a_moment_and_can_be_muted(
    visitors: Visitors, options: dict[str, Any]
) -> None:
    """Beside the chat and at the end; named for those who listen, never more often than chat."""
    host, guest = friends(visitors, **options)
    name = host.get_by_test_id("seat").nth(1).locator(".name").inner_text()
    guest.get_by_test_id("chat-toggle").click()
    guest.get_by_role("button", name="Applause").click()
    expect(host.get_by_test_id("reactions-seen")).to_contain_text(name)
    expect(host.get_by_test_id("said")).to_have_text(f"{name}: Applause")
    assert violations(host) == []
    expect(host.get_by_test_id("reactions-seen")).to_have_count(0)
    host.get_by_test_id("chat-toggle").click()
    host.get_by_role("button", name=f"Mute {name}").click()
    host.get_by_test_id("panel").get_by_role("button", name="Close").click()
    guest.get_by_role("button", name="Smile").click()
    expect(guest.get_by_test_id("reactions-seen")).to_be_visible()
    expect(host.get_by_test_id("reactions-seen")).to_have_count(0)
    guest.get_by_test_id("panel").get_by_role("button", name="Close").click()
    resign(guest)
    host.get_by_test_id("react-well_played").click()
    expect(guest.get_by_test_id("said")).to_contain_text("Well played!")
    for _ in range(7):
        host.get_by_test_id("react-smile").click()
    expect(host.get_by_test_id("refused")).to_contain_text("Not so fast")


def test_against_bots_alone_there_is_nobody_to_react_for(page: Page) -> None:
    """The row of reactions is there where people are."""
    table = end_with(page, "out", held=False)
    expect(table.find("rematch")).to_be_visible()
    expect(table.find("reactions")).to_have_count(0)


def test_a_delayed_spectator_is_told_of_the_delay(visitors: Visitors) -> None:
    """In the first minute: the game is on, and when it will be seen."""
    host, stranger = visitors.come(), visitors.come()
    host.goto("/")
    host.request.post("/api/v1/session", data={"name": "Vi"})
    settings = {"book": "wrc11", "seats": 2, "spectators": "delayed", "clock": {"kind": "off"}}
    request = {"settings": settings, "chairs": ["me", "beginner"], "begin": True}
    room = host.request.post("/api/v1/rooms", data=request).json()["room"]
    stranger.goto(f"/r/{room}")
    expect(stranger.get_by_role("heading", name="Game in progress")).to_be_visible()
    page = stranger.get_by_test_id("delayed-table")
    expect(page).to_contain_text("with a delay of one minute")
    expect(page).to_contain_text(re.compile(r"in \d+ seconds"))
    assert violations(stranger) == []


def test_lists_of_opponents_have_the_levels_that_differ_in_the_book(page: Page) -> None:
    """Twenty where tables are rearranged, seven in Rummy-O; a level that plays alike stands for another."""
    page.goto("/")
    book, level = page.locator("form select").first, page.locator("form select").nth(1)
    expect(level.locator("option")).to_have_count(20)
    level.select_option("keen")
    book.select_option("rummyo")
    expect(level.locator("option")).to_have_count(7)
    expect(level).to_have_value("regular")
    expect(page.locator("form")).to_contain_text("In every other turn")
    level.select_option("patient")
    book.select_option("wrc11")
    expect(level).to_have_value("patient")
    page.goto("/new?book=rummyo")
    expect(page.locator("select[id*=chair-1] option")).to_have_count(8)
