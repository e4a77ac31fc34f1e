"""Imagined games as a bot uses them: a view in, the worth of each plan out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from math import fsum, sqrt
from typing import Any

import msgspec

from meldroom.bots.rearranging.base import Seat
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.kernel import mode
from meldroom.solver.kernel.engine import fits, groups_of, weigh, within, workspace


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
    """True if the kernel can count this book's tiles."""
    return fits(book) and within(book.tiles.limits)


@lru_cache(maxsize=16)
def rules_of(kernel: Any, book: RuleBook) -> Any:
    """The numbers of a book that a kernel's imagined games need."""
    numbers = book.tiles.numbers
    return kernel.Rules(
        colours=len(book.tiles.colours),
        numbers=numbers,
        opening=book.opening.points,
        passes_end=book.pool_end.ending == "all_pass",
        drawer_first=book.pool_end.final_turns_start == "drawer",
        winner_takes_differences=book.scoring.exhausted != "deduct_smallest",
        unmelded=book.scoring.unmelded_able,
        values=kernel.ints(book.values),
        one=kernel.ints([1] * (numbers + 1)),
        most_tiles=kernel.ints(weigh(book, "tiles")),
        most_points=kernel.ints(weigh(book, "points")),
        most_value=kernel.ints(weigh(book, "value")),
    )


def kit_of(kernel: Any, book: RuleBook) -> Any:
    """All that a kernel's imagined games of a book work with, in this thread."""
    groups = groups_of(kernel.best_play, len(book.tiles.colours))
    return kernel.Kit(rules_of(kernel, book), groups, workspace(kernel.best_play))


class Imagination:
    """Imagined games from one position."""

    def __init__(self, seat: Seat, kinds: Sequence[int], drew: Sequence[bool]) -> None:
        book, view = seat.book, seat.view
        self.seat = seat
        faces = book.tiles.every_face
        mine, laid = Counter(seat.rack), Counter(chain.from_iterable(seat.table))
        self._kernel = kernel = mode.kernel("playouts")
        self._rack = kernel.ints([mine[face] for face in faces])
        self._table = kernel.ints([laid[face] for face in faces])
        self._unseen = kernel.ints([book.tiles.limits[face] - mine[face] - laid[face] for face in faces])
        self._seats = kernel.Seats(
            kind=kernel.ints(kinds),
            melded=kernel.ints(map(int, view.melded)),
            sizes=kernel.ints(view.rack_sizes),
            drew=kernel.ints(map(int, drew)),
        )
        self.world = kernel.make_worlds(len(view.players), len(faces), book.tiles.size)

    def compare(
        self, plans: Sequence[Plan], worlds: int, seed: int, deadline: float | None = None
    ) -> list[Worth]:
        """What each plan brings, all in the same imagined worlds: fewer of them when time runs out."""
        kernel, view = self._kernel, self.seat.view
        wins, scores = kernel.float_grid(worlds, len(plans)), kernel.float_grid(worlds, len(plans))
        lay = kernel.grid(len(plans), len(self._rack))
        for row, plan in zip(lay, plans, strict=True):
            for face in plan.lay:
                row[face] += 1
        tried = kernel.Plans(lay, kernel.ints([plan.tempos for plan in plans]))
        last = len(view.queue) if view.queue is not None else -1
        self.world.state[0] = (seed << 20 | 0x9E377) & ((1 << 62) - 1)
        kit = kit_of(kernel, self.seat.book)
        done = 0
        while done < worlds and (done == 0 or deadline is None or time.monotonic() < deadline):
            kernel.imagine(
                self.seat.me, self._rack, self._table, self._unseen, view.pool_size, last, self._seats, tried,
                kit, self.world, wins[done : done + 1], scores[done : done + 1],
            )  # fmt: skip
            done += 1
        columns = zip(zip(*wins[:done], strict=True), zip(*scores[:done], strict=True), strict=True)
        return _worths([(list(map(float, won)), list(map(float, scored))) for won, scored in columns])


def _worths(columns: Sequence[tuple[list[float], list[float]]]) -> list[Worth]:
    """Wins and scores by world, for each plan, as averages.

    Summed exactly: two machines, and two versions of Python, must not disagree on the last digit.
    """
    worths = []
    for wins, scores in columns:
        done = len(scores)
        ahead = [mine - first for mine, first in zip(scores, columns[0][1], strict=True)]
        mean = fsum(ahead) / done
        spread = sqrt(fsum((each - mean) * (each - mean) for each in ahead) / done)
        worths.append(Worth(fsum(wins) / done, fsum(scores) / done, spread / sqrt(max(1, done - 1))))
    return worths
