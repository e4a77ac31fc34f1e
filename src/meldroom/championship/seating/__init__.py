"""Championships over the board: seating and its draw. Pure logic, no network."""

from meldroom.championship.seating.by_standings import seat_by_standings
from meldroom.championship.seating.errors import SeatingError
from meldroom.championship.seating.generate import Seating, drawn, seating
from meldroom.championship.seating.history import NextSitting
from meldroom.championship.seating.raffle import Announcement, Entry, announce, entry
from meldroom.championship.seating.reseat import reseat

__all__ = [
    "Announcement",
    "Entry",
    "NextSitting",
    "Seating",
    "SeatingError",
    "announce",
    "drawn",
    "entry",
    "reseat",
    "seat_by_standings",
    "seating",
]
