"""A club night of five, drawn in advance: every page shows the sitting being played, and who sits it out."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from testkit.browser.axe import violations
from testkit.browser.championship.staff import Staff, open_club_night
from testkit.browser.settings import PHONE
from tests.browser.conftest import Visitors

NAMES = ("Ada", "Ben", "Chi", "Dev", "Eve")
SCORES = [60, -10, -20, -30]


def plan_of(host: Staff) -> list[list[int]]:
    """Who sits at the one table of each sitting, by number."""
    (stage,) = host.ask()["stages"]
    return [seated["tables"][0]["players"] for seated in stage["seated"]]


def play(host: Staff, sitting: int) -> None:
    """The whole sitting, and its signature."""
    at: dict[str, Any] = {"stage": "evening", "sitting": sitting, "table": 1}
    games = [{"do": "enter_result", **at, "game": game, "scores": SCORES} for game in (1, 2)]
    host.do(*games, {"do": "sign_sheet", **at})


def card(page: Page, host: Staff, number: int) -> Any:
    """What a player's page says in big letters."""
    page.goto(f"/championship/{host.code}/p/{number}")
    return page.get_by_role("region", name="Where you sit")


def test_a_players_page_shows_the_sitting_being_played(visitors: Visitors) -> None:
    host = open_club_night(visitors.address, "Five", NAMES, sittings=3, games=2)
    page = visitors.come(**PHONE)
    plan = plan_of(host)
    for sitting, table in enumerate(plan, start=1):
        (resting,) = set(range(1, 6)) - set(table)
        for seat, number in enumerate(table, start=1):
            shown = card(page, host, number)
            expect(shown).to_contain_text(f"Evening, sitting {sitting}")
            expect(shown).to_contain_text(f"Table 1, seat {seat}")
        shown = card(page, host, resting)
        expect(shown).to_contain_text(f"You sit out Evening, sitting {sitting}.")
        later = [(n, each.index(resting) + 1) for n, each in enumerate(plan[sitting:], sitting + 1)]
        if later:
            expect(shown).to_contain_text(f"Next: Evening, sitting {later[0][0]}")
            expect(shown).to_contain_text(f"Table 1, seat {later[0][1]}")
        assert violations(page) == []
        play(host, sitting)
    page.goto(f"/championship/{host.code}/p/1")
    expect(page.get_by_text("You’ve played all your games.")).to_be_visible()
    page.goto(f"/championship/{host.code}")
    expect(page.get_by_test_id("part-standings")).to_have_attribute("aria-current", "page")


def test_the_way_to_an_online_table_leads_to_the_sitting_being_played(visitors: Visitors) -> None:
    host = open_club_night(visitors.address, "Online", NAMES[:4], sittings=3, games=2)
    host.do({"do": "open_rooms", "stage": "evening", "sitting": 1})
    link = next(one for one in host.ask("/links") if one["number"] == 2)["path"]
    page = visitors.come()
    page.goto(link)
    page.get_by_test_id("play-online").click()
    page.wait_for_url("**/r/*")
    room = host.ask()["stages"][0]["seated"][0]["tables"][0]["room"]
    assert page.url.rpartition("/")[2].startswith(room)


def test_who_sits_out_is_on_the_seat_list_the_projector_and_the_desk(visitors: Visitors) -> None:
    host = open_club_night(visitors.address, "Wall", NAMES, sittings=3, games=2)
    (resting,) = set(range(1, 6)) - set(plan_of(host)[0])
    name = NAMES[resting - 1]
    page = visitors.come()
    page.goto(f"/championship/{host.code}")
    expect(page.get_by_role("listitem").filter(has_text=name)).to_contain_text("sits out")
    page.get_by_role("button", name="By table").click()
    expect(page.get_by_test_id("sits-out")).to_have_text(f"Sitting out: {name}.")
    page.goto(f"/championship/{host.code}/screen?show=seating")
    expect(page.get_by_test_id("screen-names")).to_contain_text("sits out")
    page.goto(host.link("/desk").replace("/desk#", "/desk?tab=now#"))
    expect(page.get_by_test_id("sits-out")).to_contain_text(name)


def test_results_say_that_a_drawn_sitting_no_longer_fits(visitors: Visitors) -> None:
    host = open_club_night(visitors.address, "Late", (*NAMES, "Fay", "Gus"), sittings=3, games=2)
    host.do({"do": "add_entrant", "entrant": {"name": "Hal"}}, {"do": "check_in", "number": 8})
    page = visitors.come()
    page.goto(host.link("/desk"))
    stale = page.get_by_test_id("stale-seating")
    expect(stale).to_contain_text("Hal")
    page.get_by_label("Sitting", exact=True).select_option("evening/2")
    expect(stale).to_contain_text("sitting 2")
    assert violations(page) == []
    page.get_by_test_id("stale-go").click()
    page.get_by_test_id("propose-late").click()
    expect(page.get_by_test_id("proposal")).to_contain_text("Hal")
    page.get_by_test_id("seat-reason").fill("came late")
    page.get_by_test_id("seat").click()
    expect(stale).to_have_count(0)
