"""What people agree on: ending the game, the next game, a bot for somebody who is away."""

from __future__ import annotations

from typing import Literal

from msgspec.structs import replace

from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.playing import abandon, own_seat, running
from meldroom.rooms.domain.seating import open_seats, sealed, start_game
from meldroom.rooms.domain.start_phase import all_ready, play_begins
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Agree, Reclaim, StandIn
from meldroom.rooms.protocol.events import Agreed, Reclaimed, StandInAsked, StoodIn


def voters(room: Room, context: Context) -> set[int]:
    """The seats with a vote: people who are there, play themselves and have not withdrawn."""
    withdrawn = room.game.withdrawn if room.game is not None and room.stage == "playing" else ()
    return {
        seat
        for seat, chair in enumerate(room.chairs)
        if chair.kind == "person"
        and chair.stand_in is None
        and (chair.player in context.present or chair.player == context.player.id)
        and not (seat < len(withdrawn) and withdrawn[seat])
    }


def _needed(room: Room, context: Context, to: Literal["end", "next"]) -> set[int]:
    """The seats that must agree.

    No game ends without those who left a moment ago; and without those who are away none that belongs to a
    championship or has hours for a move.
    """
    if to == "next":
        return voters(room, context)
    game, _ = running(room)
    if room.championship is not None:
        return {seat for seat, out in enumerate(game.withdrawn) if not out}
    if room.settings.clock.kind == "hours":
        everybody = frozenset(chair.player for chair in room.chairs if chair.kind == "person")
        return voters(room, replace(context, present=everybody))
    return voters(room, replace(context, present=context.present | context.just_left))


def agree(room: Room, command: Agree, context: Context) -> Decision:
    """Agree to something, or withdraw the offer. When all have agreed it happens."""
    seat = own_seat(room, context.player.id)
    if command.to == "end":
        game, _ = running(room)
        if game.withdrawn[seat]:
            raise Refusal("withdrawn")
    elif room.stage != "over":
        raise Refusal("game_not_over")
    elif room.championship is not None and (room.match_over or room.to_be_ruled):
        raise Refusal("sitting_over" if room.match_over else "director_next")
    elif open_seats(room.chairs):
        raise Refusal("seats_open")
    offer = Agreed(at=context.now, player=context.player.id, seat=seat, to=command.to, yes=command.yes)
    agreed = {*(room.agreed_end if command.to == "end" else room.agreed_next), seat}
    if not command.yes or not _needed(room, context, command.to) <= agreed:
        return Decision((offer,))
    then = abandon(room, seat, context) if command.to == "end" else start_game(room, context)
    return Decision((offer, *then.events), then.game)


def stand_in(room: Room, command: StandIn, context: Context) -> Decision:
    """Vote for a bot to play for somebody who is away; when all have voted it does."""
    game, _ = running(room)
    seat = own_seat(room, context.player.id)
    if game.withdrawn[seat]:
        raise Refusal("withdrawn")
    if room.championship is not None and not room.settings.stand_in_after:
        raise Refusal("no_stand_ins")
    if not 0 <= command.seat < len(room.chairs):
        raise Refusal("no_such_seat", "seat", count=len(room.chairs))
    chair = room.chairs[command.seat]
    if chair.kind != "person" or command.seat == seat or game.withdrawn[command.seat]:
        raise Refusal("no_stand_in_for", "seat")
    if chair.stand_in is not None:
        raise Refusal("stands_in_already", "seat", name=chair.name)
    if chair.player in context.present:
        raise Refusal("is_there", "seat", name=chair.name)
    if room.settings.clock.kind == "hours":
        raise Refusal("has_hours", "seat", name=chair.name)
    if chair.player in context.just_left:
        raise Refusal("just_left", "seat", name=chair.name)
    vote = StandInAsked(at=context.now, player=context.player.id, seat=command.seat, by=seat)
    if not voters(room, context) <= {*room.asked_stand_in.get(command.seat, ()), seat}:
        return Decision((vote,))
    level = room.settings.stand_in
    stood = StoodIn(at=context.now, player=context.player.id, seat=command.seat, level=level, asked=True)
    return Decision((vote, stood))


def reclaim(room: Room, command: Reclaim, context: Context) -> Decision:
    """Take the own seat back from the bot that stood in, at any time."""
    seat = room.seat_of(context.player.id)
    if seat is None:
        raise Refusal("not_seated")
    if room.chairs[seat].stand_in is None:
        raise Refusal("nobody_stands_in")
    return Decision((Reclaimed(at=context.now, player=context.player.id, seat=seat),))


def follow_up(room: Room, context: Context) -> Decision | None:
    """What the room does by itself next: a bot stands in, play begins, the next shuffle is sealed.

    At a championship's table the first game starts when everybody has sat down.
    """
    after = room.settings.stand_in_after
    if room.stage == "playing" and room.game is not None and after:
        for seat, chair in enumerate(room.chairs):
            silent = chair.kind == "person" and chair.stand_in is None and chair.timeouts >= after
            if silent and not room.game.withdrawn[seat]:
                return Decision((StoodIn(at=context.now, seat=seat, level=room.settings.stand_in),))
    if room.starts_at is not None and all_ready(room):
        return play_begins(room, context.now)
    if room.stage != "playing" and not room.sealed:
        return Decision((sealed(room, context),))
    if room.championship is not None and room.stage == "waiting" and not open_seats(room.chairs):
        return start_game(room, context)
    return None
