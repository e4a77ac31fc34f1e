"""The first visit is light: at most 100 KB of compressed script, and real content before any script."""

from __future__ import annotations

import httpx
import pytest
from playwright.sync_api import Page, expect

from testkit.server.process import ServerProcess

pytestmark = pytest.mark.xdist_group("browser")

MOST_SCRIPT = 100_000


def test_the_first_load_is_at_most_100_kilobytes_of_script(page: Page) -> None:
    """Everything that the landing page loads, counted as it travels."""
    network = page.context.new_cdp_session(page)
    scripts: dict[str, str] = {}
    sizes: dict[str, float] = {}
    network.on("Network.responseReceived", lambda event: scripts.update(_script(event)))
    network.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    network.send("Network.enable")
    page.goto("/")
    expect(page.locator("form button.play")).to_be_enabled()
    page.wait_for_load_state("networkidle")
    carried = sum(sizes[request] for request in scripts if request in sizes)
    assert scripts
    assert 0 < carried <= MOST_SCRIPT, f"{carried:.0f} bytes in {sorted(scripts.values())}"
    asked = page.evaluate("performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [one for one in asked if "/engine" in one or "/worker-" in one or "/offline" in one]


def _script(event: dict[str, object]) -> dict[str, str]:
    response = event["response"]
    assert isinstance(response, dict)
    return {str(event["requestId"]): str(response["url"])} if event["type"] == "Script" else {}


def test_pages_are_guarded_and_kept_as_they_should_be(site: ServerProcess) -> None:
    """A strict content security policy; assets are kept for ever, the page itself never."""
    answer = httpx.get(site.url)
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert "frame-ancestors 'none'" in policy
    assert "no-cache" in answer.headers["cache-control"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    script = answer.text.partition('src="/assets/')[2].partition('"')[0]
    asset = httpx.get(f"{site.url}/assets/{script}", headers={"Accept-Encoding": "gzip"})
    assert "immutable" in asset.headers["cache-control"]
    assert asset.headers.get("content-encoding") == "gzip"
