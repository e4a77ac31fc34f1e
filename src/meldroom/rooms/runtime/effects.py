"""The course of events: what happens is written down, told to everybody, and has its consequences."""

from __future__ import annotations

import logging
from collections.abc import Callable

from meldroom.rooms.domain.agreement import follow_up
from meldroom.rooms.domain.breaks import next_due
from meldroom.rooms.domain.clocks import restored_deadline, turn_length
from meldroom.rooms.domain.context import Moment
from meldroom.rooms.domain.playing import time_out
from meldroom.rooms.domain.seating import start_game
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import Bus, Clock, Player, Store
from meldroom.rooms.protocol.events import ClockRestored, RoomEvent
from meldroom.rooms.runtime.bots import Driver
from meldroom.rooms.runtime.deadlines import Deadlines
from meldroom.rooms.runtime.publisher import Publisher
from meldroom.rooms.runtime.room import LiveRoom
from meldroom.rooms.runtime.room_store import TRY_AGAIN, Ledger
from meldroom.rooms.runtime.scheduler import Scheduler
from meldroom.rooms.runtime.tasks import Work
from meldroom.server.workers.tasks import Workers

ALIVE_EVERY = 1_000
PUT_AWAY_EVERY = 60_000
TO_COME_BACK = 30_000
"""How long, in ms, everybody has to be back after a start before a next game begins by itself."""
NOBODY = Player("", "")

_LOG = logging.getLogger(__name__)


