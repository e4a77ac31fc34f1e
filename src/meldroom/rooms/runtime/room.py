"""A room in memory: its value, the events of late, who is connected, and the draft on the table."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from hashlib import blake2b

import msgspec

from meldroom.i18n import Language
from meldroom.rooms.domain.drafts import LiveDraft
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import Client
from meldroom.rooms.protocol.answers import Done, Refused
from meldroom.rooms.protocol.events import RoomEvent
from meldroom.rooms.views.censor import Audience, Company

MOST_MISSED = 200
MOST_ANSWERS = 256
DELAY = 60_000
"""How much later, in ms, a delayed spectator sees everything."""


class Listener:
    """A client in a room, and the topic it hears."""

    __slots__ = ("audience", "client", "end", "language")

    def __init__(self, client: Client, audience: Audience, language: Language) -> None:
        self.client = client
        self.audience = audience
        self.language = language
        self.end: Callable[[], None] | None = None


class Answered(msgspec.Struct, frozen=True, gc=False):
    """An answer that was given; `mark` is the command's, None where only the log remembers it."""

    mark: bytes | None
    answer: Done | Refused


def mark_of(command: object) -> bytes:
    """A few bytes by which a command is known again."""
    return blake2b(repr(command).encode(), digest_size=8).digest()  # no encoder takes every number


class LiveRoom:
    """A room that is loaded. All that changes it happens under its lock."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.lock = asyncio.Lock()
        self.recent: deque[RoomEvent] = deque(maxlen=MOST_MISSED)
        self.past: deque[Room] = deque()
        self.answers: OrderedDict[tuple[str, str], Answered] = OrderedDict()
        self.listeners: dict[int, Listener] = {}
        self.draft: LiveDraft | None = None
        self.draft_shown_at = 0
        self.draft_due = False
        self.thinking: tuple[int, int, str] | None = None
        self.behind = False
        self.used_at = room.changed_at

    def happened(self, event: RoomEvent, room: Room) -> None:
        """One more event: the room after it."""
        self.room = room
        self.recent.append(event)
        if event.request:
            done = Done(id=event.request, now=event.at, rev=room.rev)
            self.remember(event.player, event.request, None, done)
        if room.settings.spectators == "delayed":
            self.past.append(room)
            while len(self.past) > 1 and self.past[1].changed_at <= room.changed_at - DELAY:
                self.past.popleft()

    def delayed(self, now: int) -> Room | None:
        """The room as it was a while ago, None if it was not there yet."""
        before = [room for room in self.past if room.changed_at <= now - DELAY]
        return before[-1] if before else None

    def remember(self, player: str, request: str, mark: bytes | None, answer: Done | Refused) -> None:
        """Keep an answer, so that the same request gets it again."""
        self.answers[player, request] = Answered(mark, answer)
        self.answers.move_to_end((player, request))
        while len(self.answers) > MOST_ANSWERS:
            self.answers.popitem(last=False)

    def missed(self, since: int) -> tuple[RoomEvent, ...] | None:
        """The events after a number, None if they are too many or that number is unknown."""
        count = self.room.seq - since
        if not 0 <= count <= len(self.recent):
            return None
        return tuple(self.recent)[len(self.recent) - count :]

    def company(self) -> Company:
        """Who is connected."""
        seated = {chair.player for chair in self.room.chairs if chair.kind == "person"}
        here = {listener.client.player.id for listener in self.listeners.values()}
        return Company(frozenset(here & seated), len(here - seated))
