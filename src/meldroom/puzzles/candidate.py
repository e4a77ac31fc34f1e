"""A position that may become a puzzle, with what the gates ask of it, worked out once, if at all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import msgspec

from meldroom.bots import Clock, make_bot
from meldroom.game.actions import Action, Lay
from meldroom.game.notation.position import Position
from meldroom.game.state import State
from meldroom.game.views import View, view
from meldroom.rules.book import RuleBook
from meldroom.rules.opening import sets_within
from meldroom.rules.verify import FaceSet, FaceTable
from meldroom.solver.best import Solution, solve_faces
from meldroom.tiles import Face

WEAK, STRONG = "club", "tournament"
"""The level that must not find a puzzle's answer, and the one that must."""


class Candidate:
    """A turn of a rearranging book, seen by the player to move."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.book: RuleBook = state.book
        self.seat: int = state.seat
        self.table: FaceTable = state.face_table()
        self.rack: FaceSet = state.faces(state.racks[state.seat])
        self.melded: bool = state.melded[state.seat]

    @cached_property
    def view(self) -> View:
        """What the player sees."""
        return view(self.state, self.seat)

    @cached_property
    def best(self) -> Solution:
        """The play that lays most tiles."""
        return solve_faces(self.book, self.table, self.rack, self.melded)

    @property
    def goes_out(self) -> bool:
        """True if the best play lays the whole rack."""
        return self.best.tiles == len(self.rack)

    @cached_property
    def second(self) -> int:
        """How many tiles the best play of other tiles lays."""
        return second_best(self.book, self.table, self.rack, self.best.played, self.melded)

    @cached_property
    def weak(self) -> FaceSet:
        """What the weaker bot lays."""
        return laid_by(self.book, WEAK, self.view)

    @cached_property
    def strong(self) -> FaceSet:
        """What the stronger bot lays."""
        return laid_by(self.book, STRONG, self.view)

    @cached_property
    def neat(self) -> Solution:
        """The same play with as few old sets changed as possible."""
        return solve_faces(self.book, self.table, self.rack, self.melded, neat="thorough")

    @cached_property
    def position(self) -> Position:
        """The position as the player sees it: the other racks are hidden."""
        return plain(Position.seen(self.view, self.book))


def second_best(
    book: RuleBook,
    table: Sequence[FaceSet],
    rack: FaceSet,
    best: FaceSet,
    melded: bool = True,
    enough: int | None = None,
) -> int:
    """The most tiles of a legal play that does not lay exactly the tiles `best`; equal tiles are alike.

    A play of other tiles that lays no more of them lacks at least one of the best play's, so that taking
    those away one after the other finds it. With `enough` the search stops as soon as so many are found.
    """
    most = 0
    for face in dict.fromkeys(best):
        fewer = list(rack)
        for _ in range(rack.count(face) - best.count(face) + 1):
            fewer.remove(face)
        most = max(most, solve_faces(book, table, fewer, melded).tiles)
        if enough is not None and most >= enough:
            break
    return most


def laid_by(book: RuleBook, level: str, seen: View) -> FaceSet:
    """The rack tiles that a bot lays in a position, in order; none if it draws."""
    return laid(book, seen, make_bot(level, book).act(seen, Clock()))


def laid(book: RuleBook, seen: View, action: Action) -> FaceSet:
    """The rack tiles that an action lays, in order."""
    if not isinstance(action, Lay):
        return ()
    face_of = book.tiles.face_of
    after = Counter(face_of[tile] for tiles in action.table for tile in tiles)
    after.subtract(Counter(face_of[tile] for tiles in seen.table for tile in tiles))
    return tuple(sorted(after.elements()))


def obvious_home(book: RuleBook, table: Sequence[FaceSet], rack: FaceSet) -> Face | None:
    """A rack tile that can simply be added to a set on the table, or lies in a set on the rack alone."""
    is_set = book.reader.is_set
    for face in dict.fromkeys(rack):
        for faces in table:
            if is_set((*faces, face)):
                return face
    alone = solve_faces(book, (), rack).played
    return alone[0] if alone else None


def plain_opening(book: RuleBook, rack: FaceSet) -> FaceSet:
    """The opening that catches the eye: the dearest set without a joker, again and again; () if too small."""
    points, taken = 0, list[Face]()
    numbered = [face for face in rack if face != book.tiles.joker]
    while (found := _dearest_set(book, tuple(numbered))) is not None:
        points += book.reader.represented(found)
        for face in found:
            numbered.remove(face)
        taken += found
    return tuple(sorted(taken)) if points >= book.opening.points else ()


def _dearest_set(book: RuleBook, rack: FaceSet) -> FaceSet | None:
    made = sets_within(book.reader, rack, every_length=True)
    return max(made, key=lambda faces: (book.reader.represented(faces), faces), default=None)


def plain(position: Position) -> Position:
    """The same position with equal tiles numbered as they are written, so that no copy needs a mark."""
    tiles = position.book.tiles
    used: Counter[Face] = Counter()

    def renamed(some: Sequence[int]) -> tuple[int, ...]:
        named = []
        for tile in some:
            if tile >= 0:
                face = tiles.face_of[tile]
                tile = tiles.tile(face, used[face])
                used[face] += 1
            named.append(tile)
        return tuple(named)

    table = tuple(renamed(some) for some in position.table)
    melds = tuple(msgspec.structs.replace(meld, tiles=renamed(meld.tiles)) for meld in position.melds)
    racks = tuple(renamed(sorted(rack)) for rack in position.racks)
    discards = renamed(position.discards)
    return msgspec.structs.replace(position, table=table, melds=melds, racks=racks, discards=discards)
