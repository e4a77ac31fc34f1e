"""Before and between games: opening a room, taking and leaving seats, bots, and starting a game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, count

from msgspec.structs import replace

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
from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.start_phase import phase_ends
from meldroom.rooms.domain.state import Room, book_of
from meldroom.rooms.errors import Refusal
from meldroom.rooms.protocol.commands import Begin, ClearSeat, SeatBot, SetBotSpeed, Sit, StandUp
from meldroom.rooms.protocol.events import (
    BotSeated,
    BotSpeedSet,
    Chair,
    GameStarted,
    RoomOpened,
    SeatFreed,
    SeatTaken,
    ShuffleSealed,
)
from meldroom.rooms.protocol.settings import LONGEST_NAME, SEAT_ME, SEAT_OPEN, OpenRoom, Settings
from meldroom.rules.book import RuleBook
from meldroom.rules.library import BOOK_IDS, BookError, versions
from meldroom.rules.procedures import starters

BOT_NAMES = ("Ada", "Bo", "Chi", "Dev", "Eve", "Fay", "Gus", "Hal")


def printable(text: str) -> bool:
    """True for text without control characters, line breaks or marks that change the direction of reading."""
    return text.isprintable()


def seat_name(name: str, taken: Iterable[str]) -> str:
    """The name somebody sits down under: their own, numbered where it is taken. Raises Refusal."""
    wanted = " ".join(name.split(" ")).strip()
    if not wanted or len(wanted) > LONGEST_NAME or not printable(wanted):
        raise Refusal("bad_name", "name", count=LONGEST_NAME)
    others = {each.casefold() for each in taken}
    numbered = (f"{wanted} {number}" for number in count(2))
    return next(each for each in chain((wanted,), numbered) if each.casefold() not in others)


def bot_name(taken: Iterable[str]) -> str:
    """A name for a bot that nobody at the table has."""
    others = {each.casefold() for each in taken}
    further = (f"Bot {number}" for number in count(len(BOT_NAMES) + 1))
    return next(each for each in chain(BOT_NAMES, further) if each.casefold() not in others)


def open_room(code: str, request: OpenRoom, context: Context) -> RoomOpened:
    """The event that opens a room. Raises Refusal."""
    settings = as_of_today(request.settings)
    book = check_settings(settings)
    _check_word(request.word)
    if len(request.chairs) != settings.seats or request.chairs.count(SEAT_ME) != 1:
        raise Refusal("bad_chairs", "chairs", count=settings.seats)
    if request.begin and SEAT_OPEN in request.chairs:
        raise Refusal("seats_open", "begin")
    host = seat_name(context.player.name, ())
    chairs: list[Chair] = []
    for index, chair in enumerate(request.chairs):
        if chair == SEAT_ME:
            chairs.append(
                Chair("person", host, context.player.id, request.word, avatar=context.player.avatar)
            )
        elif chair == SEAT_OPEN:
            chairs.append(Chair())
        else:
            check_level(chair, f"chairs[{index}]")
            taken = [host, *request.other_names, *(each.name for each in chairs)]
            chairs.append(Chair("bot", bot_name(taken), level=chair))
    shown = replace(settings, options=dict(book.options))
    return RoomOpened(
        at=context.now, player=context.player.id, room=code, settings=shown, chairs=tuple(chairs)
    )


def as_of_today(settings: Settings) -> Settings:
    """Settings for a new room, with the version of the book where they name none."""
    house = settings.house
    if house is None:
        known = not settings.book_version and settings.book in BOOK_IDS
        return replace(settings, book_version=versions(settings.book)[0]) if known else settings
    if "base_version" not in house and house.get("base") in BOOK_IDS:
        house = {**house, "base_version": versions(house["base"])[0]}
    return replace(settings, house=house)


def check_settings(settings: Settings) -> RuleBook:
    """The rule book of settings that can be played by. Raises Refusal."""
    house = settings.house is not None
    if not house and settings.book not in BOOK_IDS:
        raise Refusal("no_such_book", "settings.book", book=settings.book[:40], books=tuple(BOOK_IDS))
    try:
        book = book_of(settings)
    except (BookError, TypeError) as error:
        if house:
            reason = error.as_message() if isinstance(error, BookError) else str(error)
            raise Refusal("bad_house_book", "settings.house", reason=reason) from None
        if isinstance(error, BookError) and error.code == "version":
            raise _no_such_version(settings, versions(settings.book)) from None
        place = error.where if isinstance(error, BookError) else "options"
        raise Refusal("bad_option", f"settings.{place}") from None
    if settings.book != book.id:
        raise Refusal("other_book", "settings.book", book=settings.book[:40], other=book.id)
    if settings.book_version not in ("", book.version):
        raise _no_such_version(settings, (book.version,))
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


def _no_such_version(settings: Settings, known: tuple[str, ...]) -> Refusal:
    return Refusal(
        "no_such_version",
        "settings.book_version",
        book=settings.book[:40],
        version=settings.book_version,
        versions=known,
    )


def check_level(level: str, place: str) -> None:
    """Raises Refusal for a level of bot that does not exist."""
    if level not in LEVELS:
        raise Refusal("no_such_level", place, level=level[:40], levels=tuple(LEVELS))


def _check_word(word: str) -> None:
    if not printable(word):
        raise Refusal("bad_word", "word")


def _check_between_games(room: Room) -> None:
    if room.stage == "playing":
        raise Refusal("game_running")


def _check_seat(room: Room, seat: int) -> Chair:
    if not 0 <= seat < len(room.chairs):
        raise Refusal("no_such_seat", "seat", count=len(room.chairs))
    return room.chairs[seat]


def _check_host(room: Room, context: Context) -> None:
    if room.acting_host != context.player.id:
        raise Refusal("not_host")


def sit(room: Room, command: Sit, context: Context) -> Decision:
    """Take an open seat; at the own one, change the word, and before the first game the name."""
    _check_between_games(room)
    chair = _check_seat(room, command.seat)
    _check_word(command.word)
    mine = room.seat_of(context.player.id)
    if mine is not None and mine != command.seat:
        raise Refusal("already_seated", "seat", seat=str(mine + 1))
    if chair.kind != "open" and mine is None:
        raise Refusal("seat_taken", "seat")
    if room.reserved and mine is None:
        raise Refusal("seat_reserved", "seat", name=room.reserved[command.seat].name)
    if context.barred and mine is None:
        raise Refusal("table_closed", "seat")  # Whoever is blocked is not told so.
    others = [each.name for seat, each in enumerate(room.chairs) if seat != command.seat]
    keeps_name = mine is not None and (room.stage != "waiting" or bool(room.reserved))
    name = chair.name if keeps_name else seat_name(context.player.name, others)
    event = SeatTaken(
        at=context.now,
        player=context.player.id,
        seat=command.seat,
        name=name,
        word=command.word,
        avatar=context.player.avatar,
    )
    return Decision((event,))


def stand_up(room: Room, command: StandUp, context: Context) -> Decision:
    """Leave the own seat."""
    _check_between_games(room)
    seat = room.seat_of(context.player.id)
    if seat is None:
        raise Refusal("not_seated")
    if room.reserved:
        raise Refusal("seat_is_yours")
    return Decision((SeatFreed(at=context.now, player=context.player.id, seat=seat),))


def seat_bot(room: Room, command: SeatBot, context: Context) -> Decision:
    """The host puts a bot on an open seat."""
    _check_between_games(room)
    _check_host(room, context)
    chair = _check_seat(room, command.seat)
    check_level(command.level, "level")
    if chair.kind == "person":
        raise Refusal("seat_taken", "seat")
    taken = [each.name for seat, each in enumerate(room.chairs) if seat != command.seat]
    event = BotSeated(
        at=context.now,
        player=context.player.id,
        seat=command.seat,
        name=chair.name if chair.kind == "bot" else bot_name(taken),
        level=command.level,
    )
    return Decision((event,))


def clear_seat(room: Room, command: ClearSeat, context: Context) -> Decision:
    """The host opens a seat."""
    _check_between_games(room)
    _check_host(room, context)
    if _check_seat(room, command.seat).kind == "open":
        raise Refusal("seat_is_open", "seat")
    return Decision((SeatFreed(at=context.now, player=context.player.id, seat=command.seat),))


def set_bot_speed(room: Room, command: SetBotSpeed, context: Context) -> Decision:
    """The host chooses how long bots take at least."""
    _check_host(room, context)
    return Decision((BotSpeedSet(at=context.now, player=context.player.id, speed=command.speed),))


def begin(room: Room, command: Begin, context: Context) -> Decision:
    """The host starts the first game."""
    if room.stage != "waiting":
        raise Refusal("begun_already")
    _check_host(room, context)
    return start_game(room, context)


def sealed(room: Room, context: Context, game: int | None = None) -> ShuffleSealed:
    """The secret of the next shuffle, with its public commitment: a given deal's, or a fresh one."""
    secret = _given(room, game) or context.secret
    return ShuffleSealed(at=context.now, commitment=commitment(secret), secret=secret)


