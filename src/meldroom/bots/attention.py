"""The levels that overlook what people overlook: how much of the table each of them takes in."""

from __future__ import annotations

import random

import msgspec

from meldroom.game.views import View
from meldroom.rules.book import RuleBook


class Attention(msgspec.Struct, frozen=True):
    """What a player notices in a turn.

    Where tables are rearranged: `tiles` is the chance to notice that a tile of the rack fits a set as it is,
    `sets` the chance to see what could be rearranged in a set, `pairs` how many pairs of sets it looks at
    together, `steps` how many rearrangements it makes. Where tiles are laid off: `turns` is the share of
    turns in which it sees the tiles it could add and the discards it could use.
    """

    tiles: float = 1.0
    sets: float = 0.0
    pairs: int = 0
    steps: int = 1
    turns: float = 1.0


ATTENTION: dict[str, Attention] = {
    "learner": Attention(tiles=0.05, turns=0.0),
    "improver": Attention(tiles=0.155, turns=0.5),
    "casual": Attention(tiles=0.45, turns=0.5),
    "family": Attention(sets=0.02, turns=0.5),
    "regular": Attention(sets=0.14, turns=0.5),
    "keen": Attention(sets=0.8, steps=9, turns=0.5),
    "skilled": Attention(sets=1.0, pairs=13, steps=9),
}

LONG_GAME = 0.7
"""Where a game goes on with an empty pool, people see the same tiles again and again: so much less a turn."""


def attention(level: str, book: RuleBook) -> Attention:
    """How attentive a level is in a book."""
    usual = ATTENTION[level]
    if book.pool_end.ending != "all_pass":
        return usual
    return msgspec.structs.replace(usual, tiles=LONG_GAME * usual.tiles, sets=LONG_GAME * usual.sets)


def chance(seed: str, view: View) -> random.Random:
    """Random numbers for one turn of one seat; the same again for the same seed."""
    return random.Random(f"{seed} {view.game} {sum(view.turns)} {view.me}")
