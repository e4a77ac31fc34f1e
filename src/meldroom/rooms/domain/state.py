"""A room as an immutable value, and one step of its fold for each kind of event."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from meldroom.game import events as ev
from meldroom.game.actions import TileSets
from meldroom.game.fold import created, evolve, put
from meldroom.game.score_sheet import score_sheet
from meldroom.game.shuffle import Shuffle
from meldroom.game.state import Result, State
from meldroom.rooms.domain.changed_tiles import changed_tiles
from meldroom.rooms.domain.replaying import replayed
from meldroom.rooms.domain.set_places import in_place
from meldroom.rooms.protocol import events as room_events
from meldroom.rooms.protocol.events import Chair, Reservation, RoomEvent, Said
from meldroom.rooms.protocol.settings import ChampionshipTable, Settings, Stage
from meldroom.rules.book import BookRef, RuleBook
from meldroom.rules.library import OptionValue, kept_house_book, resolve, with_options
from meldroom.rules.procedures import starters
from meldroom.rules.scoring import ScoreSheet
from meldroom.tiles import Tile

MOST_CHAT = 30

Value = TypeVar("Value")


class StartPhase(msgspec.Struct, frozen=True, gc=False):
    """The start phase of a deal: when it ends at the latest, and the seats that have said “ready” (R69).

    It began at the revision `rev`. Once play has `begun`, that is the revision it began with, and what was
    decided on `rev` still holds.
    """

    until: int
    rev: int
    ready: tuple[int, ...] = ()
    begun: int | None = None


class Room(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Everything about a room, hidden parts included: never handed out (see `censor`).

    `seq` counts its events, `rev` is the number of the last one that touched the game. `game_events` are
    those of the game on the table, from its creation, `last` what led to the position; `number` counts the
    games of the room, `results` those of the match. `table` is that of the game, every set in its
    place. `sealed` is the secret of the next game. `taken_back` counts the turns of this game that were. A
    room of a championship has its seats `reserved` for the entrants, and in a duplicate stage the secrets of
    its `deals`.
    """

    code: str
    host: str
    settings: Settings
    opened_at: int
    chairs: tuple[Chair, ...]
    seq: int = 1
    changed_at: int = 0
    rev: int = 0
    stage: Stage = "waiting"
    sealed: str = ""
    commitment: str = ""
    shuffle: Shuffle | None = None
    game: State | None = None
    game_events: tuple[ev.Event, ...] = ()
    number: int = 0
    results: tuple[Result, ...] = ()
    match_over: bool = False
    next_starter: int | None = None
    last: room_events.GamePlayed | None = None
    sheet: ScoreSheet | None = None
    deadline: int | None = None
    turn_began: int | None = None
    start: StartPhase | None = None
    acted_at: int = 0
    extra_used: bool = False
    changed: tuple[Tile, ...] = ()
    table: TileSets = ()
    agreed_end: tuple[int, ...] = ()
    agreed_next: tuple[int, ...] = ()
    asked_stand_in: dict[int, tuple[int, ...]] = {}
    chat: tuple[Said, ...] = ()
    championship: ChampionshipTable | None = None
    reserved: tuple[Reservation, ...] = ()
    first_game: int = 1
    first_starter: int = 0
    deals: tuple[str, ...] = ()
    taken_back: int = 0

    @property
    def book(self) -> RuleBook:
        """The rule book of the room."""
        return book_of(self.settings)

    @property
    def games(self) -> int:
        """How many games its match has."""
        return self.book.match.games if self.settings.games is None else self.settings.games

    @property
    def record(self) -> str | None:
        """The id of the game on the table once it is over."""
        return f"{self.code}-{self.number}" if self.stage == "over" else None

    def seat_of(self, player: str) -> int | None:
        """The seat of a person, None without one."""
        for seat, chair in enumerate(self.chairs):
            if chair.player == player and chair.kind == "person":
                return seat
        return None

    @property
    def acting_host(self) -> str:
        """Who may seat bots and start: whoever opened the room or, if they left, the first who sits here.

        At a championship's table that is nobody: its director decides, who does not sit here.
        """
        if self.championship is not None:
            return ""
        people = [chair.player for chair in self.chairs if chair.kind == "person"]
        return self.host if self.host in people or not people else people[0]

    @property
    def to_be_ruled(self) -> bool:
        """True if the director must rule on a championship's game: abandoned, or with a withdrawal."""
        if self.championship is None or self.stage != "over" or self.game is None or self.game.result is None:
            return False
        return self.game.result.end == "abandoned" or any(self.game.withdrawn)

    @property
    def starts_at(self) -> int | None:
        """When play begins at the latest, while the start phase lasts; else None."""
        return self.start.until if self.start is not None and self.start.begun is None else None

    @property
    def due(self) -> int | None:
        """When its clock rings next: at the end of the start phase or of the turn."""
        return self.deadline if self.starts_at is None else self.starts_at

    @property
    def to_act(self) -> int | None:
        """The seat whose turn it is, None when nobody's is."""
        return self.game.seat if self.game is not None and self.stage == "playing" else None

    @property
    def bot_to_act(self) -> str | None:
        """The level of the bot that is to move, a stand-in or one of its own; None for a person's turn."""
        if self.to_act is None or self.starts_at is not None:
            return None
        chair = self.chairs[self.to_act]
        return chair.level if chair.kind == "bot" else chair.stand_in


