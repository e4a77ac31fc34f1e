"""Chat messages, quick phrases and reactions."""

from __future__ import annotations

from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.seating import printable, seat_name
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import Player
from meldroom.rooms.protocol.answers import Reacted
from meldroom.rooms.protocol.commands import React, Say
from meldroom.rooms.protocol.events import Said


def say(room: Room, command: Say, context: Context) -> Decision:
    """Send a message or a phrase. Raises Refusal for an empty one, or one that cannot be printed."""
    text = command.text.strip()
    if bool(text) == (command.phrase is not None):
        raise Refusal("nothing_said", "text")
    if not printable(text):
        raise Refusal("bad_text", "text")
    name, seat = _speaker(room, context.player)
    said = Said(
        at=context.now,
        player=context.player.id,
        name=name,
        seat=seat,
        text=text,
        phrase=command.phrase,
    )
    return Decision((said,))


def reaction(room: Room, command: React, player: Player) -> Reacted:
    """What the others are shown. Raises Refusal for those who may not chat here."""
    name, seat = _speaker(room, player)
    return Reacted(room=room.code, name=name, seat=seat, reaction=command.reaction)


def _speaker(room: Room, player: Player) -> tuple[str, int | None]:
    """The name and the seat that somebody chats from. Raises Refusal for those who may not."""
    seat = room.seat_of(player.id)
    if seat is not None:
        return room.chairs[seat].name, seat
    if room.stage != "waiting" and room.settings.spectators == "off":
        raise Refusal("not_seated")
    return seat_name(player.name, [chair.name for chair in room.chairs]), None
