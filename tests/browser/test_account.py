"""The account page: sessions, password, tokens and passkeys."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.axe import check, fits
from testkit.server.process import ServerProcess
from tests.browser.conftest import Visitors
from tests.browser.test_profile import PASSWORD, ask, me, somebody

pytestmark = pytest.mark.xdist_group("browser")

NEW = "battery staple"


def opened(page: Page, section: str) -> None:
    """Unfold a section of the account page."""
    page.goto("/account")
    page.get_by_role("heading", name=section).click()


def test_sessions_are_ended_and_the_password_is_changed(visitors: Visitors) -> None:
    ada = somebody(visitors, "Ada")
    other = visitors.come()
    ask(other, "POST", "/sign-in", account=me(ada)["account"], password=PASSWORD)
    opened(ada, "Security")
    expect(ada.get_by_text("This browser")).to_be_visible()
    expect(ada.get_by_text("Another browser")).to_be_visible()
    check(ada)
    ada.get_by_role("button", name="Sign out the browser").click()
    expect(ada.get_by_text("Another browser")).to_have_count(0)
    assert other.request.get("/api/v1/me").status == 401
    ada.get_by_label("Current password").fill("not this one")
    ada.get_by_label("New password").fill(NEW)
    ada.get_by_role("button", name="Change password").click()
    expect(ada.get_by_role("alert")).to_contain_text("password is wrong")
    ada.get_by_label("Current password").fill(PASSWORD)
    ada.get_by_role("button", name="Change password").click()
    expect(ada.get_by_text("Password changed.")).to_be_visible()
    ask(other, "POST", "/sign-in", account=me(ada)["account"], password=NEW)
    ada.get_by_role("button", name="Sign out everywhere").click()
    expect(ada.get_by_text("You’ve signed out.")).to_be_visible()
    assert other.request.get("/api/v1/me").status == 401
    assert me(ada)["account"] is None


def with_device(page: Page) -> None:
    """Plug a virtual authenticator into the browser, which recognises whoever asks."""
    cdp = page.context.new_cdp_session(page)
    cdp.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey_is_made_signs_in_and_is_removed(visitors: Visitors, site: ServerProcess) -> None:
    """A site of an address in digits can have none, so this visitor uses the name of the machine."""
    page = somebody(visitors, "Ada", base_url=site.url.replace("127.0.0.1", "localhost"))
    account = me(page)["account"]
    with_device(page)
    opened(page, "Security")
    page.get_by_label("Name of the device").fill("my phone")
    page.get_by_role("button", name="Add passkey").click()
    expect(page.locator("li", has_text="my phone")).to_contain_text("never used")
    check(page)
    page.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.get_by_text("You’ve signed out.")).to_be_visible()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_text("Welcome back.")).to_be_visible()
    assert me(page)["account"] == account
    opened(page, "Security")
    page.get_by_label("Sign in with a passkey only").click()
    expect(page.get_by_label("Sign in with a passkey only")).to_be_checked()
    check(page)
    page.get_by_role("button", name="Remove passkey my phone").click()
    expect(page.get_by_role("alert")).to_contain_text("last passkey")
    page.get_by_label("Sign in with a passkey only").click()
    expect(page.get_by_label("Sign in with a passkey only")).not_to_be_checked()
    page.get_by_role("button", name="Remove passkey my phone").click()
    expect(page.locator("li", has_text="my phone")).to_have_count(0)
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.get_by_role("button", name="Sign in with a passkey").click()
    expect(page.get_by_role("alert")).to_contain_text("wasn't accepted")


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_a_token_says_what_it_is_for_and_how_long(locale: str, visitors: Visitors) -> None:
    page = somebody(visitors, "Ada", viewport={"width": 360, "height": 640}, locale=locale)
    words = {"en-GB": ("Tokens for bots", "Create token"), "fr-FR": ("Jetons pour robots", "Créer un jeton")}
    title, make = words[locale]
    opened(page, title)
    section = page.locator("details", has_text=title)
    section.get_by_role("textbox").fill("my bot")
    section.get_by_role("checkbox").nth(1).uncheck()
    section.get_by_role("combobox").select_option("30")
    page.get_by_role("button", name=make).click()
    expect(page.locator("li", has_text="my bot")).to_be_visible()
    (made,) = ask(page, "GET", "/tokens")
    assert made["scopes"] == ["read"]
    assert made["expires_at"] - made["created_at"] == 30 * 24 * 3600 * 1000
    fits(page)
    check(page)
