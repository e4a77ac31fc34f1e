"""Before and between games: opening a room, sitting down, standing up, bots, and beginning."""

from __future__ import annotations

from collections.abc import Sequence

from meldroom.bots.levels import LEVELS
from meldroom.game.apply import new_game
from meldroom.game.shuffle import Shuffle, commitment
from meldroom.rooms.domain.clocks import (
    LEAST_HOURS,
    LEAST_SECONDS,
    MOST_HOURS,
    MOST_SECONDS,
    turn_length,
)
from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.names import bot_name, printable, seat_name
from meldroom.rooms.domain.state import Room, book_of, evolve_room
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Begin, ClearSeat, SeatBot, Sit, StandUp
from meldroom.rooms.protocol.events import (
    BotSeated,
    Chair,
    GameStarted,
    RoomEvent,
    RoomOpened,
    SeatFreed,
    SeatTaken,
    ShuffleSealed,
)
from meldroom.rooms.protocol.settings import SEAT_ME, SEAT_OPEN, OpenRoom, Settings
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, BookError
from meldroom.rules.procedures import starters


def open_room(code: str, request: OpenRoom, moment: Moment) -> RoomOpened:
    """The event that opens a room as asked. Raises Refusal."""
    settings = request.settings
    book = check_settings(settings)
    _check_word(request.word)
    if len(request.chairs) != settings.seats or request.chairs.count(SEAT_ME) != 1:
        raise Refusal("bad_chairs", "chairs", seats=settings.seats)
    if request.begin and SEAT_OPEN in request.chairs:
        raise Refusal("seats_open", "begin")
    host = seat_name(moment.who.name, ())
    chairs: list[Chair] = []
    for index, chair in enumerate(request.chairs):
        if chair == SEAT_ME:
            chairs.append(Chair("person", host, moment.who.id, request.word))
        elif chair == SEAT_OPEN:
            chairs.append(Chair())
        else:
            check_level(chair, f"chairs[{index}]")
            taken = [host, *(each.name for each in chairs)]
            chairs.append(Chair("bot", bot_name(taken), level=chair))
    shown = Settings(
        book=settings.book,
        options=dict(book.options),
        seats=settings.seats,
        games=settings.games,
        clock=settings.clock,
        public=settings.public,
        spectators=settings.spectators,
        hints=settings.hints,
        stand_in_after=settings.stand_in_after,
        stand_in=settings.stand_in,
    )
    return RoomOpened(at=moment.now, player=moment.who.id, room=code, settings=shown, chairs=tuple(chairs))


def check_settings(settings: Settings) -> RuleBook:
    """The rule book of settings that can be played by. Raises Refusal."""
    if settings.book not in BOOK_IDS:
        raise Refusal("no_such_book", "settings.book", book=settings.book[:40], books=", ".join(BOOK_IDS))
    try:
        book = book_of(settings)
    except (BookError, TypeError) as error:
        place = error.where if isinstance(error, BookError) else "options"
        raise Refusal("bad_option", f"settings.{place}") from None
    least, most = book.players.minimum, book.players.maximum
    if not least <= settings.seats <= most:
        raise Refusal("bad_seats", "settings.seats", least=least, most=most)
    amount = settings.clock.amount
    if settings.clock.kind == "seconds" and not LEAST_SECONDS <= amount <= MOST_SECONDS:
        raise Refusal("bad_seconds", "settings.clock.amount", least=LEAST_SECONDS, most=MOST_SECONDS)
    if settings.clock.kind == "hours" and not LEAST_HOURS <= amount <= MOST_HOURS:
        raise Refusal("bad_hours", "settings.clock.amount", least=LEAST_HOURS, most=MOST_HOURS)
    check_level(settings.stand_in, "settings.stand_in")
    return book


def check_level(level: str, place: str) -> None:
    """Raises Refusal for a level of bot that does not exist."""
    if level not in LEVELS:
        raise Refusal("no_such_level", place, level=level[:40], levels=", ".join(LEVELS))


def _check_word(word: str) -> None:
    if not printable(word):
        raise Refusal("bad_word", "word")


def _check_between_games(room: Room) -> None:
    if room.stage == "playing":
        raise Refusal("game_running")


def _check_seat(room: Room, seat: int) -> Chair:
    if not 0 <= seat < len(room.chairs):
        raise Refusal("no_such_seat", "seat", seats=len(room.chairs))
    return room.chairs[seat]


def _check_host(room: Room, moment: Moment) -> None:
    if room.acting_host != moment.who.id:
        raise Refusal("not_host")


