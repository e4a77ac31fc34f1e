"""A room in memory: commands are carried out here one at a time, written down, and published."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from hashlib import blake2b

import msgspec
from msgspec.structs import replace

from meldroom.game import events as game_events
from meldroom.game.state import State
from meldroom.game.views import view
from meldroom.rooms.domain.agreement import follow_up
from meldroom.rooms.domain.aids import aids_allowed
from meldroom.rooms.domain.chat import reaction
from meldroom.rooms.domain.clocks import next_game_at, restored_deadline, turn_length
from meldroom.rooms.domain.context import Context, Decision
from meldroom.rooms.domain.decide import Changing, decide
from meldroom.rooms.domain.drafts import LiveDraft, declared, draft_of, judgement, plan_of
from meldroom.rooms.domain.playing import bot_answer, check_rev, own_seat, running, time_out, touched
from meldroom.rooms.domain.seating import start_game
from meldroom.rooms.domain.start_phase import play_begins
from meldroom.rooms.domain.state import Room, evolve_room, opened, steps
from meldroom.rooms.errors import TRY_AGAIN, ConflictError, FencedError, Refusal, WorkerError
from meldroom.rooms.ports import Bus, Client, Clock, Offload, Player, Store, Workers
from meldroom.rooms.protocol import commands as do
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import (
    ClockRestored,
    GamePlayed,
    RoomEvent,
    RoomOpened,
    StoodIn,
    decode,
    encode,
)
from meldroom.rooms.rate_limit import Limiter
from meldroom.rooms.runtime import bots
from meldroom.rooms.runtime.publisher import Publisher
from meldroom.rooms.runtime.scheduler import Alarms, Scheduler
from meldroom.rooms.runtime.searches import Searches
from meldroom.rooms.runtime.tasks import Tasks
from meldroom.rooms.runtime.walkouts import Walkouts
from meldroom.rooms.views.cards import card_of, finished_game, finishes

MOST_ANSWERS = 256
IDLE = 300_000
"""How long, in ms, a room stays in memory when nobody is there."""
FAR = 600_000
"""A deadline further away than this, in ms, does not keep a room in memory."""
OVERSLEPT = 10_000
"""So long after a deadline, in ms, a room that is awake has noticed it."""
NOBODY = Player("", "")

_LOG = logging.getLogger(__name__)


async def _nobody_is_barred(host: str, player: str) -> bool:
    return False


class Services(msgspec.Struct):
    """What every room works with."""

    store: Store
    bus: Bus
    workers: Workers
    clock: Clock
    offload: Offload
    new_secret: Callable[[], str]
    bot_pace: int
    start_phase: int
    scheduler: Scheduler
    deadlines: Alarms
    breaks: Alarms
    tasks: Tasks
    bot_tasks: Tasks
    chat: Limiter
    searches: Searches
    walkouts: Walkouts
    first_break_ends: int = 0
    """No next game starts by itself before this time: after a restart everybody must be able to come back."""
    stage_changed: Callable[[Room], None] = lambda _: None
    """Called when a game of a championship's table began or is over, after that is written down."""
    turned: Callable[[Room, bool, frozenset[str]], None] = lambda room, new_turn, present: None
    """Called when something was played and is written down: whether a turn began, and who is connected."""
    changed: Callable[[Room | None, Room], None] = lambda before, after: None
    """Called when anything was written down; there is no `before` for a new room."""
    lost: Callable[[str], None] = lambda code: None
    """Called when a room turns out to belong to another node."""
    barred: Callable[[str, str], Awaitable[bool]] = _nobody_is_barred
    """Whether a host has blocked a player."""


class _Answered(msgspec.Struct, frozen=True, gc=False):
    """An answer that was given, and the digest of its command; a log of version 0.1 has none."""

    digest: str
    answer: Done | Refused


def check_rate(limiter: Limiter, player: Player) -> None:
    """Raises Refusal for a player who is too fast, saying when to try again."""
    wait = limiter.wait(player.id)
    if wait:
        raise Refusal("too_fast", retry_ms=int(wait * 1000) + 1)


