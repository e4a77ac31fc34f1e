"""The page on which a tablet learns to trust the hall, in a real browser: before and after it does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect

from testkit.browser import axe
from testkit.server.process import ServerProcess, free_port, serving

PHONE: ViewportSize = {"width": 390, "height": 844}
NEWCOMERS = ({"locale": "en"}, {"locale": "fr", "color_scheme": "dark"})


@pytest.fixture(scope="module")
def https_port() -> int:
    return free_port()


@pytest.fixture(scope="module")
def hall(pages: None, https_port: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("hall") / "data"
    with serving(folder, "--hall", "--https-port", str(https_port)) as server:
        yield server


@pytest.fixture
def tablet(browser: Browser, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=PHONE, **request.param)
    yield context
    context.close()


@pytest.mark.parametrize("tablet", NEWCOMERS, indirect=True)
def test_a_device_that_does_not_trust_the_hall_yet_is_shown_how(
    tablet: BrowserContext, hall: ServerProcess
) -> None:
    page = tablet.new_page()
    page.goto(f"{hall.url}/championship/abc#key=secret")
    opened = page.locator("details[open]")
    expect(opened).to_have_count(1)
    expect(page.locator("#checking")).to_be_hidden()
    expect(page.locator("#linux")).to_have_attribute("open", "")
    assert (page.locator("#on").get_attribute("href") or "").endswith("/championship/abc#key=secret")
    with page.expect_download() as download:
        opened.locator("a.file").click()
    assert Path(download.value.suggested_filename).suffix == ".crt"
    axe.check(page)


@pytest.mark.parametrize("tablet", [{"ignore_https_errors": True}], indirect=True)
def test_a_device_that_trusts_it_goes_on_by_itself_to_where_the_link_led(
    tablet: BrowserContext, hall: ServerProcess, https_port: int
) -> None:
    page = tablet.new_page()
    page.goto(f"{hall.url}/rules/wrc11?x=1#joker")
    page.wait_for_url(f"https://127.0.0.1:{https_port}/rules/wrc11?x=1#joker")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
