"""Bots: the ladder from beginner to master, programs in any language, and the loop that plays a game.

>>> from meldroom.bots import bot, play
>>> record = play("wrc11", [bot("tournament"), bot("club")], seed=7)
>>> record.headers.players
('tournament', 'club')

A bot sees a view and answers with an action.

>>> from meldroom.game import Shuffle, new_game, view
>>> from meldroom.rules.library import book
>>> wrc11 = book("wrc11")
>>> state, _ = new_game(wrc11, ["Ada", "Bo"], Shuffle("a game"), starter=0)
>>> make_bot("tournament", wrc11).act(view(state, 0), Clock())
Draw(seat=0)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from meldroom.bots.errors import BotError
from meldroom.bots.interface import Bot, Clock, MakeBot
from meldroom.bots.levels import DEFAULT_LEVEL, LEVELS, Level, bot, make_bot

if TYPE_CHECKING:
    from meldroom.bots.chances import Playouts, WinChances, win_chances
    from meldroom.bots.game_loop import Game, Observer, Step, play, play_game

__all__ = [
    "DEFAULT_LEVEL",
    "LEVELS",
    "Bot",
    "BotError",
    "Clock",
    "Game",
    "Level",
    "MakeBot",
    "Observer",
    "Playouts",
    "Step",
    "WinChances",
    "bot",
    "make_bot",
    "play",
    "play_game",
    "win_chances",
]

_LOADED_LATE = {
    **dict.fromkeys(("Game", "Observer", "Step", "play", "play_game"), "game_loop"),
    **dict.fromkeys(("Playouts", "WinChances", "win_chances"), "chances"),
}


def __getattr__(name: str) -> Any:
    """The loop, the records it writes, and imagined games are loaded when somebody asks for them."""
    if name in _LOADED_LATE:
        return getattr(import_module(f"meldroom.bots.{_LOADED_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
