"""One server and built pages for the browser tests of a process; a page that complains fails its test.

They are two groups for xdist, which take equally long: "browser at the table", and "browser" for the rest.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from testkit.browser import chromium
from testkit.browser.settings import PATIENCE
from testkit.server import fixed_deals
from testkit.server.process import ServerProcess, serving

ROOT = Path(__file__).resolve().parents[2]
PAGES = "MELDROOM_PAGES"

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def pages() -> None:
    """The built pages: those that the environment names, else those of this source, built if need be."""
    if PAGES not in os.environ:
        subprocess.run([sys.executable, str(ROOT / "web" / "build.py"), "--quick"], check=True)


@pytest.fixture(scope="session")
def site(pages: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server whose bots do not wait, and on which every game of a book is dealt alike."""
    folder = tmp_path_factory.mktemp("browser") / "data"
    with serving(
        folder, "--trusted-load", "--bot-pace", "0", "--start-phase", "0", program=fixed_deals.__name__
    ) as server:
        yield server


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The Chromium of a file of tests; while it is open, the process can run no other event loop."""
    with sync_playwright() as playwright:
        running = chromium.launch(playwright.chromium)
        yield running
        running.close()


class Visitors:
    """Makes visitors, each with a separate browser profile, and hears what their pages complain about."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser = browser
        self.address = address
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def come(self, **options: Any) -> Page:
        """A newcomer's empty page. Options are those of a browser context; nothing moves unless asked for."""
        given = {
            "base_url": self.address,
            "viewport": {"width": 1280, "height": 800},
            "locale": "en-GB",
            "reduced_motion": "reduce",
            **options,
        }
        context = self.browser.new_context(**given)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(fixed_deals.SAME_WORD)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        page.on("console", lambda said: self._said(page, said.type, said.text))
        return page

    def _said(self, page: Page, kind: str, text: str) -> None:
        # A resource that is not there is told by the page itself where a visitor should know of it.
        if kind in ("error", "warning") and "Failed to load resource" not in text:
            self.complaints.append(f"{page.url}: {text}")

    def leave(self) -> None:
        """Everybody goes."""
        for context in self.contexts:
            context.close()


@pytest.fixture
def visitors(browser: Browser, site: ServerProcess) -> Iterator[Visitors]:
    """Visitors of the site; nothing that their pages complained about is let pass."""
    people = Visitors(browser, site.url)
    yield people
    people.leave()
    assert people.complaints == []


@pytest.fixture
def page(visitors: Visitors) -> Page:
    """One visitor's page on a desk."""
    return visitors.come()
