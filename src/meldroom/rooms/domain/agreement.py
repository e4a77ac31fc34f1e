"""What people settle among themselves: ending, the next game, a bot for somebody who is not there."""

from __future__ import annotations

from typing import Literal

from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.playing import abandon, own_seat, running
from meldroom.rooms.domain.seating import open_seats, sealed, start_game
from meldroom.rooms.domain.state import Room, evolve_room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Agree, Reclaim, StandIn
from meldroom.rooms.protocol.events import Agreed, Reclaimed, RoomEvent, StandInAsked, StoodIn


def voters(room: Room, moment: Moment) -> set[int]:
    """The seats of those who are asked: people who are there, play themselves and have not withdrawn."""
    withdrawn = room.game.withdrawn if room.game is not None and room.stage == "playing" else ()
    return {
        seat
        for seat, chair in enumerate(room.chairs)
        if chair.kind == "person"
        and chair.stand_in is None
        and (chair.player in moment.present or chair.player == moment.who.id)
        and not (seat < len(withdrawn) and withdrawn[seat])
    }


def asked(room: Room, moment: Moment, to: Literal["end", "next"]) -> set[int]:
    """The seats that must say yes. At an event's table no game ends behind the back of one who is away."""
    if room.championship is None or to == "next":
        return voters(room, moment)
    game, _ = running(room)
    return {seat for seat, out in enumerate(game.withdrawn) if not out}


def agree(room: Room, command: Agree, moment: Moment) -> list[RoomEvent]:
    """Say yes, or take it back. When all have said yes it happens."""
    seat = own_seat(room, moment.who.id)
    if command.to == "end":
        _check_may_end(room, seat)
    elif room.stage != "over":
        raise Refusal("game_not_over")
    elif room.championship is not None and (room.match_over or room.to_be_ruled):
        raise Refusal("sitting_over" if room.match_over else "director_next")
    elif open_seats(room.chairs):
        raise Refusal("seats_open")
    last = Agreed(
        at=moment.now,
        player=moment.who.id,
        request=moment.request,
        seat=seat,
        to=command.to,
        yes=command.yes,
    )
    after = evolve_room(room, last)
    said = after.agreed_end if command.to == "end" else after.agreed_next
    if not command.yes or not asked(room, moment, command.to) <= set(said):
        return [last]
    first = Agreed(at=moment.now, player=moment.who.id, seat=seat, to=command.to)
    if command.to == "end":
        return [first, abandon(after, seat, moment)]
    return [first, *start_game(after, moment)]


def _check_may_end(room: Room, seat: int) -> None:
    game, _ = running(room)
    if game.withdrawn[seat]:
        raise Refusal("withdrawn")


def stand_in(room: Room, command: StandIn, moment: Moment) -> list[RoomEvent]:
    """Ask that a bot plays for somebody who is not there; when all have asked it does."""
    game, _ = running(room)
    seat = own_seat(room, moment.who.id)
    if game.withdrawn[seat]:
        raise Refusal("withdrawn")
    if room.championship is not None and not room.settings.stand_in_after:
        raise Refusal("no_stand_ins")
    if not 0 <= command.seat < len(room.chairs):
        raise Refusal("no_such_seat", "seat", seats=len(room.chairs))
    chair = room.chairs[command.seat]
    if chair.kind != "person" or command.seat == seat or game.withdrawn[command.seat]:
        raise Refusal("no_stand_in_for", "seat")
    if chair.stand_in is not None:
        raise Refusal("stands_in_already", "seat", name=chair.name)
    if chair.player in moment.present:
        raise Refusal("is_there", "seat", name=chair.name)
    asked = StandInAsked(
        at=moment.now, player=moment.who.id, request=moment.request, seat=command.seat, by=seat
    )
    after = evolve_room(room, asked)
    if not voters(room, moment) <= set(after.asked_stand_in[command.seat]):
        return [asked]
    first = StandInAsked(at=moment.now, player=moment.who.id, seat=command.seat, by=seat)
    stood = StoodIn(
        at=moment.now,
        player=moment.who.id,
        request=moment.request,
        seat=command.seat,
        level=room.settings.stand_in,
        asked=True,
    )
    return [first, stood]


def reclaim(room: Room, command: Reclaim, moment: Moment) -> list[RoomEvent]:
    """Take one's seat back from the bot that stood in, at any moment."""
    seat = room.seat_of(moment.who.id)
    if seat is None:
        raise Refusal("not_seated")
    if room.chairs[seat].stand_in is None:
        raise Refusal("nobody_stands_in")
    return [Reclaimed(at=moment.now, player=moment.who.id, request=moment.request, seat=seat)]


def follow_up(room: Room, moment: Moment) -> RoomEvent | None:
    """What the room does by itself next: a bot stands in for the silent, the next shuffle is sealed.

    At an event's table the first game begins when everybody has sat down.
    """
    after = room.settings.stand_in_after
    if room.stage == "playing" and room.game is not None and after:
        for seat, chair in enumerate(room.chairs):
            silent = chair.kind == "person" and chair.stand_in is None and chair.timeouts >= after
            if silent and not room.game.withdrawn[seat]:
                return StoodIn(at=moment.now, seat=seat, level=room.settings.stand_in)
    if room.stage != "playing" and not room.sealed:
        return sealed(moment)
    if room.championship is not None and room.stage == "waiting" and not open_seats(room.chairs):
        return start_game(room, moment)[0]
    return None
