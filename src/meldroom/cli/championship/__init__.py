"""`meldroom championship`: run a championship over the board, without a server."""

from meldroom.cli.championship import entrants, papers, penalties, seating, sheets, simulate
from meldroom.cli.championship.app import championship

# Each module adds its commands to `championship` when it is imported.
__all__ = ["championship", "entrants", "papers", "penalties", "seating", "sheets", "simulate"]
