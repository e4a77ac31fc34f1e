"""The start phase after a deal: until all are ready, or a countdown ends, doubles may be shown (R69)."""

from __future__ import annotations

from meldroom.game import events as ev
from meldroom.rooms.domain.clocks import turn_length
from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.state import Room
from meldroom.rooms.protocol.events import PlayBegan, SaidReady


def phase_ends(room: Room, context: Context) -> int | None:
    """When the start phase of a deal made now ends at the latest; None where there is none.

    There is one under every book with a new deal for doubles, whoever holds some: else it would tell. With
    hours for a move nobody sits and waits; there doubles may be shown until the first turn is complete (R6).
    """
    if not context.start_phase or not room.book.redeal.doubles or room.settings.clock.kind == "hours":
        return None
    return context.now + context.start_phase


def is_ready(room: Room, seat: int) -> bool:
    """True for a seat that nobody waits for: bots, stand-ins, who has withdrawn, and who has said so."""
    assert room.game is not None
    chair = room.chairs[seat]
    waits = chair.kind == "person" and chair.stand_in is None and not room.game.withdrawn[seat]
    return not waits or (room.start is not None and seat in room.start.ready)


def all_ready(room: Room) -> bool:
    """True if nobody has to be waited for any more."""
    return all(is_ready(room, seat) for seat in range(len(room.chairs)))


def said_ready(room: Room, seat: int, context: Context) -> Decision:
    """A player is ready; whoever has said so has nothing to add."""
    if is_ready(room, seat):
        return Decision()
    return Decision((SaidReady(at=context.now, player=context.player.id, seat=seat),))


def play_begins(room: Room, now: int) -> Decision:
    """The start phase is over, and the clock of the first turn starts."""
    length = turn_length(room.settings, room.book)
    return Decision((PlayBegan(at=now, deadline=None if length is None else now + length),), room.game)


def dealt_again(events: tuple[ev.Event, ...]) -> bool:
    """True if doubles were shown and everybody got new tiles."""
    return any(isinstance(event, ev.RedealGranted) for event in events)


def may_redeal(room: Room) -> bool:
    """True while doubles may be shown: in the start phase; where there was none, until a turn is complete."""
    if room.stage != "playing" or room.game is None or not room.book.redeal.doubles:
        return False
    return room.starts_at is not None if room.start is not None else not sum(room.game.turns)
