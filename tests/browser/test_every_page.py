"""Every page and every state of a table in two languages, two themes, six sizes: axe is content, all fits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from testkit.browser.axe import check, fits
from testkit.browser.settings import PHONE, resize
from testkit.browser.table import Table, start_against_bots
from testkit.server.process import ServerProcess
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")

LOOKS: dict[str, dict[str, Any]] = {
    "English, light": {"locale": "en-GB", "color_scheme": "light"},
    "French, dark": {"locale": "fr-FR", "color_scheme": "dark"},
}
SIZES = {
    "English, light": ((1280, 800), (820, 1180), (360, 640)),
    "French, dark": ((1920, 1080), (844, 390), (390, 844)),
}
"""Between them, all six that we design for; the first is where a state is brought about."""
ADDRESSES = (
    "/",
    "/new",
    "/text",
    "/lobby",
    "/games",
    "/account",
    "/rules",
    "/rules/wrc11",
    "/rules/wrc11/against/rummyo",
    "/rules/rulings/R20",
    "/tutorial",
    "/position",
    "/referee",
    "/referee?tool=count",
    "/referee?tool=charge",
    "/referee?tool=leftovers",
    "/nowhere",
)


@pytest.fixture(scope="module")
def finished(browser: Browser, site: ServerProcess) -> str:
    """The address of the replay of a finished game."""
    visitors = Visitors(browser, site.url)
    table = start_against_bots(visitors.come(), "wrc11", level="tournament", opponents=3)
    table.play_to_the_end()
    address = table.find("replay-link").get_attribute("href")
    visitors.leave()
    assert address is not None
    return address


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_any_page(look: str, visitors: Visitors, finished: str) -> None:
    """Landing to not-found, and a replay with its analysis."""
    page = visitors.come(**LOOKS[look])
    for address in (*ADDRESSES, finished):
        page.goto(address)
        check(page)
        for size in SIZES[look][::-1]:
            resize(page, size)
            fits(page)
        assert page.evaluate("document.documentElement.lang") == LOOKS[look]["locale"][:2]
    page.get_by_test_id("analysis-tab").click()
    expect(page.get_by_test_id("analysis-turn").first).to_be_visible()
    check(page)


def a_waiting_room(page: Page) -> None:
    """A room with a free seat."""
    page.goto("/")
    page.locator("form .others button").click()
    page.wait_for_url("**/r/*")


def ones_turn(page: Page) -> None:
    """A table on which one is to move."""
    start_against_bots(page, "wrc11").what_now()


def a_draft_with_faults(page: Page) -> None:
    """Two tiles that are no set, with the reasons open."""
    table = start_against_bots(page, "wrc11")
    table.what_now()
    rack = table.rack()
    table.rack_tile(rack[0][0]).click()
    table.rack_tile(rack[-1][0]).click()
    table.find("new-set").click()
    table.find("why").click()
    expect(table.find("faults")).to_be_visible()


def the_panel(page: Page) -> None:
    """Talk and table, opened."""
    ones_turn(page)
    page.get_by_test_id("chat-toggle").click()
    expect(page.get_by_test_id("panel")).to_be_visible()


def a_question(page: Page) -> None:
    """Whether to resign."""
    the_panel(page)
    page.get_by_test_id("resign").click()
    expect(page.get_by_test_id("ask-yes")).to_be_visible()


def a_hint(page: Page) -> None:
    """The first hint."""
    ones_turn(page)
    page.get_by_test_id("hint").click()
    expect(page.get_by_test_id("hint-card")).to_be_visible()


def a_table_in_text(page: Page) -> None:
    """Text mode, with tiles chosen, the help open and a set to choose tiles from."""
    ones_turn(page)
    page.goto(f"{page.url}/text")
    page.get_by_test_id("text-rack").get_by_role("checkbox").first.check()
    page.get_by_test_id("text-put").click()
    page.get_by_test_id("text-input").fill("help")
    page.keyboard.press("Enter")
    expect(page.locator("details.how")).to_have_attribute("open", "")
    page.get_by_test_id("text-sets").locator("summary").first.click()


def a_rummyo_table(page: Page) -> None:
    """Stock, discards and melds."""
    start_against_bots(page, "rummyo").what_now()


def the_end(page: Page) -> None:
    """A score sheet."""
    start_against_bots(page, "tml", level="tournament", opponents=3).play_to_the_end()


STATES: dict[str, Callable[[Page], None]] = {
    "a waiting room": a_waiting_room,
    "one’s turn": ones_turn,
    "a draft with faults": a_draft_with_faults,
    "the panel": the_panel,
    "a question": a_question,
    "a hint": a_hint,
    "a table in text": a_table_in_text,
    "a Rummy-O table": a_rummyo_table,
    "the end": the_end,
}


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_in_any_state_of_a_room(look: str, visitors: Visitors) -> None:
    """Waiting, playing, faults, talk, questions, hints, text, Rummy-O, the end."""
    page = visitors.come(**LOOKS[look])
    for state in STATES.values():
        resize(page, SIZES[look][0])
        state(page)
        for size in SIZES[look]:
            resize(page, size)
            check(page)


def test_nothing_runs_out_at_the_side_of_a_phone(visitors: Visitors, finished: str) -> None:
    """360 pixels wide: every page fits, and axe is content with the table there too."""
    page = visitors.come(**PHONE)
    for address in (*ADDRESSES, finished):
        page.goto(address)
        fits(page)
    a_draft_with_faults(page)
    check(page)


def test_the_language_can_be_changed_anywhere_and_is_kept(page: Page) -> None:
    """In the middle of a game: the line under the table turns French, and stays so after a reload."""
    table = start_against_bots(page, "wrc11")
    table.what_now()
    english = table.find("status-line").inner_text()
    page.get_by_role("button", name="Français").click()
    expect(table.find("status-line")).not_to_have_text(english)
    expect(table.find("draw")).to_have_text("Piocher")
    page.reload()
    expect(table.find("draw")).to_have_text("Piocher")
    assert page.evaluate("document.documentElement.lang") == "fr"


def test_a_french_newcomer_is_addressed_in_french(visitors: Visitors) -> None:
    """Landing, table, refusal and rules without a word of English chrome."""
    page = visitors.come(locale="fr-FR")
    table = start_against_bots(page, "wrc11")
    table.what_now()
    expect(table.find("draw")).to_have_text("Piocher")
    a_draft_with_faults(page)
    faults = Table(page, "wrc11").find("faults").inner_text()
    assert any(word in faults for word in ("tuile", "combinaison", "nombre")), faults


def test_dark_is_dark_and_light_is_light(visitors: Visitors) -> None:
    """The device decides, and whoever chooses otherwise gets that."""
    dark, light = visitors.come(color_scheme="dark"), visitors.come(color_scheme="light")
    for page in (dark, light):
        page.goto("/")
    assert brightness(dark) < 80
    assert brightness(light) > 180
    light.get_by_role("button", name="Menu").click()
    light.get_by_label("Dark").check()
    assert brightness(light) < 80
    light.reload()
    assert brightness(light) < 80


def brightness(page: Page) -> float:
    """How bright the page's ground is, from 0 to 255."""
    colour: str = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    red, green, blue = (float(part) for part in colour.strip("rgba()").split(",")[:3])
    return 0.3 * red + 0.6 * green + 0.1 * blue
