"""`meldroom championship`: run a championship over the board, without a server."""

from meldroom.cli.championship import (
    app,
    arrange,
    club_night,
    duplicate,
    entrants,
    formats,
    papers,
    penalties,
    pins,
    seating,
    sheets,
    simulate,
)
from meldroom.cli.championship.options import championship

# Each module adds its commands to `championship` when it is imported.
__all__ = [
    "app",
    "arrange",
    "championship",
    "club_night",
    "duplicate",
    "entrants",
    "formats",
    "papers",
    "penalties",
    "pins",
    "seating",
    "sheets",
    "simulate",
]
