"""Master: holds until the whole rack goes out, and knows when not to.

What it adds to patience, each measured in `docs/bots.md`:

* it opens late and small, since every tile on the table is one more that the others can build on;
* when the pool runs low it lays a little to choose who takes the last tile. Between two players that is a
  fight, in which it lays what helps the other least; among more, imagined games tell which of the final turns
  to aim for;
* with the pool empty it tries what to lay, and what to keep back, against everything the others may hold;
* playing for score, it lays all it can as soon as imagined games say that being caught costs more.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

import msgspec

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.bots.rearranging.last_draws import (
    LAST_DRAWS,
    POOL_EMPTY,
    WORLDS,
    Network,
    SmallPlays,
    Weights,
    trained_network,
)
from meldroom.bots.rearranging.memory import Memory
from meldroom.bots.rearranging.playouts import WIDTH, Imagination, Plan, Worth, can_imagine
from meldroom.bots.rearranging.small_openings import small_openings
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.best import Solution
from meldroom.solver.opening import Opening


class Habits(msgspec.Struct, frozen=True):
    """When it does what; `bench/habits.py` plays other habits against the usual ones.

    Unopened, it opens at the latest when `open_at_pool` tiles are left to draw, or when somebody else who has
    opened holds no more than `close_rack`; with a small opening, or with all it can lay. `tempo` is to choose
    who takes the last tile. Playing for score, it fears to be caught when somebody holds no more than
    `risk_rack` tiles, and then changes its mind only for a plan better by `margin` standard errors.
    """

    open_at_pool: int = 20
    close_rack: int = 8
    open_stuck: int = 0
    small_opening: bool = True
    tempo: bool = True
    risk_rack: int = 3
    margin: float = 3.0


END_WORLDS = 6
LAST_WORLDS = 5
RISK_WORLDS = 40
EFFORT = 1_600_000
"""Among more than two: how long it imagines at the least, in work as the kernel counts it."""
MOST_TEMPOS = 3
MOST_LAST_PLAYS = 8
SPARE = 0.6
"""The part of its time after which it imagines no more."""


class Master:
    """The strongest rung: see the module."""

    def __init__(
        self,
        book: RuleBook,
        seed: str = "",
        aim: str = "wins",
        effort: float = 1.0,
        habits: Habits = Habits(),  # noqa: B008
    ) -> None:
        self.book = book
        self.habits = habits
        self.seed = seed
        self.aim = aim
        self.effort = effort
        self.network: Network | None = trained_network()
        self.width = WIDTH
        self.memory = Memory()
        self.deadline: float | None = None

    def act(self, view: View, clock: Clock) -> Action:
        """Out if it can be; else the plan that does best."""
        seat = Seat(self.book, view)
        self.deadline = None if clock.seconds is None else time.monotonic() + SPARE * clock.seconds
        self.memory.see(view)
        best = seat.best("tiles", clock.seconds)
        if best.tiles == len(seat.rack):
            return seat.lay(best.table)
        if not best.played:
            return seat.wait()
        others = self._others(view)
        if view.pool_size == 0:
            if len(others) == 1 and seat.melded and self._goes_on and can_imagine(self.book):
                return self._pool_empty(seat, best)
            return self._last_turn(seat, best)
        if not seat.melded:
            return self._unopened(seat, best)
        if not can_imagine(self.book):
            return seat.wait()
        if self.habits.tempo and view.pool_size <= max(4, len(others) * (len(others) + 1)):
            if len(others) == 1 and not self._goes_on:
                return self._last_draws(seat)
            return self._near_the_end(seat, best)
        if self.aim == "score" and self._closest(seat) <= self.habits.risk_rack:
            return self._caught_or_not(seat, best)
        return seat.wait()

    def _closest(self, seat: Seat) -> int:
        """The fewest tiles that another player who has opened still holds."""
        view = seat.view
        return min(
            (view.rack_sizes[s] for s in self._others(view) if view.melded[s]), default=self.book.tiles.size
        )

    @property
    def _goes_on(self) -> bool:
        """True if the game goes on with an empty pool until everybody passes."""
        return self.book.pool_end.ending == "all_pass"

    @staticmethod
    def _others(view: View) -> list[int]:
        """Everybody else who is still in the game."""
        return [seat for seat in range(len(view.players)) if seat != view.me and not view.withdrawn[seat]]

    def _last_draws(self, seat: Seat) -> Action:
        """Between two: draw if the last tile falls to me then; else lay what helps the other least."""
        if seat.view.pool_size % 2:
            return seat.wait()
        for lay in self._legal(seat, self._weigher(seat, LAST_DRAWS, WORLDS, self.network)):
            return seat.lay(lay.table)
        return seat.wait()

    def _pool_empty(self, seat: Seat, best: Solution) -> Action:
        """Between two who may go on until both pass: pass while I hold fewer points, else lay to do so."""
        hidden = any(seat.view.withdrawn)
        plays = self._weigher(seat, POOL_EMPTY, WORLDS if hidden else 1)
        if plays.fewer_points(seat.rack):
            return seat.wait()
        for lay in (best, seat.best("points")):
            plays.add(tuple(sorted(lay.played)))
        for lay in self._legal(seat, plays):
            return seat.lay(lay.table)
        return seat.wait()

    def _small_plays(self, seat: Seat) -> Iterator[Solution]:
        """A turn without drawing: small plays, those that help the others least first."""
        return self._legal(seat, self._weigher(seat, LAST_DRAWS, WORLDS))

    def _weigher(
        self, seat: Seat, weights: Weights, worlds: int, network: Network | None = None
    ) -> SmallPlays:
        enough = max(1, round(worlds * self.effort))
        seed, others = self._seed(seat.view), self._others(seat.view)
        return SmallPlays(seat, others, enough, seed, weights, network, self.width)

    def _legal(self, seat: Seat, plays: SmallPlays) -> Iterator[Solution]:
        """The best plays first. Jokers move freely in the kernel; a book may not allow it."""
        for played in self._in_order(seat, plays):
            lay = best_or_none(self.book, seat.table, played)
            if lay.tiles == len(played):
                yield lay

    def _in_order(self, seat: Seat, plays: SmallPlays) -> Iterator[FaceSet]:
        """Small plays, what it likes best first."""
        return plays.best_first(self.deadline)

    def _unopened(self, seat: Seat, best: Solution) -> Action:
        """Open only when it is time: the pool is low, somebody is close, or the rest could go out next."""
        opening = small_openings(self.book, seat.rack)[0]
        if (
            seat.view.pool_size <= self.habits.open_at_pool
            or self._closest(seat) <= self.habits.close_rack
            or self._nearly_out(seat, opening)
        ):
            return seat.lay((*seat.table, *opening.sets) if self.habits.small_opening else best.table)
        return seat.wait()

    def _nearly_out(self, seat: Seat, opening: Opening) -> bool:
        """True if hardly anything would be stuck after an opening."""
        rest = tuple((Counter(seat.rack) - Counter(opening.played)).elements())
        laid = best_or_none(self.book, (*seat.table, *opening.sets), rest).tiles
        return len(rest) - laid <= self.habits.open_stuck

    def _near_the_end(self, seat: Seat, best: Solution) -> Action:
        """Draw, or lay a little so that the last draw falls to somebody else."""
        drawing, laying = self._tempos(seat.view, 1), self._tempos(seat.view, 0)
        plans: list[tuple[Plan, Solution | None]] = [(Plan((), count), None) for count in drawing]
        lays = list(islice(self._small_plays(seat), MOST_TEMPOS)) or [best]
        plans += [(Plan(lays[0].played, count), lays[0]) for count in laying]
        plans += [(Plan(lay.played), lay) for lay in lays[1:]]
        return self._choose(seat, plans, END_WORLDS, "wins")

    def _tempos(self, view: View, drawn: int) -> range:
        """In how many of my turns after this one I could lay instead of drawing, while the others draw."""
        turns = (view.pool_size - drawn - 1) // len(self._others(view))
        return range(max(0, min(turns, len(view.players) - 1)) + 1)

    def _caught_or_not(self, seat: Seat, best: Solution) -> Action:
        """Playing for score: lay all it can when holding on is likely to cost more."""
        points = seat.best("points")
        plans = [(Plan(), None), (Plan(best.played), best), (Plan(points.played), points)]
        return self._choose(seat, plans, RISK_WORLDS, "score")

    def _last_turn(self, seat: Seat, best: Solution) -> Action:
        """The pool is empty: all it can, nothing, one tile, or all but one tile that others would need."""
        points = seat.best("points")
        if not can_imagine(self.book):
            return seat.lay(points.table)
        lays = [best, points]
        if seat.melded:
            lays += islice(self._small_plays(seat), MOST_LAST_PLAYS)
        for face in sorted(set(seat.rack)):
            fewer = list(seat.rack)
            fewer.remove(face)
            lays.append(best_or_none(self.book, seat.table, tuple(fewer), seat.melded, "points"))
        plans: list[tuple[Plan, Solution | None]] = [(Plan(), None)]
        plans += [(Plan(lay.played), lay) for lay in {lay.played: lay for lay in lays if lay.played}.values()]
        if self.aim == "score":
            plans.insert(0, (Plan(points.played), points))
        return self._choose(seat, plans, 1 if len(seat.view.players) == 2 else LAST_WORLDS, self.aim)

    def _choose(
        self,
        seat: Seat,
        plans: Sequence[tuple[Plan, Solution | None]],
        worlds: int,
        aim: str,
    ) -> Action:
        """The first move of the plan that does best in imagined games; level plans go to the earlier one.

        Scores vary a lot more than wins: for score, a plan must beat the first one by a margin.
        """
        imagination = Imagination(seat, self.memory.kinds(seat.view), self.memory.drew, self.width)
        enough = max(1, round(worlds * self.effort))
        effort = round(EFFORT * self.effort) if len(self._others(seat.view)) > 1 else 0
        margin = self.habits.margin

        def worth(found: Worth) -> float:
            return found.wins + found.score / 1e6 if aim == "wins" else found.score - margin * found.doubt

        tried = [plan for plan, _ in plans]
        found = imagination.best(tried, enough, self._seed(seat.view), worth, self.deadline, effort)
        _, lay = plans[found]
        return seat.wait() if lay is None else seat.lay(lay.table)

    def _seed(self, view: View) -> int:
        text = f"{self.seed} {view.game} {sum(view.turns)} {view.me}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


def make(book: RuleBook, seed: str, aim: str = "wins", effort: float = 1.0) -> Bot:
    """The bot for one seat; what it imagines follows from the seed."""
    return Master(book, seed, aim, effort)
