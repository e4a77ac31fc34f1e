"""A World Championship of 33 in a real browser, from the list to the certificates, one chapter a test.

Nine devices sit at nine tables, and each loses the network for a while. A count is disputed, two versions of
a game meet, a signed result is corrected, and the final ends level. What the tables do between is entered
over HTTP, as their devices would. The chapters build on each other: a failure takes the later ones along.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from urllib.error import HTTPError

import pypdfium2  # type: ignore[import-untyped]
import pytest
from playwright.sync_api import Browser, Page, expect

from testkit.browser.championship.desk import PARTS
from testkit.browser.championship.device import TABLET, Device, visible
from testkit.browser.championship.people import OPEN, PEOPLE, list_with_faults, whole_list
from testkit.browser.championship.staff import level_scores, place, result, some_scores
from testkit.browser.settings import PATIENCE, PHONE
from testkit.server.process import ServerProcess
from tests.browser.championship.hall import Hall, check
from tests.browser.conftest import ROOT, Visitors

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.timeout(300)]

TABLES = 9
GAMES = 4
DISPUTED, MET, CORRECTED = 5, 7, 2
"""Tables: whose count is disputed, where two versions meet, whose signed result was wrong."""
UNDONE = 9
"""A player who was withdrawn by mistake."""
BY_KEYPAD = (1, 4, DISPUTED, TABLES)
NAME = "World Championship 2026"


@pytest.fixture(scope="module")
def hall(browser: Browser, site: ServerProcess, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    """Everybody comes before the first chapter and goes after the last."""
    visitors = Visitors(browser, site.url)
    yield Hall(visitors, tmp_path_factory.mktemp("championship"))
    visitors.leave()


def test_1_the_organiser_opens_the_event_imports_the_list_and_hands_out_keys(hall: Hall) -> None:
    """Two bad lines are told and nothing is imported; then everybody is in, and every role has its link."""
    hall.chapter(1)
    good, bad = hall.folder / "list.csv", hall.folder / "faults.csv"
    good.write_text(whole_list())
    bad.write_text(list_with_faults())
    desk = hall.organiser
    hall.code = desk.open_event(NAME)
    expect(desk.find("played-by")).to_have_text("WRC 9")
    desk.import_list(good, bad)
    desk.check_in_everybody(admitted=OPEN)
    director = desk.key_for("director", "Dana Wolff")
    hall.scorer = hall.staff(desk.key_for("scorer", "Sam Reed"))
    hall.chief = hall.staff(desk.key_for("referee", "Rita Sole"))
    hall.links = dict(enumerate(desk.keys_for_tables(TABLES), start=1))
    hall.director.page.goto(director)
    hall.screen.goto(desk.key_for("display", "Wall"))
    hall.referee.goto(f"/championship/{hall.code}/referee#key={hall.chief.key}")
    expect(hall.screen.locator("h1")).to_have_text(NAME, timeout=PATIENCE)
    visible(hall.director.find("step-announce_draw"))
    hall.done(1)


def test_2_the_director_draws_and_everybody_finds_their_seat(hall: Hall) -> None:
    """A withdrawal is undone, the draw announced again for all to see, and computed again on their page."""
    hall.chapter(2)
    shown = hall.director.withdraw_and_undo(UNDONE, PEOPLE[UNDONE - 1][0], "it was somebody else")
    expect(shown).to_contain_text("withdrew → present", timeout=PATIENCE)
    check(hall.director.page)
    hall.director.find("confirm").click()
    hall.director.says("undone")
    hall.director.draw_after_a_second_announcement(
        "a seed of round one", "the first was read out", "dice 4 2 6"
    )
    check(hall.director.page)
    hall.public.goto(f"/championship/{hall.code}?part=draw")
    expect(hall.public.get_by_test_id("played-by")).to_have_text("WRC 9", timeout=PATIENCE)
    expect(hall.public.get_by_test_id("replaced")).to_contain_text("the first was read out", timeout=PATIENCE)
    visible(hall.public.get_by_test_id("commitment").first)
    hall.public.get_by_role("button", name="Check it yourself").click()
    visible(hall.public.get_by_text("give exactly the tables of the first sitting"))
    hall.part("seating")
    hall.public.get_by_test_id("search-name").fill("Chloé")
    visible(hall.public.get_by_role("link", name="Chloé Marchand"))
    visible(hall.screen.get_by_test_id("screen-names").or_(hall.screen.get_by_test_id("screen-tables")))
    tables = hall.scorer.tables("round1")
    assert sorted(map(len, tables.values())) == [3, 3, 3, 4, 4, 4, 4, 4, 4]
    hall.done(2)


def test_3_nine_devices_play_a_game_each_and_lose_the_network_in_it(hall: Hall) -> None:
    """Off the network the clock goes on, a game is counted and entered; back on it the game arrives."""
    hall.chapter(3)
    tables = hall.scorer.tables("round1")
    for table in range(1, TABLES + 1):
        device = hall.devices[table] = Device(
            hall.visitors.come(**(PHONE if table == TABLES else TABLET)), table
        )
        device.bind(hall.links[table])
        expect(device.find("played-by")).to_have_text("WRC 9")
        expect(device.find("clock-face")).to_contain_text("1:00")
        device.play(turns=2 if table == 1 else 1)
        if table == TABLES:
            check(device.page)
        device.leave_network()
    for table, device in hall.devices.items():
        seats = len(tables[table])
        if table in BY_KEYPAD:
            unmelded = (1,) if table == DISPUTED else ()
            device.count(0, racks_of(seats), unmelded=unmelded)
            if table == TABLES:
                check(device.page)
            device.enter(1)
        else:
            device.type_scores(1, some_scores(hall.chance, seats))
        visible(device.find("waiting"))
    # Nothing has come to the laptop, which goes on meanwhile: the others' games, and another version of one.
    assert not any(sheet["games"][0]["result"] for sheet in hall.scorer.ask("/desk")["sheets"])
    losers = len(tables[MET]) - 1
    hall.scorer.do(result("round1", MET, 1, [11 * losers, *[-11] * losers]))
    hall.scorer.do(*hall.some_games("round1", range(2, GAMES + 1)))
    for table, device in hall.devices.items():
        device.come_back()
        if table != MET:
            expect(device.find("conflicts")).to_have_count(0, timeout=PATIENCE)
    entered = {sheet["table"]: sheet["games"][0]["result"] for sheet in hall.scorer.ask("/desk")["sheets"]}
    assert all(entered.values()), entered
    hall.done(3)


def racks_of(seats: int) -> dict[int, list[str]]:
    """What lay on the racks of those who did not win: a melded one each, but seat 1 had 13 tiles."""
    racks = {1: ["R10", "B10", "K10", "R2", "B5"], 2: ["K3", "O12", "*"], 3: ["R1"]}
    return {seat: tiles for seat, tiles in racks.items() if seat < seats}


def test_4_a_disputed_count_is_ruled_on_and_two_versions_are_shown(hall: Hall) -> None:
    """The referee is called, rules on 100 or 200 and writes it down; the clash is the director's."""
    hall.chapter(4)
    device = hall.devices[DISPUTED]
    device.call("The count", "100 or 200?")
    settle_the_dispute(hall.referee)
    expect(device.find("open-call")).to_have_count(0, timeout=PATIENCE)
    counted = next(sheet for sheet in hall.scorer.ask("/desk")["sheets"] if sheet["table"] == DISPUTED)
    assert counted["games"][0]["result"]["scores"][1] == -200
    met, desk = hall.devices[MET], hall.director
    visible(met.find("conflicts"))
    check(met.page)
    desk.go("now")
    visible(desk.find("clashes"))
    met.find("keep-theirs").click()
    expect(met.find("conflicts")).to_have_count(0, timeout=PATIENCE)
    expect(desk.find("clashes")).to_have_count(0, timeout=PATIENCE)
    losers = len(hall.scorer.tables("round1")[MET]) - 1
    other = result("round1", MET, 2, [12 * losers, *[-12] * losers])
    with pytest.raises(HTTPError):
        hall.chief.ask("/commands", {"id": "another-version", "command": other})
    visible(desk.find("clashes"))
    check(desk.page)
    desk.page.get_by_role("button", name="Settle it").click()
    desk.find("reason").fill("the sheet on paper agrees with the desk")
    desk.find("confirm").click()
    desk.says("Settled")
    hall.done(4)


