"""Best responses: a search for what beats a bot, and the share of games that the best of it wins.

`respond` asks a `Question` within a `Budget`; `meldroom arena respond` is the same from the command line.
"""

from meldroom.arena.respond.report import Found
from meldroom.arena.respond.search import Budget, Progress, Question, respond, target_of

__all__ = ["Budget", "Found", "Progress", "Question", "respond", "target_of"]
