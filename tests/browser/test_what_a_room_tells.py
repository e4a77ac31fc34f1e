"""What a room tells: a reload changes nothing, the last move, rings, plans, and remarks that pass."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from testkit.browser.axe import violations
from testkit.browser.settings import PHONE
from testkit.browser.table import Table, start_against_bots, start_with_a_friend
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")

_RINGS = "tiles => tiles.map(tile => [tile.dataset.tile, tile.dataset.by]).filter(each => each[1])"


def after_a_bots_play(page: Page, opponents: int, sets: int) -> Table:
    """A table with so many sets on it, in one's own turn after a bot's play; in another game if one ends."""
    for _ in range(4):
        table = start_against_bots(page, "wrc11", level="club", opponents=opponents)
        while table.what_now() == "draw":
            if len(table.sets()) >= sets and table.find("show-last").count():
                return table
            table.draw()
    raise AssertionError("no bot lays anything")


def open_room(page: Page, **settings: Any) -> Table:
    """A game against one bot with settings that the first page does not offer."""
    page.goto("/")
    expect(page.locator("form select").first).to_be_visible()
    book = settings.get("book", "wrc11")
    page.request.post("/api/v1/session", data={"name": "Vi"})
    request = {
        "settings": {"seats": 2, "book": book, **settings},
        "chairs": ["me", "beginner"],
        "begin": True,
    }
    answer = page.request.post("/api/v1/rooms", data=request)
    page.goto(f"/r/{answer.json()['room']}")
    expect(page.get_by_test_id("rack")).to_be_visible()
    return Table(page, book)


def two_people(visitors: Visitors) -> tuple[Table, Table]:
    """Two people at a table: whose turn it is, and who waits."""
    tables = start_with_a_friend(visitors.come(), visitors.come())
    return tables if tables[0].now() == "draw" else tables[::-1]


def moves(table: Table) -> list[str]:
    """The list of moves in the panel, which is opened and closed for it."""
    table.find("chat-toggle").click()
    told = table.find("log").locator("> li").all_inner_texts()
    table.find("chat-toggle").click()
    return told


def test_a_reload_changes_neither_places_nor_history_nor_rings(page: Page) -> None:
    """Sets, moves and the rings around changed tiles belong to the room."""
    table = after_a_bots_play(page, opponents=2, sets=3)
    sets, told = table.sets(), moves(table)
    rings = table.find("set-tile").evaluate_all(_RINGS)
    line = table.find("status-line").inner_text()
    assert rings
    assert len(told) > 4
    page.reload()
    assert table.what_now() == "draw"
    assert table.sets() == sets
    assert table.find("set-tile").evaluate_all(_RINGS) == rings
    assert moves(table) == told
    expect(table.find("status-line")).to_have_text(line, use_inner_text=True)


def test_ones_own_tiles_do_not_glow(visitors: Visitors) -> None:
    """What was just laid by oneself is not ringed; the other sees whose it is."""
    first, second = two_people(visitors)
    for _ in range(40):
        table, other = (first, second) if first.now() == "draw" else (second, first)
        if sets := table.playable():
            break
        table.draw()
        assert other.what_now() == "draw"
    for tiles in sets:
        for tile in tiles:
            table.rack_tile(tile).click()
        table.find("new-set").click()
    table.find("done").click()
    table.wait_until_laid(sets)
    assert table.find("set-tile").evaluate_all(_RINGS) == []
    assert table.page.locator("[data-testid=set-tile] .changed").count() == 0
    expect(other.find("status-line")).to_contain_text("opened with")
    laid = {str(tile) for tiles in sets for tile in tiles}
    assert {tile for tile, _ in other.find("set-tile").evaluate_all(_RINGS)} == laid
    assert violations(other.page) == []


def test_the_last_move_is_told_and_shown_again(page: Page) -> None:
    """One line names it; the button shows the table before it and then after it."""
    table = after_a_bots_play(page, opponents=1, sets=1)
    line = table.find("status-line")
    expect(line).to_contain_text("Ada")
    expect(line.locator(".small-tile").first).to_be_visible()
    now, tiles = table.sets(), sum(map(len, table.sets()))
    table.find("show-last").click()
    assert sum(map(len, table.sets())) < tiles
    page.wait_for_function(
        "n => document.querySelectorAll('[data-testid=\"set-tile\"]').length === n", arg=tiles
    )
    expect(table.find("show-last")).to_have_attribute("aria-pressed", "false")
    assert table.sets() == now
    table.find("chat-toggle").click()
    move = table.find("log").locator("> li").first
    expect(move).to_contain_text("Ada")
    expect(move.locator(".small-tile").first).to_be_visible()
    expect(move.get_by_test_id("show-move")).to_be_visible()
    assert violations(page) == []


def test_a_remark_does_not_hide_who_is_arranging(visitors: Visitors) -> None:
    """Drawing off turn is not possible; the line still says what the other does."""
    mover, waiting = two_people(visitors)
    mover.find("rack-tile").first.click()
    mover.find("new-set").click()
    expect(waiting.find("status-line")).to_contain_text("is arranging tiles")
    waiting.page.keyboard.press("d")
    expect(waiting.find("status-line")).to_contain_text("not your turn")
    assert "is arranging tiles" in waiting.find("status-line").inner_text()


def test_quick_rummyo_has_the_rounds_that_its_card_promises(page: Page) -> None:
    """Four rounds, and the next one is offered after the first."""
    table = start_against_bots(page, "rummyo")
    expect(page.get_by_text("game 1 of 4")).to_be_visible()
    table.what_now()
    table.find("chat-toggle").click()
    table.find("resign").click()
    table.find("ask-yes").click()
    expect(table.find("next-game")).to_be_visible()


def test_a_penalty_is_told_once(page: Page) -> None:
    """A strict table takes an illegal turn back: one sentence says so, with its rule."""
    table = open_room(page, options={"strict_declare": True}, clock={"kind": "off"})
    assert table.what_now() == "draw"
    for tile, _ in (table.rack()[0], table.rack()[-1]):
        table.rack_tile(tile).click()
    table.find("new-set").click()
    expect(table.find("set").last).to_have_attribute("data-legal", "false")
    table.find("done").click()
    table.find("ask-yes").click()
    expect(table.find("penalty")).to_contain_text("penalty tile")
    table.what_now()
    told = page.locator("[aria-label='What to do now']").inner_text()
    assert told.lower().count("penalty tile") == 1, told


def test_two_equal_tiles_are_not_called_too_few(page: Page) -> None:
    """More tiles would not help: the sign and the sentence say what is wrong."""
    table = open_room(page, clock={"kind": "off"})
    for _ in range(30):
        assert table.what_now() == "draw"
        faces = [face for _, face in table.rack()]
        twice = next((face for face in faces if face != "*" and faces.count(face) > 1), None)
        if twice is not None:
            break
        table.draw()
    for tile, face in table.rack():
        if face == twice:
            table.rack_tile(tile).click()
    table.find("new-set").click()
    expect(page.locator(".sign", has_text="same tile twice")).to_be_visible()
    expect(page.locator(".sign", has_text="too short")).to_have_count(0)
    table.find("why").click()
    expect(table.find("faults")).to_contain_text("different colours")


def test_a_plan_is_private_and_lies_ready_when_the_turn_comes(visitors: Visitors) -> None:
    """Arranged off turn on a phone: judged, told to nobody, and carried into the turn."""
    mover, waiting = two_people(visitors)
    frames: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: frames.append(str(frame)))

    mover.page.on("websocket", listen)
    mover.page.reload()
    assert mover.what_now() == "draw"
    planned = [tile for tile, _ in waiting.rack()[:2]]
    for tile in planned:
        waiting.rack_tile(tile).click()
    waiting.find("new-set").click()
    expect(waiting.find("status-line")).to_contain_text("Your plan")
    expect(waiting.find("set")).to_have_count(1)
    expect(waiting.find("done")).to_be_disabled()
    assert violations(waiting.page) == []
    mover.draw()
    assert waiting.what_now() == "draw"
    expect(waiting.find("set")).to_have_count(1)
    for tile in planned:
        expect(waiting.set_tile(tile)).to_be_visible()
    mover.page.wait_for_timeout(300)
    assert frames
    for frame in frames:
        message = json.loads(frame)
        assert message["type"] != "drafted"
        view = message.get("view") or {}
        assert not set(planned) & set((view.get("game") or {}).get("rack", []))
        assert view.get("draft") is None
    waiting.find("reset").click()
    expect(waiting.find("set")).to_have_count(0)


def test_planning_and_bot_speed_are_settings_of_a_table(visitors: Visitors) -> None:
    """Both can be chosen for a new table; the speed also at the table."""
    page = visitors.come(**PHONE)
    page.goto("/new")
    page.get_by_text("Details").or_(page.locator("details summary").last).last.click()
    box = page.get_by_label("Allow planning during other players’ turns")
    expect(box).to_be_checked()
    box.uncheck()
    page.locator("form select[id$='chair-1']").select_option("beginner")
    page.get_by_label("Bot speed").select_option("fast")
    page.locator("form button.primary").click()
    table = Table(page, "wrc11")
    assert table.what_now() == "draw"
    table.find("chat-toggle").click()
    speed = table.find("bot-speed")
    expect(speed).to_have_value("fast")
    speed.select_option("slow")
    page.reload()
    table.what_now()
    table.find("chat-toggle").click()
    expect(table.find("bot-speed")).to_have_value("slow")
    assert violations(page) == []
