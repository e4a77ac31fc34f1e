"""Imagined games as a bot uses them: a view in, the worth of each plan out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from meldroom.bots.rearranging.seat import Seat
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.engine import _groups, _workspace, fits, weigh


class Plan(msgspec.Struct, frozen=True):
    """A first move, the faces laid (none for a draw or pass), and single tiles laid in the turns after it."""

    lay: FaceSet = ()
    tempos: int = 0


class Worth(msgspec.Struct, frozen=True):
    """What a plan brought in imagined games, on average: the share of wins, and the score."""

    wins: float
    score: float


@lru_cache(maxsize=16)
def rules_of(book: RuleBook) -> Any:
    """The numbers of a book that imagined games need."""
    import numpy as np

    from meldroom.bots.rearranging.playouts import Rules

    numbers = book.tiles.numbers
    return Rules(
        colours=len(book.tiles.colours),
        numbers=numbers,
        opening=book.opening.points,
        passes_end=book.pool_end.ending == "all_pass",
        drawer_first=book.pool_end.final_turns_start == "drawer",
        winner_takes_differences=book.scoring.exhausted != "deduct_smallest",
        unmelded=book.scoring.unmelded_able,
        values=np.array(book.values, np.int64),
        one=np.ones(numbers + 1, np.int64),
        most_tiles=np.array(weigh(book, "tiles"), np.int64),
        most_points=np.array(weigh(book, "points"), np.int64),
        most_value=np.array(weigh(book, "value"), np.int64),
    )


class Imagination:
    """Imagined games from one position."""

    def __init__(self, seat: Seat, kinds: Sequence[int], drew: Sequence[bool]) -> None:
        import numpy as np

        from meldroom.bots.rearranging import playouts

        self._np, self._playouts = np, playouts
        book, view = seat.book, seat.view
        self.seat = seat
        self.rules = rules_of(book)
        faces = book.tiles.joker + 1
        self.rack = self._counts(seat.rack, faces)
        self.table = self._counts([face for tiles in seat.table for face in tiles], faces)
        self.unseen = np.array(book.tiles.limits, np.int64) - self.rack - self.table
        self.seats = playouts.Seats(
            kind=np.array(kinds, np.int64),
            melded=np.array(view.melded, np.int64),
            sizes=np.array(view.rack_sizes, np.int64),
            drew=np.array(drew, np.int64),
        )
        self.world = playouts.make_worlds(len(view.players), faces, book.tiles.size)
        self.groups = _groups(len(book.tiles.colours))

    def _counts(self, faces: Sequence[int], size: int) -> Any:
        counts = self._np.zeros(size, self._np.int64)
        for face in faces:
            counts[face] += 1
        return counts

    def compare(self, plans: Sequence[Plan], worlds: int, seed: int) -> list[Worth]:
        """What each plan brings, all in the same imagined worlds."""
        np, view = self._np, self.seat.view
        wins, scores = np.zeros(len(plans)), np.zeros(len(plans))
        lay = np.stack([self._counts(plan.lay, len(self.rack)) for plan in plans])
        tempos = np.array([plan.tempos for plan in plans], np.int64)
        last = len(view.queue) if view.queue is not None else -1
        self._playouts.imagine(
            self.seat.me, self.rack, self.table, self.unseen, view.pool_size, last, self.seats,
            self._playouts.Plans(lay, tempos), worlds, seed, self.rules, self.groups, _workspace(), self.world,
            wins, scores,
        )  # fmt: skip
        return [Worth(w / worlds, s / worlds) for w, s in zip(wins.tolist(), scores.tolist(), strict=True)]
