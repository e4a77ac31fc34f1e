"""Lines of chat and quick phrases."""

from __future__ import annotations

from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.names import printable, seat_name
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Say
from meldroom.rooms.protocol.events import RoomEvent, Said


def speak(room: Room, command: Say, moment: Moment) -> list[RoomEvent]:
    """A line of chat, or a phrase. Raises Refusal for nothing, or for signs that cannot be printed."""
    text = command.text.strip()
    if bool(text) == (command.phrase is not None):
        raise Refusal("nothing_said", "text")
    if not printable(text):
        raise Refusal("bad_text", "text")
    seat = room.seat_of(moment.who.id)
    if seat is None and room.stage != "waiting" and room.settings.spectators == "off":
        raise Refusal("not_seated")
    others = [chair.name for chair in room.chairs]
    name = room.chairs[seat].name if seat is not None else seat_name(moment.who.name, others)
    return [
        Said(
            at=moment.now,
            player=moment.who.id,
            request=moment.request,
            name=name,
            seat=seat,
            text=text,
            phrase=command.phrase,
        )
    ]
