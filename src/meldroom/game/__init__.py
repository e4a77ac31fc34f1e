"""Whose turn it is and what happened: state, actions, events, views and matches of several games."""

from meldroom.game.actions import (
    Abandon,
    Action,
    Correct,
    Discard,
    Draw,
    Lay,
    MeldPlay,
    Move,
    Pass,
    Play,
    RequestRedeal,
    Resign,
    RuleLeftovers,
    Take,
    TimeOut,
    Withdraw,
)
from meldroom.game.apply import apply, new_game, reveal
from meldroom.game.errors import ActionError
from meldroom.game.events import Event
from meldroom.game.fold import evolve, fold
from meldroom.game.legal.actions import LegalActions, legal
from meldroom.game.match import Match, MatchStanding
from meldroom.game.shuffle import Shuffle, commitment, new_secret
from meldroom.game.state import Meld, Result, State, tiles_in
from meldroom.game.views import View, event_view, view

__all__ = [
    "Abandon",
    "Action",
    "ActionError",
    "Correct",
    "Discard",
    "Draw",
    "Event",
    "Lay",
    "LegalActions",
    "Match",
    "MatchStanding",
    "Meld",
    "MeldPlay",
    "Move",
    "Pass",
    "Play",
    "RequestRedeal",
    "Resign",
    "Result",
    "RuleLeftovers",
    "Shuffle",
    "State",
    "Take",
    "TimeOut",
    "View",
    "Withdraw",
    "apply",
    "commitment",
    "event_view",
    "evolve",
    "fold",
    "legal",
    "new_game",
    "new_secret",
    "reveal",
    "tiles_in",
    "view",
]
