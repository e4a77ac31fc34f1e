"""The front of the rooms: commands come in here, are carried out in their room, and get their answer."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable

import msgspec

from meldroom.game import events as game_events
from meldroom.game.shuffle import new_secret as fresh_secret
from meldroom.game.views import view
from meldroom.rooms.domain import seating
from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.decide import Changing, decide
from meldroom.rooms.domain.drafts import declared, draft_of, judgement
from meldroom.rooms.domain.playing import check_rev, must_ask, own_seat, running
from meldroom.rooms.errors import Refusal
from meldroom.rooms.ports import Bus, Client, Clock, ConflictError, Player, Store
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import GamePlayed, RoomEvent
from meldroom.rooms.protocol.settings import OpenRoom
from meldroom.rooms.runtime.championship_rooms import ChampionshipRooms
from meldroom.rooms.runtime.effects import Course
from meldroom.rooms.runtime.limits import Limit
from meldroom.rooms.runtime.room import LiveRoom, mark_of
from meldroom.rooms.runtime.room_store import TRY_AGAIN
from meldroom.server.workers.tasks import WorkerError, Workers

CODE_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 6
CODE_TRIES = 5
MOST_ROOMS = 100
MOST_ENTERED = 32
BOT_PACE = 700

_LOG = logging.getLogger(__name__)


def room_code() -> str:
    """A fresh code that is easy to read out: no sign looks like another."""
    return "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))


def now_ms() -> int:
    """The time now in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


class Counts(msgspec.Struct, frozen=True):
    """How much is going on, for the metrics."""

    rooms: int
    playing: int
    clients: int


