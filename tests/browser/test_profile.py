"""The profile: statistics, an avatar from tiles, friends by name, playing again, and blocking."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.axe import check, fits
from testkit.browser.settings import PHONE
from testkit.browser.table import start_against_bots
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

API = "/api/v1"
PASSWORD = "correct horse"
names = iter(range(10_000))


def ask(page: Page, method: str, path: str, **body: Any) -> Any:
    """What the server answers this visitor."""
    answer = page.request.fetch(API + path, method=method, data=body or None)
    assert answer.ok, answer.text()
    return answer.json() if answer.body() else None


def somebody(visitors: Visitors, name: str, *, account: bool = True, **options: Any) -> Page:
    """A visitor with a name, and an account that nobody else has."""
    page = visitors.come(**options)
    ask(page, "POST", "/session", name=name, language=str(options.get("locale", "en-GB"))[:2])
    if account:
        ask(page, "POST", "/account", account=f"{name.lower()}{next(names)}", password=PASSWORD)
    page.add_init_script("localStorage.setItem('meldroom.met', '1')")
    return page


def me(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = ask(page, "GET", "/me")
    return found


def played(ada: Page, ben: Page) -> str:
    """A game of two people that the first has given up; its room."""
    settings = {"book": "tml", "seats": 2}
    room = str(ask(ada, "POST", "/rooms", settings=settings, chairs=["me", "open"])["room"])
    ben.goto(f"/r/{room}")
    ben.get_by_role("button", name="Sit here").click()
    ada.goto(f"/r/{room}")
    ada.get_by_role("button", name="Start game").click()
    expect(ada.get_by_test_id("rack")).to_be_visible()
    ada.get_by_test_id("chat-toggle").click()
    ada.get_by_test_id("resign").click()
    ada.get_by_test_id("ask-yes").click()
    expect(ada.get_by_test_id("final")).to_be_visible()
    return room


def test_a_newcomer_finds_an_empty_page_that_says_what_will_be_there(page: Page) -> None:
    page.goto("/profile")
    expect(page.get_by_test_id("statistics")).to_contain_text("Your first game is waiting")
    expect(page.get_by_test_id("friends")).to_contain_text("No friends yet")
    check(page)


@pytest.mark.parametrize("look", ["desk", "phone", "French, dark"])
def test_a_finished_game_is_in_the_statistics(look: str, visitors: Visitors) -> None:
    options: dict[str, dict[str, Any]] = {
        "desk": {},
        "phone": PHONE,
        "French, dark": {"locale": "fr-FR", "color_scheme": "dark"},
    }
    page = visitors.come(**options[look])
    table = start_against_bots(page, "tml", level="tournament", opponents=3)
    table.play_to_the_end()
    page.goto("/profile")
    statistics = page.get_by_test_id("statistics")
    expect(statistics.get_by_test_id("games")).to_have_text("1")
    expect(statistics.get_by_test_id("missed")).not_to_have_text("–")
    expect(statistics.get_by_test_id("by-book").locator("tbody tr")).to_have_count(1)
    if look == "French, dark":
        expect(page.get_by_role("heading", level=1)).to_have_text("Profil")
        expect(statistics).to_contain_text("Tuiles manquées par tour")
    check(page)
    page.goto(f"/u/{me(page)['profile']}")
    expect(page.get_by_test_id("games")).to_have_text("1")
    expect(page.get_by_test_id("missed")).to_have_count(0)
    check(page)


def test_an_avatar_is_picked_by_keyboard_and_shown_at_the_table(visitors: Visitors) -> None:
    page = somebody(visitors, "Ada", account=False)
    page.goto("/profile")
    page.get_by_role("button", name="Change avatar").press("Enter")
    picker = page.get_by_test_id("avatar-picker")
    for _ in range(2):
        picker.get_by_role("list").get_by_role("button").first.press("Enter")
    for name in ("red 7", "blue 7", "joker"):
        picker.get_by_role("button", name=name, exact=True).press("Enter")
    expect(picker.get_by_role("button", name="black 1", exact=True)).to_be_disabled()
    check(page)
    picker.get_by_role("button", name="Use these tiles").press("Enter")
    expect(page.get_by_role("button", name="Change avatar")).to_be_focused()
    assert me(page)["avatar"] == "R7 B7 *"
    expect(page.locator("header .me [data-avatar='R7 B7 *']")).to_be_visible()
    start_against_bots(page, "wrc11")
    expect(page.get_by_test_id("seat").locator("[data-avatar='R7 B7 *']")).to_be_visible()
    expect(page.get_by_test_id("seat").locator("[data-avatar^='* ']")).to_be_visible()
    check(page)


def test_friends_ask_by_name_accept_and_play(visitors: Visitors) -> None:
    ada, ben = somebody(visitors, "Ada"), somebody(visitors, "Ben", **PHONE)
    ada.goto("/profile")
    friends = ada.get_by_test_id("friends")
    friends.get_by_label("Add a friend by account name").fill("nobody-at-all")
    friends.get_by_role("button", name="Add", exact=True).click()
    expect(friends.get_by_role("alert")).to_contain_text("Nobody here is called")
    friends.get_by_label("Add a friend by account name").fill(me(ben)["account"].upper())
    friends.get_by_role("button", name="Add", exact=True).click()
    expect(friends.get_by_role("status").first).to_have_text("You’ve asked Ben.")
    ben.goto("/profile")
    ben.get_by_role("button", name="Accept Ada’s request").tap()
    expect(ben.get_by_test_id("friend-list")).to_contain_text("online")
    check(ben)
    ada.reload()
    ada.get_by_role("button", name="Play with Ben").click()
    ada.wait_for_url("**/r/*")
    expect(ada.get_by_test_id("invite-friends")).to_contain_text("invited")
    check(ada)
    ben.goto("/")
    expect(ben.get_by_test_id("invitations")).to_contain_text("Ada wants to play with you")
    check(ben)
    ben.get_by_role("link", name="Join Ada’s table").tap()
    ben.get_by_role("button", name="Sit here").tap()
    ada.get_by_role("button", name="Start game").click()
    expect(ben.get_by_test_id("rack")).to_be_visible()
    expect(ada.get_by_test_id("rack")).to_be_visible()


def test_playing_again_from_my_games_and_blocking_from_a_profile(visitors: Visitors) -> None:
    ada, ben = somebody(visitors, "Ada"), somebody(visitors, "Ben", account=False)
    played(ada, ben)
    ada.goto("/games")
    ada.get_by_role("button", name="Play again with Ben").click()
    ada.wait_for_url("**/r/*")
    expect(ada.get_by_test_id("invite-friends")).to_contain_text("invited")
    ben.goto("/lobby")
    expect(ben.get_by_test_id("invitations")).to_be_visible()
    check(ben)
    ben.get_by_role("button", name="Decline Ada’s invitation").click()
    expect(ben.get_by_test_id("invitations")).to_have_count(0)
    ben.goto("/profile")
    ben.get_by_test_id("recent").get_by_role("link", name="Ada").click()
    expect(ben.get_by_role("heading", level=1)).to_have_text("Ada")
    ben.get_by_role("button", name="Block", exact=True).click()
    check(ben)
    ben.get_by_role("button", name="Block Ada").click()
    expect(ben.get_by_text("You’ve blocked them.")).to_be_visible()
    ada.goto("/games")
    ada.get_by_role("button", name="Play again with Ben").first.click()
    ada.wait_for_url("**/r/*")
    ben.goto("/lobby")
    expect(ben.get_by_role("heading", level=1)).to_be_visible()
    assert ask(ben, "GET", "/invitations") == []
    ben.goto("/profile")
    ben.get_by_text("1 blocked person").click()
    ben.get_by_role("button", name="Unblock Ada").click()
    expect(ben.get_by_text("1 blocked person")).to_have_count(0)


@pytest.mark.parametrize("size", [(360, 640), (844, 390), (820, 1180)])
def test_the_page_fits_every_size(size: tuple[int, int], visitors: Visitors) -> None:
    page = somebody(
        visitors, "Adalbertina Featherstone", account=False, viewport={"width": size[0], "height": size[1]}
    )
    page.goto("/profile")
    expect(page.get_by_test_id("friends")).to_be_visible()
    fits(page)
    page.get_by_role("button", name="Change avatar").click()
    expect(page.get_by_test_id("avatar-picker")).to_be_visible()
    fits(page)


def test_a_profile_that_nobody_has_says_so(page: Page) -> None:
    page.goto("/u/nobody-at-all")
    expect(page.get_by_role("alert")).to_contain_text("Nobody here is called")
    check(page)
