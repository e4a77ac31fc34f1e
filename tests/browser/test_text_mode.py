"""Text mode: whole games in every book by keys alone, typed or from lists, with everything said once."""

from __future__ import annotations

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from meldroom.rules.library import BOOK_IDS
from testkit.browser.axe import check, fits
from testkit.browser.settings import PHONE
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

_NOW = """() => {
  if (document.querySelector('[data-testid="final"]')) return 'over';
  const text = document.querySelector('[data-testid="text-table"]');
  return text?.dataset.mine === 'true' ? `${text.dataset.phase} ${text.dataset.rev}` : null;
}"""

_BOOKS = ".page.start select[aria-describedby$='-summary']"
_LAST_SAID = """() => document.querySelector('[data-testid="heard"] p:last-child')?.dataset.said ?? null"""


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until something is focused, once it is there."""
    expect(page.locator(selector).first).to_be_visible()
    for _ in range(80):
        if page.evaluate("wanted => document.activeElement?.matches(wanted) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def choose_book(page: Page, book: str) -> None:
    """A book of the list, by the arrow keys."""
    # The landing page has such a list as well, and may still be there.
    expect(page.locator(f"{_BOOKS} option").nth(1)).to_be_attached()
    for key in ["ArrowDown"] * 10 + ["ArrowUp"] * 10:
        tab_to(page, _BOOKS)  # A page that has just been loaded takes the focus to its top.
        if page.evaluate("document.activeElement.value") == book:
            return
        page.keyboard.press(key)
    raise AssertionError(f"there is no {book} in the list")


def begin(page: Page, book: str) -> None:
    """From the landing page to a game in text, with nothing but keys."""
    page.goto("/")
    tab_to(page, "[data-testid=text-mode]")
    page.keyboard.press("Enter")
    expect(page).to_have_url("/text")
    choose_book(page, book)
    tab_to(page, ".page.start button.play")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("text-table")).to_be_visible()
    tab_to(page, "[data-testid=text-input]")


def enter(page: Page, line: str) -> None:
    """Type a command."""
    page.keyboard.type(line)
    page.keyboard.press("Enter")


def heard(page: Page) -> list[str]:
    """Everything that was said so far."""
    return page.get_by_test_id("heard").locator("p").all_inner_texts()


def hears(page: Page, text: str) -> None:
    """Wait until something is said."""
    expect(page.get_by_test_id("heard").locator("p").filter(has_text=text).last).to_be_attached()


def rack(page: Page) -> list[str]:
    """The faces on the rack."""
    found: list[str] = (
        page.get_by_test_id("text-rack")
        .locator("label")
        .evaluate_all("tiles => tiles.map(tile => tile.dataset.face)")
    )
    return found


@pytest.mark.parametrize("book", BOOK_IDS)
def test_a_whole_game_is_played_by_typing(book: str, page: Page) -> None:
    begin(page, book)
    laid = 0
    for _ in range(300):
        now = page.wait_for_function(_NOW).json_value()
        if now == "over":
            break
        phase = now.split()[0]
        before = len(rack(page))
        if phase == "take":
            enter(page, "take stock")
        else:
            said = page.evaluate(_LAST_SAID)  # The page keeps only so many, so their number tells nothing.
            enter(page, "show")
            page.wait_for_function(f"before => ({_LAST_SAID})() !== before", arg=said)
            lying = len(rack(page)) < before
            laid += lying
            enter(page, "done" if lying or phase != "turn" else "draw")
        page.wait_for_function(f"now => ({_NOW})() !== now", arg=now)
    else:
        raise AssertionError("the game does not end")
    assert laid > 0
    expect(page.get_by_test_id("final")).to_be_visible()
    check(page)


def test_sets_are_laid_and_taken_back_in_notation_and_nothing_is_said_twice(page: Page) -> None:
    begin(page, "wrc11")
    page.wait_for_function(f"() => ({_NOW})() !== null")
    first, second = rack(page)[:2]
    enter(page, f"lay {first.lower()} {second}")
    hears(page, "placed as set")
    hears(page, "of 30 points")
    expect(page.get_by_test_id("text-sets").locator("> li").last).to_contain_text("not valid yet")
    enter(page, "why")
    hears(page, "Your opening is worth")
    enter(page, f"back {first}")
    hears(page, "back on the rack")
    enter(page, "lay R99")
    hears(page, "“r99”")
    enter(page, "sing")
    hears(page, "isn't a command")
    enter(page, "take stock")
    hears(page, "are for Rummy-O")
    enter(page, "reset")
    hears(page, "turn started over")
    enter(page, "rack")
    hears(page, "Your rack: ")
    said = heard(page)
    assert all(one != other for one, other in pairwise(said)), said
    live = page.locator("[data-testid=text-table] [aria-live], [data-testid=text-table] [role=status]")
    assert live.count() == 1


def test_a_command_that_is_repeated_is_answered_again(page: Page) -> None:
    """Whoever cannot see what changed needs to hear it each time."""
    begin(page, "wrc11")
    page.wait_for_function(f"() => ({_NOW})() !== null")
    for _ in range(2):
        enter(page, "undo")
        hears(page, "Nothing to undo")
    expect(page.get_by_test_id("heard").locator("p").filter(has_text="Nothing to undo")).to_have_count(2)


def test_tiles_are_chosen_from_lists_by_keys(visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR")
    begin(page, "tml")
    page.wait_for_function(f"() => ({_NOW})() !== null")
    held = len(rack(page))
    for place in (1, 2, 3):
        tab_to(page, f"[data-testid=text-rack] li:nth-child({place}) input")
        page.keyboard.press("Space")
    check(page)
    fits(page)
    tab_to(page, "[data-testid=text-put]")
    page.keyboard.press("Enter")
    assert len(rack(page)) == held - 3
    tab_to(page, "[data-testid=text-input]")
    enter(page, "annuler")
    expect(page.get_by_test_id("text-rack").locator("label")).to_have_count(held)


def test_the_table_leads_to_text_mode_and_back(page: Page) -> None:
    begin(page, "wrc9")
    page.get_by_role("link", name="Show the table").click()
    expect(page.get_by_test_id("rack")).to_be_visible()
    tab_to(page, "[data-testid=to-text]")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("text-table")).to_be_visible()
