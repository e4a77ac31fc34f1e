"""Imagined games as a bot uses them: a view in, the worth of each plan out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
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


WIDTH = 64
"""How wide to search for what a rack can lay: narrower, and ways to lay a tile, or to go out, are missed."""
FEWEST_PLANS = 3
"""Among so few plans none is dropped any more."""


def _kept(plans: int) -> int:
    """How many of so many plans are looked at more closely."""
    return max(FEWEST_PLANS, (plans + 1) // 2)


def _rounds(plans: int) -> int:
    """In how many rounds so many plans are compared, about."""
    rounds = 1
    while plans > FEWEST_PLANS:
        plans, rounds = _kept(plans), rounds + 1
    return rounds


def can_imagine(book: RuleBook) -> bool:
    """True if the kernel can count this book's tiles."""
    return fits(book) and within(book.tiles.limits)


@lru_cache(maxsize=16)
def rules_of(kernel: Any, book: RuleBook, width: int) -> Any:
    """The numbers of a book that a kernel's imagined games need."""
    numbers = book.tiles.numbers
    return kernel.Rules(
        colours=len(book.tiles.colours),
        numbers=numbers,
        opening=book.opening.points,
        passes_end=book.pool_end.ending == "all_pass",
        drawer_first=book.pool_end.final_turns_start == "drawer",
        winner_takes_differences=book.scoring.exhausted != "deduct_smallest",
        unopened_wins=book.scoring.exhausted_unopened == "counts",
        unmelded=book.scoring.unmelded_able,
        values=kernel.ints(book.values),
        one=kernel.ints([1] * (numbers + 1)),
        most_tiles=kernel.ints(weigh(book, "tiles")),
        most_points=kernel.ints(weigh(book, "points")),
        most_value=kernel.ints(weigh(book, "value")),
        width=width,
    )


def kit_of(kernel: Any, book: RuleBook, width: int = WIDTH) -> Any:
    """All that a kernel's imagined games of a book work with, in this thread."""
    groups = groups_of(kernel.best_play, len(book.tiles.colours))
    return kernel.Kit(rules_of(kernel, book, width), groups, workspace(kernel.best_play))


class Imagination:
    """Imagined games from one position."""

    def __init__(self, seat: Seat, kinds: Sequence[int], drew: Sequence[bool], width: int = WIDTH) -> None:
        book, view = seat.book, seat.view
        self.seat = seat
        faces = book.tiles.every_face
        mine, laid = Counter(seat.rack), Counter(chain.from_iterable(seat.table))
        self._kernel = kernel = mode.kernel("playouts")
        self._kit = kit_of(kernel, book, width)
        self._small = kernel.best_play.opened(self._kit.room).small
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
        self._begin(seed)
        every = range(len(plans))
        games = Games(len(plans))
        self._imagine(plans, every, worlds, games, deadline)
        return games.worths(every)

    def best(
        self,
        plans: Sequence[Plan],
        worlds: int,
        seed: int,
        worth: Callable[[Worth], float],
        deadline: float | None = None,
        effort: int = 0,
    ) -> int:
        """The place of the plan that does best; of level ones, the first.

        All plans are tried in half the worlds, the better half of them in twice as many more, and so on:
        where plans are close, more worlds tell them apart. The first plan stays to be compared with. Each
        round goes on until its share of the effort is spent, which is work as the kernel counts it.
        """
        self._begin(seed)
        games = Games(len(plans))
        left = list(range(len(plans)))
        tried = worlds if len(plans) <= FEWEST_PLANS else max(1, worlds // 2)
        share = effort // _rounds(len(plans))
        while True:
            enough = self._effort() + share
            self._imagine(plans, left, tried, games, deadline)
            while self._effort() < enough and not (deadline is not None and time.monotonic() > deadline):
                self._imagine(plans, left, 1, games, deadline)
            worths = dict(zip(left, map(worth, games.worths(left)), strict=True))
            order = sorted(left, key=lambda plan: (-worths[plan], plan))
            late = deadline is not None and time.monotonic() > deadline
            if len(left) <= FEWEST_PLANS or worlds == 1 or late:
                return order[0]
            left = sorted({0, *order[: _kept(len(left))]})[: len(left) - 1]
            tried *= 2

    def _effort(self) -> int:
        """The work of all imagined turns in this thread so far."""
        return int(self._small[self._kernel.EFFORT])

    def _begin(self, seed: int) -> None:
        self.world.state[0] = (seed << 20 | 0x9E377) & ((1 << 62) - 1)

    def _imagine(
        self, plans: Sequence[Plan], chosen: Sequence[int], worlds: int, games: Games, deadline: float | None
    ) -> None:
        """Plays the chosen plans in so many new worlds, one at least."""
        kernel, view = self._kernel, self.seat.view
        lay = kernel.grid(len(chosen), len(self._rack))
        for row, place in zip(lay, chosen, strict=True):
            for face in plans[place].lay:
                row[face] += 1
        tried = kernel.Plans(lay, kernel.ints([plans[place].tempos for place in chosen]))
        last = len(view.queue) if view.queue is not None else -1
        wins, scores = kernel.float_grid(1, len(chosen)), kernel.float_grid(1, len(chosen))
        for done in range(worlds):
            if done and deadline is not None and time.monotonic() > deadline:
                break
            kernel.imagine(
                self.seat.me, self._rack, self._table, self._unseen, view.pool_size, last, self._seats, tried,
                self._kit, self.world, wins, scores,
            )  # fmt: skip
            for column, place in enumerate(chosen):
                games.add(place, float(wins[0][column]), float(scores[0][column]))


class Games:
    """What imagined games brought, by plan and world. Plans that are still compared have the same worlds."""

    def __init__(self, plans: int) -> None:
        self._wins: list[list[float]] = [[] for _ in range(plans)]
        self._scores: list[list[float]] = [[] for _ in range(plans)]

    def add(self, plan: int, win: float, score: float) -> None:
        """One more game."""
        self._wins[plan].append(win)
        self._scores[plan].append(score)

    def worths(self, plans: Sequence[int]) -> list[Worth]:
        """The averages of some plans, of which the first is the one to compare with.

        Summed exactly: two machines, and two versions of Python, must not disagree on the last digit.
        """
        return [self._worth(plan, plans[0]) for plan in plans]

    def _worth(self, plan: int, first: int) -> Worth:
        wins, scores = self._wins[plan], self._scores[plan]
        done = len(scores)
        ahead = [mine - other for mine, other in zip(scores, self._scores[first], strict=True)]
        mean = fsum(ahead) / done
        spread = sqrt(fsum((each - mean) * (each - mean) for each in ahead) / done)
        return Worth(fsum(wins) / done, fsum(scores) / done, spread / sqrt(max(1, done - 1)))
