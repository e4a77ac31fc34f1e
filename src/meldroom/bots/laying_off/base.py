"""What every bot of the laying-off books shares: the view in faces, and its answers as actions."""

from __future__ import annotations

from collections import Counter

import msgspec

from meldroom.game.actions import Discard, Play, Take
from meldroom.game.legal.lay_off import play_with_tiles
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed
from meldroom.rules.verify import FaceSet
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, position_of
from meldroom.tiles import Face


class Seat:
    """A moment of a laying-off game as its player sees it.

    `rack` is in faces, `offered` the last discard or None, `unseen` counts by face the tiles that are neither
    on the own rack nor open, `melds` the position's melds.
    """

    def __init__(self, book: RuleBook, view: View) -> None:
        face_of = book.tiles.face_of
        self.book = book
        self.view = view
        self.me: int = view.own_seat
        self.position: LayOffPosition = position_of(book, view)
        self.rack: FaceSet = self.position.rack
        self.melds: tuple[Exposed, ...] = self.position.melds
        self.melded: bool = view.melded[self.me]
        self.offered: Face | None = face_of[view.discards[-1]] if view.discards else None
        self.unseen: list[int] = list(book.tiles.limits)
        for tile in (*view.rack, *view.discards, *(tile for meld in view.melds for tile in meld.tiles)):
            self.unseen[face_of[tile]] -= 1

    @property
    def next(self) -> int:
        """The seat that plays after this one; the own seat if all others have left."""
        seats = len(self.view.players)
        order = [(self.me + self.book.step * turn) % seats for turn in range(1, seats + 1)]
        return next(seat for seat in order if seat == self.me or not self.view.withdrawn[seat])

    @property
    def last_stock(self) -> bool:
        """True if the stock cannot be renewed any more."""
        view = self.view
        return view.reshuffles >= self.book.pool_end.reshuffles

    @property
    def last_turn(self) -> bool:
        """True if this player may not have another turn: the stock ends before it comes round again."""
        return self.last_stock and self.view.pool_size < len(self.view.players)

    @property
    def long_game(self) -> bool:
        """True if the game has outlasted the box: from then on only the stock is taken, so that it ends."""
        return sum(self.view.turns) > 2 * self.book.tiles.size

    def with_tile(self, face: Face, on_board: bool | None = None) -> LayOffPosition:
        """The position after taking a tile, or as it would be for a player on board."""
        board = self.melded if on_board is None else on_board
        return msgspec.structs.replace(self.position, rack=(*self.rack, face), on_board=board)

    def seen_as(self, on_board: bool) -> LayOffPosition:
        """The same position for a player on board, or not on board."""
        return msgspec.structs.replace(self.position, on_board=on_board)

    def take(self, from_discards: bool) -> Take:
        """Take the last discard, or a tile from the stock."""
        return Take(self.me, source="discard" if from_discards and self.view.discards else "stock")

    def discard(self, face: Face) -> Discard:
        """Discard without laying anything."""
        face_of = self.book.tiles.face_of
        return Discard(self.me, tile=next(tile for tile in self.view.rack if face_of[tile] == face))

    def left_by(self, play: LayOffPlay) -> list[Face]:
        """What stays on the rack after a play, the discard included."""
        return sorted((Counter(self.rack) - Counter(play.played)).elements())

    def lay(self, play: LayOffPlay, discard: Face | None = None) -> Play | Discard:
        """The action that makes the melds look like this; another discard than the play's may be named."""
        discarded = play.discard if discard is None else discard
        if not play.played:
            return self.discard(discarded)
        view = self.view
        return play_with_tiles(self.book.tiles, self.me, view.melds, view.rack, play.melds, discarded)