def sit(room: Room, command: Sit, moment: Moment) -> list[RoomEvent]:
    """Take an open seat; at one's own, give another word, and before the first game another name."""
    _check_between_games(room)
    chair = _check_seat(room, command.seat)
    _check_word(command.word)
    mine = room.seat_of(moment.who.id)
    if mine is not None and mine != command.seat:
        raise Refusal("already_seated", "seat", seat=mine + 1)
    if chair.kind != "open" and mine is None:
        raise Refusal("seat_taken", "seat")
    if room.reserved and mine is None:
        raise Refusal("seat_reserved", "seat", name=room.reserved[command.seat].name)
    others = [each.name for seat, each in enumerate(room.chairs) if seat != command.seat]
    keeps_name = mine is not None and (room.stage != "waiting" or bool(room.reserved))
    name = chair.name if keeps_name else seat_name(moment.who.name, others)
    return [
        SeatTaken(
            at=moment.now,
            player=moment.who.id,
            request=moment.request,
            seat=command.seat,
            name=name,
            word=command.word,
        )
    ]


def stand_up(room: Room, command: StandUp, moment: Moment) -> list[RoomEvent]:
    """Give up one's seat."""
    _check_between_games(room)
    seat = room.seat_of(moment.who.id)
    if seat is None:
        raise Refusal("not_seated")
    if room.reserved:
        raise Refusal("seat_is_yours")
    return [SeatFreed(at=moment.now, player=moment.who.id, request=moment.request, seat=seat)]


def seat_bot(room: Room, command: SeatBot, moment: Moment) -> list[RoomEvent]:
    """The host puts a bot on an open seat."""
    _check_between_games(room)
    _check_host(room, moment)
    chair = _check_seat(room, command.seat)
    check_level(command.level, "level")
    if chair.kind == "person":
        raise Refusal("seat_taken", "seat")
    taken = [each.name for seat, each in enumerate(room.chairs) if seat != command.seat]
    return [
        BotSeated(
            at=moment.now,
            player=moment.who.id,
            request=moment.request,
            seat=command.seat,
            name=chair.name if chair.kind == "bot" else bot_name(taken),
            level=command.level,
        )
    ]


def clear_seat(room: Room, command: ClearSeat, moment: Moment) -> list[RoomEvent]:
    """The host frees a seat."""
    _check_between_games(room)
    _check_host(room, moment)
    if _check_seat(room, command.seat).kind == "open":
        raise Refusal("seat_is_open", "seat")
    return [SeatFreed(at=moment.now, player=moment.who.id, request=moment.request, seat=command.seat)]


def begin(room: Room, command: Begin, moment: Moment) -> list[RoomEvent]:
    """The host begins the first game."""
    if room.stage != "waiting":
        raise Refusal("begun_already")
    _check_host(room, moment)
    return start_game(room, moment)


def sealed(moment: Moment) -> ShuffleSealed:
    """The secret of the next game, locked away."""
    return ShuffleSealed(at=moment.now, commitment=commitment(moment.secret), secret=moment.secret)


def start_game(room: Room, moment: Moment, game: int | None = None) -> list[RoomEvent]:
    """The next game of a room, dealt; a match that is over is followed by another. Raises Refusal.

    At an event's table it may be said which `game` of the sheet it is; who is not there has his chair anyway.
    """
    if room.championship is None and open_seats(room.chairs):
        raise Refusal("seats_open")
    if not any(chair.kind == "person" for chair in room.chairs) and room.championship is None:
        raise Refusal("not_seated")
    events: list[RoomEvent] = []
    if not room.sealed:
        events.append(sealed(moment))
        room = evolve_room(room, events[0])
    new_match = room.championship is None and (room.match_over or not room.results)
    number, starter = _number_and_starter(room, game, new_match)
    words = tuple(chair.word for chair in room.chairs)
    _, made = new_game(
        room.book,
        [
            chair.name if chair.kind != "open" else room.reserved[seat].name
            for seat, chair in enumerate(room.chairs)
        ],
        Shuffle(room.sealed, words),
        starter=starter,
        game=number,
    )
    length = turn_length(room.settings, room.book)
    started = GameStarted(
        at=moment.now,
        player=moment.who.id,
        request=moment.request,
        number=room.number + 1,
        events=made,
        contributions=words,
        deadline=None if length is None else moment.now + length,
        new_match=new_match,
    )
    return [*events, started]


def _number_and_starter(room: Room, game: int | None, new_match: bool) -> tuple[int, int | None]:
    """Which game of the match it is and who begins; an event's sheet says so beforehand (R3)."""
    if room.championship is None:
        return 1 if new_match else len(room.results) + 1, room.next_starter
    if game is None:
        before = room.game.game if room.game is not None else room.first_game - 1
        game = before if room.to_be_ruled else before + 1
    return game, starters(room.book, len(room.chairs), game, 0)[-1]


def open_seats(chairs: Sequence[Chair]) -> int:
    """How many seats are open."""
    return sum(chair.kind == "open" for chair in chairs)
