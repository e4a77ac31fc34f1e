"""The static site in a sub-folder of a plain file server: a game, and all of it with the network gone."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, Visitors

pytestmark = pytest.mark.xdist_group("browser")

FOLDER = "clubs/rummy"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def files(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ThreadingHTTPServer]:
    """Python's own file server, with the site in a folder of it."""
    top = tmp_path_factory.mktemp("files")
    command = [sys.executable, "-m", "meldroom", "site", str(top / FOLDER)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    subprocess.run(command, check=True, env=environment, cwd=ROOT)
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(top)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def address(server: ThreadingHTTPServer) -> str:
    """Where the site is."""
    return f"http://127.0.0.1:{server.server_port}/{FOLDER}/"


@pytest.fixture
def guests(browser: Browser, files: ThreadingHTTPServer) -> Iterator[Visitors]:
    """Visitors of the static site."""
    people = Visitors(browser, address(files))
    yield people
    people.leave()
    assert people.complaints == []


def ready(page: Page) -> None:
    """The engine has been downloaded and runs."""
    expect(page.locator("form button.play")).to_be_enabled(timeout=90_000)


def test_unknown_addresses_are_not_found_and_known_ones_are_files(files: ThreadingHTTPServer) -> None:
    for path, status in (("", 200), ("r/?at=abc", 200), ("storage/", 200), ("lobby/", 404), ("r/abc", 404)):
        assert httpx.get(address(files) + path).status_code == status, path


def test_a_game_is_played_from_plain_files_and_goes_on_without_them(
    guests: Visitors, files: ThreadingHTTPServer
) -> None:
    page = guests.come()
    page.goto(address(files))
    expect(page.get_by_test_id("starting")).to_be_visible()
    ready(page)
    expect(page.get_by_test_id("airplane-mode")).to_have_attribute("data-state", "ready")
    page.locator("form button.play").click()
    expect(page.get_by_test_id("chat-toggle")).to_be_visible()
    assert page.url.startswith(f"{address(files)}r/?at=")
    table = page.url

    page.context.set_offline(True)
    page.goto(table)
    expect(page.get_by_test_id("chat-toggle")).to_be_visible(timeout=60_000)
    page.goto(address(files) + "rules/?at=wrc9/against/wrc11")
    expect(page.locator("table.comparison")).to_be_visible(timeout=60_000)
    page.goto(address(files))
    ready(page)
    expect(page.get_by_role("navigation", name="Your games in progress").get_by_role("link")).to_have_count(1)
