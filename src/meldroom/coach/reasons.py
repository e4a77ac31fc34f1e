"""Why a move was made, in one sentence: found after the fact from what its player saw.

Each reason has a condition that is checked on the position; a reason whose condition does not hold is never
given. The first that holds is the one that is told, so that the telling ones stand first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TypeVar

import msgspec

from meldroom.bots.rearranging.base import Seat, best_or_none
from meldroom.coach.lay_off_reasons import LAY_OFF, LayOffSituation
from meldroom.game.actions import Action, Draw, Lay, Pass
from meldroom.game.views import View
from meldroom.i18n import Message, Value
from meldroom.rules.book import RuleBook
from meldroom.rules.verify import FaceSet
from meldroom.solver.best import Solution
from meldroom.solver.explanation.text import tile_part
from meldroom.tiles import Face

OPEN_LATE_POOL = 20
"""With no more than so many tiles to draw it is late enough to open."""
CLOSE_TO_OPEN, CLOSE = 8, 3
"""Somebody with so few tiles is close: for whoever has not opened, and for whoever has."""
LAST_DRAWS = 4
MOST_TRIED = 6
"""So many tiles are tried for a place that a play would give to others."""

Values = dict[str, Value]
Told = TypeVar("Told")


class Reason(msgspec.Struct, frozen=True):
    """Why a move was made: which reason it is, and the sentence."""

    id: str
    message: Message


class Situation:
    """A move of a rearranging book and what its player could see."""

    def __init__(self, book: RuleBook, view: View, action: Action) -> None:
        self.book, self.view, self.action = book, view, action
        self.seat = Seat(book, view)
        before = Counter(face for faces in self.seat.table for face in faces)
        after = (
            Counter(book.tiles.face_of[tile] for tiles in action.table for tile in tiles)
            if isinstance(action, Lay)
            else before
        )
        self.laid: FaceSet = tuple(sorted((after - before).elements()))
        self.pool = view.pool_size
        seats = len(view.players)
        order = [(self.seat.me + book.step * turn) % seats for turn in range(1, seats)]
        self.others = [each for each in order if not view.withdrawn[each]]

    @cached_property
    def best(self) -> Solution:
        """The most tiles that could be laid."""
        return self.seat.best("tiles")

    @cached_property
    def unseen(self) -> Counter[Face]:
        """The tiles that are neither on the table nor on the own rack."""
        shown = Counter(self.seat.rack) + Counter(face for faces in self.seat.table for face in faces)
        return Counter(
            {face: self.book.tiles.limits[face] - shown[face] for face in self.book.tiles.every_face}
        )

    @property
    def goes_on(self) -> bool:
        """True if a game goes on with an empty pool until everybody passes."""
        return self.book.pool_end.ending == "all_pass"

    @property
    def out(self) -> bool:
        """True if the move lays the whole rack."""
        return len(self.laid) == len(self.seat.rack)

    @property
    def left(self) -> FaceSet:
        """What stays on the rack."""
        return tuple((Counter(self.seat.rack) - Counter(self.laid)).elements())

    def name(self, seat: int) -> str:
        """What a player is called."""
        return self.view.players[seat]

    def closest(self, most: int) -> Values | None:
        """The other player with fewest tiles who has opened, if they hold no more than `most`."""
        opened = [(self.view.rack_sizes[each], each) for each in self.others if self.view.melded[each]]
        size, who = min(opened, default=(most + 1, -1))
        return {"name": self.name(who), "count": size} if size <= most else None

    def tiles(self, faces: FaceSet) -> Value:
        """Tiles as a value of a sentence."""
        return tile_part(tuple(sorted(faces)), self.book.tiles)

    def points(self, faces: FaceSet) -> int:
        """What tiles would cost on a rack."""
        return sum(self.book.values[face] for face in faces)

    def place_for(self) -> Face | None:
        """A tile that nobody has shown, without a place on the table, which the most tiles would give one."""
        tiles, joker = self.book.tiles, self.book.tiles.joker
        near: set[Face] = set()
        for face in self.best.played:
            if face == joker:
                continue
            number = face % tiles.numbers
            near.update(Face(c * tiles.numbers + number) for c in range(len(tiles.colours)))
            near.update(Face(face + step) for step in (-1, 1) if 0 <= number + step < tiles.numbers)
        wanted = sorted((f for f in near if self.unseen[f] > 0), key=lambda f: (-self.book.values[f], f))
        for face in wanted[:MOST_TRIED]:
            if self._fits(self.best.table, face) and not self._fits(self.seat.table, face):
                return face
        return None

    def _fits(self, table: tuple[FaceSet, ...], face: Face) -> bool:
        return bool(best_or_none(self.book, table, (face,)).played)

    def others_points(self) -> int | None:
        """What the one other player holds, where it is known: nothing is left to draw, nobody has gone."""
        if self.pool or len(self.others) != 1 or any(self.view.withdrawn):
            return None
        return self.points(tuple(self.unseen.elements()))


def _lay_out(s: Situation) -> Values | None:
    return {"count": len(s.laid)} if s.out else None


def _opens(s: Situation) -> bool:
    return not s.seat.melded and bool(s.laid) and not s.out


def _open_nearly(s: Situation) -> Values | None:
    if not _opens(s) or not isinstance(s.action, Lay) or not s.left:
        return None
    table = tuple(s.book.tiles.faces_of(tiles) for tiles in s.action.table)
    rest = best_or_none(s.book, table, s.left)
    return {"count": len(s.left)} if rest.tiles == len(s.left) else None


def _open_close(s: Situation) -> Values | None:
    return s.closest(CLOSE_TO_OPEN) if _opens(s) else None


def _open_low(s: Situation) -> Values | None:
    return {"count": s.pool} if _opens(s) and s.pool <= OPEN_LATE_POOL else None


def _open_small(s: Situation) -> Values | None:
    if not _opens(s) or len(s.laid) >= s.best.tiles:
        return None
    return {"count": len(s.laid), "most": s.best.tiles}


def _open(s: Situation) -> Values | None:
    return {"count": len(s.laid), "tiles": s.tiles(s.laid)} if _opens(s) else None


def _last_turn(s: Situation) -> Values | None:
    last = s.view.queue is not None and not s.view.queue
    return {"points": Message("games.points", {"count": s.points(s.laid)})} if s.laid and last else None


def _lay_ahead(s: Situation) -> Values | None:
    theirs = s.others_points()
    if not s.laid or theirs is None or not s.goes_on:
        return None
    mine = s.points(s.left)
    if not mine < theirs <= s.points(s.seat.rack):
        return None
    return {"mine": mine, "theirs": theirs, "name": s.name(s.others[0])}


def _lay_empty(s: Situation) -> Values | None:
    return {"points": Message("games.points", {"count": s.points(s.laid)})} if s.laid and not s.pool else None


def _fight(s: Situation) -> Values | None:
    """Between two, an even number of tiles to draw: who draws now leaves the last one to the other."""
    if not s.laid or s.out or not s.seat.melded or len(s.others) != 1 or s.goes_on:
        return None
    if not 0 < s.pool <= LAST_DRAWS or s.pool % 2:
        return None
    return {"name": s.name(s.others[0]), "count": s.pool, "tiles": s.tiles(s.laid)}


def _pass_on(s: Situation) -> Values | None:
    """Among more, or where the game goes on: a turn without a draw moves the last draw by one seat."""
    rest = len(s.others)
    if not s.laid or s.out or not s.seat.melded or not 0 < s.pool <= max(LAST_DRAWS, rest * (rest + 1)):
        return None
    return {"count": s.pool, "tiles": s.tiles(s.laid)}


def _lay_close(s: Situation) -> Values | None:
    return s.closest(CLOSE) if s.laid and s.seat.melded else None


def _lay_most(s: Situation) -> Values | None:
    return {"count": len(s.laid)} if s.laid and len(s.laid) == s.best.tiles else None


def _lay(s: Situation) -> Values | None:
    return {"count": len(s.laid), "most": s.best.tiles} if s.laid else None


def _nothing(s: Situation) -> Values | None:
    return {} if not s.laid and s.seat.melded and not s.best.played else None


def _cannot_open(s: Situation) -> Values | None:
    if s.laid or s.seat.melded or s.best.played:
        return None
    return {"needed": s.book.opening.points}


def _hold_opening(s: Situation) -> Values | None:
    held = not s.laid and not s.seat.melded and bool(s.best.played)
    if not held or s.pool <= OPEN_LATE_POOL or s.closest(CLOSE_TO_OPEN) is not None:
        return None
    return {"count": s.pool}


def _draw_last(s: Situation) -> Values | None:
    """Between two, an odd number of tiles to draw: if both draw, the last one is this player's."""
    if s.laid or s.goes_on or len(s.others) != 1 or not s.best.played:
        return None
    return {"count": s.pool} if 0 < s.pool <= LAST_DRAWS and s.pool % 2 else None


