"""The levels that hold tiles back, between laying all they can and waiting for the whole rack."""

from __future__ import annotations

import msgspec


class Holding(msgspec.Struct, frozen=True):
    """How long a player holds back.

    Where tables are rearranged: it draws `draws` turns in a row although it could lay (a fraction is the
    chance of one more), then lays a tile; while somebody else has no more than `close` tiles, it draws
    `longer` turns more. Where tiles are laid off: it waits for a whole rack for its first `turns` turns.
    """

    draws: float
    turns: int
    close: int = 0
    longer: int = 0


HOLDING: dict[str, Holding] = {
    "expert": Holding(1, 0, close=2, longer=1),
    "thrifty": Holding(1.5, 10),
    "canny": Holding(2.15, 10),
    "squirrel": Holding(4, 10),
    "collector": Holding(7.5, 10),
}
