"""The link in the waiting room: others can open it, or the room says that they can't and what to do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from testkit.browser.axe import check
from testkit.server import second_address
from testkit.server.process import ServerProcess, serving
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def open_site(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for everybody in a network, in which this machine has a second address."""
    folder = tmp_path_factory.mktemp("everybody") / "data"
    options = ("--trusted-load", "--host", "0.0.0.0")
    with serving(folder, *options, program=second_address.__name__) as server:
        yield server


@pytest.fixture
def people(browser: Browser, open_site: ServerProcess) -> Iterator[Visitors]:
    """Visitors of that server; the host opened 127.0.0.1."""
    visitors = Visitors(browser, open_site.url)
    yield visitors
    visitors.leave()
    assert visitors.complaints == []


def waiting(page: Page) -> str:
    """A room that waits for a friend; its code."""
    page.goto("/")
    page.request.post("/api/v1/session", data={"name": "Ada"})
    wanted = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}
    room = str(page.request.post("/api/v1/rooms", data=wanted).json()["room"])
    page.goto(f"/r/{room}")
    return room


def test_a_friend_elsewhere_opens_the_copied_link(people: Visitors, open_site: ServerProcess) -> None:
    host = people.come(permissions=["clipboard-read", "clipboard-write"])
    room = waiting(host)
    link = f"http://{second_address.ADDRESS}:{open_site.port}/r/{room}"
    expect(host.get_by_label("Invite friends with this link")).to_have_value(link)
    expect(host.get_by_role("img", name="QR code of the link")).to_be_visible()
    assert host.locator("img.qr").evaluate("one => one.decode().then(() => one.naturalWidth > 0)")
    expect(host.get_by_test_id("only-here")).to_have_count(0)
    check(host)
    host.get_by_role("button", name="Copy link").click()
    copied = host.evaluate("navigator.clipboard.readText()")
    assert copied == link
    friend = people.come(base_url=f"http://{second_address.ADDRESS}:{open_site.port}")
    friend.goto(copied)
    expect(host.get_by_role("status").first).to_contain_text("1 more person is here")
    expect(host.locator("body")).not_to_contain_text("watching")
    friend.get_by_role("button", name="Sit here").click()
    expect(host.get_by_role("heading", level=1)).to_have_text("Everyone is here")


def test_where_only_this_computer_can_open_it_the_room_says_so_and_what_to_do(visitors: Visitors) -> None:
    for language, said in (
        ("en-GB", "Only this computer can open this link"),
        ("fr-FR", "Seul cet ordinateur"),
    ):
        page = visitors.come(locale=language)
        room = waiting(page)
        expect(page.get_by_test_id("only-here")).to_contain_text(said)
        expect(page.get_by_test_id("only-here")).to_contain_text("--host 0.0.0.0")
        expect(page.locator("input.link")).to_have_value(f"{visitors.address}/r/{room}")
        expect(page.locator("img.qr")).to_have_count(0)
        check(page)
