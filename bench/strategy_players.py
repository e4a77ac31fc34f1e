"""A player with a few habits, to measure one habit at a time; `bench/strategy.py` seats it."""

from __future__ import annotations

from itertools import combinations

from meldroom.bots.interface import Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.bots.rearranging.small_openings import small_openings
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.opening import sets_within

ALL = 999


class Player:
    """Goes out when it can; once the pool is empty, lays what takes most points off its rack.

    It opens when at most `open_pool` tiles are left to draw, with the largest opening or the `small`est. Then
    it lays everything it can if that is at least `lay_at` tiles (ALL: only the whole rack), else it draws.
    With `keep_jokers` it lays none before it goes out. Over the last `wait` draws of a game of two it fights
    for the last one, with waiting moves of up to three tiles.
    """

    def __init__(
        self,
        book: RuleBook,
        seed: str = "",
        *,
        lay_at: int = ALL,
        open_pool: int = ALL,
        small: bool = False,
        keep_jokers: bool = False,
        wait: int = 0,
    ) -> None:
        self.book = book
        self.lay_at, self.open_pool, self.small = lay_at, open_pool, small
        self.keep_jokers, self.wait = keep_jokers, wait

    def act(self, view: View, clock: Clock) -> Action:
        """Out, an opening, a waiting move, a play that is large enough, or a draw."""
        seat = Seat(self.book, view)
        best = seat.best("tiles")
        if best.played and best.tiles == len(seat.rack):
            return seat.lay(best.table)
        if view.pool_size == 0:
            last = seat.best("points")
            return seat.lay(last.table) if last.played else seat.wait()
        if not best.played:
            return seat.wait()
        if not seat.melded:
            return self._open(seat, best.table)
        if 0 < view.pool_size <= self.wait and len(view.players) == 2:
            return self._last_draws(seat)
        if self.keep_jokers:
            rack = tuple(face for face in seat.rack if face != self.book.tiles.joker)
            best = best_or_none(self.book, seat.table, rack)
        return seat.lay(best.table) if best.played and best.tiles >= self.lay_at else seat.wait()

    def _open(self, seat: Seat, largest: tuple[tuple[int, ...], ...]) -> Action:
        if seat.view.pool_size > self.open_pool:
            return seat.wait()
        if self.small:
            return seat.lay((*seat.table, *small_openings(self.book, seat.rack)[0].sets))
        return seat.lay(largest)  # type: ignore[arg-type]

    def _last_draws(self, seat: Seat) -> Action:
        """Draw if the last tile falls to it that way, else lay as little as it can."""
        drawer_is_last = self.book.pool_end.final_turns_start != "drawer"
        if (seat.view.pool_size % 2 == 1) == drawer_is_last:
            return seat.wait()
        joker = self.book.tiles.joker
        mine = sorted(face for face in seat.rack if face != joker)
        counts = [mine.count(face) for face in self.book.tiles.every_face]
        singles = [(face,) for face in dict.fromkeys(mine)]
        sets = [faces for faces in sets_within(self.book, counts) if len(faces) == self.book.sets.shortest]
        for faces in (*singles, *sets, *dict.fromkeys(combinations(mine, 2))):
            found = best_or_none(self.book, seat.table, faces)
            if len(found.played) == len(faces):
                return seat.lay(found.table)
        return seat.wait()
