"""Bots on views: the ladder from beginner to master, and bots in any language over standard input and output.

>>> from meldroom.game import Shuffle, new_game, view
>>> from meldroom.rules.library import book
>>> wrc11 = book("wrc11")
>>> state, _ = new_game(wrc11, ["Ada", "Bo"], Shuffle("any text"), starter=0)
>>> type(make_bot("tournament", wrc11).act(view(state, 0), Clock())).__name__
'Draw'
"""

from meldroom.bots.bot import Bot, Clock
from meldroom.bots.errors import BotError
from meldroom.bots.game_loop import play_game
from meldroom.bots.levels import LEVELS, Level, make_bot

__all__ = ["LEVELS", "Bot", "BotError", "Clock", "Level", "make_bot", "play_game"]