class Course:
    """Rooms as time goes by: their events, clocks, bots and follow-ups."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        thinking: Workers,
        clock: Clock,
        new_secret: Callable[[], str],
        bot_pace: int,
    ) -> None:
        self.scheduler = Scheduler(clock)
        self.ledger = Ledger(store, clock)
        self.publisher = Publisher(bus, self.scheduler, clock)
        self.work = Work()
        self._store = store
        self._thinking = thinking
        self._clock = clock
        self._new_secret = new_secret
        self._deadlines = Deadlines(self.scheduler, clock, self._time_is_up)
        self._breaks = Deadlines(self.scheduler, clock, self._break_is_over)
        self._first_break_ends = 0
        self.turned: Callable[[Room], None] = lambda _: None
        """Told of every game of an event's table that began or is over, after that is written down."""
        self._driver = Driver(thinking, self.scheduler, clock, bot_pace, self.happen)

    # Life

    async def start(self) -> None:
        """Bring running rooms back, with their clocks; only then does noting that we are alive begin."""
        last_alive = await self._store.last_alive()
        self._first_break_ends = self._clock() + TO_COME_BACK
        for card in await self._store.cards("playing"):
            try:
                live = await self.ledger.live(card.room)
                async with live.lock:
                    await self._restore(live, last_alive)
            except Exception:  # One broken room must not keep all others away.
                _LOG.exception("room %s could not be brought back", card.room)
        self.scheduler.at(self._clock() + ALIVE_EVERY, self._note_alive)
        self.scheduler.at(self._clock() + PUT_AWAY_EVERY, self._put_away)

    async def close(self) -> None:
        """Nothing happens any more."""
        self.scheduler.close()
        await self._driver.close()
        await self.work.rest()
        if len(self._deadlines):
            await self._store.alive(self._clock())

    @property
    def busy(self) -> bool:
        """True while something is under way."""
        return len(self.work) > 0 or self._driver.busy

    async def _restore(self, live: LiveRoom, last_alive: int | None) -> None:
        """Clocks do not run while the server is not there."""
        room = live.room
        if room.deadline is None:
            await self._after(live)
            live.used_at = 0  # Without a clock nobody needs it in memory before he comes.
            return
        length = turn_length(room.settings, room.book) or 0
        alive = max(room.changed_at, last_alive or 0)
        deadline = restored_deadline(room.deadline, length, alive, self._clock())
        await self.happen(live, ClockRestored(at=self._clock(), deadline=deadline))

    def _note_alive(self) -> None:
        if len(self._deadlines):
            self.work.begin(self._store.alive(self._clock()))
        self.scheduler.at(self._clock() + ALIVE_EVERY, self._note_alive)

    def _put_away(self) -> None:
        self.ledger.put_away()
        self.scheduler.at(self._clock() + PUT_AWAY_EVERY, self._put_away)

    # Events

    def moment(
        self, who: Player, live: LiveRoom | None = None, request: str = "", can_lay: bool | None = None
    ) -> Moment:
        """The circumstances of something that is asked for now."""
        return Moment(
            who=who,
            now=self._clock(),
            present=live.company().present if live is not None else frozenset(),
            secret=self._new_secret(),
            request=request,
            can_lay=can_lay,
        )

    async def happen(self, live: LiveRoom, *events: RoomEvent) -> None:
        """Write events down, tell everybody, and see to what follows from them. Under the room's lock."""
        before = live.room
        written: list[RoomEvent] = []
        try:
            for event in events:
                written.append(await self.ledger.commit(live, event))
        finally:
            if written:
                self._tell(live, before, written)
        await self._after(live)

    async def catch_up(self, live: LiveRoom) -> None:
        """Take in what the log has and this room has not. Under the room's lock."""
        if live.behind:
            before, written = await self.ledger.catch_up(live)
            if written:
                self._tell(live, before, written)
                await self._after(live)

    def _tell(self, live: LiveRoom, before: Room, written: list[RoomEvent]) -> None:
        if live.room.rev != before.rev:
            live.draft = None
        self.publisher.happened(live, before, written)
        if before.stage == "playing" and live.room.stage == "over":
            self._thinking.forget(before.code, before.number)
        if live.room.championship is not None and live.room.stage != before.stage:
            self.turned(live.room)

    async def _after(self, live: LiveRoom) -> None:
        """What the room does by itself: its follow-ups, its clock, its bots."""
        event = follow_up(live.room, self.moment(NOBODY))
        if event is not None:
            await self.happen(live, event)
            return
        self._deadlines.set(live.room.code, live.room.deadline)
        due = next_due(live.room)
        self._breaks.set(live.room.code, None if due is None else max(due, self._first_break_ends))
        self._driver.look(live)

    async def look(self, live: LiveRoom) -> None:
        """See to whatever a room is to do by itself. Under the room's lock."""
        await self._after(live)

    # The clock

    async def time_out(self, live: LiveRoom) -> None:
        """Time is up: the last draft is what lies on the table at the buzzer. Under the room's lock."""
        draft = live.draft if live.draft is not None and live.draft.rev == live.room.rev else None
        table = draft.table if draft is not None else None
        stated = draft.stated if draft is not None else {}
        await self.happen(live, time_out(live.room, self._clock(), table, stated))

    def _time_is_up(self, code: str) -> None:
        self.work.begin(self._time_up(code))

    async def _time_up(self, code: str) -> None:
        try:
            live = await self.ledger.live(code)
            async with live.lock:
                await self.catch_up(live)
                if live.room.deadline is not None and live.room.deadline <= self._clock():
                    await self.time_out(live)
                else:
                    self._deadlines.set(code, live.room.deadline)
        except Exception:  # The store may be back in a moment; a game must not stand still for ever.
            _LOG.exception("the clock of room %s could not be seen to", code)
            self.scheduler.at(self._clock() + TRY_AGAIN, lambda: self._time_is_up(code))

    # The break between two games of an event's table

    def _break_is_over(self, code: str) -> None:
        self.work.begin(self._next_game(code))

    async def _next_game(self, code: str) -> None:
        try:
            live = await self.ledger.live(code)
            async with live.lock:
                await self.catch_up(live)
                due = next_due(live.room)
                if due is not None and due <= self._clock():
                    await self.happen(live, *start_game(live.room, self.moment(NOBODY)))
        except Exception:
            _LOG.exception("the next game of room %s could not begin", code)
            self.scheduler.at(self._clock() + TRY_AGAIN, lambda: self._break_is_over(code))
