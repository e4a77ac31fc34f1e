"""A turn judged while it is made: which sets stand, what is missing, and every fault with its clause."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from meldroom.game.actions import MeldPlay, TileSets
from meldroom.game.errors import ActionError
from meldroom.game.rearranging import gone_tiles
from meldroom.game.views import View
from meldroom.rules.book import RuleBook
from meldroom.rules.laying_off import Exposed, LayOffTurn, Outcome, exposed, judge
from meldroom.rules.sets import Reading
from meldroom.rules.verify import Turn, opening_points, set_points, verify
from meldroom.rules.violations import Violation, violation
from meldroom.tiles import Face, Tile


class Standing(msgspec.Struct, frozen=True):
    """What a draft amounts to now.

    `marks` says of each set whether it may lie so. `needed` is what an opening must count, 0 for a player who
    has opened; `points` what this one counts. `unplaced` are the tiles in sets that may not stand.
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
        """True if the turn could end so."""
        return not self.faults


def faces_of(book: RuleBook, tiles: Sequence[Tile]) -> tuple[Face, ...]:
    """The faces of some tiles."""
    face_of = book.tiles.face_of
    return tuple([face_of[tile] for tile in tiles])


def reading_of(book: RuleBook, tiles: Sequence[Tile], kind: str | None = None) -> Reading | None:
    """How a set is read as it lies, by the kind that was chosen if there is one; None if it is no set."""
    found = book.reader.written(faces_of(book, tiles))
    chosen = [reading for reading in found if kind in (None, reading.kind)]
    return next(iter((*chosen, *found)), None)


def seat_of(view: View) -> int:
    """The seat that a view belongs to. Raises ValueError for a spectator's: he has nothing to play."""
    if view.me is None:
        raise ValueError("a spectator has nothing to play")
    return view.me


def check_tiles(book: RuleBook, view: View, tiles: Iterable[Tile], place: str) -> None:
    """Raises ActionError unless each tile is there once, on the table or on the viewer's own rack."""
    within = {
        *view.rack,
        *(t for each in view.table for t in each),
        *(t for m in view.melds for t in m.tiles),
    }
    seen: set[Tile] = set()
    for tile in tiles:
        if not 0 <= tile < book.tiles.size:
            raise ActionError("unknown_tile", place, tile=tile)
        if tile in seen:
            raise ActionError("tile_twice", place, tiles=book.tiles.name(tile))
        if tile not in within:
            raise ActionError("tile_not_on_rack", place, tiles=book.tiles.name(tile))
        seen.add(tile)


def judged_table(
    book: RuleBook, view: View, table: TileSets, stated: Mapping[int, tuple[Face, ...]] | None = None
) -> Standing:
    """The standing of a whole table under a rearranging book, for the player whose view it is."""
    turn = Turn(
        before=tuple(faces_of(book, tiles) for tiles in view.table),
        rack=faces_of(book, view.rack),
        after=tuple(faces_of(book, tiles) for tiles in table),
        melded=view.melded[seat_of(view)],
        stated=dict(stated or {}),
    )
    faults = verify(book, turn)
    gone = gone_tiles(view.table, table)
    if gone and not any(fault.code == "TILE_LEFT_TABLE" for fault in faults):
        # An equal tile from the rack in its place does not bring it back.
        faults = (*faults, violation(book, "TILE_LEFT_TABLE", tiles=book.tiles.names(gone)))
    points = 0 if turn.melded else opening_points(book, turn)
    needed = 0 if turn.melded else book.opening.points
    return _standing(view, table, faults, frozenset(), points=points, needed=needed)


def judged_melds(
    book: RuleBook, view: View, melds: Sequence[MeldPlay], discard: Tile | None = None
) -> Standing:
    """The standing of all melds under a laying-off book; without a discard that part is left open.

    Old melds come first and in their order, as in a play.
    """
    me = seat_of(view)
    old = len(view.melds)
    before = tuple(Exposed(faces_of(book, m.tiles), str(m.owner), (m.reading,)) for m in view.melds)
    laid = {tile for meld in melds for tile in meld.tiles}
    left = tuple(tile for tile in view.rack if tile not in laid) if discard is None else (discard,)
    turn = LayOffTurn(
        player=str(me),
        before=before,
        rack=faces_of(book, view.rack),
        after=tuple(_exposed(book, meld, index < old) for index, meld in enumerate(melds)),
        on_board=view.melded[me],
        # Which tile is thrown is decided last; any will do to judge the melds by.
        discard=next(iter(faces_of(book, left)), None),
    )
    found = judge(book, turn)
    changed = {
        index
        for index, each in enumerate(before)
        for fault in found.violations
        if fault.code == "MELD_CHANGED" and fault.details.get("tiles") == book.tiles.faces_text(each.faces)
    }
    fresh = [faces for meld in melds[old:] if book.reader.is_set(faces := faces_of(book, meld.tiles))]
    return _standing(
        view,
        tuple(meld.tiles for meld in melds),
        found.violations,
        frozenset(changed),
        points=0 if turn.on_board else sum(set_points(book, faces) for faces in fresh),
        needed=0 if turn.on_board else book.opening.points,
        outcome=found.outcome,
    )


def _exposed(book: RuleBook, meld: MeldPlay, old: bool) -> Exposed:
    """A meld of a draft as the judge reads it."""
    shown = exposed(book, faces_of(book, meld.tiles), str(meld.owner))
    reading = reading_of(book, meld.tiles, meld.kind)
    if old or reading is None:
        return shown
    return Exposed(shown.faces, shown.owner, (reading,))


def _standing(
    view: View,
    sets: TileSets,
    faults: tuple[Violation, ...],
    spoilt: frozenset[int],
    points: int,
    needed: int,
    outcome: Outcome | None = None,
) -> Standing:
    bad = spoilt | {fault.set_index for fault in faults if fault.set_index is not None}
    marks = tuple(index not in bad for index in range(len(sets)))
    unplaced = tuple(tile for tiles, mark in zip(sets, marks, strict=True) if not mark for tile in tiles)
    held = set(view.rack)
    laid = sum(tile in held for tiles in sets for tile in tiles)
    return Standing(marks, faults, unplaced, laid, points, needed, outcome)