class Rooms:
    """All rooms of this server.

    `bot_pace` are the milliseconds that a bot takes at least. The caller of `handle` sends its answer to the
    client; updates go out by `client.send` before it returns.
    """

    def __init__(
        self,
        store: Store,
        bus: Bus,
        thinking: Workers,
        *,
        clock: Clock | None = None,
        new_secret: Callable[[], str] | None = None,
        new_code: Callable[[], str] | None = None,
        bot_pace: int = BOT_PACE,
    ) -> None:
        self._store = store
        self._thinking = thinking
        self._clock = clock or now_ms
        self._new_code = new_code or room_code
        self.course = Course(store, bus, thinking, self._clock, new_secret or fresh_secret, bot_pace)
        self._ledger = self.course.ledger
        self.championships = ChampionshipRooms(self.course, store, self._clock)
        self._commands = Limit(at_once=300, per_second=100)
        self._chat = Limit(at_once=6, per_second=0.5)
        self._openings = Limit(at_once=30, per_second=1)
        self._entered: dict[int, set[str]] = {}
        self._closed = False

    # Life

    async def start(self) -> None:
        """Bring running rooms back, with their clocks."""
        await self.course.start()

    async def close(self) -> None:
        """Nothing is accepted any more, workers end; whatever was acknowledged is in the store already."""
        self._closed = True
        await self.course.close()
        await self._thinking.close()

    def counts(self) -> Counts:
        """How much is going on."""
        rooms = self._ledger.rooms.values()
        playing = sum(live.room.stage == "playing" for live in rooms)
        return Counts(len(rooms), playing, len(self._entered))

    async def open(self, player: Player, request: OpenRoom) -> str:
        """Open a room and give its code. Raises Refusal."""
        if self._closed:
            raise Refusal("closing")
        self._openings.spend(player.id, self._clock())
        moment = self.course.moment(player)
        opened = seating.open_room(self._new_code(), request, moment)
        waiting = await self._store.cards("waiting", player=player.id)
        if len(waiting) + len(await self._store.cards("playing", player=player.id)) >= MOST_ROOMS:
            raise Refusal("too_many_rooms", most=MOST_ROOMS)
        for _ in range(CODE_TRIES):
            events: list[RoomEvent] = [opened, seating.sealed(moment)]
            try:
                return await self.course.work.finish(self._open(events, request.begin, moment))
            except ConflictError:
                opened = msgspec.structs.replace(opened, room=self._new_code())
        raise Refusal("conflict", retry_ms=TRY_AGAIN)

    async def _open(self, events: list[RoomEvent], begin: bool, moment: Moment) -> str:
        live = await self._ledger.open(events)
        if begin:
            async with live.lock:
                await self.course.happen(live, *seating.start_game(live.room, moment))
        return live.room.code

    # Commands

    async def handle(self, client: Client, command: do.Command, arrived: int | None = None) -> Done | Refused:
        """Carry out a command (all but Hello, which is the socket's). `arrived` is when it came in, in ms."""
        when = self._clock() if arrived is None else arrived
        try:
            if self._closed:
                raise Refusal("closing")
            self._commands.spend(client.player.id, self._clock())
            return await self._carry_out(client, command, when)
        except Refusal as refusal:
            return Refused(id=command.id, error=refusal.error(client.language))
        except Exception:  # A full disk or a fault of ours: the others and their rooms go on.
            _LOG.exception("a command could not be carried out")
            failed = Refusal("failed", retry_ms=TRY_AGAIN)
            return Refused(id=command.id, error=failed.error(client.language))

    async def _carry_out(self, client: Client, command: do.Command, when: int) -> Done | Refused:
        match command:
            case do.Ping():
                return Done(id=command.id, now=self._clock())
            case do.Hello():
                raise Refusal("greeted_already")
            case do.Enter():
                return await self.course.work.finish(self._enter(client, command))
            case do.Leave():
                return await self._leave(client, command)
            case do.Draft():
                return await self.course.work.finish(self._draft(client, command, when))
            case do.Hint():
                return await self._hint(client, command)
            case _:
                return await self.course.work.finish(self._change(client, command, when))

    # Being there

    async def disconnected(self, client: Client) -> None:
        """A client is gone: it is told no more, and the others are told so."""
        for code in self._entered.pop(id(client), set()):
            live = self._ledger.rooms.get(code)
            if live is not None:
                self.course.publisher.leave(live, client)

    async def _enter(self, client: Client, command: do.Enter) -> Done:
        entered = self._entered.get(id(client), set())
        if command.room not in entered and len(entered) >= MOST_ENTERED:
            raise Refusal("entered_too_many", most=MOST_ENTERED)
        live = await self._ledger.live(command.room)
        async with live.lock:
            await self.course.catch_up(live)
            self._entered.setdefault(id(client), set()).add(command.room)
            self.course.publisher.enter(live, client, command.since)
            return Done(id=command.id, now=self._clock(), rev=live.room.rev)

    async def _leave(self, client: Client, command: do.Leave) -> Done:
        live = await self._ledger.live(command.room)
        entered = self._entered.get(id(client), set())
        entered.discard(command.room)
        if not entered:
            self._entered.pop(id(client), None)
        self.course.publisher.leave(live, client)
        return Done(id=command.id, now=self._clock())

    # Changes

    async def _change(self, client: Client, command: Changing, when: int) -> Done | Refused:
        live = await self._ledger.live(command.room)
        player = client.player
        can_lay = await self._can_lay(live, command)
        async with live.lock:
            known = live.answers.get((player.id, command.id))
            if known is not None:
                if known.mark not in (None, mark_of(command)):
                    raise Refusal("id_used", "id")
                return known.answer
            if isinstance(command, do.Say):
                self._chat.spend(player.id, self._clock())
            await self.course.catch_up(live)
            await self._check_time(live, command, when)
            answer = await self._decide(live, client, command, can_lay)
            live.remember(player.id, command.id, mark_of(command), answer)
            return answer

    async def _decide(
        self, live: LiveRoom, client: Client, command: Changing, can_lay: bool | None
    ) -> Done | Refused:
        before = live.room
        moment = self.course.moment(client.player, live, command.id, can_lay)
        try:
            events = decide(before, command, moment)
        except Refusal as refusal:
            return Refused(id=command.id, error=refusal.error(client.language))
        await self.course.happen(live, *events)
        judged = None
        if isinstance(command, do.Act) and _penalised(events):
            standing = declared(before, command.action)
            judged = judgement(standing, client.language) if standing is not None else None
        return Done(id=command.id, now=self._clock(), rev=live.room.rev, judgement=judged)

    async def _can_lay(self, live: LiveRoom, command: Changing) -> bool | None:
        """Where only those may pass who cannot lay, whether this player can: found out elsewhere."""
        room = live.room
        if not isinstance(command, do.Act) or not must_ask(room, command.action) or command.rev != room.rev:
            return None
        assert room.game is not None
        try:
            return await self._thinking.can_lay(room.book.ref, view(room.game, room.game.seat))
        except WorkerError:
            return False  # Past the budget the answer is no: nobody is forced.

    async def _check_time(self, live: LiveRoom, command: Changing | do.Draft, when: int) -> None:
        """What came in after the deadline comes too late, even if the alarm has not rung yet."""
        deadline = live.room.deadline
        if deadline is None or when < deadline:
            return
        rev = live.room.rev
        await self.course.time_out(live)
        if isinstance(command, do.Act | do.Draft | do.ExtraTime) and command.rev == rev:
            raise Refusal("too_late", "rev", rev=live.room.rev)

    # The draft and hints

    async def _draft(self, client: Client, command: do.Draft, when: int) -> Done:
        live = await self._ledger.live(command.room)
        async with live.lock:
            await self._check_time(live, command, when)
            draft, standing = draft_of(live.room, command, self.course.moment(client.player))
            live.draft = draft
            self.course.publisher.draft(live)
            judged = judgement(standing, client.language)
            return Done(id=command.id, now=self._clock(), rev=live.room.rev, judgement=judged)

    async def _hint(self, client: Client, command: do.Hint) -> Done:
        live = await self._ledger.live(command.room)
        room = live.room
        game, _ = running(room)
        seat = own_seat(room, client.player.id)
        check_rev(room, command.rev)
        if not room.settings.hints:
            raise Refusal("no_hints")
        if game.seat != seat:
            raise Refusal("not_your_turn", name=game.players[game.seat])
        try:
            step = await self._thinking.hint(room.book.ref, view(game, seat), command.step, client.language)
        except WorkerError:
            raise Refusal("no_hint_found") from None
        return Done(id=command.id, now=self._clock(), rev=room.rev, hint=step)


def _penalised(events: list[RoomEvent]) -> bool:
    """True if a declared turn was penalised: its player shall read why."""
    return any(
        isinstance(each, game_events.Penalised)
        for event in events
        if isinstance(event, GamePlayed)
        for each in event.events
    )
