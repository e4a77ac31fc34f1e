"""Fingers on the glass: touch events as Chromium gets them from a real screen."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import CDPSession, Locator

STEPS = 8

Point = tuple[float, float]


def middle(what: Locator, *, right: bool = False) -> Point:
    """The middle of something, or a place near its right edge."""
    box = what.bounding_box()
    assert box is not None
    return box["x"] + (box["width"] - 3 if right else box["width"] / 2), box["y"] + box["height"] / 2


def touch(glass: CDPSession, kind: str, points: Sequence[Point]) -> None:
    """Say where the fingers are now; `touchEnd` lifts those that are no longer named."""
    glass.send(
        "Input.dispatchTouchEvent",
        {"type": kind, "touchPoints": [{"x": x, "y": y, "id": id} for id, (x, y) in enumerate(points)]},
    )


def drag_by_finger(what: Locator, to: Locator, *, right: bool = False) -> None:
    """Put a finger on one thing, move it to another in steps, and lift it; `right` aims at the right edge."""
    what.scroll_into_view_if_needed()
    (x0, y0), (x1, y1) = middle(what), middle(to, right=right)
    glass = what.page.context.new_cdp_session(what.page)
    touch(glass, "touchStart", [(x0, y0)])
    for step in range(1, STEPS + 1):
        touch(glass, "touchMove", [(x0 + (x1 - x0) * step / STEPS, y0 + (y1 - y0) * step / STEPS)])
    touch(glass, "touchEnd", [])
    glass.detach()


def pinch(first: Locator, second: Locator, *, held: float = 0) -> None:
    """Two fingers on two things, moved apart; the first one moves by `held` before the second comes."""
    glass = first.page.context.new_cdp_session(first.page)
    (x0, y0), (x1, y1) = middle(first), middle(second)
    touch(glass, "touchStart", [(x0, y0)])
    if held:
        for step in range(1, STEPS + 1):
            touch(glass, "touchMove", [(x0, y0 - held * step / STEPS)])
        y0 -= held
    touch(glass, "touchStart", [(x0, y0), (x1, y1)])
    for step in range(1, STEPS + 1):
        touch(glass, "touchMove", [(x0, y0 - 12 * step), (x1, y1 + 12 * step)])
    touch(glass, "touchEnd", [])
    glass.detach()
