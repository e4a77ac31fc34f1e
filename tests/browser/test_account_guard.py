"""What stands between a browser and an account: proofs, signing out, and what is switched off."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from typer.testing import CliRunner

from meldroom.cli.app import app
from testkit.browser.axe import check
from testkit.server.process import ServerProcess
from tests.browser.conftest import Visitors
from tests.browser.test_account import opened
from tests.browser.test_profile import PASSWORD, ask, me, somebody

pytestmark = pytest.mark.xdist_group("browser")

LONG_AGO = 11 * 60_000
KEPT = """async () => ({
    names: Object.keys(localStorage).sort(),
    caches: (await caches.keys()).sort(),
    tile: await (await caches.match('/tile'))?.text(),
})"""


def long_since(site: ServerProcess, page: Page) -> None:
    """Whoever this is showed a password a little too long ago."""
    assert isinstance(site.database, Path)
    with closing(sqlite3.connect(site.database, timeout=20)) as database:
        made = database.execute(
            "UPDATE sessions SET created_at = created_at - ?, proved_at = NULL WHERE player = ?",
            (LONG_AGO, me(page)["id"]),
        )
        assert made.rowcount == 1
        database.commit()


def test_a_token_takes_the_password_once_more_and_then_is_made(
    visitors: Visitors, site: ServerProcess
) -> None:
    page = somebody(visitors, "Ada")
    long_since(site, page)
    opened(page, "Tokens for bots")
    page.locator("details", has_text="Tokens for bots").get_by_role("textbox").first.fill("my bot")
    page.get_by_role("button", name="Create token").click()
    prompt = page.get_by_test_id("prove-again")
    expect(prompt.get_by_role("alert")).to_contain_text("Enter your password first")
    expect(prompt.get_by_label("Password")).to_be_focused()
    check(page)
    page.keyboard.type("not this one")
    page.keyboard.press("Enter")
    expect(prompt).to_contain_text("password is wrong")
    expect(page.locator("li", has_text="my bot")).to_have_count(0)
    prompt.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("li", has_text="my bot")).to_be_visible()
    expect(prompt).to_have_count(0)


def test_signing_out_leaves_nothing_of_the_account_in_the_browser(visitors: Visitors) -> None:
    """Settings, the games of this device and what is kept for playing offline stay."""
    page = somebody(visitors, "Ada")
    page.goto("/account")
    own = ("meldroom.draft.abcd", "meldroom.rack.abcd", "meldroom.muted")
    device = ("meldroom.offline.rack.abcd", "meldroom.sorting")
    page.evaluate("names => names.forEach(name => localStorage.setItem(name, '1'))", [*own, *device])
    page.evaluate("async () => (await caches.open('kept')).put('/tile', new Response('R7'))")
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_text("You’ve signed out.")).to_be_visible()
    left = page.evaluate(KEPT)
    assert set(own).isdisjoint(left["names"])
    assert set(device) <= set(left["names"])
    assert "kept" in left["caches"]
    assert left["tile"] == "R7"
    expect(page.get_by_role("heading", name="Create account")).to_be_visible()  # a guest by now
    assert me(page)["account"] is None


def switched(site: ServerProcess, page: Page, state: str) -> None:
    """Switch sign-up on or off, and wait until the server has noticed."""
    place = ["--database", site.address] if site.address else ["--data", str(site.folder)]
    done = CliRunner().invoke(app(["admin"]), ["admin", "switch", "sign-up", state, *place])
    assert done.exit_code == 0, done.output
    end = time.monotonic() + 30
    while ("sign_up" in ask(page, "GET", "/switches")["off"]) != (state == "off"):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_home_says_what_is_switched_off(visitors: Visitors, site: ServerProcess) -> None:
    page, notice = visitors.come(), "Switched off on this server for now: new accounts."
    page.goto("/")
    expect(page.get_by_test_id("switched-off")).to_have_count(0)
    try:
        switched(site, page, "off")
        page.goto("/")
        expect(page.get_by_test_id("switched-off")).to_contain_text(notice)
        check(page)
    finally:
        switched(site, page, "on")
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("switched-off")).to_have_count(0)
