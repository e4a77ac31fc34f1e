"""Seats reserved for the entrants of a championship: opening such a room, and sitting down with a key."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.seating import check_settings, printable
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Claim
from meldroom.rooms.protocol.events import Chair, Reservation, RoomOpened, SeatReserved, SeatTaken
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings


def lock_of(key: str) -> str:
    """What a room stores of a personal key. Its 256 bits need no slow hash."""
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def open_reserved(
    code: str,
    settings: Settings,
    table: ChampionshipTable,
    reserved: Sequence[Reservation],
    first_game: int,
    now: int,
    first_starter: int = 0,
    deals: Sequence[str] = (),
) -> RoomOpened:
    """The event that opens a room for a championship's table. Raises Refusal."""
    check_settings(settings)
    chairs = tuple(Chair() for _ in reserved)
    return RoomOpened(
        at=now,
        room=code,
        settings=settings,
        chairs=chairs,
        championship=table,
        reserved=tuple(reserved),
        first_game=first_game,
        first_starter=first_starter,
        deals=tuple(deals),
    )


def claim(room: Room, command: Claim, context: Context) -> Decision:
    """Take the seat reserved for a key; the last device that shows the key plays. Raises Refusal."""
    if not printable(command.word):
        raise Refusal("bad_word", "word")
    lock = lock_of(command.key)
    seat = next((seat for seat, each in enumerate(room.reserved) if each.lock == lock), None)
    if seat is None:
        raise Refusal("wrong_key", "key")
    mine = room.seat_of(context.player.id)
    if mine not in (None, seat):
        raise Refusal("already_seated", "key", seat=str((mine or 0) + 1))
    if mine == seat and command.word in ("", room.chairs[seat].word):
        return Decision()  # The same browser again, after a reload.
    event = SeatTaken(
        at=context.now,
        player=context.player.id,
        seat=seat,
        name=room.reserved[seat].name,
        word=command.word,
        avatar=context.player.avatar,
    )
    return Decision((event,))


def reserve_seat(room: Room, seat: int, reserved: Reservation, now: int) -> Decision:
    """Reserve a seat for somebody else or under another key; another name waits for the end of the game."""
    there = room.reserved[seat]
    if there == reserved or (room.stage == "playing" and there.name != reserved.name):
        return Decision()
    return Decision((SeatReserved(at=now, seat=seat, reserved=reserved),))
