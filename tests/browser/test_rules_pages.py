"""The rules to be read: prose with pictures first, the clauses behind it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from meldroom.rules.library import BOOK_IDS
from testkit.browser.axe import check, fits
from testkit.browser.settings import PHONE
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")


@pytest.mark.parametrize("book", BOOK_IDS)
def test_every_book_is_prose_with_pictures_of_tiles(book: str, visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR" if book == "tml" else "en-GB")
    page.goto(f"/rules/{book}")
    prose = page.get_by_test_id("prose")
    expect(prose.locator("h2").first).to_be_visible()
    assert prose.locator("figure .tile-face").count() > 15
    assert prose.locator("figure.bad").count() >= 1
    expect(page.locator("h1")).to_have_count(1)
    check(page)
    fits(page)


def test_the_clauses_are_the_second_tab_and_links_to_them_still_lead_there(page: Page) -> None:
    page.goto("/rules/wrc11")
    expect(page.get_by_test_id("prose")).to_be_visible()
    page.get_by_test_id("tab-clauses").click()
    expect(page.locator("#clause-9")).to_be_visible()
    check(page)
    page.goto("about:blank")
    page.goto("/rules/wrc11#clause-9")
    expect(page.locator("#clause-9")).to_be_in_viewport()
    expect(page.get_by_test_id("tab-clauses")).to_have_attribute("aria-selected", "true")