def _given(room: Room, game: int | None = None) -> str:
    """The secret of a deal that the championship gave this table; empty if it gave none."""
    if not room.deals:
        return ""
    number, _ = _number_and_starter(room, game, False)
    return room.deals[number - 1] if number <= len(room.deals) else ""


def start_game(room: Room, context: Context, game: int | None = None) -> Decision:
    """The next game of a room, dealt; a match that is over is followed by another. Raises Refusal.

    At a championship's table `game` may say which one of the sheet it is; those who are away have their
    seats.
    """
    if room.championship is None:
        if open_seats(room.chairs):
            raise Refusal("seats_open")
        if not any(chair.kind == "person" for chair in room.chairs):
            raise Refusal("not_seated")
    given = _given(room, game)
    kept = room.sealed if not given or room.sealed == given else ""
    fresh = () if kept else (sealed(room, context, game),)
    new_match = room.championship is None and (room.match_over or not room.results)
    number, starter = _number_and_starter(room, game, new_match)
    # A given deal is the same at every table, so nobody's word changes it.
    words = () if given else tuple(chair.word for chair in room.chairs)
    state, made = new_game(
        room.book,
        [
            chair.name if chair.kind != "open" else room.reserved[seat].name
            for seat, chair in enumerate(room.chairs)
        ],
        Shuffle(kept or given or context.secret, words),
        starter=starter,
        game=number,
    )
    length = turn_length(room.settings, room.book)
    starts_at = phase_ends(room, context)
    started = GameStarted(
        at=context.now,
        player=context.player.id,
        number=room.number + 1,
        events=made,
        contributions=words,
        deadline=None if length is None or starts_at is not None else context.now + length,
        new_match=new_match,
        starts_at=starts_at,
    )
    return Decision((*fresh, started), state)


def _number_and_starter(room: Room, game: int | None, new_match: bool) -> tuple[int, int | None]:
    """Which game of the match it is and who begins; at a championship the sheet says so (R3, R66)."""
    if room.championship is None:
        return 1 if new_match else len(room.results) + 1, room.next_starter
    if game is None:
        before = room.game.game if room.game is not None else room.first_game - 1
        game = before if room.to_be_ruled else before + 1
    return game, starters(room.book, len(room.chairs), game, room.first_starter)[-1]


def open_seats(chairs: Sequence[Chair]) -> int:
    """How many seats are open."""
    return sum(chair.kind == "open" for chair in chairs)
