"""Tells the clients in a room what happens: one message for each audience, encoded once, over the bus."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from meldroom.i18n import Language
from meldroom.rooms.domain.drafts import LiveDraft
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import Bus, Client, Clock
from meldroom.rooms.protocol.answers import Drafted, Message, Presence, Reacted, Update
from meldroom.rooms.protocol.events import Chair, RoomEvent, TurnTakenBack
from meldroom.rooms.runtime.scheduler import Scheduler
from meldroom.rooms.views.censor import Audience, Company, Portrait, event_for, history, may_watch

DELAY = 60_000
"""How much later, in ms, a delayed spectator sees everything."""
DRAFT_EVERY = 50
"""Milliseconds between two messages about a draft."""
MOST_MISSED = 200
GRACE = 60_000
"""How long, in ms, somebody who lost their connection is not decided about by the others."""

Group: TypeAlias = tuple[Audience, Language]

_ENCODER = msgspec.json.Encoder()


class _Listener:
    """A client in a room, and the topic it listens to."""

    __slots__ = ("audience", "client", "end", "language")

    def __init__(self, client: Client, audience: Audience) -> None:
        self.client = client
        self.audience = audience
        self.language: Language = client.language
        self.end: Callable[[], None] = lambda: None


class Publisher:
    """The messages of one room. What may be in them is decided by `censor` alone."""

    def __init__(self, bus: Bus, scheduler: Scheduler, clock: Clock) -> None:
        self._bus = bus
        self._scheduler = scheduler
        self._clock = clock
        self._listeners: dict[int, _Listener] = {}
        self._company: tuple[tuple[Chair, ...], Company] | None = None
        """Who is connected, for these chairs; None after somebody came or went."""
        self._since = clock()
        self._left: dict[str, int] = {}
        self._recent: deque[RoomEvent] = deque(maxlen=MOST_MISSED)
        self._past: deque[Room] = deque()
        self._draft_shown_at = 0
        self._draft_due = False

    @property
    def watched(self) -> bool:
        """True if anybody is connected."""
        return bool(self._listeners)

    def company(self, room: Room) -> Company:
        """Who is connected."""
        if self._company is None or self._company[0] is not room.chairs:
            seated = {chair.player for chair in room.chairs if chair.kind == "person"}
            here = {listener.client.player.id for listener in self._listeners.values()}
            self._company = room.chairs, Company(frozenset(here & seated), len(here - seated))
        return self._company[1]

    def just_left(self, room: Room) -> frozenset[str]:
        """Who sits here and was connected a moment ago, or could not be so far."""
        now, present = self._clock(), self.company(room).present
        return frozenset(
            chair.player
            for chair in room.chairs
            if chair.kind == "person"
            and chair.player not in present
            and now - self._left.get(chair.player, self._since) < GRACE
        )

    # Coming and going

    def enter(self, room: Room, draft: LiveDraft | None, client: Client, since: int | None) -> None:
        """Let a client follow the room, beginning with what it missed or with a snapshot."""
        self._remove(client)
        listener = self._listeners[id(client)] = _Listener(client, _audience(room, client))
        self._company = None
        client.send(_ENCODER.encode(self._first(room, draft, listener, since)))
        self._listen(room.code, listener)
        self.presence(room)

    def leave(self, room: Room, client: Client) -> None:
        """Let a client follow the room no longer."""
        if self._remove(client):
            if room.seat_of(client.player.id) is not None:
                self._left[client.player.id] = self._clock()
            self.presence(room)

    def close(self) -> None:
        """Send nothing more to anybody: the room is no longer here."""
        for listener in self._listeners.values():
            listener.end()
        self._listeners.clear()
        self._company = None

    def _remove(self, client: Client) -> bool:
        listener = self._listeners.pop(id(client), None)
        if listener is not None:
            listener.end()
            self._company = None
        return listener is not None

    def _listen(self, code: str, listener: _Listener) -> None:
        listener.end()
        topic = _topic(code, (listener.audience, listener.language))
        listener.end = self._bus.listen(topic, listener.client.send)

    def _first(self, room: Room, draft: LiveDraft | None, listener: _Listener, since: int | None) -> Update:
        group = (listener.audience, listener.language)
        if listener.audience.late:
            shown = self._delayed() or _nothing_yet(self._past[0] if self._past else room)
            return self._not_yet(shown, room, group)
        missed = None if since is None else self._missed(room, since)
        start = room.seq if since is None or missed is None else since
        return self._update(room, Portrait(room, self.company(room), draft), group, start, missed)

    def _not_yet(self, shown: Room, room: Room, group: Group) -> Update:
        """The room as a delayed spectator sees it now, and when they will see the game that has begun."""
        update = self._update(shown, Portrait(shown, self.company(room)), group, shown.seq, None)
        if shown.stage != "waiting":
            return update
        began = next((each.changed_at for each in self._past if each.stage != "waiting"), self._clock())
        return replace(update, view=replace(update.view, visible_at=began + DELAY))

    def _delayed(self) -> Room | None:
        """The room as it was a minute ago, None if it was not there yet."""
        before = [room for room in self._past if room.changed_at <= self._clock() - DELAY]
        return before[-1] if before else None

    def _missed(self, room: Room, since: int) -> tuple[RoomEvent, ...] | None:
        """The events after a number, None if they are too many or the number is unknown."""
        count = room.seq - since
        if not 0 <= count <= len(self._recent):
            return None
        return tuple(self._recent)[len(self._recent) - count :]

    # What happens

    def remember(self, event: RoomEvent, room: Room) -> None:
        """Keep an event, and the room after it, for those who come later."""
        self._recent.append(event)
        if room.settings.spectators == "delayed":
            self._past.append(room)
            while len(self._past) > 1 and self._past[1].changed_at <= room.changed_at - DELAY:
                self._past.popleft()

    def publish(self, before: Room, room: Room, events: Sequence[RoomEvent], draft: LiveDraft | None) -> None:
        """Tell everybody of some events; they may also change who sees what."""
        if room.chairs is not before.chairs or room.stage != before.stage:
            self._regroup(room)
        self._send_updates(room, before.seq, events, draft, late=False)
        if before.stage == "waiting" != room.stage:
            for group in self._groups():
                if group[0].late:
                    update = self._not_yet(before, room, group)
                    self._bus.publish(_topic(room.code, group), _ENCODER.encode(update))
        if room.settings.spectators == "delayed":
            due = room.changed_at + DELAY
            self._scheduler.at(due, lambda: self._send_updates(room, before.seq, events, None, late=True))

    def _send_updates(
        self, room: Room, since: int, events: Sequence[RoomEvent], draft: LiveDraft | None, *, late: bool
    ) -> None:
        portrait = Portrait(room, self.company(room), draft)
        for group in self._groups():
            if group[0].late == late:
                update = self._update(room, portrait, group, since, events)
                self._bus.publish(_topic(room.code, group), _ENCODER.encode(update))

    def _regroup(self, room: Room) -> None:
        for listener in self._listeners.values():
            audience = _audience(room, listener.client)
            if audience != listener.audience:
                listener.audience = audience
                self._listen(room.code, listener)

    def _groups(self) -> set[Group]:
        return {(listener.audience, listener.language) for listener in self._listeners.values()}

    def _update(
        self, room: Room, portrait: Portrait, group: Group, since: int, events: Sequence[RoomEvent] | None
    ) -> Update:
        audience, language = group
        shown = [event_for(event, room, audience) for event in events or ()]
        return Update(
            room=room.code,
            since=since,
            seq=room.seq,
            now=self._clock(),
            events=tuple([event for event in shown if event is not None]),
            view=portrait.view(audience, language),
            snapshot=events is None,
            history=history(room, audience) if events is None or _undone(events) else (),
        )

    # What is not logged

    def presence(self, room: Room) -> None:
        """Tell everybody who is connected."""
        company = self.company(room)
        present = tuple(chair.kind == "bot" or chair.player in company.present for chair in room.chairs)
        message = Presence(room=room.code, present=present, spectators=company.spectators)
        self._send(room.code, message, self._groups())

    def draft(self, current: Callable[[], tuple[Room, LiveDraft | None]]) -> None:
        """Show the draft to the others: at once, or in a moment if they have just seen one."""
        if self._draft_due:
            return
        if self._clock() - self._draft_shown_at >= DRAFT_EVERY:
            self._show_draft(*current())
            return
        self._draft_due = True
        self._scheduler.at(self._draft_shown_at + DRAFT_EVERY, lambda: self._show_draft(*current()))

    def _show_draft(self, room: Room, draft: LiveDraft | None) -> None:
        self._draft_due = False
        self._draft_shown_at = self._clock()
        if draft is None or draft.rev != room.rev:
            return
        message = Drafted(
            room=room.code, rev=draft.rev, seat=draft.seat, table=draft.table, melds=draft.melds
        )
        others = {
            group for group in self._groups() if group[0].seat != draft.seat and may_watch(room, group[0])
        }
        self._send_in_time(room.code, message, others)

    def reaction(self, room: Room, message: Reacted, player: str) -> None:
        """Show a player's reaction to all who hear their chat."""
        hearing = {
            group
            for group in self._groups()
            if (may_watch(room, group[0]) or room.stage == "waiting") and player not in group[0].hidden
        }
        self._send_in_time(room.code, message, hearing)

    def _send_in_time(self, code: str, message: Message, groups: set[Group]) -> None:
        """Send a message at once, and to delayed spectators when they see the rest."""
        late = {group for group in groups if group[0].late}
        self._send(code, message, groups - late)
        if late:
            self._scheduler.at(self._clock() + DELAY, lambda: self._send(code, message, late))

    def _send(self, code: str, message: Message, groups: Iterable[Group]) -> None:
        data = _ENCODER.encode(message)
        for group in groups:
            self._bus.publish(_topic(code, group), data)


