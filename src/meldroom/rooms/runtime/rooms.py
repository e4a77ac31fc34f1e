"""All rooms of a server: opens and loads them, hands commands to them, and rings their clocks."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace

from meldroom.game.shuffle import new_secret as fresh_secret
from meldroom.rooms.domain import seating
from meldroom.rooms.domain.context import Context
from meldroom.rooms.domain.playing import ended_from_outside
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import (
    TRY_AGAIN,
    ConflictError,
    ConnectionRefusal,
    FencedError,
    Refusal,
    refusal_for,
)
from meldroom.rooms.ports import Bus, Client, Clock, Offload, Player, Store, Workers
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import RoomOpened
from meldroom.rooms.protocol.settings import OpenRoom
from meldroom.rooms.rate_limit import Allowance, Limiter
from meldroom.rooms.runtime.championship_rooms import ChampionshipRooms
from meldroom.rooms.runtime.room import LiveRoom, Services, check_rate, check_walkouts
from meldroom.rooms.runtime.scheduler import Alarms, Scheduler
from meldroom.rooms.runtime.searches import Searches
from meldroom.rooms.runtime.steady_clock import SteadyClock
from meldroom.rooms.runtime.steady_clock import now_ms as now_ms
from meldroom.rooms.runtime.tasks import Tasks
from meldroom.rooms.runtime.walkouts import WalkoutsInMemory

CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 6
CODE_TRIES = 5
MOST_ROOMS = 100
MOST_ENTERED = 32
BOT_PACE = 700
START_PHASE = 15_000
"""How long, in ms, a deal waits for the players where a book has a new deal for doubles (R69)."""
ALIVE_EVERY = 1_000
PUT_AWAY_EVERY = 60_000
TO_COME_BACK = 30_000
"""How long, in ms, everybody has to come back after a restart before a next game starts by itself."""
CHAT = Allowance(6, 0.5)
OPENINGS = Allowance(30, 1)

_LOG = logging.getLogger(__name__)


def room_code() -> str:
    """A fresh code that is easy to read out: no character looks like another."""
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


class Counts(msgspec.Struct, frozen=True):
    """How much is going on, for the metrics."""

    rooms: int
    playing: int
    clients: int


class Rooms:
    """All rooms of a server.

    `bot_pace` is how many milliseconds a bot takes at least, `start_phase` how many a deal waits for all to
    be ready (0: it does not). Whoever calls `handle` sends its answer to the client; updates are sent by
    `client.send` before it returns. Rooms `on_demand` are those of one device: a game goes on when somebody
    asks for its room, and not before.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        workers: Workers,
        *,
        clock: Clock = now_ms,
        new_secret: Callable[[], str] = fresh_secret,
        new_code: Callable[[], str] = room_code,
        bot_pace: int = BOT_PACE,
        start_phase: int = START_PHASE,
        offload: Offload = asyncio.to_thread,
        on_demand: bool = False,
    ) -> None:
        self.scheduler = Scheduler(clock)
        self.services = Services(
            store,
            bus,
            workers,
            clock,
            offload,
            new_secret,
            bot_pace,
            start_phase,
            self.scheduler,
            deadlines=Alarms(self.scheduler, self._deadline_rang),
            breaks=Alarms(self.scheduler, self._break_ended),
            tasks=Tasks(),
            bot_tasks=Tasks(),
            chat=Limiter(CHAT, lambda: clock() / 1000),
            searches=Searches(),
            walkouts=WalkoutsInMemory(clock),
        )
        self.championships = ChampionshipRooms(self.services, self.take, self.create)
        self.in_memory: dict[str, LiveRoom] = {}
        self._store = store
        self._clock = clock
        self._new_code = new_code
        self._tasks = self.services.tasks
        self._loading: dict[str, asyncio.Task[LiveRoom | None]] = {}
        self._entered: dict[int, set[str]] = {}
        self._openings = Limiter(OPENINGS, lambda: clock() / 1000)
        self._on_demand = on_demand
        self._last_alive: int | None = None
        self._closed = False

    # Life

    async def start(self) -> None:
        """Load the rooms in which games are running; only then is it noted that the server is alive."""
        self._last_alive = await self._store.last_alive()
        await self._restore()
        self.scheduler.at(self._clock() + ALIVE_EVERY, self._note_alive)
        self.scheduler.at(self._clock() + PUT_AWAY_EVERY, self._put_away)

    async def _restore(self) -> None:
        """Give every running game the time it had left, and everybody the time to come back."""
        self.services.first_break_ends = self._clock() + TO_COME_BACK
        for card in () if self._on_demand else await self._store.cards("playing"):
            try:
                await (await self.room(card.room)).restore(self._last_alive)
            except Exception:  # One broken room must not keep all others away.
                _LOG.exception("room %s could not be loaded", card.room)

    async def close(self) -> None:
        """Accept nothing more and end the workers; whatever was acknowledged is in the store already."""
        self._closed = True
        self.scheduler.close()
        await self.services.bot_tasks.cancel()
        await self._tasks.join()
        if len(self.services.deadlines):
            await self._store.alive(self._clock())
        await self.services.workers.close()

    @property
    def busy(self) -> bool:
        """True while something is under way."""
        return len(self._tasks) + len(self.services.bot_tasks) > 0

    def counts(self) -> Counts:
        """How much is going on."""
        playing = sum(live.room.stage == "playing" for live in self.in_memory.values())
        return Counts(len(self.in_memory), playing, len(self._entered))

    def _note_alive(self) -> None:
        if isinstance(self._clock, SteadyClock) and self._clock.slept:
            # The machine slept: for those at the tables that is a restart.
            self._last_alive = self._clock()
            self._clock.catch_up()
            self._tasks.start(self._restore())
        if len(self.services.deadlines):
            self._tasks.start(self._store.alive(self._clock()))
        self.scheduler.at(self._clock() + ALIVE_EVERY, self._note_alive)

    def _put_away(self) -> None:
        """Forget rooms that nobody uses."""
        for code in [code for code, live in self.in_memory.items() if live.is_idle]:
            del self.in_memory[code]
        self.scheduler.at(self._clock() + PUT_AWAY_EVERY, self._put_away)

    # Opening and loading

    async def room(self, code: str) -> LiveRoom:
        """A room, loaded if it is not in memory. Raises Refusal if there is none of this code."""
        live = self.in_memory.get(code)
        if live is None or live.discarded:
            task = self._loading.get(code)
            if task is None:
                task = self._loading[code] = asyncio.create_task(self._load(code))
                task.add_done_callback(lambda _: self._loading.pop(code, None))
            live = await asyncio.shield(task)
        if live is None:
            raise Refusal("no_such_room", "room", room=code)
        live.used_at = self._clock()
        return live

    async def take(self, code: str) -> LiveRoom:
        """A room, to direct it from here: several nodes hand it over. Raises Refusal."""
        return await self.room(code)

    async def has(self, code: str) -> bool:
        """Whether a room is to be seen to here: always, where there is one server."""
        return True

    async def end_game(self, code: str, reason: str) -> None:
        """End the game of a room without a result; everybody there is told why. Raises Refusal."""
        live = await self.take(code)
        async with live.lock:
            await live.catch_up()
            await live.happen(ended_from_outside(live.room, reason, self._clock()))

    async def look_at(self, code: str) -> Room:
        """A room as it is, only to look at it. Raises Refusal."""
        return (await self.room(code)).room

    def drop(self, code: str) -> LiveRoom | None:
        """Forget a room that belongs to another node; the room as it was here."""
        live = self.in_memory.pop(code, None)
        self.services.deadlines.set(code, None)
        self.services.breaks.set(code, None)
        if live is not None:
            live.discarded = True
            live.publisher.close()
        return live

    async def _load(self, code: str) -> LiveRoom | None:
        live = await LiveRoom.load(code, self.services)
        if live is not None and self._on_demand:
            await live.restore(self._last_alive)
        if live is not None:
            self.in_memory[code] = live
        return live

    async def discard(self, code: str) -> None:
        """Forget a room that is to be deleted, and write nothing more to its log."""
        live = self.in_memory.pop(code, None)
        if live is not None:
            await live.discard()

    async def open(self, player: Player, request: OpenRoom) -> str:
        """Open a room and give its code. Raises Refusal and StorageError."""
        if self._closed:
            raise Refusal("closing")
        check_rate(self._openings, player)
        if request.settings.public:
            await check_walkouts(self.services.walkouts, player)
        event = seating.open_room(self._new_code(), request, Context(player=player, now=self._clock()))
        waiting = await self._store.cards("waiting", player=player.id)
        if len(waiting) + len(await self._store.cards("playing", player=player.id)) >= MOST_ROOMS:
            raise Refusal("too_many_rooms", count=MOST_ROOMS)
        for _ in range(CODE_TRIES):
            try:
                live = await self._tasks.finish(self.create(event, player if request.begin else None))
                return live.room.code
            except ConflictError:
                event = replace(event, room=self._new_code())
        raise Refusal("conflict", retry_ms=TRY_AGAIN)

    async def create(self, event: RoomOpened, starter: Player | None = None) -> LiveRoom:
        """A new room; with a `starter` its first game begins. Raises ConflictError if its code is taken."""
        live = self.in_memory[event.room] = await LiveRoom.create(event, self.services)
        async with live.lock:
            await live.look()  # seals the shuffle
            if starter is not None:
                await live.happen(seating.start_game(live.room, live.context(starter)))
        return live

    # Commands

    async def handle(self, client: Client, command: do.Command, arrived: int | None = None) -> Done | Refused:
        """Carry out a command (all but Hello, which is the socket's). `arrived` is when it came in, in ms."""
        when = self._clock() if arrived is None else arrived
        try:
            if self._closed:
                raise Refusal("closing")
            return await self._carry_out(client, command, when)
        except Exception as error:  # Even after a fault of ours the others and their rooms go on.
            return Refused(id=command.id, error=refusal_for(error).error(client.language))

    async def _carry_out(self, client: Client, command: do.Command, when: int) -> Done | Refused:
        if isinstance(command, do.Ping):
            return Done(id=command.id, now=self._clock())
        if isinstance(command, do.Hello):
            raise Refusal("greeted_already")
        if isinstance(command, do.Follow | do.Unfollow):
            raise ConnectionRefusal("no_topics", "topic")
        live = await self.room(command.room)
        match command:
            case do.Enter():
                return await self._tasks.finish(self._enter(client, command, live))
            case do.Leave():
                return self._leave(client, command, live)
            case do.Draft():
                return await self._tasks.finish(live.show_draft(client, command, when))
            case do.Plan():
                return live.plan(client, command)
            case do.React():
                return live.react(client, command)
            case do.Hint():
                return await live.hint(client, command)
            case do.Playable() | do.AskOdds():
                return await live.outlook(client, command)
            case _:
                return await self._tasks.finish(live.change(client, command, when))

    async def _enter(self, client: Client, command: do.Enter, live: LiveRoom) -> Done:
        entered = self._entered.setdefault(id(client), set())
        if command.room not in entered and len(entered) >= MOST_ENTERED:
            raise Refusal("entered_too_many", count=MOST_ENTERED)
        entered.add(command.room)
        done = await live.enter(client, command)
        if command.room not in self._entered.get(id(client), ()):  # It was disconnected meanwhile.
            live.publisher.leave(live.room, client)
        return done

    def _leave(self, client: Client, command: do.Leave, live: LiveRoom) -> Done:
        entered = self._entered.get(id(client), set())
        entered.discard(command.room)
        if not entered:
            self._entered.pop(id(client), None)
        live.publisher.leave(live.room, client)
        return Done(id=command.id, now=self._clock())

    def show_again(self, client: Client) -> None:
        """Whom a client does not want to hear has changed: show its rooms anew."""
        for code in self._entered.get(id(client), ()):
            live = self.in_memory.get(code)
            if live is not None:
                live.publisher.enter(live.room, live.draft, client, None)

    def is_playing(self, client: Client) -> bool:
        """True if somebody follows a running game in which they have a seat."""
        found = [self.in_memory.get(code) for code in self._entered.get(id(client), ())]
        running = [live.room for live in found if live is not None and live.room.stage == "playing"]
        return any(room.seat_of(client.player.id) is not None for room in running)

    def disconnected(self, client: Client) -> None:
        """A client is gone: the others are told so."""
        for code in self._entered.pop(id(client), set()):
            live = self.in_memory.get(code)
            if live is not None:
                live.publisher.leave(live.room, client)

    # Clocks

    def _deadline_rang(self, code: str) -> None:
        self._tasks.start(self._ring(code, LiveRoom.deadline_rang, self._deadline_rang))

    def _break_ended(self, code: str) -> None:
        self._tasks.start(self._ring(code, LiveRoom.break_ended, self._break_ended))

    async def _ring(
        self, code: str, rang: Callable[[LiveRoom], Awaitable[None]], again: Callable[[str], None]
    ) -> None:
        try:
            await rang(await self.room(code))
        except FencedError:
            return  # Whoever has the room now rings.
        except Exception:  # The store may be back in a moment; a game must not stand still for ever.
            _LOG.exception("an alarm of room %s failed", code)
            self.scheduler.at(self._clock() + TRY_AGAIN, lambda: again(code))
