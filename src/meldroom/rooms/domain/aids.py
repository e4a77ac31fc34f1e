"""Casual aids: which of them a table allows now, and taking back a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from meldroom.game import events as ev
from meldroom.rooms.domain.clocks import turn_length
from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.playing import check_rev, own_seat, running
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import TakeBack
from meldroom.rooms.protocol.events import TurnTakenBack
from meldroom.rooms.protocol.settings import Aid


def aids_allowed(room: Room) -> tuple[Aid, ...]:
    """The aids that the table allows as it is now. At a championship's table there are none."""
    if room.championship is not None:
        return ()
    alone = _alone(room)
    return tuple(aid for aid in get_args(Aid) if _allowed(room, aid, alone))


def _allowed(room: Room, aid: Aid, alone: bool) -> bool:
    chosen: bool | None = getattr(room.settings.aids, aid)
    if aid == "take_back":
        return alone and chosen is not False  # Nobody else's turn is undone without asking them.
    return alone if chosen is None else chosen


def _alone(room: Room) -> bool:
    """True if one person plays, and everybody else is a bot."""
    kinds = [chair.kind for chair in room.chairs]
    return kinds.count("person") == 1 and "open" not in kinds


def take_back(room: Room, command: TakeBack, context: Context) -> Decision:
    """The player's last turn has not happened, nor has what bots did since. Raises Refusal."""
    game, _ = running(room)
    seat = own_seat(room, context.player.id)
    if "take_back" not in aids_allowed(room):
        raise Refusal("no_take_back")
    check_rev(room, command.rev)
    if game.withdrawn[seat]:
        raise Refusal("withdrawn")
    kept = _last_turn(room.game_events, seat)
    if kept is None:
        raise Refusal("nothing_to_take_back")
    length = turn_length(room.settings, room.book)
    event = TurnTakenBack(
        at=context.now,
        player=context.player.id,
        seat=seat,
        kept=kept,
        deadline=None if length is None else context.now + length,
    )
    return Decision((event,))


def _last_turn(events: Sequence[ev.Event], seat: int) -> int | None:
    """How many events there were when the last turn of a seat began in which something happened.

    Tiles that were dealt stay dealt: before the last deal there is nothing to take back.
    """
    for index in range(len(events) - 2, -1, -1):
        match events[index]:
            case ev.TurnBegan(seat=who) if who == seat:
                return index + 1
            case ev.Dealt():
                return None
            case _:
                pass
    return None
