"""The pages of the offline app: the download can be stopped, records open, storage empties."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from testkit.browser import chromium
from testkit.browser.axe import check, fits
from testkit.browser.puzzles import lay_by_mouse, smallest
from testkit.browser.settings import PHONE
from testkit.server.process import ServerProcess
from tests.browser.conftest import ROOT, Visitors

pytestmark = pytest.mark.xdist_group("browser")

SLOW = 90_000
RECORD = ROOT / "examples" / "records" / "matchbox.meld"
FOLLOW = """(address) => {
  const link = document.createElement('a');
  link.href = address;
  document.body.append(link);
  link.click();
  link.remove();
}"""
SIZE_OF = """async (address) => {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return [picture.naturalWidth, picture.naturalHeight];
}"""
LOOKS: dict[str, dict[str, Any]] = {
    "English, light, desk": {"locale": "en-GB", "color_scheme": "light"},
    "French, dark, phone": {"locale": "fr-FR", "color_scheme": "dark", **PHONE},
}
ADDRESSES = (
    "/offline/new/",
    "/offline/games/",
    "/offline/profile/",
    "/offline/storage/",
    "/offline/rules/",
    "/offline/rules/?at=wrc11",
    "/offline/position/",
    "/offline/tutorial/",
    "/offline/puzzles/",
    "/offline/text/",
    "/offline/nowhere/",
)


def go(page: Page, address: str) -> None:
    """To another page of the app, as a link of ours leads there: without starting the engine again."""
    page.evaluate(FOLLOW, address)
    page.wait_for_url(f"**{address}*")


def ready(page: Page) -> None:
    """The engine runs, and the first page shows what can be played."""
    expect(page.locator("form button.play")).to_be_enabled(timeout=SLOW)


def test_the_download_shows_megabytes_and_can_be_stopped_and_gone_on_with(visitors: Visitors) -> None:
    page = visitors.come()
    held: list[Route] = []
    page.context.route("**/*.wasm", lambda route: held.append(route))
    page.goto("/offline/")
    expect(page.get_by_test_id("amount")).to_contain_text("MB", timeout=SLOW)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("alert")).to_contain_text("Download stopped")
    for route in held:
        route.abort()
    page.context.unroute("**/*.wasm")
    page.get_by_role("button", name="Continue").click()
    ready(page)
    expect(page.get_by_test_id("airplane-mode")).to_have_attribute("data-state", "ready")


def test_a_page_that_is_not_there_downloads_no_engine(visitors: Visitors) -> None:
    page = visitors.come()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/offline/nowhere/")
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert not [address for address in asked if "/engine/" in address]


def test_a_server_that_still_builds_the_engine_is_asked_again(visitors: Visitors) -> None:
    page = visitors.come()
    page.clock.install()
    page.context.route("**/engine/files.json", lambda route: route.fulfill(status=404, body="{}"))
    page.goto("/offline/")
    expect(page.get_by_role("alert")).to_contain_text("still preparing")
    page.context.unroute("**/engine/files.json")
    page.clock.run_for(11_000)
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.fixture
def at_home(browser: Browser, site: ServerProcess, tmp_path: Path) -> Iterator[Page]:
    """A page of a French browser with a profile on the disk: a whole Chromium installs nothing in others."""
    with chromium.kept(browser.browser_type, tmp_path, base_url=site.url, locale="fr-FR") as context:
        yield context.new_page()


def test_the_app_can_be_installed_in_the_visitors_language(at_home: Page) -> None:
    """By what the browser says, and by what browsers ask for: the packaged one finds no fault in anything."""
    at_home.goto("/offline/")
    asked = at_home.context.new_cdp_session(at_home)
    found = asked.send("Page.getAppManifest")
    assert found["url"].endswith("/manifest.fr.webmanifest")
    assert found["errors"] == []
    assert asked.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    manifest = json.loads(found["data"])
    assert "Jouer hors ligne" in found["data"]
    assert manifest["name"]
    assert manifest["display"] == "standalone"
    assert not manifest.get("prefer_related_applications")
    assert at_home.request.get(urljoin(found["url"], manifest["start_url"])).ok
    pictures = [one for one in manifest["icons"] if one.get("purpose", "any") == "any"]
    assert {"192x192", "512x512"} <= {one["sizes"] for one in pictures if one["type"] == "image/png"}
    for one in manifest["icons"]:
        width, height = at_home.evaluate(SIZE_OF, urljoin(found["url"], one["src"]))
        assert one["sizes"] in (f"{width}x{height}", "any")
        assert width == height > 0


def solve_a_puzzle(page: Page) -> None:
    """Judged, rated and explained on the device; on a phone the solution is looked at."""
    puzzle = smallest("most_tiles", "go_out")
    go(page, f"/offline/puzzles/{puzzle.id}")
    expect(page.get_by_test_id("rack")).to_be_visible()
    if page.evaluate("navigator.maxTouchPoints > 0"):
        page.get_by_test_id("puzzle-show").tap()
    else:
        lay_by_mouse(page, puzzle)
        page.get_by_test_id("done").click()
    ended = page.get_by_test_id("puzzle-goal")
    expect(ended).to_have_attribute("data-ended", re.compile("solved|shown"))
    expect(page.get_by_test_id("puzzle-solution").locator("li").first).to_be_visible()
    check(page)


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_any_page_and_nothing_runs_out_at_the_side(
    look: str, visitors: Visitors
) -> None:
    """A record from a file is replayed and saved again, and its game is deleted."""
    page = visitors.come(**LOOKS[look])
    page.goto("/offline/")
    expect(page.get_by_test_id("starting")).to_be_visible()
    fits(page)
    ready(page)
    check(page)
    page.get_by_test_id("record-file").set_input_files(RECORD)
    expect(page.get_by_test_id("step-number")).to_be_visible()
    check(page)
    with page.expect_download() as saved:
        page.get_by_test_id("record-text").click()
    assert saved.value.suggested_filename.endswith(".meld")
    with page.expect_download() as picture:
        page.get_by_test_id("share-image").click()
    assert picture.value.suggested_filename.endswith(".png")
    expect(page.get_by_test_id("share-link")).to_have_count(0)
    for address in ADDRESSES:
        go(page, address)
        expect(page.locator("#page h1").first).to_be_attached()
        check(page)
    solve_a_puzzle(page)
    assert not page.locator('a[href*="lobby"], a[href*="account"], a[href*="championship"]').all()
    go(page, "/offline/storage/")
    games = page.get_by_test_id("stored-games").get_by_role("listitem")
    expect(games).to_have_count(1)
    games.get_by_role("button").click()
    games.get_by_role("button").first.click()
    expect(page.get_by_test_id("stored-games")).to_have_count(0)


def test_another_tab_waits_and_takes_over(visitors: Visitors) -> None:
    first = visitors.come()
    first.goto("/offline/")
    ready(first)
    second = first.context.new_page()
    second.goto("/offline/games/")
    second.get_by_role("button", name="Play here instead").click()
    expect(second.get_by_role("heading", name="My games")).to_be_visible(timeout=SLOW)
    expect(first.get_by_role("button", name="Play here instead")).to_be_visible()
