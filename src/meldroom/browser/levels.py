"""The bots that can play on a device."""

from __future__ import annotations

from meldroom.browser.errors import DeviceRefusal
from meldroom.i18n import Message

LEVELS = ("beginner", "club", "tournament", "patient")
"""Those that answer soon enough where kernels are not compiled."""


def check_level(level: str, place: str) -> None:
    """Raises Refusal for a bot that cannot play here."""
    if level not in LEVELS:
        names = tuple(Message(f"bots.level.{one}.name") for one in LEVELS)
        raise DeviceRefusal("no_such_level", place, level=level[:40], levels=names)
