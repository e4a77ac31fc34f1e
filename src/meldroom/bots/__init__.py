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

from meldroom.bots.errors import BotError
from meldroom.bots.game_loop import Game, Observer, Step, play, play_game
from meldroom.bots.interface import Bot, Clock, MakeBot
from meldroom.bots.levels import LEVELS, Level, bot, make_bot

__all__ = [
    "LEVELS",
    "Bot",
    "BotError",
    "Clock",
    "Game",
    "Level",
    "MakeBot",
    "Observer",
    "Step",
    "bot",
    "make_bot",
    "play",
    "play_game",
]
