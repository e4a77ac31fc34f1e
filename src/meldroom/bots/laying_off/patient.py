"""Patient: stays off board, or on it with a full rack, until everything goes out in one turn."""

from __future__ import annotations

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.loose_tiles import promise
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.lay_off import LayOffPosition, best_play
from meldroom.tiles import Face


class Patient:
    """Collects a rack that goes out whole, for the bonus of hand or foot; gives up when the stock ends."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book

    def act(self, view: View, clock: Clock) -> Action:
        """The discard that brings the rack further, or the stock; then the whole rack, or just a discard."""
        seat = Seat(self.book, view)
        if view.phase == "take":
            return seat.take(self._further(seat, clock))
        whole = best_play(self.book, seat.seen_as(True), time_limit=clock.seconds)
        if view.phase == "play":
            play = best_play(self.book, seat.position, time_limit=clock.seconds)
            if play.bonus or (play.played and self._tired(seat)):
                return seat.lay(play, self._idle(seat, seat.left_by(play)))
        return seat.discard(self._idle(seat, seat.left_by(whole)))

    def _tired(self, seat: Seat) -> bool:
        """True once waiting no longer pays: the last stock is running out."""
        return seat.last_stock and seat.view.pool_size < 2 * len(seat.view.players)

    def _further(self, seat: Seat, clock: Clock) -> bool:
        """True if more of the rack could be laid with the last discard."""
        if seat.offered is None or seat.long_game:
            return False
        return self._laid(seat.with_tile(seat.offered, True), clock) > self._laid(seat.seen_as(True), clock)

    def _laid(self, position: LayOffPosition, clock: Clock) -> int:
        return best_play(self.book, position, time_limit=clock.seconds).tiles

    def _idle(self, seat: Seat, loose: list[Face]) -> Face:
        """The loose tile with the fewest unseen tiles that would bring it into a meld."""
        return min(loose, key=lambda face: (promise(seat, face, loose), -self.book.values[face], face))


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Patient(book)
