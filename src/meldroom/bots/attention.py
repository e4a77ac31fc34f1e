"""The levels that overlook what people overlook: how much of the table each of them takes in."""

from __future__ import annotations

import random

import msgspec

from meldroom.game.views import View


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
    "improver": Attention(tiles=0.06, turns=0.1),
    "casual": Attention(tiles=0.19, turns=0.25),
    "family": Attention(turns=0.4),
    "regular": Attention(sets=0.07, turns=0.55),
    "keen": Attention(sets=1.0, steps=9, turns=0.7),
    "skilled": Attention(sets=1.0, pairs=15, steps=9, turns=0.85),
}


def chance(seed: str, view: View) -> random.Random:
    """Random numbers for one turn of one seat; the same again for the same seed."""
    return random.Random(f"{seed} {view.game} {sum(view.turns)} {view.me}")
