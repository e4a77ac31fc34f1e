"""The table under the hands of the player to move: checked, judged, kept until the turn ends."""

from __future__ import annotations

import msgspec

from meldroom.game.actions import Lay, MeldPlay, Play, TileSets
from meldroom.game.draft_judgement import Standing, check_tiles, judged_melds, judged_table
from meldroom.game.errors import ActionError
from meldroom.game.views import View, view
from meldroom.i18n import Language
from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.playing import check_rev, own_seat, running
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal, faults
from meldroom.rooms.protocol.answers import Judgement
from meldroom.rooms.protocol.commands import Draft
from meldroom.rules.book import RuleBook
from meldroom.tiles import Face, Tile


class LiveDraft(msgspec.Struct, frozen=True):
    """What lies on the table now, at a revision. All None is a table as it was."""

    rev: int
    seat: int
    table: TileSets | None = None
    stated: dict[int, tuple[Face, ...]] = {}
    melds: tuple[MeldPlay, ...] | None = None

    @property
    def untouched(self) -> bool:
        """True if nothing was moved."""
        return self.table is None and self.melds is None


def draft_of(room: Room, command: Draft, moment: Moment) -> tuple[LiveDraft, Standing]:
    """A draft and what it amounts to. Raises Refusal for tiles that cannot be there."""
    game, _ = running(room)
    seat = own_seat(room, moment.who.id)
    if game.seat != seat:
        raise Refusal("not_your_turn", name=game.players[game.seat])
    check_rev(room, command.rev)
    seen = view(game, seat)
    table, melds = command.table, command.melds
    if (table is not None or command.stated) and room.book.family != "rearranging":
        raise Refusal("wrong_draft", "table")
    if (melds is not None or command.discard is not None) and room.book.family != "laying_off":
        raise Refusal("wrong_draft", "melds")
    try:
        standing = _standing(room.book, seen, table, command.stated, melds, command.discard)
    except ActionError as error:
        raise Refusal.of(error) from None
    return LiveDraft(room.rev, seat, table, command.stated, melds), standing


def declared(room: Room, action: object) -> Standing | None:
    """What a declared turn amounted to, for whoever declared it; None for other actions."""
    if room.game is None or not isinstance(action, Lay | Play):
        return None
    seen = view(room.game, action.seat)
    try:
        if isinstance(action, Lay):
            return _standing(room.book, seen, action.table, action.stated, None, None)
        return _standing(room.book, seen, None, {}, action.melds, action.discard)
    except ActionError:
        return None


def _standing(
    book: RuleBook,
    seen: View,
    table: TileSets | None,
    stated: dict[int, tuple[Face, ...]],
    melds: tuple[MeldPlay, ...] | None,
    discard: Tile | None,
) -> Standing:
    if book.family == "rearranging":
        shown = seen.table if table is None else table
        _check_sets(book, seen, shown, stated)
        return judged_table(book, seen, shown, stated)
    kept = tuple(MeldPlay(meld.tiles, meld.owner, meld.reading.kind) for meld in seen.melds)
    laid = kept if melds is None else melds
    _check_melds(book, seen, laid, discard)
    return judged_melds(book, seen, laid, discard)


def _check_sets(book: RuleBook, seen: View, table: TileSets, stated: dict[int, tuple[Face, ...]]) -> None:
    """Raises ActionError for a table that cannot lie there at all."""
    if len(table) > book.tiles.size:
        raise ActionError("too_many_sets", "table", count=len(table))
    check_tiles(book, seen, (tile for tiles in table for tile in tiles), "table")
    for index, faces in stated.items():
        if not 0 <= index < len(table):
            raise ActionError("no_such_place", f"stated[{index}]")
        for face in faces:
            if not 0 <= face < book.tiles.joker:
                raise ActionError("unknown_tile", f"stated[{index}]", tile=face)


def _check_melds(book: RuleBook, seen: View, melds: tuple[MeldPlay, ...], discard: Tile | None) -> None:
    """Raises ActionError for melds that cannot lie there at all, or a discard that is not on the rack."""
    if len(melds) > book.tiles.size:
        raise ActionError("too_many_sets", "melds", count=len(melds))
    thrown = () if discard is None else (discard,)
    check_tiles(book, seen, (*(tile for meld in melds for tile in meld.tiles), *thrown), "melds")
    if discard is not None and discard not in seen.rack:
        raise ActionError("tile_not_on_rack", "discard", tiles=book.tiles.name(discard))
    for index, meld in enumerate(melds):
        if not 0 <= meld.owner < len(seen.players):
            raise ActionError("no_such_seat", "melds", seat=meld.owner)
        if index >= len(seen.melds) and meld.owner != seen.me:
            raise ActionError("no_such_place", "melds")


def judgement(standing: Standing, language: Language) -> Judgement:
    """A standing as it travels."""
    return Judgement(
        legal=standing.legal,
        marks=standing.marks,
        unplaced=standing.unplaced,
        laid=standing.laid,
        points=standing.points,
        needed=standing.needed,
        faults=faults(standing.faults, language),
        outcome=standing.outcome,
    )
