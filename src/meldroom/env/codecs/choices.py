"""What a seat can choose from: one value a choice, with the reasons why it is offered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

import msgspec

from meldroom.game.legal.lay_off import Draft
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.tiles import Face

Kind = Literal[
    "wait",  # draw a tile, or pass when the pool is empty
    "most_tiles",
    "most_points",
    "most_value",  # the opening that counts most
    "fewest",  # the opening with the fewest tiles
    "minimal",  # a part of the largest play of which no tile can be left out
    "keep_jokers",  # the largest play without the rack's jokers
    "from_rack",  # the largest play that leaves the table alone
    "hold",  # the largest play without one face
    "single",  # one tile
    "one_set",  # one new set
    "goes_out",
    "no_play",  # Rummy-O: nothing but a discard
    "take_stock",
    "take_discard",
    "discard",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


class Choice(msgspec.Struct, frozen=True):
    """One thing to do: why it is offered, the tiles that leave the rack, and what it leads to.

    `table` is the whole table after a play of a rearranging book, None if it is to be made once the play is
    chosen; `draft` is a play of a laying-off book that still needs its discard.
    """

    kinds: tuple[Kind, ...]
    faces: FaceSet = ()
    table: FaceTable | None = None
    draft: Draft | None = None


class Gathering:
    """Choices in the order they are found, each once; a second reason is added to the first choice."""

    def __init__(self, rack: FaceSet) -> None:
        self.rack = rack
        self._found: dict[object, Choice] = {}

    def __len__(self) -> int:
        return len(self._found)

    def add(self, choice: Choice, key: object = None) -> None:
        """One more choice; `key` tells choices apart, the tiles do if it is None."""
        key = choice.faces if key is None else key
        known = self._found.get(key)
        if known is None:
            out = len(choice.faces) == len(self.rack) and choice.draft is None
            kinds: tuple[Kind, ...] = (*choice.kinds, "goes_out") if out else choice.kinds
            self._found[key] = msgspec.structs.replace(choice, kinds=kinds)
        elif not set(choice.kinds) <= set(known.kinds):
            kinds = (*known.kinds, *(kind for kind in choice.kinds if kind not in known.kinds))
            self._found[key] = msgspec.structs.replace(known, kinds=kinds)

    def all(self) -> Iterable[Choice]:
        """The choices, first found first."""
        return self._found.values()


def without(faces: FaceSet, unwanted: Face) -> FaceSet:
    """Faces without every copy of one."""
    return tuple([face for face in faces if face != unwanted])
