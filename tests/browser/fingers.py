"""A finger on the glass: touch events as Chromium gets them from a real screen."""

from __future__ import annotations

from playwright.sync_api import Locator

STEPS = 8


def drag_by_finger(what: Locator, to: Locator, *, right: bool = False) -> None:
    """Put a finger on one thing, move it to another in steps, and lift it; `right` aims at the right edge."""
    what.scroll_into_view_if_needed()
    start, end = what.bounding_box(), to.bounding_box()
    assert start is not None
    assert end is not None
    x0, y0 = start["x"] + start["width"] / 2, start["y"] + start["height"] / 2
    x1 = end["x"] + (end["width"] - 3 if right else end["width"] / 2)
    y1 = end["y"] + end["height"] / 2
    glass = what.page.context.new_cdp_session(what.page)

    def touch(kind: str, x: float, y: float) -> None:
        points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
        glass.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", x0, y0)
    for step in range(1, STEPS + 1):
        touch("touchMove", x0 + (x1 - x0) * step / STEPS, y0 + (y1 - y0) * step / STEPS)
    touch("touchEnd", x1, y1)
    glass.detach()
