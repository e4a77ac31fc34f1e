"""How far a rack is from going out whole, and what each discard would leave of its chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Any

import msgspec

from meldroom.bots.laying_off.meld_shapes import additions, shapes
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel import mode
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
        self.joker = book.tiles.joker
        self._kernel = kernel = mode.kernel("layouts")
        self._blocks = _blocks(kernel, book, melds)
        self._room = kernel.make_room(self.joker)
        total = max(1, sum(unseen))
        numbered, reach = unseen[: self.joker], kernel.floats(self.joker)
        for face, count in enumerate(numbered):
            reach[face] = min(count * (looks / total), 1.0)
        self._odds = kernel.Odds(
            unseen=kernel.ints(numbered),
            reach=reach,
            jokers=unseen[self.joker],
            joker=unseen[self.joker] / total,
            patience=patience,
            deep=DEEP,
        )

    def after_each(self, rack: Sequence[Face], nodes: int) -> Chances:
        """What each discard from a rack leaves; all that stays then must be laid."""
        hand, jokers = self._counts(rack)
        values = self._kernel.floats(self.joker)
        away, _ = self._kernel.appraise(
            self._blocks, self._odds, self._room, hand, jokers, len(rack) - 1, nodes, self.joker, values
        )
        return Chances(
            away, {face: float(values[face]) for face in sorted(set(rack) - {self.joker}) if values[face]}
        )

    def ahead(self, rack: Sequence[Face], away: int, nodes: int) -> float | None:
        """What a rack after its discard is worth, every next tile looked at; None if that takes too long."""
        hand, jokers = self._counts(rack)
        waiting, left = self._kernel.look_ahead(
            self._blocks, self._odds, self._room, hand, jokers, len(rack), away, nodes
        )
        return None if left < 0 else float(waiting)

    def _counts(self, rack: Sequence[Face]) -> tuple[Any, int]:
        counts = Counter(rack)
        return self._kernel.ints([counts[Face(face)] for face in range(self.joker)]), counts[self.joker]


def _blocks(kernel: Any, book: RuleBook, melds: Sequence[Exposed]) -> Any:
    """The melds of a book and the additions to a table."""
    added = additions(book, melds)
    return _indexed(kernel, book, tuple(added)) if added else _plain(kernel, book)


@cache
def _plain(kernel: Any, book: RuleBook) -> Any:
    return _indexed(kernel, book, ())


def _indexed(kernel: Any, book: RuleBook, added: tuple[tuple[FaceSet, int], ...]) -> Any:
    """Blocks indexed by the faces they hold."""
    every = [*((shape, -1) for shape in shapes(book)), *added]
    longest = max(len(held) for held, _ in every)
    faces: list[int] = []
    holding: list[list[int]] = [[] for _ in range(book.tiles.joker)]
    for block, (held, _) in enumerate(every):
        faces += [*held, *[-1] * (longest - len(held))]
        for face in held:
            holding[face].append(block)
    return kernel.Blocks(
        faces=kernel.ints(faces),
        size=kernel.ints([len(held) for held, _ in every]),
        place=kernel.ints([place for _, place in every]),
        first=kernel.ints(accumulate(map(len, holding), initial=0)),
        of_face=kernel.ints([block for each in holding for block in each]),
        places=max((place + 1 for _, place in added), default=0),
        longest=longest,
    )
