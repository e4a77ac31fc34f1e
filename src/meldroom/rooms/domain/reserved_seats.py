"""Chairs that are kept for the entrants of an event: opening such a room, and sitting down with one's key."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.events import Chair, ChairKept, Kept, RoomEvent, RoomOpened, SeatTaken
from meldroom.rooms.domain.names import printable
from meldroom.rooms.domain.seating import check_settings
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Claim
from meldroom.rooms.protocol.settings import EventTable, Settings


def lock_of(key: str) -> str:
    """What a room keeps of a personal key. Its 256 bits need no slow hash."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def open_kept(
    code: str, settings: Settings, event: EventTable, kept: Sequence[Kept], first_game: int, now: int
) -> RoomOpened:
    """The event that opens a room for a table of an event. Raises Refusal."""
    check_settings(settings)
    chairs = tuple(Chair() for _ in kept)
    return RoomOpened(
        at=now,
        room=code,
        settings=settings,
        chairs=chairs,
        event=event,
        kept=tuple(kept),
        first_game=first_game,
    )


def claim(room: Room, command: Claim, moment: Moment) -> list[RoomEvent]:
    """Take the chair that a key opens; the last device that shows the key plays. Raises Refusal."""
    if not printable(command.word):
        raise Refusal("bad_word", "word")
    lock = lock_of(command.key)
    seat = next((seat for seat, kept in enumerate(room.kept) if kept.lock == lock), None)
    if seat is None:
        raise Refusal("wrong_key", "key")
    mine = room.seat_of(moment.who.id)
    if mine not in (None, seat):
        raise Refusal("already_seated", "key", seat=(mine or 0) + 1)
    if mine == seat and command.word in ("", room.chairs[seat].word):
        return []  # The same browser again, after a reload.
    return [
        SeatTaken(
            at=moment.now,
            player=moment.who.id,
            request=moment.request,
            seat=seat,
            name=room.kept[seat].name,
            word=command.word,
        )
    ]


def keep_chair(room: Room, seat: int, kept: Kept, now: int) -> list[RoomEvent]:
    """Keep a chair for somebody else or under another key; another name waits for the end of the game."""
    there = room.kept[seat]
    if there == kept or (room.stage == "playing" and there.name != kept.name):
        return []
    return [ChairKept(at=now, seat=seat, kept=kept)]