def settle_the_dispute(page: Page) -> None:
    """The referee comes, looks at the rack, asks the book, and writes down what holds."""
    visible(page.get_by_test_id("call"))
    page.get_by_test_id("answer").click()
    expect(page.get_by_test_id("call")).to_have_count(0, timeout=PATIENCE)
    page.get_by_test_id("part-charge").click()
    for tile in racks_of(4)[1]:
        page.get_by_test_id(f"key-{tile}").click()
    page.get_by_test_id("drew-nothing").click()
    page.get_by_test_id("ask-charge").click()
    expect(page.get_by_test_id("charge")).to_contain_text("200", timeout=PATIENCE)
    page.get_by_test_id("part-check").click()
    page.get_by_test_id("toggle-text").click()
    page.get_by_test_id("position-text").fill("R1 R2 R3 | K7 B7 K7")
    page.get_by_test_id("check").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("This table isn't valid", timeout=PATIENCE)
    page.get_by_test_id("part-disputes").click()
    page.locator("form select").first.select_option(str(DISPUTED))
    page.get_by_test_id("question").fill("Is it 100 or 200 for three tens on the rack?")
    page.get_by_test_id("cites").fill("P14")
    page.get_by_test_id("ruling").fill("200: the three tens were an opening of 30.")
    page.get_by_test_id("referee").fill("Rita Sole")
    page.get_by_test_id("settle").click()
    expect(page.get_by_test_id("dispute")).to_contain_text("three tens were an opening", timeout=PATIENCE)


