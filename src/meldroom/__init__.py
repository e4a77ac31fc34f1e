"""Meldroom: tile rummy, by the book.

The names below are the public library; each is loaded when it is first used. `solve`, bots and `play` run
kernels that numba compiles where it is installed; without it they answer the same, many times slower.

>>> import meldroom as mr
>>> state = mr.State.from_position("wrc11 / table R1 R2 R3 / racks K9 R4, ?x14 / turn 1 / melded 1")
>>> state
<State wrc11, seat 1 to move>
>>> [state.describe(action) for action in state.legal]
['draw', 'lay R4 -> R1 R2 R3 R4']
>>> mr.book("wrc11").cite("opening.points").clause
'WRC 11 #4'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meldroom.bots import BotError, bot, play
    from meldroom.decode import DecodeError
    from meldroom.errors import MeldroomError, MissingExtraError
    from meldroom.game import events
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
    from meldroom.game.apply import new_game, reveal
    from meldroom.game.errors import ActionError, BudgetSpentError
    from meldroom.game.events import Event
    from meldroom.game.fold import fold
    from meldroom.game.from_view import fill_hidden, state_from_view
    from meldroom.game.legal.actions import LegalActions
    from meldroom.game.match import Match
    from meldroom.game.notation.errors import NotationError
    from meldroom.game.notation.position import Position
    from meldroom.game.notation.svg import to_svg
    from meldroom.game.score_sheet import score_sheet
    from meldroom.game.shuffle import Shuffle, commitment, new_secret
    from meldroom.game.state import Meld, Result, State
    from meldroom.game.views import View, event_view
    from meldroom.record import Record, Report, load, loads, to_json
    from meldroom.rules.book import RuleBook
    from meldroom.rules.laying_off import LayOffTurn, judge
    from meldroom.rules.library import BOOK_IDS, BookError, book, house_book, load_book, load_house_book
    from meldroom.rules.opening import opening
    from meldroom.rules.requests import RequestError, check, ruling, score_racks
    from meldroom.rules.scoring import Final, FinalRack, ScoreSheet, ScoringError, score
    from meldroom.rules.verify import Turn, verify
    from meldroom.rules.violations import Violation
    from meldroom.solver import BestPlay, SolverError, explain, solve
    from meldroom.tiles import (
        HIDDEN,
        Face,
        Tile,
        TileSet,
        TileSetError,
        TileTextError,
        parse_set,
        parse_table,
        parse_tile,
    )

__version__ = "0.2.0"

_HOME = {
    "meldroom.bots": "BotError bot play",
    "meldroom.decode": "DecodeError",
    "meldroom.errors": "MeldroomError MissingExtraError",
    "meldroom.game": "events",
    "meldroom.game.actions": (
        "Abandon Action Correct Discard Draw Lay MeldPlay Move Pass Play RequestRedeal Resign "
        "RuleLeftovers Take TimeOut Withdraw"
    ),
    "meldroom.game.apply": "new_game reveal",
    "meldroom.game.errors": "ActionError BudgetSpentError",
    "meldroom.game.events": "Event",
    "meldroom.game.fold": "fold",
    "meldroom.game.from_view": "fill_hidden state_from_view",
    "meldroom.game.legal.actions": "LegalActions",
    "meldroom.game.match": "Match",
    "meldroom.game.notation.errors": "NotationError",
    "meldroom.game.notation.position": "Position",
    "meldroom.game.notation.svg": "to_svg",
    "meldroom.game.score_sheet": "score_sheet",
    "meldroom.game.shuffle": "Shuffle commitment new_secret",
    "meldroom.game.state": "Meld Result State",
    "meldroom.game.views": "View event_view",
    "meldroom.record": "Record Report load loads to_json",
    "meldroom.rules.book": "RuleBook",
    "meldroom.rules.laying_off": "LayOffTurn judge",
    "meldroom.rules.library": "BOOK_IDS BookError book house_book load_book load_house_book",
    "meldroom.rules.opening": "opening",
    "meldroom.rules.requests": "RequestError check ruling score_racks",
    "meldroom.rules.scoring": "Final FinalRack ScoreSheet ScoringError score",
    "meldroom.rules.verify": "Turn verify",
    "meldroom.rules.violations": "Violation",
    "meldroom.solver": "BestPlay SolverError explain solve",
    "meldroom.tiles": (
        "HIDDEN Face Tile TileSet TileSetError TileTextError parse_set parse_table parse_tile"
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "BOOK_IDS",
    "HIDDEN",
    "Abandon",
    "Action",
    "ActionError",
    "BestPlay",
    "BookError",
    "BotError",
    "BudgetSpentError",
    "Correct",
    "DecodeError",
    "Discard",
    "Draw",
    "Event",
    "Face",
    "Final",
    "FinalRack",
    "Lay",
    "LayOffTurn",
    "LegalActions",
    "Match",
    "Meld",
    "MeldPlay",
    "MeldroomError",
    "MissingExtraError",
    "Move",
    "NotationError",
    "Pass",
    "Play",
    "Position",
    "Record",
    "Report",
    "RequestError",
    "RequestRedeal",
    "Resign",
    "Result",
    "RuleBook",
    "RuleLeftovers",
    "ScoreSheet",
    "ScoringError",
    "Shuffle",
    "SolverError",
    "State",
    "Take",
    "Tile",
    "TileSet",
    "TileSetError",
    "TileTextError",
    "TimeOut",
    "Turn",
    "View",
    "Violation",
    "Withdraw",
    "__version__",
    "book",
    "bot",
    "check",
    "commitment",
    "event_view",
    "events",
    "explain",
    "fill_hidden",
    "fold",
    "house_book",
    "judge",
    "load",
    "load_book",
    "load_house_book",
    "loads",
    "new_game",
    "new_secret",
    "opening",
    "parse_set",
    "parse_table",
    "parse_tile",
    "play",
    "reveal",
    "ruling",
    "score",
    "score_racks",
    "score_sheet",
    "solve",
    "state_from_view",
    "to_json",
    "to_svg",
    "verify",
]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'meldroom' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return __all__
