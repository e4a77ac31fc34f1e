"""Airplane mode in real Chromium: the app is downloaded once, then there is neither network nor server.

Each book is played to its score sheet in one of two looks; `bench/airplane_mode.py` plays each in both.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext

from testkit.browser import airplane
from testkit.browser.axe import check
from testkit.browser.offline_app import QUICK_BOTS, change_build, copy_build
from testkit.browser.settings import PHONE
from testkit.server.process import serving
from tests.browser.conftest import PAGES, ROOT, Visitors

pytestmark = pytest.mark.xdist_group("browser")

LOOKS: dict[str, dict[str, Any]] = {
    "English, desk": {"locale": "en-GB"},
    "French, phone": {"locale": "fr-FR", "color_scheme": "dark", **PHONE},
}
GAMES = (
    ("wrc9", "English, desk"),
    ("wrc11", "French, phone"),
    ("nzrc2024", "English, desk"),
    ("tml", "French, phone"),
    ("rummyo", "English, desk"),
)
HOUSE = b'id = "kitchen"\nversion = "1"\nbase = "tml"\nname = "Kitchen rules"\n[opening]\npoints = 20\n'


class Travellers(Visitors):
    """Visitors in airplane mode, one browser profile for each look."""

    def __init__(self, browser: Browser, address: str) -> None:
        super().__init__(browser, address)
        self.profiles: dict[str, BrowserContext] = {}

    def board(self, look: str) -> None:
        """Come with this look and download the app."""
        page = self.come(**LOOKS[look])
        airplane.take_off(page)
        self.profiles[look] = page.context
        page.close()


@pytest.fixture(scope="module")
def travellers(
    browser: Browser, pages: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Travellers]:
    """Both looks, with the app downloaded and the server stopped."""
    folder = tmp_path_factory.mktemp("airplane")
    built = copy_build(
        Path(os.environ.get(PAGES) or ROOT / "src" / "meldroom" / "server" / "pages"), folder / "pages"
    )
    change_build(built, "assets/worker-*.js", QUICK_BOTS)
    with serving(folder / "data", "--trusted-load", environment={PAGES: str(built)}) as server:
        people = Travellers(browser, server.url)
        for look in LOOKS:
            people.board(look)
    yield people
    people.leave()
    assert people.complaints == []


@pytest.mark.parametrize(("book", "look"), GAMES)
def test_a_whole_game_without_a_network(book: str, look: str, travellers: Travellers) -> None:
    """Reloaded or killed in the middle of a turn, to the score sheet, the replay and the analysis."""
    page = travellers.profiles[look].new_page()
    airplane.play(page, book, check, killed=look == "French, phone").close()


@pytest.mark.parametrize("look", LOOKS)
def test_positions_counting_records_and_house_books(
    look: str, travellers: Travellers, tmp_path: Path
) -> None:
    """Everything else that somebody opens the app for, with axe content on each page."""
    page = travellers.profiles[look].new_page()
    airplane.solve_position(page, check)
    airplane.count_a_rack(page, check)
    airplane.open_record(page, ROOT / "examples" / "records" / "wrc9.meld", check)
    house = tmp_path / "kitchen.toml"
    house.write_bytes(HOUSE)
    airplane.play_by_house_book(page, house, "Kitchen rules", check)
    page.close()


@pytest.mark.parametrize(("locale", "name"), [("en-GB", "Play offline"), ("fr-FR", "Jouer hors ligne")])
def test_the_app_can_be_installed(locale: str, name: str, visitors: Visitors) -> None:
    """Before the flight: Chromium has nothing against it but that a test's profile is a private one."""
    page = visitors.come(locale=locale)
    page.goto("/offline/")
    session = page.context.new_cdp_session(page)
    errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert name in [shortcut["name"] for shortcut in json.loads(manifest["data"])["shortcuts"]]
