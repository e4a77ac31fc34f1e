"""Tournament player: the most tiles, or the most points, every turn, found exactly."""

from __future__ import annotations

from typing import cast

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.loose_tiles import promise
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.lay_off.best import LayOffPlay, LayOffPosition, Objective, best_play
from meldroom.tiles import Face

POINTS_FOR_A_CHANCE = 2.0
"""How many points on the rack one unseen tile that would help is worth."""


class Tournament:
    """Lays the best play of every turn; takes the discard that makes it better; discards what helps least."""

    def __init__(self, book: RuleBook, objective: Objective) -> None:
        self.book = book
        self.objective = objective

    def act(self, view: View, clock: Clock) -> Action:
        """What to take, or the best play and its discard."""
        seat = Seat(self.book, view)
        if view.phase == "take":
            return seat.take(self._better(seat, clock))
        if view.phase == "opening_discard":
            return seat.discard(self._discard(seat, list(seat.rack), clock))
        play = self._solve(seat.position, clock)
        return seat.lay(play, self._discard(seat, seat.left_by(play), clock))

    def _solve(self, position: LayOffPosition, clock: Clock) -> LayOffPlay:
        return best_play(self.book, position, self.objective, time_limit=clock.seconds)

    def _better(self, seat: Seat, clock: Clock) -> bool:
        """True if more can be laid with the last discard than without it, now or once on board."""
        if seat.offered is None or seat.long_game:
            return False
        for on_board in {seat.melded, True}:
            taken = self._solve(seat.with_tile(seat.offered, on_board), clock)
            if self._measure(taken) > self._measure(self._solve(seat.seen_as(on_board), clock)):
                return True
        return False

    def _measure(self, play: LayOffPlay) -> tuple[int, int]:
        return (play.tiles, play.points) if self.objective == "tiles" else (play.points, play.tiles)

    def _discard(self, seat: Seat, left: list[Face], clock: Clock) -> Face:
        """Of the tiles left, outside the melds that wait on the rack, what costs most and helps least."""
        loose = left
        if not seat.melded and len(left) == len(seat.rack):
            waiting = self._solve(seat.seen_as(True), clock)
            loose = seat.left_by(waiting)
        values, hopes = self.book.values, {face: promise(seat, face, loose) for face in loose}
        if not seat.melded:
            # Off board a rack costs the same whatever stands on it.
            return min(loose, key=lambda face: (hopes[face], -values[face], face))
        return max(loose, key=lambda face: (values[face] - POINTS_FOR_A_CHANCE * hopes[face], -face))


def make(book: RuleBook, seed: str, objective: str = "tiles") -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Tournament(book, cast(Objective, objective))
