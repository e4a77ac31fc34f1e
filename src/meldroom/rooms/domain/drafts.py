"""The draft of the player to move: tiles being arranged, checked and judged until the turn ends."""

from __future__ import annotations

import msgspec

from meldroom.game.actions import Lay, MeldPlay, Play, TileSets
from meldroom.game.errors import ActionError
from meldroom.game.judgement import Standing, TurnStart, judge_draft_melds, judge_draft_table
from meldroom.game.state import State
from meldroom.i18n import Language
from meldroom.rooms.domain.playing import check_rev, own_seat, running
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal, faults
from meldroom.rooms.protocol.answers import Judgement
from meldroom.rooms.protocol.commands import Draft, Plan
from meldroom.tiles import Face, Tile


class LiveDraft(msgspec.Struct, frozen=True, gc=False):
    """The tiles as they are arranged, at a revision. Without table and melds nothing was moved."""

    rev: int
    seat: int
    table: TileSets | None = None
    stated: dict[int, tuple[Face, ...]] = {}
    melds: tuple[MeldPlay, ...] | None = None


def draft_of(room: Room, command: Draft, player: str) -> tuple[LiveDraft, Standing]:
    """A draft and its judgement. Raises Refusal for tiles that cannot be there."""
    game, _ = running(room)
    seat = own_seat(room, player)
    if game.seat != seat:
        raise Refusal("not_your_turn", name=game.players[game.seat])
    standing = _judged(room, game, seat, command)
    return LiveDraft(room.rev, seat, command.table, command.stated, command.melds), standing


def plan_of(room: Room, command: Plan, player: str) -> Standing:
    """The judgement of what somebody arranges for themselves, in or out of turn. Raises Refusal."""
    game, _ = running(room)
    seat = own_seat(room, player)
    if not room.settings.planning or room.championship is not None:
        raise Refusal("no_planning")
    if game.withdrawn[seat]:
        raise Refusal("withdrawn")
    return _judged(room, game, seat, command)


def _judged(room: Room, game: State, seat: int, command: Draft | Plan) -> Standing:
    check_rev(room, command.rev)
    table, melds = command.table, command.melds
    if (table is not None or command.stated) and room.book.family != "rearranging":
        raise Refusal("wrong_draft", "table")
    if (melds is not None or command.discard is not None) and room.book.family != "laying_off":
        raise Refusal("wrong_draft", "melds")
    try:
        return _standing(TurnStart.of(game, seat), table, command.stated, melds, command.discard)
    except ActionError as error:
        raise Refusal.of(error) from None


def declared(room: Room, action: object) -> Standing | None:
    """A declared turn, judged, for whoever declared it; None for other actions."""
    if room.game is None or not isinstance(action, Lay | Play):
        return None
    start = TurnStart.of(room.game, action.seat)
    try:
        if isinstance(action, Lay):
            return _standing(start, action.table, action.stated, None, None)
        return _standing(start, None, {}, action.melds, action.discard)
    except ActionError:
        return None


def _standing(
    start: TurnStart,
    table: TileSets | None,
    stated: dict[int, tuple[Face, ...]],
    melds: tuple[MeldPlay, ...] | None,
    discard: Tile | None,
) -> Standing:
    if start.book.family == "rearranging":
        return judge_draft_table(start, start.table if table is None else table, stated)
    kept = tuple(MeldPlay(meld.tiles, meld.owner, meld.reading.kind) for meld in start.melds)
    return judge_draft_melds(start, kept if melds is None else melds, discard)


def judgement(standing: Standing, language: Language) -> Judgement:
    """A judgement as it is sent."""
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
