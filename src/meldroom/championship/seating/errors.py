"""What is wrong with a request for seating."""

from __future__ import annotations

from meldroom.championship.errors import ChampionshipError


class SeatingError(ChampionshipError):
    """A seating that cannot be made. Nothing has been drawn."""

    domain = "seating.error"
