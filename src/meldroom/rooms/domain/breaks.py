"""When the next game of an event's table begins by itself: after a break that everybody knows of."""

from __future__ import annotations

from meldroom.rooms.domain.state import Room

BREAK = 90_000
"""How long, in ms, a table of an event rests between two games if its players do not agree to go on."""


def next_due(room: Room) -> int | None:
    """When the next game begins by itself; None if none does."""
    if room.championship is None or room.stage != "over" or room.match_over or room.to_be_ruled:
        return None
    return room.acted_at + BREAK
