"""Meldroom: tile rummy, by the book.

The names below are the public library; each is loaded when it is first used.

>>> import meldroom
>>> wrc11 = meldroom.book("wrc11")
>>> wrc11.opening.points, wrc11.cite("opening.points").clause
(30, 'WRC 11 #4')
>>> answer = meldroom.check({"rulebook": "wrc11", "table_before": [], "rack": ["R9", "B9", "K9"],
...                          "table_after": [["R9", "B9", "K9"]], "has_melded": False})
>>> [fault["code"] for fault in answer["violations"]]
['MELD_LT_30']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meldroom.game import (
        ActionError,
        Match,
        Shuffle,
        State,
        View,
        apply,
        commitment,
        event_view,
        fold,
        legal,
        new_game,
        new_secret,
        reveal,
        view,
    )
    from meldroom.rules.book import RuleBook
    from meldroom.rules.laying_off import LayOffTurn, judge
    from meldroom.rules.library import BOOK_IDS, BookError, book, house_book, load_book, load_house_book
    from meldroom.rules.opening import opening
    from meldroom.rules.requests import RequestError, check, ruling, score_racks
    from meldroom.rules.scoring import Final, FinalRack, score
    from meldroom.rules.verify import Turn, verify
    from meldroom.rules.violations import Violation
    from meldroom.tiles import TileSet, TileTextError, parse_set, parse_table, parse_tile

__version__ = "0.2.0"

_HOME = {
    "meldroom.game": (
        "ActionError Match Shuffle State View apply commitment event_view fold legal new_game new_secret "
        "reveal view"
    ),
    "meldroom.rules.book": "RuleBook",
    "meldroom.rules.laying_off": "LayOffTurn judge",
    "meldroom.rules.library": "BOOK_IDS BookError book house_book load_book load_house_book",
    "meldroom.rules.opening": "opening",
    "meldroom.rules.requests": "RequestError check ruling score_racks",
    "meldroom.rules.scoring": "Final FinalRack score",
    "meldroom.rules.verify": "Turn verify",
    "meldroom.rules.violations": "Violation",
    "meldroom.tiles": "TileSet TileTextError parse_set parse_table parse_tile",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [
    "BOOK_IDS",
    "ActionError",
    "BookError",
    "Final",
    "FinalRack",
    "LayOffTurn",
    "Match",
    "RequestError",
    "RuleBook",
    "Shuffle",
    "State",
    "TileSet",
    "TileTextError",
    "Turn",
    "View",
    "Violation",
    "__version__",
    "apply",
    "book",
    "check",
    "commitment",
    "event_view",
    "fold",
    "house_book",
    "judge",
    "legal",
    "load_book",
    "load_house_book",
    "new_game",
    "new_secret",
    "opening",
    "parse_set",
    "parse_table",
    "parse_tile",
    "reveal",
    "ruling",
    "score",
    "score_racks",
    "verify",
    "view",
]


def __getattr__(name: str) -> Any:
    module = _MODULE_OF.get(name)
    if module is None:
        raise AttributeError(f"module 'meldroom' has no attribute {name!r}")
    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return __all__
