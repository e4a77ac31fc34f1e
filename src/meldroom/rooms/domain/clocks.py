"""How long a turn lasts, when it ends, and how long a championship's table rests between games."""

from __future__ import annotations

from meldroom.rooms.domain.state import Room
from meldroom.rooms.protocol.settings import Settings
from meldroom.rules.book import RuleBook

LEAST_SECONDS, MOST_SECONDS = 15, 300
LEAST_HOURS, MOST_HOURS = 1, 168
LEAST_LEFT = 10_000
"""What a turn has at least, in ms, when the server is back after a restart."""
BREAK = 90_000
"""How long, in ms, a championship's table rests between two games unless its players agree to go on."""


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
    """The clock in short: `40 s`, `24 h`, or nothing."""
    length = turn_length(settings, book)
    if length is None:
        return ""
    return f"{settings.clock.amount} h" if settings.clock.kind == "hours" else f"{length // 1000} s"


def restored_deadline(deadline: int, length: int, last_alive: int, now: int) -> int:
    """The deadline of a turn that was running when the server stopped: it keeps the time it had left."""
    left = deadline - last_alive
    return now + max(left, min(LEAST_LEFT, length))


def next_game_at(room: Room) -> int | None:
    """When the next game of a championship's table starts by itself; None if none does."""
    if room.championship is None or room.stage != "over" or room.match_over or room.to_be_ruled:
        return None
    return room.acted_at + BREAK
