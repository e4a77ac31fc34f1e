"""Open data: games of mixed tables as records that can be replayed, with statistics and a data card.

`write` plays an experiment of the arena and writes a corpus, `check` replays one, `read_records` reads one of
its files, and `facts` counts a single game.
"""

from meldroom.corpus.checker import Checked, check
from meldroom.corpus.errors import CorpusError
from meldroom.corpus.records import read_records
from meldroom.corpus.statistics import Facts, GameFacts, PlayerFacts, TurnFacts, facts
from meldroom.corpus.writer import Corpus, write

__all__ = [
    "Checked",
    "Corpus",
    "CorpusError",
    "Facts",
    "GameFacts",
    "PlayerFacts",
    "TurnFacts",
    "check",
    "facts",
    "read_records",
    "write",
]
