"""What is wrong with a league, or with one of its events."""

from __future__ import annotations

from meldroom.errors import MeldroomError


class LeagueError(MeldroomError, ValueError):
    """A league that cannot be counted as it is given."""

    domain = "league.error"
