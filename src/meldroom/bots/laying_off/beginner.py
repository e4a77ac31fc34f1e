"""Beginner: lays whole melds from the rack as soon as it may, and discards the highest loose tile."""

from __future__ import annotations

from collections import Counter

import msgspec

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.base import Seat
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, best_play
from meldroom.tiles import Face


class Beginner:
    """Sees whole melds on its own rack only; adds single tiles when too few are left to make a meld."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book

    def act(self, view: View, clock: Clock) -> Action:
        """The stock, unless the last discard lets it lay something; then whole melds and a discard."""
        seat = Seat(self.book, view)
        if view.phase == "take":
            return seat.take(self._useful(seat, clock))
        if view.phase == "opening_discard":
            return seat.discard(self._loose(seat, clock))
        play = self._play(seat, seat.position, clock)
        left = seat.left_by(play)
        return seat.lay(play, self._highest(left) if play.played else self._loose(seat, clock))

    def _useful(self, seat: Seat, clock: Clock) -> bool:
        """True if a meld could be laid with the last discard at once."""
        if seat.offered is None or seat.long_game:
            return False
        taken = self._play(seat, seat.with_tile(seat.offered), clock)
        return taken.played.count(seat.offered) > 0

    def _play(self, seat: Seat, position: LayOffPosition, clock: Clock) -> LayOffPlay:
        """The most tiles in whole melds from the rack; anything once the rack is too small for one."""
        if len(position.rack) <= self.book.sets.shortest and seat.melded:
            return best_play(self.book, position, time_limit=clock.seconds)
        alone = msgspec.structs.replace(position, melds=(), holders=None)
        play = best_play(self.book, alone, time_limit=clock.seconds)
        return msgspec.structs.replace(play, melds=(*position.melds, *play.melds))

    def _loose(self, seat: Seat, clock: Clock) -> Face:
        """The highest tile outside the melds of the rack."""
        alone = msgspec.structs.replace(seat.position, melds=(), holders=None, on_board=True)
        melds = best_play(self.book, alone, time_limit=clock.seconds)
        return self._highest(list((Counter(seat.rack) - Counter(melds.played)).elements()))

    def _highest(self, faces: list[Face]) -> Face:
        joker, values = self.book.tiles.joker, self.book.values
        return max(faces, key=lambda face: (face != joker, values[face], -face))


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Beginner(book)
