"""Whether a page is well: axe finds nothing, and nothing runs out at the side."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Page, expect


def violations(page: Page) -> list[str]:
    """What axe finds wrong with a page, in a line each."""
    found = Axe().run(page).response["violations"]
    return [
        f"{each['id']}: {each['help']}: {node['target']} {node.get('failureSummary', '')[:300]}"
        for each in found
        for node in each["nodes"][:3]
    ]


def check(page: Page) -> None:
    """The page is well: axe is content, and nothing runs out at the side."""
    fits(page)
    found = violations(page)
    assert not found, f"{page.url}\n" + "\n".join(found)


def fits(page: Page) -> None:
    """The page is there, and no wider than its window."""
    expect(page.locator("h1").first).to_be_attached()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), page.url
