"""Several championships in one table: leagues and series, and a rating list over all of them."""

from meldroom.league.definition import League, load_league, read_league
from meldroom.league.errors import LeagueError
from meldroom.league.events import EventResult, load_event, result_of
from meldroom.league.ratings import RatingList, rate
from meldroom.league.table import LeagueTable, league_table

__all__ = [
    "EventResult",
    "League",
    "LeagueError",
    "LeagueTable",
    "RatingList",
    "league_table",
    "load_event",
    "load_league",
    "rate",
    "read_league",
    "result_of",
]
