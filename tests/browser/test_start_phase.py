"""The start phase after a deal (R69): ready by a button, a key, a touch; three doubles with one press."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from meldroom.game.apply import new_game
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import State
from meldroom.rules.library import book
from meldroom.rules.procedures import three_doubles
from testkit.browser.axe import check
from testkit.browser.settings import PHONE
from testkit.browser.table import Table
from testkit.server import fixed_deals
from testkit.server.process import ServerProcess, serving
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")

BOOK = "wrc11"
PATIENT = "120"
"""Seconds that a deal waits here: longer than any of these tests."""


@pytest.fixture(scope="module")
def waiting_site(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose deals wait for their players."""
    folder = tmp_path_factory.mktemp("start") / "data"
    options = ("--trusted-load", "--bot-pace", "0", "--start-phase", PATIENT)
    with serving(folder, *options, program=fixed_deals.__name__) as server:
        yield server


@pytest.fixture
def guests(browser: Browser, waiting_site: ServerProcess) -> Iterator[Visitors]:
    """Visitors of that server."""
    people = Visitors(browser, waiting_site.url)
    yield people
    people.leave()
    assert people.complaints == []


def holds_doubles(state: State, seat: int) -> bool:
    """Whether a rack gives the right to a new deal."""
    return three_doubles(state.book, state.faces(state.racks[seat]))


def word_for(starter: int, doubles: bool) -> str:
    """What Ada says so that this seat begins, and she holds three doubles or not; a bot says nothing."""
    for number in range(5_000):
        word = f"word {number}"
        state, _ = new_game(book(BOOK), ["Ada", "Bo"], Shuffle(fixed_deals.SECRET, (word, "")))
        if state.seat == starter and holds_doubles(state, 0) == doubles:
            return word
    raise AssertionError("no such deal")


def seated(page: Page, starter: int, *, doubles: bool = False) -> Table:
    """Ada alone against a bot, a game dealt."""
    page.goto("/")
    page.request.post("/api/v1/session", data={"name": "Ada"})
    settings = {"book": BOOK, "clock": {"kind": "seconds", "amount": 90}}
    wanted = {"settings": settings, "chairs": ["me", "beginner"], "begin": True}
    answer = page.request.post("/api/v1/rooms", data={**wanted, "word": word_for(starter, doubles)})
    assert answer.status == 201, answer.text()
    page.goto(f"/r/{answer.json()['room']}")
    table = Table(page, BOOK)
    expect(table.find("rack-tile")).to_have_count(14)
    return table


def test_who_does_not_begin_shows_three_doubles_with_one_press_and_says_ready_by_keyboard(
    guests: Visitors,
) -> None:
    table = seated(guests.come(), starter=1, doubles=True)
    expect(table.find("status-line")).to_contain_text("goes first, once everyone is ready")
    expect(table.find("clock")).to_have_attribute("aria-label", "Until play begins")
    check(table.page)
    dealt = table.rack()
    table.find("redeal").click()
    table.page.wait_for_function(
        "old => [...document.querySelectorAll('[data-testid=\"rack-tile\"]')]"
        ".some(tile => !old.includes(Number(tile.dataset.tile)))",
        arg=[tile for tile, _ in dealt],
    )
    expect(table.find("rack-tile")).to_have_count(14)
    expect(table.find("redeal")).to_have_count(0)
    expect(table.find("draw")).to_be_disabled()
    table.find("ready").focus()
    table.page.keyboard.press("Enter")
    expect(table.find("ready")).to_have_count(0)
    expect(table.page.locator(":focus")).to_have_attribute("data-spot", "rack")
    assert table.what_now() == "draw", "the bot has moved"
    expect(table.find("redeal")).to_have_count(0)


def test_alone_against_bots_the_first_draw_costs_no_extra_click(guests: Visitors) -> None:
    table = seated(guests.come(**PHONE), starter=0)
    expect(table.find("status-line")).to_contain_text("You go first")
    expect(table.find("ready")).to_be_visible()
    check(table.page)
    table.find("draw").tap()
    expect(table.find("rack-tile")).to_have_count(15)
    expect(table.find("ready")).to_have_count(0)


def test_the_starters_first_touch_of_a_tile_begins_and_keeps_what_is_chosen(guests: Visitors) -> None:
    table = seated(guests.come(), starter=0)
    table.find("rack-tile").first.click()
    expect(table.find("ready")).to_have_count(0)
    expect(table.find("clock")).to_have_attribute("aria-label", "Time left")
    table.find("put-new-set").click()
    expect(table.find("set-tile")).to_have_count(1)
    expect(table.find("status-line")).to_contain_text("0 of 30 points")


def test_friends_wait_for_each_other(guests: Visitors) -> None:
    host, friend = guests.come(), guests.come()
    host.goto("/")
    host.request.post("/api/v1/session", data={"name": "Ada"})
    settings = {"book": BOOK, "clock": {"kind": "off"}}
    room = host.request.post("/api/v1/rooms", data={"settings": settings, "chairs": ["me", "open"]}).json()
    friend.goto("/")
    friend.request.post("/api/v1/session", data={"name": "Ben"})
    for page in (host, friend):
        page.goto(f"/r/{room['room']}")
    friend.get_by_role("button", name="Sit here").click()
    host.get_by_role("button", name="Start game").click()
    tables = {page: Table(page, BOOK) for page in (host, friend)}
    for table in tables.values():
        expect(table.find("ready")).to_be_visible()
    first = next(page for page in tables if tables[page].find("draw").is_enabled())
    other = friend if first is host else host
    tables[first].find("draw").click()
    name = {host: "Ada", friend: "Ben"}[other]
    expect(tables[first].find("status-line")).to_contain_text(f"You’re ready. Waiting for {name}")
    expect(tables[first].find("rack-tile")).to_have_count(14)
    expect(tables[other].find("seat").filter(has_text="ready")).to_be_visible()
    other.goto(f"{other.url}/text")
    other.get_by_test_id("text-ready").click()
    expect(tables[first].find("clock")).to_have_count(0)
    tables[first].find("draw").click()
    expect(tables[first].find("rack-tile")).to_have_count(15)