def book_of(settings: Settings) -> RuleBook:
    """The rule book that settings name, made once. Raises BookError.

    Rooms that were opened before there were two versions name none: theirs is the first.
    """
    options = tuple(sorted(settings.options.items())) if settings.options else ()
    if settings.house is not None:
        return _house_book(msgspec.json.encode(settings.house, order="sorted"), options)
    return _book(settings.book, settings.book_version, options)


@lru_cache(maxsize=256)
def _book(book_id: str, version: str, options: tuple[tuple[str, OptionValue], ...]) -> RuleBook:
    return resolve(BookRef(book_id, version, dict(options)))


@lru_cache(maxsize=64)
def _house_book(definition: bytes, options: tuple[tuple[str, OptionValue], ...]) -> RuleBook:
    return with_options(kept_house_book(msgspec.json.decode(definition)), dict(options))


def fold(events: Iterable[RoomEvent]) -> Room:
    """The room after all these events. Raises ValueError if they do not begin with its opening."""
    after = deque(steps(events), maxlen=1)
    if not after:
        raise ValueError("a room begins with the event that opens it")
    return after[0]


def steps(events: Iterable[RoomEvent]) -> Iterator[Room]:
    """The room after each of these events."""
    room: Room | None = None
    for event in events:
        if isinstance(event, room_events.RoomOpened):
            room = opened(event)
        elif room is not None:
            room = evolve_room(room, event)
        else:
            raise ValueError("a room begins with the event that opens it")
        yield room


def opened(event: room_events.RoomOpened) -> Room:
    """The room as it was opened."""
    return Room(
        code=event.room,
        host=event.player,
        settings=replace(event.settings, book_version=book_of(event.settings).version),
        opened_at=event.at,
        changed_at=event.at,
        chairs=event.chairs,
        championship=event.championship,
        reserved=event.reserved,
        first_game=event.first_game,
        first_starter=event.first_starter,
        deals=event.deals,
    )


def evolve_room(room: Room, event: RoomEvent, game: State | None = None) -> Room:
    """The room after one more event. `game` is the game after it, where somebody has folded that already."""
    if isinstance(event, room_events.GameStarted):
        after = _game_started(room, event, game)
    elif isinstance(event, room_events.GamePlayed):
        after = _game_played(room, event, game)
    else:
        after = _STEPS[type(event)](room, event)
    return replace(after, seq=room.seq + 1, changed_at=event.at)


def _sealed(room: Room, event: room_events.ShuffleSealed) -> Room:
    return replace(room, sealed=event.secret, commitment=event.commitment)


def _chair(room: Room, seat: int, chair: Chair, **changes: Any) -> Room:
    return replace(room, chairs=put(room.chairs, seat, chair), **changes)


def _new_company(room: Room) -> dict[str, Any]:
    """A change of players between two games ends their match, except at a championship's table."""
    if room.stage != "over" or room.championship is not None:
        return {}
    return {"results": (), "match_over": False, "agreed_next": ()}


def _seat_taken(room: Room, event: room_events.SeatTaken) -> Room:
    same = room.chairs[event.seat].player == event.player
    chair = Chair("person", event.name, event.player, event.word, avatar=event.avatar)
    return _chair(room, event.seat, chair, **({} if same else _new_company(room)))