def _holds(s: Situation) -> bool:
    return not s.laid and s.seat.melded and bool(s.best.played) and s.pool > 0


def _hold_place(s: Situation) -> Values | None:
    face = s.place_for() if _holds(s) and s.others else None
    if face is None:
        return None
    tile = tile_part((face,), s.book.tiles)
    return {"count": s.best.tiles, "name": s.name(s.others[0]), "tile": tile}


def _hold_draw(s: Situation) -> Values | None:
    if not _holds(s) or s.best.tiles == len(s.seat.rack):
        return None
    return {"count": s.best.tiles, "stuck": len(s.seat.rack) - s.best.tiles}


def _pass_ahead(s: Situation) -> Values | None:
    theirs = s.others_points()
    mine = s.points(s.seat.rack)
    if s.laid or s.pool or theirs is None or not s.goes_on or mine >= theirs:
        return None
    return {"mine": mine, "theirs": theirs, "name": s.name(s.others[0])}


def _wait(s: Situation) -> Values | None:
    return {"count": s.best.tiles} if not s.laid and s.best.played else None


Condition = Callable[[Situation], Values | None]

REARRANGING: dict[str, Condition] = {
    "lay_out": _lay_out,
    "open_nearly": _open_nearly,
    "open_close": _open_close,
    "open_low": _open_low,
    "open_small": _open_small,
    "open": _open,
    "lay_ahead": _lay_ahead,
    "last_turn": _last_turn,
    "lay_empty": _lay_empty,
    "fight": _fight,
    "lay_close": _lay_close,
    "pass_on": _pass_on,
    "lay_most": _lay_most,
    "lay": _lay,
    "nothing": _nothing,
    "cannot_open": _cannot_open,
    "hold_opening": _hold_opening,
    "draw_last": _draw_last,
    "hold_place": _hold_place,
    "hold_draw": _hold_draw,
    "pass_ahead": _pass_ahead,
    "wait": _wait,
}
"""The conditions by reason, the telling ones first; each gives the values of its sentence, or None."""


def reasons(book: RuleBook, view: View, action: Action) -> Iterator[Reason]:
    """Every reason whose condition holds for a move, the telling ones first; none for what is no move."""
    if book.family != "rearranging":
        yield from _true(LAY_OFF, LayOffSituation(book, view, action))
    elif isinstance(action, Draw | Lay | Pass):
        yield from _true(REARRANGING, Situation(book, view, action))


def _true(conditions: Mapping[str, Callable[[Told], Values | None]], told: Told) -> Iterator[Reason]:
    for id, condition in conditions.items():
        values = condition(told)
        if values is not None:
            yield Reason(id, Message(f"coach.reason.{id}", values))


def reason(book: RuleBook, view: View, action: Action) -> Reason | None:
    """Why a move was made: the first reason that holds."""
    return next(reasons(book, view, action), None)
