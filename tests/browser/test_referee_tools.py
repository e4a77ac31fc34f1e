"""The referee's tools: each used by keyboard on a desk, and with a finger on a small phone in French."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from testkit.browser.axe import check
from testkit.browser.offline_app import PATIENCE as OFFLINE_PATIENCE
from testkit.browser.offline_app import open_app, wait_until_kept
from testkit.browser.settings import PHONE
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")


def type_tiles(page: Page, text: str) -> None:
    """Enter tiles as text, by keyboard alone."""
    field = page.get_by_test_id("position-text")
    if not field.is_visible():
        page.get_by_test_id("toggle-text").press("Enter")
    field.fill("")
    field.press_sequentially(text)


def tap_tiles(page: Page, text: str) -> None:
    """Enter tiles on the keypad, with a finger."""
    for tile in text.split():
        page.get_by_test_id("key-joker" if tile == "*" else f"key-{tile}").tap()


def copied(page: Page) -> str:
    """What the button has put on the clipboard."""
    page.get_by_test_id("copy-text").press("Enter")
    expect(page.get_by_text("Copied.")).to_be_visible()
    text = page.evaluate("navigator.clipboard.readText()")
    assert isinstance(text, str)
    return text


def links(found: Locator) -> list[str]:
    """Where the clauses and rulings of a verdict lead."""
    return [str(each.get_attribute("href")) for each in found.locator("a").all()]


def decide(page: Page, why: str) -> None:
    """The last draw is not known: the referee decides for 200, and says why."""
    page.get_by_test_id("drew-unknown").press("Enter")
    page.get_by_test_id("decides-high").press("Enter")
    page.get_by_test_id("decides-why").fill(why)
    page.get_by_test_id("next-step").press("Enter")


def test_every_tool_by_keyboard(visitors: Visitors) -> None:
    page = visitors.come(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/referee")
    type_tiles(page, "R5 * R7 | K12 K13 K1")
    page.get_by_test_id("check").press("Enter")
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text("This table isn't valid: 1 problem.")
    assert "/rules/wrc11#clause-8" in links(verdict)
    report = copied(page)
    assert "  2. black 12, black 13, black 1" in report
    assert "WRC 11 #8" in report

    page.get_by_test_id("check-turn").press("Enter")
    type_tiles(page, "R1 R2 R3")
    page.get_by_test_id("next-part").press("Enter")
    type_tiles(page, "R4 K9")
    page.get_by_test_id("next-part").press("Enter")
    type_tiles(page, "R1 R2 R3 R4")
    page.get_by_test_id("check").press("Enter")
    expect(verdict).to_contain_text("This turn is valid.")

    page.get_by_test_id("tool-position").press("ArrowRight")
    expect(page.get_by_test_id("tool-count")).to_be_focused()
    page.get_by_test_id("players").select_option("2")
    page.get_by_test_id("out-0").press("Enter")
    page.get_by_test_id("next-step").press("Enter")
    type_tiles(page, "R10 B10 K10 O3")
    page.get_by_test_id("unmelded").press("Enter")
    page.get_by_test_id("next-step").press("Enter")
    # 100 or 200 is never assumed: the last draw is asked for, here and where it is not known.
    expect(page.get_by_text("What did Player 2 draw on their last turn?")).to_be_visible()
    page.get_by_role("button", name="Player 2’s rack").last.press("Enter")
    decide(page, "held the tens for a round")
    counted = page.get_by_test_id("counted")
    expect(page.get_by_test_id("score-0")).to_have_text("+200")
    expect(page.get_by_test_id("score-1")).to_have_text("−200")
    expect(counted).to_contain_text("30 points")
    assert "/rules/rulings/R43" in links(counted)
    assert "Player 2: −200" in copied(page)

    page.get_by_test_id("tool-count").press("ArrowRight")
    type_tiles(page, "R10 B10 K10 O3")
    page.get_by_role("group", name="Drawn on the last turn").get_by_label("red 10").press("Enter")
    page.get_by_test_id("ask-charge").press("Enter")
    expect(page.get_by_test_id("charge")).to_contain_text("drawn in the last turn: 100")
    assert "Drawn on the last turn: red 10" in copied(page)

    page.get_by_test_id("tool-charge").press("ArrowRight")
    type_tiles(page, "R5 B9")
    page.get_by_test_id("leftovers-pool").fill("1")
    page.get_by_test_id("ask-leftovers").press("Enter")
    expect(page.get_by_test_id("leftovers-ruling")).to_contain_text("they draw 1 more from the pool")

    page.get_by_test_id("referee-book").select_option("tml")
    expect(page.get_by_text("the referee decides")).to_be_visible()
    # What was asked is asked again of the other book: here a rack counts as it is.
    page.get_by_test_id("tool-leftovers").press("ArrowLeft")
    expect(page.get_by_test_id("charge")).to_contain_text("under this book the rack is counted")


def test_every_tool_with_a_finger_on_a_phone_in_french(visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR", color_scheme="dark")
    page.goto("/referee")
    tap_tiles(page, "R5 * R7")
    page.get_by_test_id("new-set").tap()
    tap_tiles(page, "B1 B2 B4")
    page.get_by_test_id("check").tap()
    expect(page.get_by_test_id("verdict")).to_contain_text("Cette table n’est pas valable")
    check(page)
    page.get_by_test_id("check-turn").tap()
    tap_tiles(page, "R1 R2 R3")
    page.get_by_test_id("next-part").tap()
    tap_tiles(page, "K9 B9 O9")
    page.get_by_test_id("turn-opening").tap()
    check(page)
    page.get_by_test_id("next-part").tap()
    page.get_by_test_id("new-set").tap()
    tap_tiles(page, "K9 B9 O9")
    page.get_by_test_id("check").tap()
    expect(page.get_by_test_id("verdict")).to_contain_text("27 points sur 30")
    check(page)

    page.get_by_test_id("tool-count").tap()
    page.get_by_test_id("out-pool").tap()
    for tiles in ("* R3", "K2", "O13", "B7"):
        page.get_by_test_id("next-step").tap()
        tap_tiles(page, tiles)
    check(page)
    page.get_by_test_id("next-step").tap()
    expect(page.get_by_test_id("score-1")).to_have_text("0")
    check(page)

    page.get_by_test_id("tool-charge").tap()
    tap_tiles(page, "R10 B10 K10")
    page.get_by_test_id("drew-nothing").tap()
    page.get_by_test_id("ask-charge").tap()
    expect(page.get_by_test_id("charge")).to_contain_text("200")
    check(page)

    page.get_by_test_id("tool-leftovers").tap()
    tap_tiles(page, "R5")
    page.get_by_test_id("ask-leftovers").tap()
    expect(page.get_by_test_id("leftovers-ruling")).to_contain_text("chevalet du joueur")
    check(page)

    # A reload loses nothing: the tool, everything entered, and what was found.
    page.reload()
    expect(page.get_by_role("button", name="Enlever 5 rouge")).to_be_visible()
    expect(page.get_by_test_id("leftovers-ruling")).to_contain_text("chevalet du joueur")
    page.get_by_test_id("tool-charge").tap()
    expect(page.get_by_role("button", name="Enlever 10 noir")).to_be_visible()
    expect(page.get_by_test_id("charge")).to_contain_text("200")
    page.get_by_test_id("tool-count").tap()
    expect(page.get_by_test_id("score-1")).to_have_text("0")


def test_a_rack_is_counted_in_airplane_mode(visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR")
    open_app(page)
    wait_until_kept(page)
    page.context.set_offline(True)
    page.goto("/offline/referee/?tool=count")
    page.get_by_test_id("out-0").tap(timeout=OFFLINE_PATIENCE)
    for tiles in ("* R3", "K2", "O9"):
        page.get_by_test_id("next-step").tap()
        tap_tiles(page, tiles)
    page.get_by_test_id("next-step").tap()
    expect(page.get_by_test_id("score-0")).to_have_text("+114", timeout=OFFLINE_PATIENCE)
    assert "/offline/rules/?at=wrc11#clause-1" in links(page.get_by_test_id("counted"))
    page.get_by_test_id("tool-position").tap()
    tap_tiles(page, "R1 R2 R4")
    page.get_by_test_id("check").tap()
    expect(page.get_by_test_id("verdict")).to_contain_text("n’est pas valable")
    check(page)