def _seat_reserved(room: Room, event: room_events.SeatReserved) -> Room:
    """During a game nobody leaves the table: the seat waits for whoever has the right key."""
    chair = Chair("person", event.reserved.name) if room.stage == "playing" else Chair()
    if event.reserved.lock == room.reserved[event.seat].lock and room.chairs[event.seat].kind == "person":
        chair = replace(room.chairs[event.seat], name=event.reserved.name)  # The same person by another name.
    return _chair(room, event.seat, chair, reserved=put(room.reserved, event.seat, event.reserved))


def _seat_freed(room: Room, event: room_events.SeatFreed) -> Room:
    return _chair(room, event.seat, Chair(), **_new_company(room))


def _bot_seated(room: Room, event: room_events.BotSeated) -> Room:
    return _chair(room, event.seat, Chair("bot", event.name, level=event.level), **_new_company(room))


def _game_started(room: Room, event: room_events.GameStarted, game: State | None) -> Room:
    if game is None:
        first, *rest = event.events
        assert isinstance(first, ev.GameCreated)
        game = replace(created(first), book=room.book)
        for each in rest:
            game = evolve(game, each)
    return replace(
        room,
        rev=room.seq + 1,
        stage="playing",
        sealed="",
        shuffle=Shuffle(room.sealed, event.contributions),
        game=game,
        game_events=event.events,
        number=event.number,
        results=() if event.new_match else room.results,
        match_over=False,
        next_starter=starters(room.book, len(room.chairs), 2, game.starter)[-1],
        last=None,
        sheet=None,
        deadline=event.deadline,
        turn_began=None if event.starts_at is not None else event.at,
        start=_start_phase(room, event.starts_at),
        acted_at=event.at,
        extra_used=False,
        changed=(),
        table=game.table,
        agreed_end=(),
        agreed_next=(),
        asked_stand_in={},
        taken_back=0,
        chairs=tuple(
            replace(chair, timeouts=0) if chair.kind != "open" else Chair("person", room.reserved[seat].name)
            for seat, chair in enumerate(room.chairs)
        ),
    )


def _start_phase(room: Room, starts_at: int | None) -> StartPhase | None:
    return None if starts_at is None else StartPhase(starts_at, room.seq + 1)


def _said_ready(room: Room, event: room_events.SaidReady) -> Room:
    assert room.start is not None
    return replace(room, start=replace(room.start, ready=tuple(sorted({*room.start.ready, event.seat}))))


def _play_began(room: Room, event: room_events.PlayBegan) -> Room:
    assert room.start is not None
    return replace(
        room,
        rev=room.seq + 1,
        start=replace(room.start, begun=room.seq + 1),
        deadline=event.deadline,
        turn_began=event.at,
        acted_at=event.at,
    )


def _game_played(room: Room, event: room_events.GamePlayed, game: State | None) -> Room:
    before = room.game
    assert before is not None
    if game is None:
        game = before
        for each in event.events:
            game = evolve(game, each)
    began = any(isinstance(each, ev.TurnBegan) for each in event.events)
    if event.starts_at is not None:
        start, turn_began = _start_phase(room, event.starts_at), None
    elif room.start is not None and room.start.begun is None:  # Whoever left has changed nothing about it.
        start, turn_began = replace(room.start, rev=room.seq + 1), None
    else:
        start, turn_began = room.start, event.at if began else room.turn_began
    after = replace(
        room,
        rev=room.seq + 1,
        game=game,
        game_events=room.game_events + event.events,
        last=event,
        deadline=event.deadline,
        turn_began=turn_began,
        start=start,
        acted_at=event.at,
        extra_used=room.extra_used and not began,
        changed=changed_tiles(before, game, event.events),
        table=room.table if game.table is before.table else in_place(room.table, game.table),
        chairs=_counted(room.chairs, event),
    )
    return _game_over(after, game) if game.over else after


def _turn_taken_back(room: Room, event: room_events.TurnTakenBack) -> Room:
    """The game as it was when that turn began: its state is folded from the events that are left."""
    kept = room.game_events[: event.kept]
    past = replayed(room.book, kept)
    return replace(
        room,
        rev=room.seq + 1,
        game=past.game,
        game_events=kept,
        last=None,
        deadline=event.deadline,
        turn_began=event.at,
        acted_at=event.at,
        extra_used=False,
        changed=past.changed,
        table=past.table,
        taken_back=room.taken_back + 1,
        chairs=put(room.chairs, event.seat, replace(room.chairs[event.seat], timeouts=0)),
    )


