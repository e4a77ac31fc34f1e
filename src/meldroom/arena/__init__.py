"""Experiments: bots against bots on mirrored deals, with intervals, ratings and a report.

`load` or `read` gives an Experiment, `run` plays it on this machine or on a cluster.
"""

from meldroom.arena.config import load, loads, read
from meldroom.arena.errors import ArenaError
from meldroom.arena.experiment import BookEntry, Entrant, Experiment, LineUp
from meldroom.arena.game import GameRow, SeatRow
from meldroom.arena.reporting.statistics import Estimate
from meldroom.arena.reporting.summary import Line, Results
from meldroom.arena.run import run

__all__ = [
    "ArenaError",
    "BookEntry",
    "Entrant",
    "Estimate",
    "Experiment",
    "GameRow",
    "Line",
    "LineUp",
    "Results",
    "SeatRow",
    "load",
    "loads",
    "read",
    "run",
]
