"""What the store keeps beside a room's log: its card for the lists, and finished games with their records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from meldroom.rooms.domain.avatars import avatar_of, bot_avatar
from meldroom.rooms.domain.clocks import clock_label, turn_length
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import FinishedGame, RoomCard, SharedDeal
from meldroom.rooms.protocol.events import Chair

if TYPE_CHECKING:
    from meldroom.record import Record

TAKE_BACKS = "take-backs"
"""The tag of a record in whose game turns were taken back."""
PUZZLES = "puzzles"
"""The tag of records whose table allows puzzles to be made of them (`meldroom.corpus.records`)."""


def card_of(room: Room) -> RoomCard:
    """The card of a room; names are empty for open seats."""
    return RoomCard(
        room=room.code,
        host=room.host,
        stage=room.stage,
        public=room.settings.public,
        book=room.settings.book,
        seats=len(room.chairs),
        names=tuple(chair.name for chair in room.chairs),
        players=tuple(chair.player if chair.kind == "person" else "" for chair in room.chairs),
        opened_at=room.opened_at,
        changed_at=room.changed_at,
        waiting_for=room.to_act,
        clock=clock_label(room.settings, room.book),
        spectators=room.settings.spectators,
        avatars=tuple(avatar_at(chair) for chair in room.chairs),
    )


def avatar_at(chair: Chair) -> str:
    """The avatar of whoever sits on a chair; empty for an open one, and for an entrant who is not there."""
    if chair.kind == "bot":
        return bot_avatar(chair.level or "")
    return chair.avatar or (avatar_of(chair.player) if chair.player else "")


def finished_game(after: Room) -> FinishedGame:
    """The game that has just been finished, with its record. Slow."""
    from meldroom.record import to_text

    assert after.game is not None
    result = after.game.result
    assert result is not None
    assert after.record is not None
    return FinishedGame(
        id=after.record,
        room=after.code,
        game=after.number,
        book=after.settings.book,
        players=after.game.players,
        people=tuple(chair.player for chair in after.chairs),
        scores=result.scores,
        winners=result.winners,
        ended_at=after.changed_at,
        record=to_text(record_of(after)),
        take_backs=after.taken_back,
        levels=tuple(chair.level or "" if chair.kind == "bot" else "" for chair in after.chairs),
        deal=_shared_deal(after),
    )


def _shared_deal(room: Room) -> SharedDeal | None:
    """The deal that other tables of a championship play too; None if it was this table's alone."""
    if not room.deals or room.championship is None or room.game is None:
        return None
    table = room.championship
    return SharedDeal(table.championship, table.stage, table.sitting, room.game.game)


def finishes(before: Room, after: Room) -> bool:
    """True if a game has just been finished."""
    return before.stage == "playing" and after.stage == "over"


def record_of(room: Room) -> Record:
    """The game on the table written down, its shuffle revealed if it is over."""
    from meldroom.record import Record

    length = turn_length(room.settings, room.book)
    bots = ", ".join(f"{chair.name} ({chair.level})" for chair in room.chairs if chair.kind == "bot")
    take_backs = str(room.taken_back) if room.taken_back else ""
    tags = {
        "site": "Meldroom",
        "room": room.code,
        "bots": bots,
        "event": _event_tag(room),
        TAKE_BACKS: take_backs,
        PUZZLES: "yes" if room.settings.puzzles and room.championship is None else "",
    }
    return Record.of(
        room.game_events,
        clock=0 if length is None else length // 1000,
        tags={name: value for name, value in tags.items() if value},
    )


def take_backs_of(record: Record) -> int:
    """How many turns were taken back in a game, as its record tells."""
    told = record.headers.tags.get(TAKE_BACKS, "")
    return int(told) if told.isdecimal() and len(told) < 6 else 0


def _event_tag(room: Room) -> str:
    """Which table of which championship it was; empty for a room of its own."""
    at = room.championship
    return f"{at.championship}, {at.stage}, sitting {at.sitting}, table {at.number}" if at is not None else ""
