"""Puzzles of Rummy-O: take or leave the last discard, and going out, on board or from off it (foot, hand).

In Rummy-O `club` looks exactly for ways out, so there the level that must not find them is `beginner`.
Whether to take or to leave is decided by every tile that the stock may hold: each of them is solved.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from msgspec.structs import replace

from meldroom.bots import Clock, make_bot
from meldroom.bots.laying_off.base import Seat
from meldroom.game.actions import Action, Play, Take
from meldroom.game.notation.position import Position
from meldroom.game.state import State
from meldroom.game.views import View, view
from meldroom.puzzles.candidate import STRONG, WEAK, plain
from meldroom.puzzles.gates import LEAST_MARGIN, Gate
from meldroom.puzzles.puzzle import Kind
from meldroom.rules.laying_off import GOING_OUT
from meldroom.rules.verify import FaceSet
from meldroom.solver.errors import TooLargeError
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, best_play, last_discards, position_of
from meldroom.tiles import Face

WEAKEST = "beginner"
MOST_AS_GOOD = 1 / 3
"""To take the discard is right if at most such a share of unseen tiles would lay as many."""
LEAST_BETTER = 0.1
"""To leave it is right if no unseen tile lays fewer, and at least such a share lays two more."""


class LayOffCandidate:
    """A moment of Rummy-O, seen by the player to move: a tile is to be taken, or was."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.book = state.book
        self.seat: int = state.seat

    @cached_property
    def view(self) -> View:
        """What the player sees."""
        return view(self.state, self.seat)

    @cached_property
    def held(self) -> LayOffPosition:
        """The position with the rack as it is."""
        return position_of(self.book, self.view)

    @property
    def offered(self) -> Face | None:
        """The last discard, where it can still be taken."""
        if self.state.phase != "take" or not self.state.discards:
            return None
        return self.book.tiles.face_of[self.state.discards[-1]]

    @cached_property
    def solved(self) -> LayOffPosition:
        """The position that is solved: with the last discard where it can be taken."""
        if self.offered is None:
            return self.held
        return replace(self.held, rack=(*self.held.rack, self.offered))

    @cached_property
    def best(self) -> LayOffPlay:
        """The turn that lays most tiles."""
        return best_play(self.book, self.solved)

    @property
    def goes_out(self) -> bool:
        """True if the best turn goes out."""
        return self.best.outcome in GOING_OUT

    @cached_property
    def without(self) -> int:
        """How many tiles can be laid without the last discard."""
        return best_play(self.book, self.held).tiles

    @cached_property
    def drawn(self) -> Counter[int]:
        """How many of the unseen tiles would let the player lay so many tiles, if drawn from the stock."""
        seat = Seat(self.book, self.view)
        found: Counter[int] = Counter()
        for face, copies in zip(self.book.tiles.every_face, seat.unseen, strict=True):
            if copies:
                found[best_play(self.book, seat.with_tile(face)).tiles] += copies
        return found

    def drawing(self, least: int) -> int:
        """How many of the unseen tiles lay at least so many."""
        return sum(copies for tiles, copies in self.drawn.items() if tiles >= least)

    @cached_property
    def discards(self) -> frozenset[Face]:
        """The tiles that can be left when one goes out."""
        try:
            return last_discards(self.book, self.solved)
        except TooLargeError:
            return frozenset()

    @cached_property
    def second(self) -> int:
        """How many tiles the best turn of other tiles lays.

        Where the best turn goes out and only one tile can be left, every other turn keeps two tiles.
        """
        most = self.without if self.offered is not None else 0
        for face in dict.fromkeys(self.best.played):
            fewer = list(self.solved.rack)
            for _ in range(self.solved.rack.count(face) - self.best.played.count(face) + 1):
                fewer.remove(face)
            if fewer:
                most = max(most, best_play(self.book, replace(self.solved, rack=tuple(fewer))).tiles)
        return most

    def answer_of(self, level: str) -> Action:
        """What a bot does."""
        return make_bot(level, self.book).act(self.view, Clock())

    @property
    def kind(self) -> Kind:
        """What the puzzle asks for."""
        if self.offered is not None:
            return "take"
        return "go_out" if self.held.on_board else "foot_hand"

    @cached_property
    def position(self) -> Position:
        """The position as the player sees it."""
        return plain(Position.seen(self.view, self.book))