def test_5_the_sheets_are_signed_and_a_signed_result_is_corrected_after_a_look_at_what_changes(
    hall: Hall,
) -> None:
    """Standings wait for the last signature; the correction lists what changes before it is confirmed."""
    hall.chapter(5)
    tables = hall.scorer.tables("round1")
    hall.part("results")
    visible(hall.public.get_by_test_id("held"))
    hall.devices[TABLES].find("tab-sheet").click()
    check(hall.devices[TABLES].page)
    for table, device in hall.devices.items():
        device.sign(len(tables[table]))
    expect(hall.public.get_by_test_id("held")).to_have_count(0, timeout=PATIENCE)
    seats = len(tables[CORRECTED])
    right = [-40] * (seats - 1) + [40 * (seats - 1)]
    shown = hall.director.correct("round1", CORRECTED, 1, right, "seats 1 and 4 were exchanged on the sheet")
    expect(shown).to_contain_text("Places that change", timeout=PATIENCE)
    assert shown.locator("li").count() > 2
    check(hall.director.page)
    hall.director.find("correct").click()
    hall.director.says("The log keeps both results")
    desk = hall.chief.ask("/desk")
    corrected = next(sheet for sheet in desk["sheets"] if sheet["table"] == CORRECTED)
    assert corrected["games"][0]["result"]["scores"] == right
    other = hall.scorer.tables("round1")[CORRECTED + 1][0]
    shown = hall.director.correct_seats("round1", CORRECTED, other, "they had sat down at each other's table")
    expect(shown).to_contain_text("moves from place", timeout=PATIENCE)
    check(hall.director.page)
    hall.director.find("confirm").click()
    hall.director.says("Seats corrected")
    assert hall.scorer.tables("round1")[CORRECTED][0] == other
    hall.director.close_stage()
    hall.part("standings")
    expect(hall.public.get_by_test_id("standings").locator("tbody tr")).to_have_count(33, timeout=PATIENCE)
    hall.done(5)


