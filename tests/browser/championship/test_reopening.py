"""A tablet that reloads without the laptop still opens, and so does an offline app in the same browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.offline_app import open_app, wait_for, wait_until_kept

pytestmark = pytest.mark.xdist_group("browser")

KEPT = "() => caches.match('/championship/').then((kept) => kept !== undefined)"


def test_a_device_opens_without_the_laptop_and_the_offline_app_beside_it(page: Page) -> None:
    device = "/championship/k3f9qz/table/1"
    page.goto(device)
    wait_for(page, KEPT)
    open_app(page)
    wait_until_kept(page)
    page.goto(device)
    wait_until_kept(page)
    page.context.set_offline(True)
    for address, base in ((device, 0), ("/offline/", 1), (device, 0)):
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok
        expect(page.locator("main h1:visible").first).to_be_visible()
        expect(page.locator("meta[name=meldroom-base]")).to_have_count(base)
    scopes = "() => navigator.serviceWorker.getRegistrations().then((all) => all.map((one) => one.scope))"
    ends = sorted(scope.partition("://")[2].partition("/")[2] for scope in page.evaluate(scopes))
    assert ends == ["championship/", "offline/"]
