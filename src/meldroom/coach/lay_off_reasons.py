"""Reasons in a laying-off book: what to take, when to go on board, what to discard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cached_property

from msgspec.structs import replace

from meldroom.bots.advice import goes_with
from meldroom.bots.laying_off.base import Seat
from meldroom.bots.laying_off.loose_tiles import fits_table
from meldroom.game.actions import Action, Discard, Play, Take
from meldroom.game.views import View
from meldroom.i18n import Value
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.explanation.text import tile_part
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, best_play
from meldroom.tiles import Face

Values = dict[str, Value]


class LayOffSituation:
    """A decision in a laying-off book and what its player could see."""

    def __init__(self, book: RuleBook, view: View, action: Action) -> None:
        self.book, self.view, self.action = book, view, action
        self.seat = Seat(book, view)
        face_of = book.tiles.face_of
        self.laid: FaceSet = ()
        self.thrown: Face | None = None
        match action:
            case Play(melds=melds, discard=discard):
                old = {tile for meld in view.melds for tile in meld.tiles}
                now = [tile for meld in melds for tile in meld.tiles]
                self.laid = tuple(sorted(face_of[tile] for tile in now if tile not in old))
                self.thrown = None if discard is None else face_of[discard]
            case Discard(tile=tile):
                self.thrown = face_of[tile]
            case _:
                pass

    def most(self, position: LayOffPosition) -> int:
        """How many tiles can be laid from a position."""
        return self._best(position).tiles

    def _best(self, position: LayOffPosition) -> LayOffPlay:
        return best_play(self.book, position)

    @cached_property
    def now(self) -> LayOffPlay:
        """The best play of the turn."""
        return self._best(self.seat.position)

    @property
    def takes(self) -> str:
        """Where a tile is taken from; empty for another decision."""
        return self.action.source if isinstance(self.action, Take) else ""

    @cached_property
    def more(self) -> int:
        """How many more tiles could be laid with the last discard, once on board."""
        offered = self.seat.offered
        if offered is None:
            return 0
        return self.most(self.seat.with_tile(offered, True)) - self.most(self.seat.seen_as(True))

    def goes_out_with(self, face: Face) -> bool:
        """True if a tile lets the player go out."""
        return self._best(self.seat.with_tile(face)).bonus > 0

    def tile(self, face: Face) -> Value:
        """A tile as a value of a sentence."""
        return tile_part((face,), self.book.tiles)

    def left_after(self, face: Face) -> int:
        """How many tiles could be laid, on board, without one of a face."""
        rest = list(self.seat.rack)
        rest.remove(face)
        return self.most(replace(self.seat.seen_as(True), rack=tuple(rest)))


def _take_out(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    held = s.takes == "discard" and offered is not None and s.goes_out_with(offered)
    return {"tile": s.tile(offered)} if held and offered is not None else None


def _take_joker(s: LayOffSituation) -> Values | None:
    return {} if s.takes == "discard" and s.seat.offered == s.book.tiles.joker else None


def _take_more(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    if s.takes != "discard" or offered is None or s.more <= 0:
        return None
    return {"tile": s.tile(offered), "count": s.more}


def _take_near(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    if s.takes != "discard" or offered is None:
        return None
    beside = goes_with(s.book, s.view, offered)
    return {"tile": s.tile(offered), "beside": tile_part(beside, s.book.tiles)} if beside else None


def _take(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    return {"tile": s.tile(offered)} if s.takes == "discard" and offered is not None else None


def _stock_only(s: LayOffSituation) -> Values | None:
    return {} if s.takes == "stock" and s.seat.offered is None else None


def _leave_alone(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    if s.takes != "stock" or offered is None or offered == s.book.tiles.joker:
        return None
    fits = fits_table(s.seat, offered) or goes_with(s.book, s.view, offered)
    return None if fits else {"tile": s.tile(offered)}


def _leave_no_more(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    if s.takes != "stock" or offered is None or s.more > 0:
        return None
    return {"tile": s.tile(offered)}


def _leave(s: LayOffSituation) -> Values | None:
    offered = s.seat.offered
    return {"tile": s.tile(offered)} if s.takes == "stock" and offered is not None else None


def _out(s: LayOffSituation) -> Values | None:
    gone = Counter(s.laid)
    if s.thrown is not None:
        gone[s.thrown] += 1
    return {"count": len(s.laid)} if s.laid and gone == Counter(s.seat.rack) else None


def _board_late(s: LayOffSituation) -> Values | None:
    if not s.laid or s.seat.melded or not s.seat.last_stock:
        return None
    return {"count": s.view.pool_size, "points": s.book.scoring.unmelded}


def _board(s: LayOffSituation) -> Values | None:
    return {"count": len(s.laid)} if s.laid and not s.seat.melded else None


def _lay_on(s: LayOffSituation) -> Values | None:
    return {"count": len(s.laid)} if s.laid and s.seat.melded else None


def _stay_off(s: LayOffSituation) -> Values | None:
    if (
        s.laid
        or s.thrown is None
        or s.seat.melded
        or s.view.phase != "play"
        or not s.now.tiles
        or s.now.bonus
    ):
        return None
    return {"tile": s.tile(s.thrown), "count": s.now.tiles}


def _throw_alone(s: LayOffSituation) -> Values | None:
    if s.laid or s.thrown is None or s.thrown == s.book.tiles.joker:
        return None
    if goes_with(s.book, s.view, s.thrown) or s.seat.rack.count(s.thrown) > 1:
        return None
    return {"tile": s.tile(s.thrown)}


def _throw_twin(s: LayOffSituation) -> Values | None:
    if s.laid or s.thrown is None or s.seat.rack.count(s.thrown) < 2:
        return None
    return {"tile": s.tile(s.thrown)}


def _throw_loose(s: LayOffSituation) -> Values | None:
    if s.laid or s.thrown is None or s.left_after(s.thrown) < s.most(s.seat.seen_as(True)):
        return None
    return {"tile": s.tile(s.thrown)}


def _throw(s: LayOffSituation) -> Values | None:
    if s.thrown is None:
        return None
    return {"tile": s.tile(s.thrown), "points": s.book.values[s.thrown]}


LAY_OFF: dict[str, Callable[[LayOffSituation], Values | None]] = {
    "take_out": _take_out,
    "take_joker": _take_joker,
    "take_more": _take_more,
    "take_near": _take_near,
    "take": _take,
    "stock_only": _stock_only,
    "leave_alone": _leave_alone,
    "leave_no_more": _leave_no_more,
    "leave": _leave,
    "go_out": _out,
    "board_late": _board_late,
    "board": _board,
    "lay_on": _lay_on,
    "stay_off": _stay_off,
    "throw_twin": _throw_twin,
    "throw_alone": _throw_alone,
    "throw_loose": _throw_loose,
    "throw": _throw,
}
"""The conditions by reason, the telling ones first."""