def test_6_the_final_ends_level_and_a_deciding_game_makes_the_champion(hall: Hall) -> None:
    """Semi-finals over HTTP, the final signed on a tablet with a PIN, the tie decided at the desk."""
    hall.chapter(6)
    desk = hall.director
    desk.draw("a seed of the semi-finals", "heads")
    hall.scorer.do(*hall.some_games("semifinals", range(1, GAMES + 1)))
    sign = [{"do": "sign_sheet", **place("semifinals", table)} for table in range(1, TABLES + 1)]
    hall.chief.do(*sign)
    desk.close_stage()
    desk.draw("a seed of the final", "tails")
    hall.scorer.do(*(result("final", 1, game, level_scores(game)) for game in range(2, GAMES + 1)))
    device = hall.devices[1]
    device.find("tab-clock").click()
    device.play()
    device.type_scores(1, level_scores(1))
    hall.referee.get_by_test_id("part-pin").click()
    hall.referee.get_by_test_id("new-pin").fill("4821")
    hall.referee.get_by_test_id("set-pin").click()
    visible(hall.referee.get_by_text("Rita Sole has a PIN now."))
    check(hall.referee)
    device.sign(4, pin="4821")
    desk.go("standings")
    tie = visible(desk.find("tie"))
    champion = tie.locator("li").nth(1).locator("span").inner_text().partition(". ")[2]
    tie.get_by_role("button", name=f"{champion} up").click()
    desk.confirm("tie-game", "deciding game at table 1")
    desk.says("Tie decided")
    desk.close_stage()
    hall.part("standings")
    expect(hall.public.locator(".ranking li").first).to_contain_text(champion, timeout=PATIENCE)
    expect(hall.public.locator(".ranking li")).to_have_count(33, timeout=PATIENCE)
    visible(hall.screen.get_by_test_id("screen-ranking"))
    hall.done(6)


def test_7_certificates_papers_and_files_are_downloaded_and_checked_by_others(hall: Hall) -> None:
    """A certificate for everybody; the export holds before a verifier that shares no code."""
    hall.chapter(7)
    certificates = hall.director.fetch("papers", "paper-certificates", hall.folder)
    paper = pypdfium2.PdfDocument(certificates)
    assert len(paper) == len(PEOPLE)
    text = paper[0].get_textpage().get_text_bounded()
    paper.close()
    winner = hall.scorer.ask()["ranking"][0]["number"]
    assert PEOPLE[winner - 1][0] in text
    sheets = hall.director.fetch("papers", "paper-sheets", hall.folder)
    paper = pypdfium2.PdfDocument(sheets)
    rules = paper[0].get_textpage().get_text_bounded()
    paper.close()
    assert "50 points" in rules.partition("joker left")[2][:40], rules
    export = hall.director.fetch("downloads", "download-export", hall.folder)
    tables = hall.director.fetch("downloads", "download-csv", hall.folder)
    log = hall.director.fetch("downloads", "download-log", hall.folder)
    folder = hall.folder / "export"
    folder.mkdir()
    (folder / "event.json").write_bytes(export.read_bytes())
    (folder / "log.jsonl").write_bytes(log.read_bytes())
    with zipfile.ZipFile(tables) as archive:
        archive.extractall(folder)
    verifier = [sys.executable, str(ROOT / "examples" / "championship_verifier.py"), str(folder)]
    verdict = subprocess.run(verifier, capture_output=True, text=True, check=False)
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr
    actions = [json.loads(line)["action"]["do"] for line in log.read_text().splitlines()]
    assert {"correct_result", "correct_seats", "undo_status", "settle_dispute", "decide_tie"} <= set(actions)
    assert "announced again: the first was read out" in verdict.stdout
    hall.done(7)


def test_8_axe_finds_nothing_on_any_page_of_the_event(hall: Hall) -> None:
    """Every part of desk, device, referee's and public page, projector; some in French and dark."""
    hall.chapter(8)
    for part in PARTS:
        hall.director.go(part)
        check(hall.director.page)
    for tab in ("clock", "count", "sheet", "help"):
        hall.devices[1].find(f"tab-{tab}").click()
        check(hall.devices[1].page)
    check(hall.devices[TABLES].page)
    for part in ("calls", "check", "charge", "leftovers", "redeal", "disputes"):
        hall.referee.get_by_test_id(f"part-{part}").click()
        check(hall.referee)
    check(hall.screen)
    other = hall.visitors.come(locale="fr-FR", color_scheme="dark", **PHONE)
    for part in ("seating", "results", "standings", "draw", "about"):
        other.goto(f"/championship/{hall.code}?part={part}")
        check(other)
    for address in ("/championships", f"/championship/{hall.code}/p/3", f"/championship/{hall.code}/desk"):
        other.goto(address)
        check(other)
    hall.done(8)
