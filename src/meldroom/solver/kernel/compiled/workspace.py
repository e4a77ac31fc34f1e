"""The room a search works in, as one array: to hand over two dozen takes longer than many functions do."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numba.extending import register_jitable

from meldroom.solver.kernel.compiled.arrays import Ints
from meldroom.solver.kernel.interpreted.workspace import (
    ARENA,
    BUDGETS,
    COLOURS,
    HASH,
    IDS_WITH,
    KEPT,
    MOST_JOKERS,
    NUMBERS,
    OPTIONS,
    PAIRS,
    PLACES,
    SIZES,
    Workspace,
)

__all__ = [
    "ARENA",
    "BUDGETS",
    "COLOURS",
    "HASH",
    "IDS_WITH",
    "KEPT",
    "MOST_JOKERS",
    "NUMBERS",
    "OPTIONS",
    "PAIRS",
    "PLACES",
    "SIZES",
    "Room",
    "Workspace",
    "make_workspace",
    "opened",
]

Room = Ints

_ENDS = tuple(accumulate(SIZES.values()))


def make_workspace() -> Room:
    """A fresh workspace; most of it is never touched and so costs no memory."""
    return np.zeros(_ENDS[-1], np.int64)


_PARTS = ", ".join(f"room[{end - size}:{end}]" for end, size in zip(_ENDS, SIZES.values(), strict=True))
_made: dict[str, Any] = {"Workspace": Workspace}
exec(f"def opened(room):\n    return Workspace({_PARTS})", _made)
opened = register_jitable(forceinline=True)(_made["opened"])
"""A part of its caller: a call of its own would cut out every part, where a function uses a few."""