def _takes(candidate: LayOffCandidate) -> bool:
    """More can be laid with the last discard, and it is part of that."""
    best = candidate.best
    return best.optimal and candidate.offered in best.played and best.tiles > candidate.without


def _stock_is_worse(candidate: LayOffCandidate) -> bool:
    """Hardly any tile of the stock lays as many."""
    as_good = candidate.drawing(candidate.best.tiles)
    return as_good <= MOST_AS_GOOD * candidate.drawn.total()


def _tempts(candidate: LayOffCandidate) -> bool:
    """A tile the rack has none of, which a weak player takes."""
    if candidate.offered in candidate.held.rack:
        return False
    return any(_is_taking(candidate.answer_of(level)) for level in (WEAKEST, WEAK))


def _stock_is_no_worse(candidate: LayOffCandidate) -> bool:
    return candidate.best.optimal and min(candidate.drawn, default=-1) >= candidate.best.tiles


def _stock_is_better(candidate: LayOffCandidate) -> bool:
    """Often enough a tile of the stock lays two more."""
    better = candidate.drawing(candidate.best.tiles + LEAST_MARGIN)
    return better >= LEAST_BETTER * candidate.drawn.total()


def _unique(candidate: LayOffCandidate) -> bool:
    if candidate.goes_out and len(candidate.discards) != 1:
        return False
    return candidate.second < candidate.best.tiles


def _margin(candidate: LayOffCandidate) -> bool:
    return candidate.goes_out or candidate.best.tiles - candidate.second >= LEAST_MARGIN


def _is_taking(action: Action) -> bool:
    return isinstance(action, Take) and action.source == "discard"


def _tiles_played(candidate: LayOffCandidate, action: Action) -> FaceSet:
    if not isinstance(action, Play):
        return ()
    old = {tile for meld in candidate.state.melds for tile in meld.tiles}
    face_of = candidate.book.tiles.face_of
    return tuple(sorted(face_of[t] for meld in action.melds for t in meld.tiles if t not in old))


TAKE: tuple[Gate[LayOffCandidate], ...] = (
    Gate("offered", lambda each: each.offered is not None),
    Gate("takes", _takes),
    Gate("unique", _unique),
    Gate("margin", _margin),
    Gate("not_club", lambda each: not _is_taking(each.answer_of(WEAK))),
    Gate("tournament", lambda each: _is_taking(each.answer_of(STRONG))),
    Gate("stock_is_worse", _stock_is_worse),
)
"""For a player who should take the last discard."""

LEAVE: tuple[Gate[LayOffCandidate], ...] = (
    Gate("offered", lambda each: each.offered is not None),
    Gate("tempts", _tempts),
    Gate("tournament", lambda each: not _is_taking(each.answer_of(STRONG))),
    Gate("stock_is_no_worse", _stock_is_no_worse),
    Gate("stock_is_better", _stock_is_better),
)
"""For a player who should leave it."""

OUT: tuple[Gate[LayOffCandidate], ...] = (
    Gate("tile_taken", lambda each: each.state.phase == "play"),
    Gate("goes_out", lambda each: each.best.optimal and each.goes_out),
    Gate("unique", _unique),
    Gate("not_beginner", lambda each: _tiles_played(each, each.answer_of(WEAKEST)) != each.best.played),
    Gate("tournament", lambda each: _tiles_played(each, each.answer_of(STRONG)) == each.best.played),
)
"""For a player who has taken a tile and can go out."""
