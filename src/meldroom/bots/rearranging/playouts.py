"""Imagined games as a bot uses them: a view in, the worth of each plan out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from meldroom.bots.rearranging.base import Seat
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel.engine import MOST_EQUAL, fits, groups_of, weigh, workspace

BATCH = 4
"""Worlds imagined before looking at the clock again."""


class Plan(msgspec.Struct, frozen=True):
    """A first move, the faces laid (none for a draw or pass), and single tiles laid in the turns after it."""

    lay: FaceSet = ()
    tempos: int = 0


class Worth(msgspec.Struct, frozen=True):
    """What a plan brought in imagined games, on average: the share of wins, and the score.

    `doubt` is how far chance alone may have moved the score against that of the first plan (one standard
    error, the games compared world by world).
    """

    wins: float
    score: float
    doubt: float = 0.0


def can_imagine(book: RuleBook) -> bool:
    """True if the native kernel can count this book's tiles."""
    return fits(book) and max(book.tiles.limits) <= MOST_EQUAL


@lru_cache(maxsize=16)
def rules_of(book: RuleBook) -> Any:
    """The numbers of a book that imagined games need."""
    import numpy as np

    from meldroom.bots.rearranging.playouts_kernel import Rules

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

        from meldroom.bots.rearranging import playouts_kernel as playouts

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
        self.groups = groups_of(len(book.tiles.colours))

    def _counts(self, faces: Sequence[int], size: int) -> Any:
        counts = self._np.zeros(size, self._np.int64)
        for face in faces:
            counts[face] += 1
        return counts

    def compare(
        self, plans: Sequence[Plan], worlds: int, seed: int, deadline: float | None = None
    ) -> list[Worth]:
        """What each plan brings, all in the same imagined worlds: fewer of them when time runs out."""
        np, playouts, view = self._np, self._playouts, self.seat.view
        wins, scores = np.zeros((worlds, len(plans))), np.zeros((worlds, len(plans)))
        lay = np.stack([self._counts(plan.lay, len(self.rack)) for plan in plans])
        tried = playouts.Plans(lay, np.array([plan.tempos for plan in plans], np.int64))
        last = len(view.queue) if view.queue is not None else -1
        self.world.state[0] = (seed << 20 | 0x9E377) & ((1 << 62) - 1)
        done = 0
        while done < worlds and (done == 0 or deadline is None or time.monotonic() < deadline):
            batch = min(BATCH, worlds - done)
            playouts.imagine(
                self.seat.me, self.rack, self.table, self.unseen, view.pool_size, last, self.seats, tried,
                playouts.Kit(self.rules, self.groups, workspace()), self.world,
                wins[done : done + batch], scores[done : done + batch],
            )  # fmt: skip
            done += batch
        wins, scores = wins[:done], scores[:done]
        doubt = (scores - scores[:, :1]).std(axis=0) / max(1, done - 1) ** 0.5
        columns = (wins.mean(axis=0), scores.mean(axis=0), doubt)
        return [Worth(*each) for each in zip(*(column.tolist() for column in columns), strict=True)]
