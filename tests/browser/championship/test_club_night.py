"""A club night of seven run by one person on one phone: a few taps to the tables, then to the ranking."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from testkit.browser import axe
from testkit.browser.championship.desk import Desk
from testkit.browser.championship.staff import open_club_night, place, result
from tests.browser.conftest import Visitors

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NAMES = "1. Ada\n2. Ben\n3. Chi\n4. Dev\n5. Eve\n6. Fay\n7. Gus"
MOST_TAPS = 8
COUNT_TAPS = (
    "addEventListener('click', () => sessionStorage.taps = Number(sessionStorage.taps ?? 0) + 1, true)"
)


def taps(page: Page) -> int:
    return int(page.evaluate("sessionStorage.taps ?? 0"))


def well(page: Page) -> None:
    """Of a page that keeps listening, so that the network is never idle."""
    assert axe.violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def begin(page: Page, sittings: str, games: str) -> None:
    page.goto("/championships")
    page.get_by_test_id("run-event").tap()
    page.get_by_test_id("club-names").tap()
    page.get_by_test_id("club-names").fill(NAMES)
    page.get_by_label("Sittings (new tables each time)").select_option(sittings)
    page.get_by_label("Games at each table").select_option(games)
    expect(page.get_by_text("7 names")).to_be_visible()
    page.get_by_test_id("begin-club-night").tap()
    expect(page.get_by_test_id("results-grid")).to_be_visible()


def test_seven_people_sit_at_tables_after_a_few_taps_and_have_a_ranking_in_the_end(
    visitors: Visitors,
) -> None:
    page = visitors.come(**PHONE)
    page.add_init_script(COUNT_TAPS)
    begin(page, "1", "1")
    assert 0 < taps(page) <= MOST_TAPS
    well(page)
    desk = Desk(page)
    for table, scores in ((1, ("60", "-10", "-20", "-30")), (2, ("30", "-10", "-20"))):
        desk.find(f"enter-{table}-1").tap()
        for seat, score in enumerate(scores):
            desk.find(f"score-{seat}").fill(score)
        desk.find("save-game").tap()
        expect(desk.find("entry")).to_have_count(0)
        desk.find(f"sign-{table}").tap()
        desk.find("sign").tap()
        expect(desk.find("signing")).to_have_count(0)
    desk.go("standings")
    well(page)
    desk.close_stage()
    page.goto(page.url.split("/desk")[0])
    expect(page.get_by_text("Gus").first).to_be_visible()


def test_an_evening_ends_early_with_one_plain_button(visitors: Visitors) -> None:
    """R73: what counts and what is left out is said before; then the evening can be closed."""
    host = open_club_night(visitors.address, "Early night", ["Ada", "Ben", "Chi", "Dev"], sittings=3, games=2)
    host.do(
        result("evening", 1, 1, [30, -10, -10, -10]),
        result("evening", 1, 2, [-10, -20, -10, 40]),
        {"do": "sign_sheet", **place("evening", 1), "referee": "Olga"},
        {**result("evening", 1, 1, [30, -10, -10, -10]), "sitting": 2},
    )
    page = visitors.come(**PHONE)
    page.goto(host.link("/desk"))
    desk = Desk(page)
    expect(desk.find("results-grid")).to_be_visible()
    desk.find("enter-1-2").tap()
    desk.find("void-game").tap()
    expect(desk.find("consequences")).to_contain_text("it won't be played")
    well(page)
    desk.find("reason").fill("no time left")
    desk.find("confirm").tap()
    expect(page.get_by_role("link", name="void")).to_be_visible()
    desk.find("end-early").tap()
    told = desk.find("consequences")
    expect(told).to_contain_text("2 games on signed sheets count")
    expect(told).to_contain_text("sitting 2, table 1, game 1: played but not signed")
    expect(told).to_contain_text("sitting 3, table 1, game 1, 2: not played")
    told.get_by_role("button", name="Cancel").tap()
    desk.find("sign-1").tap()
    desk.find("sign").tap()
    expect(desk.find("signing")).to_have_count(0)
    desk.find("end-early").tap()
    expect(told).to_contain_text("3 games on signed sheets count")
    well(page)
    desk.find("reason").fill("the hall closes")
    desk.find("confirm").tap()
    expect(desk.find("ended-early")).to_contain_text("the hall closes")
    desk.go("standings")
    desk.close_stage()
    page.goto(f"/championship/{host.code}?part=standings")
    expect(page.get_by_test_id("stage-ended")).to_contain_text("the hall closes")
    well(page)
    page.goto(f"/championship/{host.code}/p/1")
    expect(page.get_by_text("Game 2 is void: no time left")).to_be_visible()
    well(page)


def test_the_only_key_is_shown_until_it_is_kept_and_opens_the_desk_elsewhere(visitors: Visitors) -> None:
    page = visitors.come(**PHONE)
    begin(page, "1", "1")
    desk = Desk(page)
    card = desk.find("own-key")
    expect(card.get_by_role("img")).to_be_visible()
    well(page)
    page.reload()
    link = card.get_by_test_id("key-link").input_value()
    card.locator("summary").tap()  # out of the way for now, and still there
    expect(card.get_by_role("img")).to_be_hidden()
    other = visitors.come(**PHONE)
    other.goto(link)
    expect(other.get_by_test_id("results-grid")).to_be_visible()
    expect(other.get_by_test_id("own-key")).to_have_count(0)  # it came by a link
    card.locator("summary").tap()
    desk.find("own-key-kept").tap()
    expect(card).to_have_count(0)
    page.reload()
    expect(desk.find("results-grid")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_night_is_listed_only_if_the_host_asks_for_it(visitors: Visitors) -> None:
    page, reader = visitors.come(**PHONE), visitors.come()
    begin(page, "1", "1")
    code = page.url.split("/championship/")[1].split("/")[0]
    night = reader.locator(f"a[href$='/championship/{code}']")

    def listed(count: int) -> None:
        reader.goto("/championships")
        expect(reader.get_by_role("heading", name="Public championships")).to_be_visible()
        expect(night).to_have_count(count)

    listed(0)
    desk = Desk(page)
    desk.go("now")
    expect(desk.find("listed")).to_contain_text("Not in the public list")
    desk.find("set-listed").tap()
    expect(desk.find("listed")).to_contain_text("Everyone can find this event")
    well(page)
    listed(1)
    desk.find("set-listed").tap()
    expect(desk.find("listed")).to_contain_text("Not in the public list")
    listed(0)
    page.goto("/championships")
    page.get_by_test_id("run-event").tap()
    page.get_by_test_id("club-names").fill(NAMES)
    page.get_by_test_id("club-listed").check()
    page.get_by_test_id("begin-club-night").tap()
    expect(page.get_by_test_id("results-grid")).to_be_visible()
    code = page.url.split("/championship/")[1].split("/")[0]
    night = reader.locator(f"a[href$='/championship/{code}']")
    listed(1)


def test_what_papers_lack_is_said_before_anything_is_printed(visitors: Visitors) -> None:
    page = visitors.come(**PHONE)
    begin(page, "1", "1")
    desk = Desk(page)
    lacking = {"ready": False, "fetches": True, "fetching": False}
    page.route("**/championships/printing?*", lambda route: route.fulfill(json=lacking))
    desk.go("papers")
    note = desk.find("printing-note")
    expect(note).to_contain_text("This server can’t print papers yet.")
    expect(desk.find("paper-sheets")).to_be_disabled()
    well(page)
    page.unroute("**/championships/printing?*")
    desk.find("fetch-printing").tap()  # this server has it all
    expect(note).to_have_count(0)
    expect(desk.find("paper-sheets")).to_be_enabled()


def test_it_speaks_french_and_says_what_is_wrong_with_a_list(visitors: Visitors) -> None:
    page = visitors.come(**PHONE, locale="fr-FR", color_scheme="dark")
    page.goto("/championships")
    page.get_by_test_id("run-event").tap()
    page.get_by_test_id("club-names").fill("Zoé, Ben, zoé")
    page.get_by_test_id("begin-club-night").tap()
    expect(page.get_by_text("figure deux fois dans la liste")).to_be_visible()
    axe.check(page)
