"""What every browser of a test or a benchmark is told: how long to wait, and how a phone looks."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

PATIENCE = 120_000
"""Milliseconds that a busy machine may take for one thing on a page.

As long as the server waits for an analysis, whose process goes behind everything else that runs."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 640},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}


def resize(page: Page, size: tuple[int, int]) -> None:
    """Another window; the page has drawn itself anew when this is over."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
