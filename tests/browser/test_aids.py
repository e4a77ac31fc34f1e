"""Casual aids in a browser: nothing playable, a turn taken back, tiles seen so far, and odds."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.axe import check, fits
from testkit.browser.offline_app import open_app, start_game
from testkit.browser.settings import PHONE
from testkit.browser.staged import Stage
from testkit.browser.table import Table, start_against_bots
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

DESK: dict[str, Any] = {}
SIZES = pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
SEEN = "tiles => tiles.filter(tile => tile.dataset.seen === 'true').map(tile => tile.dataset.face).sort()"


def turn_without_a_play(page: Page) -> Table:
    """A game in whose first turn nothing can be opened with; most are."""
    for _ in range(6):
        table = start_against_bots(page, "wrc11")
        if table.what_now() == "draw" and not table.playable():
            return table
    raise AssertionError("every rack could open")


def panel(table: Table) -> None:
    """Open or close the panel beside the table."""
    table.find("chat-toggle").click()


@SIZES
def test_nothing_playable_is_told_and_drawn_with_one_tap(visitors: Visitors, size: dict[str, Any]) -> None:
    page = visitors.come(**size)
    table = turn_without_a_play(page)
    expect(table.find("status-line")).to_contain_text("you can’t open yet")
    check(page)
    fits(page)
    held = table.find("rack-tile").count()
    table.find("nothing-draw").click()
    table.wait_for_another_tile(held)
    assert table.find("rack-tile").count() == held + 1


def test_a_turn_with_something_to_play_says_nothing_of_it(page: Page) -> None:
    stage = Stage(page)
    stage.set(["R1 R2 R3"], "R4 K9")
    table = stage.play()
    expect(table.find("status-line")).to_contain_text("play tiles or draw")
    assert table.find("nothing-draw").count() == 0
    stage.playable = False
    page.reload()
    expect(table.find("status-line")).to_contain_text("nothing can be played")
    expect(table.find("nothing-draw")).to_have_text("Draw")
    table.rack_tile(table.rack()[0][0]).click()
    expect(table.find("nothing-draw")).to_have_count(0)


@SIZES
def test_a_turn_is_taken_back_with_what_the_bot_did(visitors: Visitors, size: dict[str, Any]) -> None:
    page = visitors.come(**size)
    table = start_against_bots(page, "wrc11")
    assert table.what_now() == "draw"
    undo = table.find("undo")
    expect(undo).to_be_disabled()
    before = sorted(table.rack())
    table.draw()
    assert table.what_now() == "draw"
    drawn = set(table.rack()) - set(before)
    expect(undo).to_have_attribute("aria-label", "Take back my last turn")
    if size:
        undo.click()
    else:
        page.keyboard.press("u")
    expect(table.find("status-line")).to_contain_text("Take back your last turn?")
    check(page)
    fits(page)
    table.find("ask-yes").click()
    expect(table.find("rack-tile")).to_have_count(len(before))
    assert sorted(table.rack()) == before
    assert table.what_now() == "draw"
    panel(table)
    expect(table.find("taken-back")).to_contain_text("doesn’t count in statistics")
    expect(table.find("take-turn-back")).to_be_disabled()
    assert not any("You drew" in text for text in table.find("log").locator("> li").all_inner_texts())
    check(page)
    panel(table)
    table.draw()
    assert set(table.rack()) - set(before) == drawn  # The pool is as it was.


def test_the_end_of_a_game_says_that_turns_were_taken_back(page: Page) -> None:
    table = start_against_bots(page, "wrc11")
    table.what_now()
    table.draw()
    table.what_now()
    panel(table)
    table.find("take-turn-back").click()
    expect(table.find("ask-no")).to_be_focused()
    table.find("ask-yes").click()
    expect(table.find("rack-tile")).to_have_count(14)
    panel(table)
    table.find("resign").click()
    table.find("ask-yes").click()
    expect(table.find("final")).to_be_visible()
    expect(table.find("taken-back")).to_have_text("1 turn taken back: this game doesn’t count in statistics.")
    page.goto(str(table.find("replay-link").get_attribute("href")))
    expect(table.find("take-backs")).to_have_text("with 1 turn taken back")


@SIZES
def test_tiles_seen_so_far_are_struck_out(visitors: Visitors, size: dict[str, Any]) -> None:
    page = visitors.come(**size)
    stage = Stage(page)
    stage.set(["R1 R2 R3", "K9 B9 O9"], "R1 R4 *")
    table = stage.play()
    panel(table)
    tiles = table.find("tiles-seen").locator("[data-face]")
    assert tiles.count() == 106
    assert tiles.evaluate_all(SEEN) == sorted(["R1", "R2", "R3", "K9", "B9", "O9", "R1", "R4", "*"])
    expect(table.find("tiles-seen")).to_contain_text("97 tiles are still hidden")
    expect(table.find("tiles-seen").locator("li").nth(1)).to_contain_text("red, still hidden: 2, 3, 4, 5, 5")
    check(page)
    fits(page)


@SIZES
def test_odds_are_those_of_the_solver(visitors: Visitors, size: dict[str, Any]) -> None:
    page = visitors.come(**size)
    table = turn_without_a_play(page)
    panel(table)
    table.find("ask-odds").click()
    odds = table.find("odds")
    expect(odds.locator("dt")).to_have_text(
        ["Open this turn", "Open next turn, if you draw", "Go out this turn", "Go out next turn, if you draw"]
    )
    answers = odds.locator("dd")
    expect(answers.nth(0)).to_have_text("Not possible")
    hidden = 106 - table.find("rack-tile").count() - sum(map(len, table.sets()))
    expect(answers.nth(1)).to_have_text(re.compile(rf"^[\d.]+%: \d+ of {hidden} hidden tiles"))
    expect(answers.nth(3)).to_contain_text(f"0%: 0 of {hidden}")
    check(page)
    panel(table)
    table.draw()
    panel(table)
    expect(table.find("odds").locator("dd")).to_have_count(0)  # They were those of another turn.


def test_rummyo_has_the_same_aids(page: Page) -> None:
    table = start_against_bots(page, "rummyo")
    for _ in range(30):
        assert table.what_now() == "take", "the game ended before there was nothing to lay"
        if table.find("nothing-draw").count():
            break
        table.take_from_stock()
        table.throw_first()
    expect(table.find("status-line")).to_contain_text("nothing to lay, even with the discard")
    panel(table)
    table.find("ask-odds").click()
    expect(table.find("odds").locator("dt").first).to_have_text("Go on board with the discard")
    panel(table)
    before = sorted(table.rack())
    table.find("nothing-draw").click()
    expect(table.find("rack-tile")).to_have_count(len(before) + 1)
    table.find("undo").click()
    table.find("ask-yes").click()
    expect(table.find("rack-tile")).to_have_count(len(before))
    assert sorted(table.rack()) == before


def test_french_on_a_phone(visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR", color_scheme="dark")
    table = turn_without_a_play(page)
    expect(table.find("status-line")).to_contain_text("impossible d’ouvrir")
    fits(page)
    table.draw()
    assert table.what_now() == "draw"
    panel(table)
    table.find("ask-odds").click()
    expect(table.find("odds")).to_contain_text("Ouvrir au prochain tour")
    expect(table.find("tiles-seen")).to_contain_text("encore cachées")
    check(page)
    table.find("take-turn-back").click()
    expect(table.find("status-line")).to_contain_text("Reprendre votre dernier tour")
    check(page)
    fits(page)


def test_a_new_table_says_which_aids_it_allows(visitors: Visitors) -> None:
    page = visitors.come()
    page.goto("/new?book=tml")
    page.get_by_test_id("new-aids").locator("summary").click()
    aids = {name: page.get_by_test_id(f"aid-{name}") for name in ("take_back", "odds", "tiles_seen")}
    for box in aids.values():
        expect(box).not_to_be_checked()  # With friends they are off.
    expect(aids["take_back"]).to_be_disabled()
    aids["odds"].check()
    check(page)
    page.get_by_role("button", name="Open the table").or_(page.locator("form button.primary")).first.click()
    expect(page.get_by_test_id("agreed-aids")).to_have_text("odds")
    page.goto("/new?book=tml")
    page.get_by_label("Seat 2").select_option("beginner")
    page.get_by_test_id("new-aids").locator("summary").click()
    for box in aids.values():
        expect(box).to_be_checked()
    aids["take_back"].uncheck()
    aids["tiles_seen"].uncheck()
    page.locator("form button.primary").click()
    table = Table(page, "tml")
    expect(table.find("rack")).to_be_visible()
    table.what_now()
    table.draw()
    table.what_now()
    expect(table.find("undo")).to_be_disabled()
    panel(table)
    expect(table.find("ask-odds")).to_be_visible()
    assert table.find("take-turn-back").count() + table.find("tiles-seen").count() == 0


def test_text_mode_tells_odds_and_hidden_tiles_and_takes_back(page: Page) -> None:
    table = start_against_bots(page, "wrc11")
    table.what_now()
    table.draw()
    table.what_now()
    page.goto(page.url + "/text")
    heard, line = page.get_by_test_id("heard"), page.get_by_test_id("text-input")
    expect(page.get_by_test_id("text-table")).to_have_attribute("data-mine", "true")
    for typed, answer in (
        ("odds", "Open this turn: "),
        ("seen", "still hidden; the others"),
        ("take back", "Take back your last turn?"),
        ("yes", "Your last turn has been taken back."),
    ):
        line.fill(typed)
        line.press("Enter")
        expect(heard).to_contain_text(answer)
    expect(page.get_by_test_id("text-rack").locator("li")).to_have_count(14)
    check(page)


def test_aids_work_without_a_server(page: Page) -> None:
    open_app(page)
    table = start_game(page, "wrc11")
    assert table.what_now() == "draw"
    before = sorted(table.rack())
    table.draw()
    assert table.what_now() == "draw"
    panel(table)
    table.find("ask-odds").click()
    expect(table.find("odds").locator("dd")).to_have_count(4)
    table.find("take-turn-back").click()
    table.find("ask-yes").click()
    expect(table.find("rack-tile")).to_have_count(len(before))
    assert sorted(table.rack()) == before
