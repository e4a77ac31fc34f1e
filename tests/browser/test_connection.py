"""The server goes away in the middle of a turn and comes back: so does the page, by itself, draft and all."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from testkit.browser.table import start_against_bots
from testkit.server.process import serving
from tests.browser.conftest import Visitors

pytestmark = pytest.mark.xdist_group("browser at the table")


def test_a_page_comes_back_by_itself_after_the_server_was_killed(
    pages: None, browser: Browser, tmp_path: Path
) -> None:
    """It says that the connection is lost, finds the server again, and the game goes on where it was."""
    with serving(tmp_path / "data", "--trusted-load", "--bot-pace", "0", "--start-phase", "0") as server:
        visitors = Visitors(browser, server.url)
        page = visitors.come()
        table = start_against_bots(page, "wrc11")
        table.what_now()
        rack, before = table.rack(), len(table.sets())
        table.rack_tile(rack[0][0]).click()
        table.find("new-set").click()
        expect(table.find("set")).to_have_count(before + 1)
        server.kill()
        lost = page.get_by_text("Connection lost")
        expect(lost.first).to_be_visible()
        server.start()
        expect(lost.first).to_be_hidden()
        expect(table.find("set")).to_have_count(before + 1)
        table.find("reset").click()
        assert table.what_now() == "draw"
        table.draw()
        assert len(table.rack()) == len(rack) + 1
        visitors.leave()
