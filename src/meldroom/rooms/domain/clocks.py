"""How long a turn lasts in a room, and when it ends."""

from __future__ import annotations

from meldroom.rooms.protocol.settings import Settings
from meldroom.rules.book import RuleBook

LEAST_SECONDS, MOST_SECONDS = 15, 300
LEAST_HOURS, MOST_HOURS = 1, 168
LEAST_LEFT = 10_000
"""What a turn has at least, in ms, when the server is back after it was away."""


def turn_length(settings: Settings, book: RuleBook) -> int | None:
    """Milliseconds for a turn, None where no clock runs."""
    match settings.clock.kind:
        case "off":
            return None
        case "book":
            return book.clock.seconds * 1000 or None
        case "seconds":
            return settings.clock.amount * 1000
        case "hours":
            return settings.clock.amount * 3_600_000


def clock_label(settings: Settings, book: RuleBook) -> str:
    """The clock in a few signs: `40 s`, `24 h`, or nothing."""
    length = turn_length(settings, book)
    if length is None:
        return ""
    return f"{settings.clock.amount} h" if settings.clock.kind == "hours" else f"{length // 1000} s"


def restored_deadline(deadline: int, length: int, last_alive: int, now: int) -> int:
    """The deadline of a turn that was running when the server went away: the turn keeps what it had left."""
    left = deadline - last_alive
    return now + max(left, min(LEAST_LEFT, length))
