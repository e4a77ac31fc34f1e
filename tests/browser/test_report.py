"""The coach's report after a game: the curve, its turning points, and each turn with what was better."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from testkit.browser.axe import check, fits
from testkit.browser.settings import PHONE
from testkit.browser.table import start_against_bots
from testkit.server.process import ServerProcess
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

LOOKS: dict[str, dict[str, Any]] = {
    "a desktop in English": {"locale": "en-GB", "color_scheme": "light"},
    "a phone in French, dark": {**PHONE, "locale": "fr-FR", "color_scheme": "dark"},
}


@pytest.fixture(scope="module", params=["wrc11", "rummyo"])
def analysed(request: pytest.FixtureRequest, browser: Browser, site: ServerProcess) -> str:
    """Where the score sheet of a finished game links to for its analysis."""
    visitors = Visitors(browser, site.url)
    table = start_against_bots(visitors.come(), request.param, level="patient", opponents=1)
    table.play_to_the_end()
    address = table.find("analysis-link").get_attribute("href")
    visitors.leave()
    assert address is not None
    return address


@pytest.mark.parametrize("look", LOOKS)
def test_the_report_after_a_game(look: str, visitors: Visitors, analysed: str) -> None:
    page = visitors.come(**LOOKS[look])
    page.goto(analysed)
    report = page.get_by_test_id("report")
    expect(report).to_be_visible()
    assert page.get_by_test_id("advice").count() > 0
    check(page)
    fits(page)

    slider = page.get_by_test_id("chance-slider")
    slider.focus()
    page.keyboard.press("Home")
    first = page.get_by_test_id("step-number").inner_text()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("step-number")).not_to_have_text(first)
    assert re.search(r"\d+.%", slider.get_attribute("aria-valuetext") or "")

    report.locator("summary").click()
    rows = report.locator("tbody tr")
    assert rows.count() >= int(slider.get_attribute("max") or 0)
    assert re.search(r"\d+.%", rows.last.inner_text())
    check(page)


def test_a_turning_point_leads_to_its_step(visitors: Visitors, analysed: str) -> None:
    page = visitors.come()
    page.goto(analysed)
    expect(page.get_by_test_id("report")).to_be_visible()
    for point in page.get_by_test_id("turning-point").all():
        point.click()
        step = re.search(r"\d+", point.inner_text())
        assert step is not None
        expect(page.get_by_test_id("step-number")).to_contain_text(f" {step[0]} ")
    page.get_by_test_id("analysis-seat").select_option("1")
    expect(page.get_by_test_id("report")).to_be_visible()
    expect(page.locator('[data-testid="advice"]:has(*)').first).to_be_visible()


def test_reasons_stand_in_the_list_of_steps(visitors: Visitors, analysed: str) -> None:
    page = visitors.come()
    page.goto(analysed)
    page.get_by_test_id("steps-tab").click()
    expect(page.get_by_test_id("reason")).to_have_count(0)
    page.get_by_test_id("show-reasons").check()
    expect(page.get_by_test_id("reason").first).to_be_visible()
    check(page)
    page.get_by_test_id("show-reasons").uncheck()
    expect(page.get_by_test_id("reason")).to_have_count(0)


@pytest.mark.parametrize("look", LOOKS)
def test_match_me_begins_with_the_usual_opponent(look: str, visitors: Visitors) -> None:
    page = visitors.come(**LOOKS[look])
    page.goto("/")
    level = page.get_by_role("combobox").nth(1)
    expect(level).to_be_enabled()
    level.select_option("club")
    page.get_by_test_id("match-me").click()
    expect(page.get_by_test_id("matched")).not_to_be_empty()
    expect(level).to_have_value("regular")
    check(page)
    fits(page)
    level.select_option("club")
    expect(page.get_by_test_id("matched")).to_be_empty()
