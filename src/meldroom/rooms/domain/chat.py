"""Chat messages and quick phrases."""

from __future__ import annotations

from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.seating import printable, seat_name
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Say
from meldroom.rooms.protocol.events import Said


def say(room: Room, command: Say, context: Context) -> Decision:
    """Send a message or a phrase. Raises Refusal for an empty one, or one that cannot be printed."""
    text = command.text.strip()
    if bool(text) == (command.phrase is not None):
        raise Refusal("nothing_said", "text")
    if not printable(text):
        raise Refusal("bad_text", "text")
    seat = room.seat_of(context.player.id)
    if seat is None and room.stage != "waiting" and room.settings.spectators == "off":
        raise Refusal("not_seated")
    others = [chair.name for chair in room.chairs]
    name = room.chairs[seat].name if seat is not None else seat_name(context.player.name, others)
    said = Said(
        at=context.now,
        player=context.player.id,
        name=name,
        seat=seat,
        text=text,
        phrase=command.phrase,
    )
    return Decision((said,))
