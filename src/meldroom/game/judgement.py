"""The one judge of turns on physical tiles: of actions, and of drafts while they are made.

`rules.verify` and `rules.laying_off.judge` know faces only. Here tiles are checked to be there at all, and an
equal tile from the rack does not bring a tile of the table back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from meldroom.game.actions import MeldPlay, TileSets
from meldroom.game.errors import ActionError
from meldroom.game.state import Meld, State
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, Judgement, LayOffTurn, Outcome, exposed, judge
from meldroom.rules.sets import Reading
from meldroom.rules.verify import Turn, opening_points, set_points, verify
from meldroom.rules.violations import Violation, violation
from meldroom.tiles import Face, Tile

Stated = Mapping[int, tuple[Face, ...]]
"""What announced jokers stand for, by set (R10)."""


class TurnStart(msgspec.Struct, frozen=True, gc=False):
    """What a turn is judged against: the table and the player's rack before it."""

    book: RuleBook
    seat: int
    players: int
    rack: tuple[Tile, ...]
    melded: bool
    table: TileSets
    melds: tuple[Meld, ...]

    @classmethod
    def of(cls, state: State, seat: int | None = None) -> TurnStart:
        """The start of a turn in a state, for the player to move unless a seat is given."""
        seat = state.seat if seat is None else seat
        rack, melded = state.racks[seat], state.melded[seat]
        return cls(state.book, seat, len(state.players), rack, melded, state.table, state.melds)

    @classmethod
    def seen(cls, book: RuleBook, view: View) -> TurnStart:
        """The start of a turn as its player sees it. Raises ActionError for a spectator."""
        seat = view.own_seat
        return cls(book, seat, len(view.players), view.rack, view.melded[seat], view.table, view.melds)

    # Rearranging books

    def judge_table(self, table: TileSets, stated: Stated | None = None) -> tuple[Violation, ...]:
        """Every fault of a table as the turn's end. Raises ActionError if it cannot be laid out at all."""
        self.check_table(table, stated or {})
        return self.table_faults(table, stated)

    def check_table(self, table: TileSets, stated: Stated) -> None:
        """Raises ActionError for tiles or announcements that cannot be there."""
        if len(table) > self.book.tiles.size:
            raise ActionError("too_many_sets", "table", count=len(table))
        self.check_tiles((tile for tiles in table for tile in tiles), "table")
        for index, faces in stated.items():
            if not 0 <= index < len(table):
                raise ActionError("no_such_place", f"stated[{index}]")
            for face in faces:
                if not 0 <= face < self.book.tiles.joker:
                    raise ActionError("unknown_tile", f"stated[{index}]", tile=str(face))

    def table_faults(self, table: TileSets, stated: Stated | None = None) -> tuple[Violation, ...]:
        """Every fault of a table whose tiles are known to be there."""
        return self._without_swaps(verify(self.book, self.turn(table, stated)), self.table, table)

    def turn(self, table: TileSets, stated: Stated | None = None) -> Turn:
        """The turn in faces."""
        faces = self.book.tiles.faces_of
        return Turn(
            before=tuple([faces(tiles) for tiles in self.table]),
            rack=faces(self.rack),
            after=tuple([faces(tiles) for tiles in table]),
            melded=self.melded,
            stated=dict(stated or {}),
        )

    # Laying-off books

    def check_melds(self, melds: Sequence[MeldPlay], discard: Tile | None) -> None:
        """Raises ActionError for melds that cannot be there, or a discard that is not on the rack."""
        if len(melds) > self.book.tiles.size:
            raise ActionError("too_many_sets", "melds", count=len(melds))
        self.check_tiles((tile for meld in melds for tile in meld.tiles), "melds")
        for index, meld in enumerate(melds):
            if not 0 <= meld.owner < self.players:
                raise ActionError("no_such_seat", "melds", seat=str(meld.owner))
            if index >= len(self.melds) and meld.owner != self.seat:
                raise ActionError("no_such_place", "melds")
        if discard is not None:
            check_known(self.book, (discard,), "discard")
            if discard not in self.rack or any(discard in meld.tiles for meld in melds):
                raise ActionError("tile_not_on_rack", "discard", tiles=self.book.tiles.name(discard))

    def judge_melds(
        self, melds: Sequence[MeldPlay], after: Sequence[Exposed], discard: Face | None
    ) -> Judgement:
        """The judgement on all melds; `after` says how each is read."""
        found = judge(self.book, self.lay_off_turn(after, discard))
        faults = self._without_swaps(
            found.violations, [meld.tiles for meld in self.melds], [meld.tiles for meld in melds]
        )
        return found if faults == found.violations else Judgement(None, faults, found.follows, found.changes)

    def lay_off_turn(self, after: Sequence[Exposed], discard: Face | None) -> LayOffTurn:
        """The turn in faces."""
        faces = self.book.tiles.faces_of
        before = tuple(Exposed(faces(m.tiles), str(m.owner), (m.reading,)) for m in self.melds)
        return LayOffTurn(str(self.seat), before, faces(self.rack), tuple(after), self.melded, discard)

    # Both

    def check_tiles(self, tiles: Iterable[Tile], where: str) -> None:
        """Raises ActionError unless each tile is there once, on the table or on the player's own rack."""
        lying = (*self.table, *(meld.tiles for meld in self.melds))
        there = {*self.rack, *(tile for each in lying for tile in each)}
        for tile in check_known(self.book, tiles, where):
            if tile not in there:
                raise ActionError("tile_not_on_rack", where, tiles=self.book.tiles.name(tile))

    def _without_swaps(
        self, faults: tuple[Violation, ...], before: Sequence[Sequence[Tile]], after: Sequence[Sequence[Tile]]
    ) -> tuple[Violation, ...]:
        """The faults, and one more if an equal tile of the rack replaces a tile of the table."""
        kept = {tile for tiles in after for tile in tiles}
        gone = [tile for tiles in before for tile in tiles if tile not in kept]
        if not gone or any(fault.code == "TILE_LEFT_TABLE" for fault in faults):
            return faults
        names = self.book.tiles.names(gone)
        return (*faults, violation(self.book, "TILE_LEFT_TABLE", tiles=names))


