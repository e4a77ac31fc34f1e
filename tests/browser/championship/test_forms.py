"""Forms around an event: a format with its day, a league and its page, teams and prizes, fees and days."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from testkit.browser.championship.desk import Desk
from testkit.browser.championship.device import visible
from testkit.browser.championship.staff import Staff, open_club_night, place, result
from testkit.browser.settings import PHONE
from tests.browser.championship.hall import check
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser")

NAMES = ("Ada", "Ben", "Chi", "Dev")


def played_night(address: str, name: str, scores: tuple[int, int, int, int]) -> Staff:
    """A club night of one game that is over, and its host; scores by the order of the names."""
    host = open_club_night(address, name, NAMES, sittings=1, games=1)
    seats = host.tables("evening")[1]
    by_seat = [scores[number - 1] for number in seats]
    host.do(
        result("evening", 1, 1, by_seat),
        {"do": "sign_sheet", **place("evening", 1), "referee": "Olga"},
        {"do": "close_stage"},
    )
    return host


def desk_of(page: Page, host: Staff) -> Desk:
    page.goto(host.link("/desk"))
    desk = Desk(page)
    visible(desk.find("part-now"))
    return desk


def test_a_format_is_made_in_a_form_that_shows_the_day_as_it_changes(page: Page) -> None:
    page.goto("/championships")
    page.get_by_test_id("run-event").click()
    page.get_by_test_id("new-format").select_option("form")
    schedule, length = page.get_by_test_id("format-schedule"), page.get_by_test_id("format-length")
    expect(length).to_contain_text("4 h 45")
    expect(schedule.locator("li")).to_have_count(4)
    expect(schedule.locator("li").first).to_contain_text("10:00–11:00")
    expect(schedule.locator("li").first).to_contain_text("16 players")
    page.get_by_test_id("sittings-0").select_option("1")
    expect(schedule.locator("li")).to_have_count(2)
    page.get_by_test_id("format-players").fill("18")
    expect(schedule.locator("li").first).to_contain_text("5 tables (2 of them one player short)")
    page.get_by_test_id("takes-1").fill("8")
    expect(schedule.locator("li").nth(1)).to_contain_text("8 players")
    visible(page.get_by_text("Anyone may play: citizenship and earlier editions aren’t checked."))
    page.get_by_test_id("format-citizens").check()
    visible(page.get_by_text("As WRC 9 G1 and G2 ask"))
    check(page)
    page.get_by_label("Championship name").fill("Made in a form")
    page.get_by_role("textbox", name="Your name (organiser)").fill("Olga")
    page.get_by_test_id("open-event").click()
    visible(page.get_by_test_id("event-opened"))


def test_two_nights_make_a_league_whose_page_everybody_can_read(visitors: Visitors) -> None:
    nights = [
        played_night(visitors.address, "Night one", (60, -10, -20, -30)),
        played_night(visitors.address, "Night two", (-30, 70, -20, -20)),
    ]
    page = visitors.come()
    for night in nights:
        desk = desk_of(page, night)
        desk.go("downloads")
        if night is nights[0]:
            page.get_by_text("New league").click()
            desk.find("league-name").fill("Winter league")
            desk.find("league-make").click()
        else:
            page.get_by_label("League", exact=True).select_option(label="Winter league")
            desk.find("league-add").click()
        desk.says("This event counts in Winter league.")
        check(page)
    address = desk.find("league-link").get_attribute("href")
    reader = visitors.come(locale="fr-FR", color_scheme="dark", **PHONE)
    reader.goto(f"{address}")
    rows = reader.get_by_test_id("league-table").locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("Ben")  # second and first
    expect(rows.nth(0)).to_contain_text("18")
    expect(rows.nth(1)).to_contain_text("Ada")  # first and fourth
    visible(reader.get_by_text("Night two"))
    check(reader)


def test_teams_prizes_fees_and_days_are_arranged_and_everybody_reads_them(visitors: Visitors) -> None:
    host = open_club_night(visitors.address, "Prize night", NAMES, sittings=1, games=1)
    page = visitors.come()
    desk = desk_of(page, host)
    desk.go("arranged")
    desk.find("arrange").click()
    desk.find("add-prize").click()
    page.get_by_label("Name", exact=True).fill("First prize")
    page.get_by_label("What is given").fill("a box of tiles")
    page.get_by_label("There is an entry fee").check()
    page.get_by_label("Fee", exact=True).fill("5")
    page.get_by_label("Evening").fill("2026-11-16")
    check(page)
    desk.find("arrange-save").click()
    desk.says("Saved.")
    desk.find("pay-2").click()
    desk.says("Ben: payment noted.")
    expect(desk.find("fees-sum")).to_contain_text("15.00")
    check(page)
    desk.go("papers")
    desk.find("papers-day").select_option("2026-11-16")
    expect(desk.find("paper-sheets")).to_have_text("ZIP")
    check(page)
    seats: list[Any] = host.tables("evening")[1]
    host.do(
        result("evening", 1, 1, [60 if number == 3 else -20 for number in seats]),
        {"do": "sign_sheet", **place("evening", 1), "referee": "Olga"},
        {"do": "close_stage"},
    )
    page.goto(f"/championship/{host.code}?part=standings")
    expect(page.get_by_text("a box of tiles").locator("xpath=ancestor::li")).to_contain_text("Chi")
    check(page)
