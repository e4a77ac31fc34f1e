"""A draft judged while it is made: which sets stand, what is missing, and every fault with its clause."""

from __future__ import annotations

import msgspec

from meldroom.cli.terminal.draft import Draft
from meldroom.cli.terminal.set_order import faces_of, reading_of
from meldroom.game.views import View
from meldroom.rules.laying_off import Exposed, LayOffTurn, Outcome, exposed, judge
from meldroom.rules.verify import Turn, opening_points, set_points, verify
from meldroom.rules.violations import Violation
from meldroom.tiles import Tile


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


def judged(draft: Draft, view: View, discard: Tile | None = None) -> Standing:
    """The standing of a draft. A laying-off book's also needs the discard; without one it is left open."""
    if draft.book.family == "laying_off":
        return _laying_off(draft, view, discard)
    book = draft.book
    turn = Turn(
        before=tuple(faces_of(book, tiles) for tiles in view.table),
        rack=faces_of(book, view.rack),
        after=tuple(faces_of(book, each.tiles) for each in draft.sets),
        melded=view.melded[draft.me],
    )
    faults = verify(book, turn)
    return _standing(
        draft,
        faults,
        frozenset(),
        points=0 if turn.melded else opening_points(book, turn),
        needed=0 if turn.melded else book.opening.points,
    )


def _standing(
    draft: Draft,
    faults: tuple[Violation, ...],
    spoilt: frozenset[int],
    points: int,
    needed: int,
    outcome: Outcome | None = None,
) -> Standing:
    bad = spoilt | {fault.set_index for fault in faults if fault.set_index is not None}
    marks = tuple(index not in bad for index in range(len(draft.sets)))
    unplaced = tuple(
        tile for each, mark in zip(draft.sets, marks, strict=True) if not mark for tile in each.tiles
    )
    return Standing(marks, faults, unplaced, len(draft.laid), points, needed, outcome)


def _laying_off(draft: Draft, view: View, discard: Tile | None) -> Standing:
    book = draft.book
    before = tuple(Exposed(faces_of(book, m.tiles), str(m.owner), (m.reading,)) for m in view.melds)
    after = tuple(_exposed(draft, index) for index in range(len(draft.sets)))
    on_board = view.melded[draft.me]
    turn = LayOffTurn(
        player=str(draft.me),
        before=before,
        rack=faces_of(book, view.rack),
        after=after,
        on_board=on_board,
        # Which tile is thrown is decided last; any will do to judge the melds by.
        discard=next(iter(faces_of(book, draft.rack if discard is None else (discard,))), None),
    )
    found = judge(book, turn)
    changed = {
        index
        for index, old in enumerate(before)
        for fault in found.violations
        if fault.code == "MELD_CHANGED" and fault.details.get("tiles") == book.tiles.faces_text(old.faces)
    }
    fresh = [
        faces_of(book, each.tiles)
        for each in draft.sets[len(draft.before) :]
        if book.reader.is_set(faces_of(book, each.tiles))
    ]
    return _standing(
        draft,
        found.violations,
        frozenset(changed),
        points=0 if on_board else sum(set_points(book, faces) for faces in fresh),
        needed=0 if on_board else book.opening.points,
        outcome=found.outcome,
    )


def _exposed(draft: Draft, index: int) -> Exposed:
    """A meld of the draft as the judge reads it."""
    each = draft.sets[index]
    owner = str(draft.me if each.owner is None else each.owner)
    shown = exposed(draft.book, faces_of(draft.book, each.tiles), owner)
    reading = reading_of(draft.book, each.tiles, each.kind)
    if index < len(draft.before) or reading is None:
        return shown
    return Exposed(shown.faces, owner, (reading,))