def check_known(book: RuleBook, tiles: Iterable[Tile], where: str) -> list[Tile]:
    """The tiles. Raises ActionError if one is not in the set or is named twice."""
    seen: dict[Tile, None] = {}
    for tile in tiles:
        if not 0 <= tile < book.tiles.size:
            raise ActionError("unknown_tile", where, tile=str(tile))
        if tile in seen:
            raise ActionError("tile_twice", where, tiles=book.tiles.name(tile))
        seen[tile] = None
    return list(seen)


class Standing(msgspec.Struct, frozen=True, gc=False):
    """What a draft amounts to now.

    `marks` says of each set whether it is valid. `needed` is what an opening must count, 0 for a player who
    has opened; `points` what this one counts. `unplaced` are the tiles in sets that are not valid.
    """

    marks: tuple[bool, ...]
    faults: tuple[Violation, ...]
    unplaced: tuple[Tile, ...]
    laid: int
    points: int = 0
    needed: int = 0
    outcome: Outcome | None = None

    @property
    def legal(self) -> bool:
        """True if the turn could end like this."""
        return not self.faults


def judge_draft_table(start: TurnStart, table: TileSets, stated: Stated | None = None) -> Standing:
    """The standing of a whole table under a rearranging book. Raises ActionError."""
    faults = start.judge_table(table, stated)
    points = 0 if start.melded else opening_points(start.book, start.turn(table, stated))
    return _standing(start, table, faults, frozenset(), points)


def judge_draft_melds(start: TurnStart, melds: Sequence[MeldPlay], discard: Tile | None = None) -> Standing:
    """The standing of all melds under a laying-off book; without a discard that part is left open.

    Old melds come first and in their order, as in a play. Raises ActionError.
    """
    start.check_melds(melds, discard)
    book, old = start.book, len(start.melds)
    laid = {tile for meld in melds for tile in meld.tiles}
    left = tuple(tile for tile in start.rack if tile not in laid) if discard is None else (discard,)
    after = [_exposed(book, meld, index < old) for index, meld in enumerate(melds)]
    # Which tile is discarded is decided last; any will do to judge the melds by.
    found = start.judge_melds(melds, after, next(iter(book.tiles.faces_of(left)), None))
    changed = {
        index
        for index, meld in enumerate(start.melds)
        for fault in found.violations
        if fault.code == "MELD_CHANGED"
        and fault.details.get("tiles") == book.tiles.faces_text(book.tiles.faces_of(meld.tiles))
    }
    fresh = [faces for m in melds[old:] if book.reader.is_set(faces := book.tiles.faces_of(m.tiles))]
    points = 0 if start.melded else sum(set_points(book, faces) for faces in fresh)
    sets = tuple(meld.tiles for meld in melds)
    return _standing(start, sets, found.violations, frozenset(changed), points, found.outcome)


def reading_of(book: RuleBook, tiles: Sequence[Tile], kind: str | None = None) -> Reading | None:
    """How a set is read as it lies, by the kind that was chosen if there is one; None if it is no set."""
    found = book.reader.written(book.tiles.faces_of(tiles))
    chosen = [reading for reading in found if kind in (None, reading.kind)]
    return next(iter((*chosen, *found)), None)


def _exposed(book: RuleBook, meld: MeldPlay, old: bool) -> Exposed:
    """A meld of a draft as the judge reads it."""
    shown = exposed(book, book.tiles.faces_of(meld.tiles), str(meld.owner))
    reading = reading_of(book, meld.tiles, meld.kind)
    if old or reading is None:
        return shown
    return Exposed(shown.faces, shown.owner, (reading,))


def _standing(
    start: TurnStart,
    sets: TileSets,
    faults: tuple[Violation, ...],
    spoilt: frozenset[int],
    points: int,
    outcome: Outcome | None = None,
) -> Standing:
    bad = spoilt | {fault.set_index for fault in faults if fault.set_index is not None}
    marks = tuple(index not in bad for index in range(len(sets)))
    unplaced = tuple(tile for tiles, mark in zip(sets, marks, strict=True) if not mark for tile in tiles)
    held = set(start.rack)
    laid = sum(tile in held for tiles in sets for tile in tiles)
    needed = 0 if start.melded else start.book.opening.points
    return Standing(marks, faults, unplaced, laid, points, needed, outcome)
