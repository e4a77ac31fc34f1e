"""One pure function for every command that changes a room: the events it leads to, or a refusal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from meldroom.rooms.domain import agreement, aids, chat, playing, reserved_seats, seating
from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.state import Room
from meldroom.rooms.protocol import commands as do

Changing: TypeAlias = (
    do.Sit
    | do.Claim
    | do.StandUp
    | do.SeatBot
    | do.ClearSeat
    | do.SetBotSpeed
    | do.Begin
    | do.Ready
    | do.Act
    | do.ExtraTime
    | do.TakeBack
    | do.Resign
    | do.Agree
    | do.StandIn
    | do.Reclaim
    | do.Say
)

_DECISIONS: dict[type[Any], Callable[[Room, Any, Context], Decision]] = {
    do.Sit: seating.sit,
    do.Claim: reserved_seats.claim,
    do.StandUp: seating.stand_up,
    do.SeatBot: seating.seat_bot,
    do.ClearSeat: seating.clear_seat,
    do.SetBotSpeed: seating.set_bot_speed,
    do.Begin: seating.begin,
    do.Ready: playing.ready,
    do.Act: playing.act,
    do.ExtraTime: playing.extra_time,
    do.TakeBack: aids.take_back,
    do.Resign: playing.resign,
    do.Agree: agreement.agree,
    do.StandIn: agreement.stand_in,
    do.Reclaim: agreement.reclaim,
    do.Say: chat.say,
}


def decide(room: Room, command: Changing, context: Context) -> Decision:
    """What a command leads to. Raises Refusal."""
    return _DECISIONS[type(command)](room, command, context)
