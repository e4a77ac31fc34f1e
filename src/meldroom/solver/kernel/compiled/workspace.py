"""The room a search works in, as one array: numba takes microseconds to be handed two dozen of them."""

from __future__ import annotations

from itertools import accumulate
from typing import Any, cast

import numpy as np
from numba.extending import register_jitable

from meldroom.solver.kernel.compiled.arrays import Ints
from meldroom.solver.kernel.interpreted.workspace import (
    ARENA,
    BUDGETS,
    COLOURS,
    HASH,
    IDS,
    MOST_JOKERS,
    NUMBERS,
    OPTIONS,
    PAIRS,
    SIZES,
    Workspace,
)

__all__ = [
    "ARENA",
    "BUDGETS",
    "COLOURS",
    "HASH",
    "IDS",
    "MOST_JOKERS",
    "NUMBERS",
    "OPTIONS",
    "PAIRS",
    "SIZES",
    "Room",
    "Workspace",
    "make_workspace",
    "opened",
    "room_of",
]

Room = Ints

_ENDS = tuple(accumulate(SIZES.values()))


def make_workspace() -> Workspace:
    """A fresh workspace; most of it is never touched and so costs no memory."""
    return cast(Workspace, opened(np.zeros(_ENDS[-1], np.int64)))


def room_of(ws: Workspace) -> Room:
    """The array that a workspace was cut from."""
    return cast(Room, ws.total.base)  # type: ignore[attr-defined]


_PARTS = ", ".join(f"room[{end - size}:{end}]" for end, size in zip(_ENDS, SIZES.values(), strict=True))
_made: dict[str, Any] = {"Workspace": Workspace}
exec(f"def opened(room):\n    return Workspace({_PARTS})", _made)
opened = register_jitable(_made["opened"])
