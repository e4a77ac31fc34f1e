"""Telling those in a room what happens: each audience its own message, encoded once, over the bus."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from meldroom.i18n import Language
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import Bus, Client, Clock
from meldroom.rooms.protocol.answers import Drafted, Message, Presence, Update
from meldroom.rooms.protocol.events import RoomEvent
from meldroom.rooms.runtime.room import DELAY, Listener, LiveRoom
from meldroom.rooms.runtime.scheduler import Scheduler
from meldroom.rooms.views.censor import Audience, Portrait, event_for, may_watch

DRAFT_EVERY = 50
"""Milliseconds between two sights of a draft."""

_ENCODER = msgspec.json.Encoder()


class Publisher:
    """Writes the messages of rooms. What may be in them is decided by `censor` alone."""

    def __init__(self, bus: Bus, scheduler: Scheduler, clock: Clock) -> None:
        self._bus = bus
        self._scheduler = scheduler
        self._clock = clock

    # Coming and going

    def enter(self, live: LiveRoom, client: Client, since: int | None) -> None:
        """Let a client hear a room, beginning with what it missed or with all there is to see."""
        self.leave(live, client, quietly=True)
        listener = Listener(client, Audience.of(live.room, client.player.id), client.language)
        live.listeners[id(client)] = listener
        client.send(_ENCODER.encode(self._welcome(live, listener, since)))
        self._listen(live, listener)
        self.presence(live)

    def leave(self, live: LiveRoom, client: Client, *, quietly: bool = False) -> bool:
        """Tell a client no more; False if it was not there."""
        listener = live.listeners.pop(id(client), None)
        if listener is None:
            return False
        if listener.end is not None:
            listener.end()
        if not quietly:
            self.presence(live)
        return True

    def _listen(self, live: LiveRoom, listener: Listener) -> None:
        if listener.end is not None:
            listener.end()
        topic = _topic(live.room.code, listener.audience, listener.language)
        listener.end = self._bus.listen(topic, listener.client.send)

    def _welcome(self, live: LiveRoom, listener: Listener, since: int | None) -> Update:
        """What a client is told first."""
        audience = listener.audience
        if audience.late:
            room = live.delayed(self._clock()) or _nothing_yet(live)
            portrait = Portrait(room, live.company())
            return self._update(room, portrait, audience, listener.language, room.seq, None)
        missed = None if since is None else live.missed(since)
        start = live.room.seq if since is None or missed is None else since
        portrait = Portrait(live.room, live.company(), live.draft)
        return self._update(live.room, portrait, audience, listener.language, start, missed)

    # What happens

    def happened(self, live: LiveRoom, before: Room, events: Sequence[RoomEvent]) -> None:
        """Tell everybody of some events; they may also change who hears what."""
        room = live.room
        if room.chairs is not before.chairs or room.stage != before.stage:
            self._regroup(live)
        groups = {group for group in self._groups(live) if not group[0].late}
        self._tell(room, Portrait(room, live.company(), live.draft), before.seq, events, groups)
        if room.settings.spectators == "delayed":
            self._scheduler.at(room.changed_at + DELAY, lambda: self._late(live, room, before.seq, events))

    def _late(self, live: LiveRoom, room: Room, since: int, events: Sequence[RoomEvent]) -> None:
        groups = {group for group in self._groups(live) if group[0].late}
        self._tell(room, Portrait(room, live.company()), since, events, groups)

    def _tell(
        self,
        room: Room,
        portrait: Portrait,
        since: int,
        events: Sequence[RoomEvent],
        groups: set[tuple[Audience, Language]],
    ) -> None:
        for audience, language in groups:
            update = self._update(room, portrait, audience, language, since, events)
            self._bus.publish(_topic(room.code, audience, language), _ENCODER.encode(update))

    def _regroup(self, live: LiveRoom) -> None:
        for listener in live.listeners.values():
            audience = Audience.of(live.room, listener.client.player.id)
            if audience != listener.audience:
                listener.audience = audience
                self._listen(live, listener)

    def _groups(self, live: LiveRoom) -> set[tuple[Audience, Language]]:
        return {(listener.audience, listener.language) for listener in live.listeners.values()}

    def _update(
        self,
        room: Room,
        portrait: Portrait,
        audience: Audience,
        language: Language,
        since: int,
        events: Sequence[RoomEvent] | None,
    ) -> Update:
        shown = [event_for(event, room, audience) for event in events or ()]
        return Update(
            room=room.code,
            since=since,
            seq=room.seq,
            now=self._clock(),
            events=tuple([event for event in shown if event is not None]),
            view=portrait.view(audience, language),
            snapshot=events is None,
        )

    # What is not kept

    def presence(self, live: LiveRoom) -> None:
        """Tell everybody who is connected."""
        company = live.company()
        present = tuple(chair.kind == "bot" or chair.player in company.present for chair in live.room.chairs)
        message = Presence(room=live.room.code, present=present, spectators=company.spectators)
        self._to_all(live, message, self._groups(live))

    def draft(self, live: LiveRoom) -> None:
        """Show the draft to the others: at once, or in a moment if they have just seen one."""
        now = self._clock()
        if live.draft_due:
            return
        if now - live.draft_shown_at >= DRAFT_EVERY:
            self._show_draft(live)
            return
        live.draft_due = True
        self._scheduler.at(live.draft_shown_at + DRAFT_EVERY, lambda: self._show_draft(live))

    def _show_draft(self, live: LiveRoom) -> None:
        live.draft_due = False
        live.draft_shown_at = self._clock()
        draft = live.draft
        if draft is None or draft.rev != live.room.rev:
            return
        message = Drafted(
            room=live.room.code, rev=draft.rev, seat=draft.seat, table=draft.table, melds=draft.melds
        )
        others = {
            group
            for group in self._groups(live)
            if group[0].seat != draft.seat and may_watch(live.room, group[0])
        }
        self._to_all(live, message, {group for group in others if not group[0].late})
        late = {group for group in others if group[0].late}
        if late:
            self._scheduler.at(self._clock() + DELAY, lambda: self._to_all(live, message, late))

    def _to_all(self, live: LiveRoom, message: Message, groups: set[tuple[Audience, Language]]) -> None:
        data = _ENCODER.encode(message)
        for audience, language in groups:
            self._bus.publish(_topic(live.room.code, audience, language), data)


def _topic(code: str, audience: Audience, language: Language) -> str:
    """The name under which an audience of a room listens."""
    seat = "watch" if audience.seat is None else str(audience.seat)
    kind = f"{'host' if audience.host else 'guest'}.{'late' if audience.late else 'live'}"
    return f"room.{code}.{seat}.{kind}.{language}"


def _nothing_yet(live: LiveRoom) -> Room:
    """The room before its game, for a delayed spectator who came in its first minute."""
    return msgspec.structs.replace(
        live.past[0] if live.past else live.room,
        game=None,
        stage="waiting",
        rev=0,
        seq=0,
        last=None,
        sheet=None,
        shuffle=None,
        deadline=None,
        turn_began=None,
        changed=(),
        results=(),
        chat=(),
        agreed_end=(),
        agreed_next=(),
        asked_stand_in={},
    )
