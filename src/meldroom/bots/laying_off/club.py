"""Club player: lays melds, adds to those on the table, takes what completes a meld, and keeps pairs."""

from __future__ import annotations

from collections import Counter

import msgspec

from meldroom.bots.interface import Bot, Clock
from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.meld_shapes import smallest_with
from meldroom.game.actions import Action
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, best_play
from meldroom.tiles import Face


class Club:
    """Goes on board as soon as it can; lays melds first, then adds what is left; keeps what may pair."""

    def __init__(self, book: RuleBook) -> None:
        self.book = book

    def act(self, view: View, clock: Clock) -> Action:
        """The discard that completes a meld, or the stock; then all that can be laid, and a discard."""
        seat = Seat(self.book, view)
        if view.phase == "take":
            return seat.take(self._completes(seat, clock))
        loose = seat.left_by(self._melds_first(seat.seen_as(True), clock))
        if view.phase == "opening_discard":
            return seat.discard(self._single(loose))
        play = best_play(self.book, seat.position, time_limit=clock.seconds)
        if not play.bonus:
            play = self._melds_first(seat.position, clock)
        return seat.lay(play, self._single(seat.left_by(play) if play.played else loose))

    def _melds_first(self, position: LayOffPosition, clock: Clock) -> LayOffPlay:
        """The most tiles in whole melds, then, on board, what of the rest can be added to the table."""
        alone = msgspec.structs.replace(position, melds=(), holders=None)
        new = best_play(self.book, alone, time_limit=clock.seconds)
        melds = (*position.melds, *new.melds)
        if not position.on_board:
            return msgspec.structs.replace(new, melds=melds)
        rest = tuple((Counter(position.rack) - Counter(new.played)).elements())
        after = msgspec.structs.replace(position, melds=melds, holders=None, rack=rest)
        added = best_play(self.book, after, time_limit=clock.seconds)
        return msgspec.structs.replace(
            added,
            played=new.played + added.played,
            tiles=new.tiles + added.tiles,
            points=new.points + added.points,
        )

    def _completes(self, seat: Seat, clock: Clock) -> bool:
        """True if the last discard lies in a meld with tiles of the rack, or on the table."""
        if seat.offered is None or seat.long_game:
            return False
        return self._laid(seat.with_tile(seat.offered, True), clock) > self._laid(seat.seen_as(True), clock)

    def _laid(self, position: LayOffPosition, clock: Clock) -> int:
        return self._melds_first(position, clock).tiles

    def _single(self, loose: list[Face]) -> Face:
        """The loose tile with the fewest others that it could make a meld with; among equals the dearest."""
        held, joker, values = Counter(loose), self.book.tiles.joker, self.book.values

        def partners(face: Face) -> int:
            near = {other for others in smallest_with(self.book, face) for other in others}
            return sum(1 for other in near if held[other])

        return min(loose, key=lambda f: (f == joker, 0 if f == joker else partners(f), -values[f], f))


def make(book: RuleBook, seed: str) -> Bot:
    """The bot for one seat; nothing in it is random."""
    return Club(book)