async def check_walkouts(walkouts: Walkouts, player: Player) -> None:
    """Raises Refusal for a player who has left others too often, saying when they may sit down again."""
    wait = await walkouts.wait(player.id)
    if wait:
        raise Refusal("cool_down", retry_ms=int(wait * 1000) + 1, count=math.ceil(wait / 60))


def _digest(command: object) -> str:
    """A few characters that tell one command from another."""
    return blake2b(repr(command).encode(), digest_size=6).hexdigest()  # no encoder takes every number


class LiveRoom:
    """A room that is loaded. Whatever changes it happens under its lock."""

    def __init__(self, room: Room, services: Services) -> None:
        self.room = room
        self.lock = asyncio.Lock()
        self.publisher = Publisher(services.bus, services.scheduler, services.clock)
        self.draft: LiveDraft | None = None
        self.used_at = room.changed_at
        self.discarded = False
        self._services = services
        self._answers: OrderedDict[tuple[str, str], _Answered] = OrderedDict()
        self._bot_turn: bots.BotTurn | None = None
        self._behind = False

    @classmethod
    async def load(cls, code: str, services: Services) -> LiveRoom | None:
        """The room that its log gives; None if there is none."""
        events = [decode(data) for data in await services.store.events(code)]
        live: LiveRoom | None = None
        for event, room in zip(events, steps(events), strict=True):
            if live is None:
                live = cls(room, services)
            live._folded(event, room)
        return live

    @classmethod
    async def create(cls, event: RoomOpened, services: Services) -> LiveRoom:
        """A new room. Raises ConflictError if its code is taken."""
        event = replace(event, seq=1)
        room = opened(event)
        await services.store.append(room.code, 1, encode(event), card_of(room))
        live = cls(room, services)
        live._folded(event, room)
        live.used_at = services.clock()
        services.changed(None, room)
        return live

    @property
    def is_idle(self) -> bool:
        """True if nobody would miss it in memory; the log brings it back."""
        now = self._services.clock()
        if self.publisher.watched or self._bot_turn or self.lock.locked() or now - self.used_at < IDLE:
            return False
        return self.room.due is None or self.room.due - now > FAR

    def context(self, player: Player = NOBODY, can_lay: bool | None = None, barred: bool = False) -> Context:
        """The circumstances of a command that arrives now."""
        return Context(
            player=player,
            now=self._services.clock(),
            present=self.publisher.company(self.room).present,
            just_left=self.publisher.just_left(self.room),
            secret="" if self.room.stage == "playing" else self._services.new_secret(),
            start_phase=self._services.start_phase,
            can_lay=can_lay,
            barred=barred,
        )

    # Commands

    async def enter(self, client: Client, command: do.Enter) -> Done:
        """Let a client follow the room."""
        async with self.lock:
            await self.catch_up()
            self.publisher.enter(self.room, self.draft, client, command.since)
            return self._done(command.id)

    async def change(self, client: Client, command: Changing, arrived: int) -> Done | Refused:
        """Carry out a command; a repeated one only gets its answer again. Raises Refusal."""
        player, digest = client.player, _digest(command)
        can_lay = None
        if isinstance(command, do.Act) and command.rev == self.room.rev:
            can_lay = await bots.can_lay(self._services.workers, self.room, command.action)
        host = self.room.acting_host if isinstance(command, do.Sit) else ""
        barred = host not in ("", player.id) and await self._services.barred(host, player.id)
        async with self.lock:
            known = self._answers.get((player.id, command.id))
            if known is not None:
                if known.digest not in ("", digest):
                    raise Refusal("id_used", "id")
                return known.answer
            if isinstance(command, do.Say):
                check_rate(self._services.chat, player)
            if isinstance(command, do.Sit) and self.room.settings.public:
                await check_walkouts(self._services.walkouts, player)
            await self.catch_up()
            await self._check_time(command, arrived)
            before = self.room
            answer: Done | Refused
            try:
                decision = decide(before, command, self.context(player, can_lay, barred))
            except Refusal as refusal:
                answer = Refused(id=command.id, error=refusal.error(client.language))
            else:
                await self.happen(decision, command.id, digest)
                answer = self._done(command.id)
                if isinstance(command, do.Act) and _penalised(decision.events):
                    standing = declared(before, command.action)
                    if standing is not None:
                        answer = replace(answer, judgement=judgement(standing, client.language))
            self._remember(player.id, command.id, digest, answer)
            return answer

    async def show_draft(self, client: Client, command: do.Draft, arrived: int) -> Done:
        """Judge a draft and show it to the others. Raises Refusal."""
        async with self.lock:
            await self._check_time(command, arrived)
            begun = touched(self.room, command.rev, self.context(client.player))
            if begun.events:
                await self.happen(begun)
            draft, standing = draft_of(self.room, command, client.player.id)
            if self.room.starts_at is None:  # Before that nobody else sees what is arranged.
                self.draft = draft
                self.publisher.draft(lambda: (self.room, self.draft))
            return replace(self._done(command.id), judgement=judgement(standing, client.language))

    def plan(self, client: Client, command: do.Plan) -> Done:
        """Judge what somebody arranges for themselves; nothing is kept or told to anybody. Raises Refusal."""
        standing = plan_of(self.room, command, client.player.id)
        return replace(self._done(command.id), judgement=judgement(standing, client.language))

    def react(self, client: Client, command: do.React) -> Done:
        """Show a reaction to everybody; it counts as a chat message and is not kept. Raises Refusal."""
        reacted = reaction(self.room, command, client.player)
        check_rate(self._services.chat, client.player)
        self.publisher.reaction(self.room, reacted, client.player.id)
        return self._done(command.id)

    async def hint(self, client: Client, command: do.Hint) -> Done:
        """A hint for the player to move. Raises Refusal."""
        room = self.room
        game, _ = running(room)
        seat = own_seat(room, client.player.id)
        check_rev(room, command.rev)
        if not room.settings.hints:
            raise Refusal("no_hints")
        if game.seat != seat:
            raise Refusal("not_your_turn", name=game.players[game.seat])
        try:
            with self._services.searches.place(room.code, client.player):
                hint = await self._services.workers.hint(
                    room.book.ref, view(game, seat), command.step, client.language
                )
        except WorkerError:
            raise Refusal("no_hint_found") from None
        return replace(self._done(command.id), rev=room.rev, hint=hint)

    async def outlook(self, client: Client, command: do.Playable | do.AskOdds) -> Done:
        """What the player to move could work out from what they see. Raises Refusal."""
        room = self.room
        game, _ = running(room)
        seat = own_seat(room, client.player.id)
        allowed = aids_allowed(room)
        if isinstance(command, do.Playable) and "nothing_playable" not in allowed:
            raise Refusal("no_playable")
        if isinstance(command, do.AskOdds) and "odds" not in allowed:
            raise Refusal("no_odds")
        check_rev(room, command.rev)
        if game.seat != seat:
            raise Refusal("not_your_turn", name=game.players[game.seat])
        done, workers, seen = self._done(command.id), self._services.workers, view(game, seat)
        try:
            with self._services.searches.place(room.code, client.player):
                if isinstance(command, do.Playable):
                    return replace(done, playable=await workers.playable(room.book.ref, seen))
                return replace(done, odds=await workers.odds(room.book.ref, seen))
        except WorkerError:
            raise Refusal("no_outlook") from None

    def _done(self, id: str) -> Done:
        return Done(id=id, now=self._services.clock(), rev=self.room.rev)

    async def _check_time(self, command: Changing | do.Draft, arrived: int) -> None:
        """What arrived after the deadline is too late, even if the alarm has not rung yet."""
        due = self.room.due
        if due is None or arrived < due:
            return
        if self.room.starts_at is not None:
            await self.happen(play_begins(self.room, self._services.clock()))
            return
        rev = self.room.rev
        await self.time_out()
        if isinstance(command, do.Act | do.Draft | do.ExtraTime) and command.rev == rev:
            raise Refusal("too_late", "rev", rev=self.room.rev)

    def _remember(self, player: str, request: str, digest: str, answer: Done | Refused) -> None:
        """Keep an answer for the same command sent again."""
        self._answers[player, request] = _Answered(digest, answer)
        self._answers.move_to_end((player, request))
        while len(self._answers) > MOST_ANSWERS:
            self._answers.popitem(last=False)

    # Events

    async def happen(self, decision: Decision, request: str = "", digest: str = "") -> None:
        """Write a decision down, publish it, and see to what follows from it. Under the lock.

        The last event carries the id and the digest of the command.
        """
        before = self.room
        written: list[RoomEvent] = []
        last = len(decision.events) - 1
        try:
            for place, event in enumerate(decision.events):
                if place == last:
                    event = replace(event, request=request, digest=digest)
                written.append(await self._append(event, decision.game if place == last else None))
        finally:
            if written:
                self._publish(before, written)
                self._note_leaving(before, written)
        await self.look()

    def _note_leaving(self, before: Room, written: Sequence[RoomEvent]) -> None:
        """Count who gives up on other people: by resigning, or by letting a bot take over."""
        people = [chair.player for chair in before.chairs if chair.kind == "person"]
        if len(people) < 2 or before.championship is not None:
            return
        services = self._services
        for event in written:
            if isinstance(event, StoodIn):
                left = before.chairs[event.seat].player
                services.tasks.start(services.walkouts.note(left, before.code))
            elif isinstance(event, GamePlayed) and any(
                isinstance(each, game_events.Resigned) for each in event.events
            ):
                services.tasks.start(services.walkouts.note(event.player, before.code))

    async def _append(self, event: RoomEvent, game: State | None) -> RoomEvent:
        """Write an event and fold it. Raises Refusal and StorageError."""
        before = self.room
        if self.discarded:
            raise Refusal("no_such_room", "room", room=before.code)
        event = replace(event, seq=before.seq + 1)
        after = evolve_room(before, event, game)
        finished = None
        if finishes(before, after):
            # Writing a whole game down takes as long as many turns elsewhere: those go on meanwhile.
            finished = await self._services.offload(finished_game, after)
        try:
            await self._services.store.append(before.code, event.seq, encode(event), card_of(after), finished)
        except FencedError:
            self._services.lost(before.code)
            raise Refusal("conflict", retry_ms=TRY_AGAIN) from None
        except ConflictError:
            self._behind = True
            self._services.tasks.start(self.refresh())
            raise Refusal("conflict", retry_ms=TRY_AGAIN) from None
        except BaseException:
            self._behind = True  # Whether it was written is not known; the log will tell.
            raise
        self._folded(event, after)
        return event

    def _folded(self, event: RoomEvent, room: Room) -> None:
        self.room = room
        self.publisher.remember(event, room)
        if event.request:
            done = Done(id=event.request, now=event.at, rev=room.rev)
            self._remember(event.player, event.request, event.digest, done)

    async def catch_up(self) -> None:
        """Fold what the log has and this room has not, after a failed write. Under the lock."""
        if not self._behind or self.discarded:
            return
        before = self.room
        events = [decode(data) for data in await self._services.store.events(before.code, before.seq)]
        for event in events:
            self._folded(event, evolve_room(self.room, event))
        self._behind = False
        if events:
            self._publish(before, events)
            await self.look()

    async def refresh(self) -> None:
        """Follow the log, where somebody else has written to it or deleted it."""
        async with self.lock:
            self._behind = True
            await self.catch_up()
            self.discarded = self.discarded or not await self._services.store.events(self.room.code)

    async def discard(self) -> None:
        """The room is to be deleted: nothing is written to its log any more."""
        async with self.lock:
            self.discarded = True
            self._services.deadlines.set(self.room.code, None)
            self._services.breaks.set(self.room.code, None)

    def _publish(self, before: Room, written: Sequence[RoomEvent]) -> None:
        room = self.room
        if room.rev != before.rev:
            self.draft = None
        self.publisher.publish(before, room, written, self.draft)
        self._services.changed(before, room)
        if room.rev != before.rev:
            new_turn = (before.number, before.to_act) != (room.number, room.to_act)
            self._services.turned(room, new_turn, self.publisher.company(room).present)
        if finishes(before, room) or room.taken_back > before.taken_back:
            # Bots that saw a turn which was taken back begin afresh.
            self._services.workers.forget(before.code, before.number)
        if room.championship is not None and room.stage != before.stage:
            self._services.stage_changed(room)

    async def look(self) -> None:
        """See to what the room does by itself: follow-ups, its clock, its bots. Under the lock."""
        decision = follow_up(self.room, self.context())
        if decision is not None:
            await self.happen(decision)
            return
        room, services = self.room, self._services
        services.deadlines.set(room.code, room.due)
        due = next_game_at(room)
        services.breaks.set(room.code, None if due is None else max(due, services.first_break_ends))
        self._start_bot()

    # Time

    async def restore(self, last_alive: int | None) -> None:
        """After a restart: clocks do not run while the server is down."""
        async with self.lock:
            room, now = self.room, self._services.clock()
            if room.due is None:
                await self.look()
                self.used_at = 0  # Without a clock nobody needs it in memory before they come.
                return
            length = turn_length(room.settings, room.book) or 0
            if room.starts_at is not None:
                length = self._services.start_phase
            deadline = restored_deadline(room.due, length, self._last_awake(last_alive), now)
            await self.happen(Decision((ClockRestored(at=now, deadline=deadline),)))

    def _last_awake(self, last_alive: int | None) -> int:
        """Until when the room's clock ran: had it gone on past the deadline, the turn would be over."""
        room = self.room
        assert room.due is not None
        if last_alive is None or last_alive > room.due + OVERSLEPT:
            return room.changed_at
        return max(room.changed_at, last_alive)

    async def time_out(self) -> None:
        """Time is up: the last draft is what lies on the table at the buzzer. Under the lock."""
        draft = self.draft if self.draft is not None and self.draft.rev == self.room.rev else None
        table = draft.table if draft is not None else None
        stated = draft.stated if draft is not None else {}
        await self.happen(time_out(self.room, self._services.clock(), table, stated))

    async def deadline_rang(self) -> None:
        """The alarm of a turn, or of a start phase, rang."""
        async with self.lock:
            await self.catch_up()
            room, now = self.room, self._services.clock()
            if room.due is None or room.due > now:
                self._services.deadlines.set(room.code, room.due)
            elif room.starts_at is not None:
                await self.happen(play_begins(room, now))
            else:
                await self.time_out()

    async def break_ended(self) -> None:
        """The break between two games of a championship's table is over."""
        async with self.lock:
            await self.catch_up()
            due = next_game_at(self.room)
            if due is not None and due <= self._services.clock():
                await self.happen(start_game(self.room, self.context()))

    # Bots

    def _start_bot(self) -> None:
        """Ask the bot to move, if there is one and it has not been asked."""
        turn = bots.BotTurn.of(self.room)
        if turn is not None and turn != self._bot_turn:
            self._bot_turn = turn
            self._services.bot_tasks.start(self._play_bot(self.room, turn))

    async def _play_bot(self, room: Room, turn: bots.BotTurn) -> None:
        services = self._services
        try:
            action, can_lay = await bots.answered(services.workers, room, turn, services.clock)
            pace = bots.pace(self.room, self.publisher.watched, services.bot_pace)
            await services.scheduler.wait_until(room.acted_at + pace if pace else 0)
            async with self.lock:
                await self.catch_up()
                if not self.discarded and bots.BotTurn.of(self.room) == turn:
                    await self.happen(bot_answer(self.room, action, services.clock(), can_lay))
        except Exception:  # The store may be back in a moment; a game must not stand still for ever.
            if self.discarded:
                return
            _LOG.exception("a bot's turn in room %s failed", room.code)
            services.scheduler.at(services.clock() + TRY_AGAIN, self._start_bot)
            return
        finally:
            if self._bot_turn == turn:
                self._bot_turn = None
        if not self.discarded:
            self._start_bot()


def _penalised(events: Sequence[RoomEvent]) -> bool:
    """True if a declared turn was penalised: its player should read why."""
    return any(
        isinstance(each, game_events.Penalised)
        for event in events
        if isinstance(event, GamePlayed)
        for each in event.events
    )
