"""The bots that can play on a device."""

from __future__ import annotations

from meldroom.bots.levels import LEVELS as ALL
from meldroom.browser.errors import DeviceRefusal
from meldroom.i18n import Message

LEVELS = tuple(level.id for level in ALL.values() if not level.heavy)
"""Those that answer soon enough where kernels are not compiled."""


def check_level(level: str, place: str) -> None:
    """Raises Refusal for a bot that cannot play here."""
    if level not in LEVELS:
        names = tuple(Message(f"bots.level.{one}.name") for one in LEVELS)
        raise DeviceRefusal("no_such_level", place, level=level[:40], levels=names)
