"""Players who give little away: they draw for a turn or more, then lay a single tile."""

from __future__ import annotations

from meldroom.bots.attention import chance
from meldroom.bots.holding import HOLDING, Holding
from meldroom.bots.interface import Bot, Clock
from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.bots.rearranging.small_openings import small_openings
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceTable


def single_tile(seat: Seat) -> FaceTable | None:
    """The table with one more tile from the rack, the dearest that fits, or None; jokers stay on the rack."""
    values = seat.book.values
    for face in sorted(set(seat.rack) - {seat.book.tiles.joker}, key=lambda face: (-values[face], face)):
        found = best_or_none(seat.book, seat.table, (face,))
        if found.played:
            return found.table
    return None


class Sparing:
    """Opens small; goes out when it can; else holds back, as far as its level does."""

    def __init__(self, book: RuleBook, seed: str, holding: Holding) -> None:
        self.book = book
        self.seed = seed
        self.holding = holding
        self.held = 0

    def act(self, view: View, clock: Clock) -> Action:
        """The whole rack, the opening, a tile, or a draw."""
        seat = Seat(self.book, view)
        table = self._table(seat, clock)
        self.held = self.held + 1 if table is None else 0
        return seat.wait() if table is None else seat.lay(table)

    def _table(self, seat: Seat, clock: Clock) -> FaceTable | None:
        """The table it leaves; None to draw."""
        best = seat.best("tiles", clock.seconds)
        if not best.played or best.tiles == len(seat.rack):
            return best.table if best.played else None
        if seat.view.pool_size == 0:
            return seat.best("points", clock.seconds).table
        if not seat.melded:
            return (*seat.table, *small_openings(self.book, seat.rack)[0].sets)
        if self.held < self._draws(seat):
            return None
        return single_tile(seat) or best.table

    def _draws(self, seat: Seat) -> float:
        """How many turns in a row it draws before it lays."""
        view, draws = seat.view, self.holding.draws
        whole = int(draws) + (chance(self.seed, view).random() < draws % 1)
        others = [s for s in range(len(view.players)) if s != seat.me and not view.withdrawn[s]]
        close = any(view.rack_sizes[other] <= self.holding.close for other in others)
        return whole + (self.holding.longer if close else 0)


def make(book: RuleBook, seed: str, level: str) -> Bot:
    """The bot for one seat; how long it holds back follows from the seed."""
    return Sparing(book, seed, HOLDING[level])
