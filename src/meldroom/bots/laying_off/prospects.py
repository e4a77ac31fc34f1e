"""How far a rack is from going out whole, and what each discard would leave of its chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

import msgspec

from meldroom.bots.laying_off.meld_shapes import additions, shapes
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.interpreted import ways_out as interpreted
from meldroom.tiles import Face

WORD = 62
"""So many faces, or places on the table, are bits of a word; places beyond are not looked at."""


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
        self.joker = book.tiles.joker
        # Compiled kernels count in words of 64 bits; a box with more faces than that has the others do it.
        self._kernel = kernel = mode.kernel("ways_out") if self.joker <= WORD else interpreted
        self._blocks = _blocks(kernel, book, melds)
        self._room = kernel.make_room(len(self._blocks.size))
        numbered = unseen[: self.joker]
        self._odds = kernel.Odds(
            unseen=kernel.ints(numbered),
            once=_mask(face for face, count in enumerate(numbered) if count > 0),
            twice=_mask(face for face, count in enumerate(numbered) if count > 1),
            jokers=unseen[self.joker],
            total=max(1, sum(unseen)),
            looks=looks,
            patience=patience,
        )

    def after_each(self, rack: Sequence[Face], nodes: int) -> Chances:
        """What each discard from a rack leaves; all that stays then must be laid."""
        hand, jokers = self._counts(rack)
        values = self._kernel.floats(self.joker)
        away, _ = self._kernel.appraise(
            self._blocks, self._odds, self._room, hand, jokers, len(rack) - 1, nodes, values
        )
        return Chances(
            away, {face: float(values[face]) for face in sorted(set(rack) - {self.joker}) if values[face]}
        )

    def _counts(self, rack: Sequence[Face]) -> tuple[Any, int]:
        counts = Counter(rack)
        return self._kernel.ints([counts[Face(face)] for face in range(self.joker)]), counts[self.joker]


def _mask(faces: Iterable[int]) -> int:
    """Faces as the bits of a word."""
    return sum(1 << face for face in faces)


def _blocks(kernel: Any, book: RuleBook, melds: Sequence[Exposed]) -> Any:
    """The melds of a book and the additions to a table."""
    added = additions(book, melds)
    return _words(kernel, book, tuple(added)) if added else _plain(kernel, book)


@cache
def _plain(kernel: Any, book: RuleBook) -> Any:
    return _words(kernel, book, ())


def _words(kernel: Any, book: RuleBook, added: tuple[tuple[FaceSet, int], ...]) -> Any:
    """Blocks as words, each face a bit."""
    fitting = [(held, place) for held, place in added if place < WORD]
    every = [*((shape, -1) for shape in shapes(book)), *fitting]
    sizes = [len(held) for held, _ in every]
    return kernel.Blocks(
        mask=kernel.ints([_mask(held) for held, _ in every]),
        size=kernel.ints(sizes),
        place=kernel.ints([place for _, place in every]),
        smallest=min(sizes),
        largest=max(sizes),
    )