def _undone(events: Sequence[RoomEvent]) -> bool:
    """True if what was told before no longer holds."""
    return any(isinstance(event, TurnTakenBack) for event in events)


def _audience(room: Room, client: Client) -> Audience:
    """The audience that a client belongs to."""
    return Audience.of(room, client.player.id, client.player.blocked)


@lru_cache(maxsize=8192)
def _topic(code: str, group: Group) -> str:
    """The topic of an audience of a room."""
    audience, language = group
    seat = "watch" if audience.seat is None else str(audience.seat)
    kind = f"{'host' if audience.host else 'guest'}.{'late' if audience.late else 'live'}"
    hidden = f".{blake2b(repr(sorted(audience.hidden)).encode(), digest_size=8).hexdigest()}" * bool(
        audience.hidden
    )
    return f"room.{code}.{seat}.{kind}.{language}{hidden}"


def _nothing_yet(room: Room) -> Room:
    """The room before its game, for a delayed spectator who came in its first minute."""
    return replace(
        room,
        game=None,
        stage="waiting",
        rev=0,
        seq=0,
        last=None,
        sheet=None,
        shuffle=None,
        deadline=None,
        turn_began=None,
        start=None,
        changed=(),
        table=(),
        results=(),
        chat=(),
        agreed_end=(),
        agreed_next=(),
        asked_stand_in={},
    )
