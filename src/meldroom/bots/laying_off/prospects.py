"""How far a rack is from going out whole, and what each discard would leave of its chances."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
import numpy as np

from meldroom.bots.laying_off.layouts_kernel import (
    Blocks,
    Ints,
    Odds,
    appraise,
    look_ahead,
    make_room,
)
from meldroom.bots.laying_off.meld_shapes import additions, shapes
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.rules.verify import FaceSet
from meldroom.tiles import Face

DEEP = 4


class Chances(msgspec.Struct, frozen=True):
    """What a rack with one tile too many wants at least to go out, and by face what discarding it leaves.

    A face that is missing from `worth` is needed by every nearest way out.
    """

    away: int
    worth: dict[Face, float]

    @property
    def best(self) -> float:
        """What the best discard leaves."""
        return max(self.worth.values(), default=0.0)


class Prospects:
    """The chances of racks against one table, with what their player has not seen.

    `looks` says how many tiles a turn the player gets to choose from, `patience` how likely it is that
    nobody else goes out before their next turn.
    """

    def __init__(
        self, book: RuleBook, melds: Sequence[Exposed], unseen: Sequence[int], looks: float, patience: float
    ) -> None:
        tiles = book.tiles
        self.joker = tiles.joker
        self.blocks = _blocks(book, melds)
        self.room = make_room(self.joker)
        total = max(1, sum(unseen))
        numbered: Ints = np.array(unseen[: self.joker], np.int64)
        self.odds = Odds(
            unseen=numbered,
            reach=np.minimum(numbered * (looks / total), 1.0),
            jokers=unseen[self.joker],
            joker=unseen[self.joker] / total,
            patience=patience,
            deep=DEEP,
        )

    def after_each(self, rack: Sequence[Face], nodes: int) -> Chances:
        """What each discard from a rack leaves; all that stays then must be laid."""
        hand, jokers = self._counts(rack)
        values = np.zeros(self.joker)
        away, _ = appraise(
            self.blocks, self.odds, self.room, hand, jokers, len(rack) - 1, nodes, self.joker, values
        )
        return Chances(
            away, {face: float(values[face]) for face in sorted(set(rack) - {self.joker}) if values[face]}
        )

    def ahead(self, rack: Sequence[Face], away: int, nodes: int) -> float | None:
        """What a rack after its discard is worth, every next tile looked at; None if that takes too long."""
        hand, jokers = self._counts(rack)
        waiting, left = look_ahead(self.blocks, self.odds, self.room, hand, jokers, len(rack), away, nodes)
        return None if left < 0 else waiting

    def _counts(self, rack: Sequence[Face]) -> tuple[Ints, int]:
        counts = np.bincount(rack, minlength=self.joker + 1)
        return counts[: self.joker].copy(), int(counts[self.joker])


def _blocks(book: RuleBook, melds: Sequence[Exposed]) -> Blocks:
    """The melds of a book and the additions to a table."""
    added = additions(book, melds)
    return _indexed(book, tuple(added)) if added else _plain(book)


@cache
def _plain(book: RuleBook) -> Blocks:
    return _indexed(book, ())


def _indexed(book: RuleBook, added: tuple[tuple[FaceSet, int], ...]) -> Blocks:
    """Blocks indexed by the faces they hold."""
    every = [*((shape, -1) for shape in shapes(book)), *added]
    faces = np.full((len(every), max(len(held) for held, _ in every)), -1, np.int64)
    holding: list[list[int]] = [[] for _ in range(book.tiles.joker)]
    for block, (held, _) in enumerate(every):
        faces[block, : len(held)] = held
        for face in held:
            holding[face].append(block)
    return Blocks(
        faces=faces,
        size=np.array([len(held) for held, _ in every], np.int64),
        place=np.array([place for _, place in every], np.int64),
        first=np.cumsum([0, *map(len, holding)]).astype(np.int64),
        of_face=np.array([block for each in holding for block in each], np.int64),
        places=max((place + 1 for _, place in added), default=0),
    )


@cache
def prepare(book: RuleBook) -> None:
    """Loads the native search, compiling it if need be, so that no turn has to wait for it."""
    prospects = Prospects(book, (), book.tiles.limits, 1.0, 0.9)
    rack = [face for shape in shapes(book)[:1] for face in shape]
    chances = prospects.after_each([*rack, rack[0]], 1000)
    prospects.ahead(rack, max(1, chances.away), 1000)
