"""Championships over the board: seating and its draw. Pure logic, no network."""

from meldroom.championship.draw import Announcement, Entry, announce, entry
from meldroom.championship.seating import Seating, drawn, seating
from meldroom.championship.seating_changes import reseat
from meldroom.championship.seating_errors import SeatingError
from meldroom.championship.seating_past import NextSitting
from meldroom.championship.seating_standings import seat_by_standings

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
