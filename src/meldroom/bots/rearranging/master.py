"""Master: imagines what the others may hold and how the game may go, and weighs holding against laying."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from meldroom.bots.bot import Bot, Clock
from meldroom.bots.rearranging.imagining import Imagination, Plan, Worth
from meldroom.bots.rearranging.seat import Seat
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.best import Solution, solve
from meldroom.solver.plays import exactly

LAYS, HOLDS, ABSENT = 0, 1, 2


class Memory:
    """What the others did between my turns: each had one turn, so the size of a rack tells which."""

    def __init__(self) -> None:
        self.sizes: tuple[int, ...] = ()
        self.melded: tuple[bool, ...] = ()
        self.draws: list[int] = []
        self.lays: list[int] = []
        self.drew: list[bool] = []

    def see(self, view: View) -> None:
        """Takes note of a view at the beginning of my turn."""
        if not self.sizes:
            self.draws, self.lays = [0] * len(view.players), [0] * len(view.players)
            self.drew = [True] * len(view.players)
        for seat, size in enumerate(view.rack_sizes if self.sizes else ()):
            if self.sizes[seat] == size:
                continue
            self.drew[seat] = size > self.sizes[seat]
            if self.melded[seat] and self.drew[seat]:
                self.draws[seat] += 1
            elif self.melded[seat]:
                self.lays[seat] += 1
        self.sizes, self.melded = view.rack_sizes, view.melded

    def kinds(self, view: View) -> list[int]:
        """Who seems to lay whatever it can, and who seems to hold."""
        return [
            ABSENT if view.withdrawn[seat]
            else HOLDS if self.draws[seat] >= 2 and self.draws[seat] > 2 * self.lays[seat]
            else LAYS
            for seat in range(len(view.players))
        ]


class Master:
    """The strongest rung: see the module."""

    def __init__(self, book: RuleBook, seed: str, aim: str, effort: float) -> None:
        self.book = book
        self.seed = seed
        self.aim = aim
        self.effort = effort
        self.memory = Memory()

    def act(self, view: View, clock: Clock) -> Action:
        """The plan that does best in imagined games."""
        seat = Seat(self.book, view)
        self.memory.see(view)
        best = solve(self.book, seat.table, seat.rack, seat.melded)
        if best.tiles == len(seat.rack):
            return seat.lay(best.table)
        if not seat.melded:
            return seat.lay(best.table) if best.played else seat.wait()
        if view.pool_size == 0:
            return self._last(seat, best)
        return self._middle(seat, best)

    def _imagination(self, seat: Seat) -> Imagination:
        return Imagination(seat, self.memory.kinds(seat.view), self.memory.drew)

    def _seed(self, view: View) -> int:
        text = f"{self.seed} {view.game} {sum(view.turns)} {view.me}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")

    def _worth(self, worth: Worth) -> float:
        return worth.wins + worth.score * 1e-5 if self.aim == "wins" else worth.score + worth.wins

    def _choose(self, seat: Seat, plans: Sequence[Plan], worlds: int) -> Plan:
        found = self._imagination(seat).compare(plans, worlds, self._seed(seat.view))
        return max(zip(plans, found, strict=True), key=lambda pair: self._worth(pair[1]))[0]

    def _singles(self, seat: Seat) -> list[Solution]:
        found = []
        for face in sorted(set(seat.rack)):
            if face != self.book.tiles.joker:
                lay = exactly(self.book, seat.table, (face,))
                if lay is not None:
                    found.append(lay)
        return found

    def _last(self, seat: Seat, best: Solution) -> Action:
        if not best.played:
            return seat.wait()
        points = solve(self.book, seat.table, seat.rack, True, "points")
        lays = [best, points, *self._singles(seat)]
        plans = [Plan(), *(Plan(lay.played) for lay in lays)]
        plan = self._choose(seat, plans, 1 if len(seat.view.players) == 2 else int(10 * self.effort))
        for lay in lays:
            if lay.played == plan.lay:
                return seat.lay(lay.table)
        return seat.wait()

    def _middle(self, seat: Seat, best: Solution) -> Action:
        view = seat.view
        players = len(view.players)
        if not best.played or view.pool_size > 3 * players:
            return seat.wait()
        singles = self._singles(seat)
        if not singles:
            return seat.wait()
        plans = [Plan(), *(Plan((), k) for k in range(1, players)), *(Plan(singles[0].played, k) for k in range(players))]
        plan = self._choose(seat, plans, int(20 * self.effort))
        if plan.lay:
            return seat.lay(singles[0].table)
        return seat.wait()


def make(book: RuleBook, seed: str, aim: str = "wins", effort: float = 1.0) -> Bot:
    """The bot for one seat; what it imagines follows from the seed."""
    return Master(book, seed, aim, effort)