def _counted(chairs: tuple[Chair, ...], event: room_events.GamePlayed) -> tuple[Chair, ...]:
    """The chairs with the time-outs in a row of whoever acted or did not."""
    if event.seat is None or chairs[event.seat].kind != "person" or event.by not in ("player", "clock"):
        return chairs
    chair = chairs[event.seat]
    timeouts = chair.timeouts + 1 if event.by == "clock" else 0
    return (
        chairs if timeouts == chair.timeouts else put(chairs, event.seat, replace(chair, timeouts=timeouts))
    )


def _game_over(room: Room, game: State) -> Room:
    """The game is counted in its match; an abandoned one has no result and is played again."""
    assert game.result is not None
    counted = game.result.end != "abandoned"
    results = (*room.results, game.result) if counted else room.results
    played = len(results) if room.championship is None else game.game if counted else game.game - 1
    return replace(
        room,
        stage="over",
        results=results,
        match_over=played >= room.games,
        next_starter=room.next_starter if counted else game.starter,
        sheet=score_sheet(game),
        deadline=None,
        turn_began=None,
        start=None,
        extra_used=False,
        agreed_end=(),
        agreed_next=(),
        asked_stand_in={},
    )


def _extra_time_taken(room: Room, event: room_events.ExtraTimeTaken) -> Room:
    return replace(room, deadline=event.deadline, extra_used=True)


def _bot_speed_set(room: Room, event: room_events.BotSpeedSet) -> Room:
    return replace(room, settings=replace(room.settings, bot_speed=event.speed))


def _clock_restored(room: Room, event: room_events.ClockRestored) -> Room:
    if room.start is not None and room.start.begun is None:
        return replace(room, start=replace(room.start, until=event.deadline))
    return replace(room, deadline=event.deadline)


def _stand_in_asked(room: Room, event: room_events.StandInAsked) -> Room:
    by = room.asked_stand_in.get(event.seat, ())
    asked = {**room.asked_stand_in, event.seat: tuple(sorted({*by, event.by}))}
    return replace(room, asked_stand_in=asked)


def _without_asking(room: Room, seat: int) -> dict[int, tuple[int, ...]]:
    return {each: by for each, by in room.asked_stand_in.items() if each != seat}


def _stood_in(room: Room, event: room_events.StoodIn) -> Room:
    chair = replace(room.chairs[event.seat], stand_in=event.level)
    return _chair(room, event.seat, chair, asked_stand_in=_without_asking(room, event.seat))


def _reclaimed(room: Room, event: room_events.Reclaimed) -> Room:
    chair = replace(room.chairs[event.seat], stand_in=None, timeouts=0)
    return _chair(room, event.seat, chair, asked_stand_in=_without_asking(room, event.seat))


def _agreed(room: Room, event: room_events.Agreed) -> Room:
    field = "agreed_end" if event.to == "end" else "agreed_next"
    said: set[int] = set(getattr(room, field)) - {event.seat}
    return replace(room, **{field: tuple(sorted(said | {event.seat} if event.yes else said))})


def _said(room: Room, event: Said) -> Room:
    return replace(room, chat=(*room.chat, event)[-MOST_CHAT:])


_STEPS: dict[type[Any], Callable[[Room, Any], Room]] = {
    room_events.ShuffleSealed: _sealed,
    room_events.SeatReserved: _seat_reserved,
    room_events.SeatTaken: _seat_taken,
    room_events.SeatFreed: _seat_freed,
    room_events.BotSeated: _bot_seated,
    room_events.SaidReady: _said_ready,
    room_events.PlayBegan: _play_began,
    room_events.TurnTakenBack: _turn_taken_back,
    room_events.ExtraTimeTaken: _extra_time_taken,
    room_events.BotSpeedSet: _bot_speed_set,
    room_events.ClockRestored: _clock_restored,
    room_events.StandInAsked: _stand_in_asked,
    room_events.StoodIn: _stood_in,
    room_events.Reclaimed: _reclaimed,
    room_events.Agreed: _agreed,
    room_events.Said: _said,
}
