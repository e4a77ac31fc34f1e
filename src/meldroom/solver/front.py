"""The best play of a whole position: a state, a view or a position goes in, an action comes out."""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from meldroom.game.actions import Action, Discard, Draw, Lay, Pass, Take
from meldroom.game.legal.arrange import with_tiles
from meldroom.game.legal.lay_off import play_with_tiles
from meldroom.game.notation.position import Moment, Position, parse_position
from meldroom.game.state import Meld, Phase, State
from meldroom.game.views import View
from meldroom.i18n import Language, Message, message
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, Outcome
from meldroom.rules.library import resolve
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.best import Neat, Objective, Solution, solve_faces
from meldroom.solver.errors import PositionError
from meldroom.solver.explanation import Explanation
from meldroom.solver.explanation import explain as explain_tables
from meldroom.solver.explanation.movements import TakeTile
from meldroom.solver.lay_off import LayOffPlay, LayOffPosition, best_play, explain_turn
from meldroom.solver.lay_off.hints import what_to_take
from meldroom.tiles import HIDDEN, Face, Tile

Solvable: TypeAlias = State | View | Position | str
"""A state, a view, a position, or a position as one line of text."""


class BestPlay(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """The best play of the player to move. `action` carries it out: lay, draw, take or discard.

    `played` are the tiles from the rack, by face; `points` is what they would cost if they stayed there.
    `table` holds the sets afterwards. `optimal` is true only when no better play exists. A laying-off book
    has a `discard` as well, and an `outcome` such as going out; `take` says which tile to take where one is
    still to be taken, and `begins` marks the discard that opens a game.
    """

    book: RuleBook
    seat: int
    action: Action
    before: FaceTable
    rack: FaceSet
    found: Solution | LayOffPlay
    melds: tuple[Exposed, ...] = ()
    take: TakeTile | None = None
    begins: bool = False

    @property
    def played(self) -> FaceSet:
        """The tiles played, by face."""
        return self.found.played

    @property
    def tiles(self) -> int:
        """How many tiles are played."""
        return self.found.tiles

    @property
    def points(self) -> int:
        """What the tiles played would cost on the rack."""
        return self.found.points

    @property
    def optimal(self) -> bool:
        """True if no better play exists."""
        return self.found.optimal

    @property
    def fewest(self) -> bool | None:
        """True if changing fewer old sets is proven impossible; None where that was not asked for."""
        return self.found.fewest if isinstance(self.found, Solution) else None

    @property
    def table(self) -> FaceTable:
        """The sets on the table afterwards, by face."""
        if isinstance(self.found, Solution):
            return self.found.table
        return tuple(meld.faces for meld in self.found.melds)

    @property
    def discard(self) -> Face | None:
        """The tile to discard; None where nobody discards."""
        return self.found.discard if isinstance(self.found, LayOffPlay) else None

    @property
    def outcome(self) -> Outcome | None:
        """What a laying-off turn comes to: going on board, going out."""
        return self.found.outcome if isinstance(self.found, LayOffPlay) else None

    def text(self, language: Language = "en") -> str:
        """The tiles played, how many they are and what they count."""
        if not self.played:
            return message("solver.play.none", language)
        return message(
            "solver.play.lay",
            language,
            played=self.book.tiles.faces_text(self.played),
            tiles=Message("solver.tiles", {"count": self.tiles}),
            points=Message("solver.points", {"count": self.points}),
        )

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<BestPlay {self.book.id} {self}>"


def solve(
    position: Solvable, objective: Objective = "tiles", *, time_limit: float | None = None, neat: Neat = True
) -> BestPlay:
    """The best legal play for the player to move, or for the player whose view it is.

    `tiles` plays most tiles and among those most points, `points` the other way round. With a time limit in
    seconds the best play found in time is given. `neat` changes few old sets, and
    `fewest` says whether fewer are proven impossible; `"thorough"` looks longer, for up to a millisecond.

    >>> play = solve("wrc11@1 / table R1 R2 R3 | K9 B9 O9 / racks R4 R9 K5, ?x9 / pool 9 / turn 1 / melded 1")
    >>> print(play)
    R4 R9: 2 tiles, 13 points
    >>> play.optimal, type(play.action).__name__
    (True, 'Lay')

    Raises PositionError for a position that cannot exist, or whose rack is not known; TooLargeError where an
    unusual tile set is beyond the exact search; NotationError for a text that is no position.
    """
    seen = _seen(position)
    if seen.book.family == "laying_off":
        return _lay_off(seen, objective, time_limit)
    before, rack = seen.table_faces, seen.rack_faces
    found = solve_faces(seen.book, before, rack, seen.melded, objective, time_limit=time_limit, neat=neat)
    if found.played:
        action: Action = Lay(seen.seat, table=_as_tiles(seen, before, found.table))
    else:
        action = Draw(seen.seat) if seen.pool else Pass(seen.seat)
    return BestPlay(seen.book, seen.seat, action, before, rack, found)


def _as_tiles(seen: _Seen, before: FaceTable, after: FaceTable) -> tuple[tuple[Tile, ...], ...]:
    """The table afterwards as physical tiles. Sets that stay as they were come first, and are handed over."""
    kept: list[tuple[Tile, ...]] = []
    others: list[tuple[Tile, ...]] = []
    for faces, tiles in zip(before, seen.table, strict=True):
        (kept if len(kept) < len(after) and after[len(kept)] == faces else others).append(tiles)
    return (*kept, *with_tiles(seen.book.tiles, tuple(others), seen.rack, after[len(kept) :]))


def explain(play: BestPlay) -> Explanation:
    """A play step by step, as a person makes it; `print` it, or ask for `text(language)`.

    >>> play = solve("tml@1 / table B5 R5 K5 O5 / racks B4 B6 K9, ?x14 / pool 77 / turn 1 / melded 1")
    >>> print(explain(play))
    1. Take the fourth tile, B5, from the group [B5 R5 K5 O5]; [K5 R5 O5] stays.
    2. Build the run [B4 B5 B6] with B5 in hand plus B4 and B6 from your rack.
    """
    if isinstance(play.found, LayOffPlay):
        on_board = play.outcome not in ("ON_BOARD", "FOOT", "HAND")
        position = LayOffPosition(str(play.seat), play.melds, play.rack, on_board)
        return explain_turn(play.book, position, play.found, play.take, play.begins)
    return explain_tables(play.book, play.before, play.rack, play.found.table)


def _lay_off(seen: _Seen, objective: Objective, time_limit: float | None) -> BestPlay:
    position, book = seen.lay_off_position, seen.book
    face_of = book.tiles.face_of
    take: TakeTile | None = None
    if seen.phase == "take":
        offered = face_of[seen.discards[-1]] if seen.discards else None
        take, found = what_to_take(book, position, offered, time_limit)
        action: Action = Take(seen.seat, source=take.source)
    else:
        found = best_play(book, position, objective, time_limit=time_limit)
        if found.played and seen.phase == "play":
            action = play_with_tiles(book.tiles, seen.seat, seen.melds, seen.rack, found.melds, found.discard)
        else:
            action = Discard(seen.seat, tile=next(t for t in seen.rack if face_of[t] == found.discard))
    return BestPlay(
        book,
        seen.seat,
        action,
        tuple(meld.faces for meld in position.melds),
        position.rack,
        found,
        position.melds,
        take,
        seen.phase == "opening_discard",
    )


_PHASES: dict[Moment, Phase] = {
    "turn": "turn",
    "discard": "opening_discard",
    "take": "take",
    "play": "play",
}


class _Seen(msgspec.Struct, frozen=True):
    """What the player to move sees of a game."""

    book: RuleBook
    seat: int
    phase: Phase
    rack: tuple[Tile, ...]
    table: tuple[tuple[Tile, ...], ...]
    melds: tuple[Meld, ...]
    discards: tuple[Tile, ...]
    melded: bool
    pool: int

    @property
    def rack_faces(self) -> FaceSet:
        return self.book.tiles.faces_of(self.rack)

    @property
    def table_faces(self) -> FaceTable:
        return tuple(map(self.book.tiles.faces_of, self.table))

    @property
    def lay_off_position(self) -> LayOffPosition:
        face_of = self.book.tiles.face_of
        melds = tuple(
            Exposed(tuple(face_of[tile] for tile in meld.tiles), str(meld.owner), (meld.reading,))
            for meld in self.melds
        )
        holders = tuple(tuple(map(str, meld.holders)) for meld in self.melds)
        return LayOffPosition(str(self.seat), melds, self.rack_faces, self.melded, holders)


def as_position(given: Solvable) -> Position:
    """A state, a view, a position or its text as a position. Raises PositionError for anything else."""
    if isinstance(given, str):
        return parse_position(given)
    if isinstance(given, State | View):
        return given.position
    if not isinstance(given, Position):
        raise PositionError("not_a_position", kind=type(given).__name__)
    return given


def _seen(position: Solvable) -> _Seen:
    """What a position shows of the turn at hand. Raises PositionError."""
    match position:
        case str():
            return _seen(parse_position(position))
        case View(me=None):
            raise PositionError("spectator")
        case View(me=seat, rack=rack) if seat is not None:
            book, phase, pool = resolve(position.book), position.phase, position.pool_size
        case State(seat=seat):
            book, phase, pool = position.book, position.phase, len(position.pool)
            rack = position.racks[seat] if position.racks else ()
        case Position(seat=seat):
            book, pool = position.book, position.pool
            phase = _PHASES.get(position.moment, "over")
            rack = position.racks[seat] if seat >= 0 else ()
        case _:
            raise PositionError("not_a_position", kind=type(position).__name__)
    if phase not in ("turn", "opening_discard", "take", "play"):
        raise PositionError("nobody_to_move")
    if HIDDEN in rack:
        raise PositionError("hidden_rack", "racks")
    melded = position.melded[seat]
    return _Seen(book, seat, phase, rack, position.table, position.melds, position.discards, melded, pool)
