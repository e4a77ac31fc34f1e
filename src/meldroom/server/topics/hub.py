"""Who follows what, and what they are sent: each list is read once for all, and only when it has changed."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping
from typing import Protocol

import msgspec

from meldroom.api.errors import HttpError
from meldroom.api.profiles.schemas import Presence
from meldroom.errors import MeldroomError
from meldroom.rooms.domain.state import Room
from meldroom.rooms.errors import ConnectionRefusal
from meldroom.rooms.protocol.answers import News
from meldroom.rooms.protocol.commands import Topic
from meldroom.server.identity import Known
from meldroom.server.profiles.people import FriendLists
from meldroom.server.topics.values import Value, Values, about, compared, for_page

MOST_FOLLOWED = 16
"""Topics of one connection."""
EVERY = 1.0
"""Seconds between two messages about the same topic, at least."""
LOOK_SECONDS = 2.0
"""So often it is looked who is here, while somebody's friends want to know."""
REFRESH_SECONDS = 60.0
"""So often public lists are read without a reason: rooms that nobody touches grow old."""
ALONE_SECONDS = 15.0
"""So often every list is read while other nodes cannot be heard."""
TELL_SECONDS = 0.25
"""What has changed here is told to other nodes after so long, in one message."""
MOST_READS = 4
"""Lists that are read at the same time: plays need the database too."""
PUBLIC: frozenset[Topic] = frozenset(("lobby", "championships", "league"))
APART = "apart"
"""Changed when people are to have nothing, or something again, to do with each other."""
NAMES = "names"
"""Changed when people go by another name or avatar."""

ALL = ""
"""The id that stands for all."""

Changes = Mapping[str, Iterable[str]]
"""By topic the ids of what has changed."""

_LOG = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_NOBODY: frozenset[str] = frozenset()


class Page(Protocol):
    """A connection as far as topics are concerned."""

    known: Known | None

    def send(self, data: bytes) -> None:
        """Queue an encoded message. Never waits: a client that does not keep up is cut off."""
        ...


class _Follower:
    """A page, whom its owner is to have nothing to do with (None: to be asked), and what it has."""

    __slots__ = ("apart", "has", "page")

    def __init__(self, page: Page) -> None:
        self.page = page
        self.apart: frozenset[str] | None = None
        self.has: bytes | None = None


class _Feed:
    """One list: all who follow it, and the messages they get, encoded once."""

    def __init__(self, topic: Topic, of: str, owner: str) -> None:
        self.topic: Topic = topic
        self.of = of
        self.owner = owner
        self.followers: dict[int, _Follower] = {}
        self.stale = True
        self.undelivered = False
        self.read_at = 0.0
        self.lock = asyncio.Lock()
        self.value: Value | None = None
        self.about: frozenset[str] = _NOBODY
        self.here: dict[str, Presence] = {}
        self._messages: dict[frozenset[str], tuple[object, bytes]] = {}

    @property
    def known(self) -> Known | None:
        """Whose list it is."""
        return next((one.page.known for one in self.followers.values()), None)

    def concerns(self, topic: str, ids: Collection[str]) -> bool:
        """Whether this list may be another one after such a change."""
        if topic == NAMES:
            return self.topic == "friends" and not self.about.isdisjoint(ids)
        if topic == APART:
            return self.topic == "lobby"
        if topic != self.topic:
            return False
        if ALL in ids or not self.about.isdisjoint(ids):
            return True
        known = self.known
        return known is not None and bool(self.owner) and any(one in ids for one in known.ids)

    def message(self, apart: frozenset[str]) -> bytes:
        """The message for those who are apart from the same people; the one before if nothing is new."""
        assert self.value is not None
        page = for_page(self.value, apart, self.here)
        new, before = compared(page), self._messages.get(apart)
        if before is None or before[0] != new:
            raw = msgspec.Raw(_encode(page))
            before = self._messages[apart] = (new, _encode(News(topic=self.topic, of=self.of, value=raw)))
        return before[1]

    def deliver(self) -> None:
        """Send everybody what they do not have."""
        self.undelivered = False
        messages: dict[frozenset[str], bytes] = {}
        for one in tuple(self.followers.values()):
            apart = one.apart or _NOBODY
            if apart not in messages:
                messages[apart] = self.message(apart)
            self._send(one, messages[apart])
        self._messages = {apart: kept for apart, kept in self._messages.items() if apart in messages}

    def deliver_to(self, page: Page) -> None:
        """Send a page what it does not have, if it still follows."""
        one = self.followers.get(id(page))
        if one is not None:
            self._send(one, self.message(one.apart or _NOBODY))

    def _send(self, one: _Follower, message: bytes) -> None:
        if one.has is not message:
            one.has = message
            one.page.send(message)


Key = tuple[Topic, str, str]


class Topics:
    """Everything that pages follow on this node. While nobody follows anything, nothing is done."""

    def __init__(self, values: Values, apart: Callable[[str], Awaitable[frozenset[str]]]) -> None:
        self.values = values
        self._apart = apart
        self._feeds: dict[Key, _Feed] = {}
        self._of: dict[int, set[Key]] = {}
        self._changes: dict[str, set[str]] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._reads = asyncio.Semaphore(MOST_READS)
        self._refreshed_at = 0.0
        self._untold: dict[str, set[str]] = {}
        self._telling: asyncio.TimerHandle | None = None
        self.announce: Callable[[Changes], None] | None = None
        """Tells other nodes what has changed here; None if there are none."""
        self.is_cut_off: Callable[[], bool] = lambda: False
        """Whether other nodes may change something and this one does not hear of it."""

    @property
    def count(self) -> int:
        """How many lists are followed."""
        return len(self._feeds)

    async def close(self) -> None:
        """Send nothing more."""
        if self._telling is not None:
            self._telling.cancel()
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    # Pages

    async def follow(self, page: Page, topic: Topic, of: str = "") -> None:
        """Send a page a list now, and whenever it has changed. Raises Refusal and StorageError."""
        key = _key(page, topic, of)
        followed = self._of.setdefault(id(page), set())
        if key not in followed and len(followed) >= MOST_FOLLOWED:
            raise ConnectionRefusal("followed_too_many", count=MOST_FOLLOWED)
        followed.add(key)
        feed = self._feeds.get(key)
        if feed is None:
            feed = self._feeds[key] = _Feed(*key)
        feed.followers[id(page)] = _Follower(page)
        self._start()
        try:
            await self._read_for_newcomer(feed)
        except (MeldroomError, asyncio.CancelledError) as error:
            self._unfollow(page, key)
            if not isinstance(error, HttpError):
                raise
            _LOG.info("%s %s can't be followed: %s", topic, of, error)
            missing = error.status == 404
            raise ConnectionRefusal("nothing_to_follow" if missing else "overloaded", "of") from None
        feed.deliver_to(page)

    def unfollow(self, page: Page, topic: Topic, of: str = "") -> None:
        """Send a page a list no longer. Raises Refusal."""
        self._unfollow(page, _key(page, topic, of))

    def _unfollow(self, page: Page, key: Key) -> None:
        self._of.get(id(page), set()).discard(key)
        if key in self._feeds:
            # The list itself is kept for a moment: who comes back at once causes no work.
            self._feeds[key].followers.pop(id(page), None)

    def gone(self, page: Page) -> None:
        """A page is gone."""
        for key in tuple(self._of.get(id(page), ())):
            self._unfollow(page, key)
        self._of.pop(id(page), None)

    # Changes

    def changed(self, topic: str, ids: Iterable[str] = (ALL,)) -> None:
        """Something has changed here: of some people, rooms or championships, or for all."""
        some = tuple(ids)
        if some:
            self.changed_elsewhere({topic: some})
        if some and self.announce is not None:
            self._untold.setdefault(topic, set()).update(some)
            if self._telling is None:
                self._telling = asyncio.get_running_loop().call_later(TELL_SECONDS, self._tell_others)

    def changed_elsewhere(self, changes: Changes) -> None:
        """Something has changed, here or on another node."""
        if self._feeds:
            for topic, ids in changes.items():
                self._changes.setdefault(topic, set()).update(ids)
            self._wake.set()

    def everything_changed(self) -> None:
        """What other nodes have told may not have arrived."""
        for feed in self._feeds.values():
            feed.stale = True
        self._wake.set()

    def room_changed(self, before: Room | None, after: Room) -> None:
        """Something was written down in a room."""
        seats = before is None or before.stage != after.stage or before.chairs != after.chairs
        if before is not None and not seats and before.to_act == after.to_act:
            return
        rooms = (after,) if before is None else (before, after)
        people = {chair.player for room in rooms for chair in room.chairs if chair.kind == "person"} - {""}
        self.changed("games", people)
        if seats:
            self.changed("invitations", (after.code, *people))
        if seats and after.settings.public:
            self.changed("lobby")
        if before is not None and before.stage == "playing" and after.stage == "over":
            self.changed("profile", people)
            self.changed("friends", people)

    def _tell_others(self) -> None:
        self._telling = None
        told, self._untold = self._untold, {}
        if self.announce is not None:
            self.announce(told)

    def _take_changes(self) -> None:
        """See which lists may have changed: once for all changes of the last second."""
        changes, self._changes = self._changes, {}
        for topic, ids in changes.items():
            for feed in self._feeds.values():
                if feed.concerns(topic, ids):
                    feed.stale = True
                    for one in feed.followers.values() if topic == APART else ():
                        known = one.page.known
                        if known is not None and any(each in ids for each in (ALL, *known.ids)):
                            one.apart = None

    # What is sent

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._refreshed_at = time.monotonic()
            # What is read for all is charged to nobody's address.
            self._task = asyncio.get_running_loop().create_task(
                self._work(), name="topics", context=contextvars.Context()
            )

    async def _work(self) -> None:
        while self._feeds:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK_SECONDS)
            self._wake.clear()
            self._look_at_clock()
            self._look_who_is_here()
            await self.send_news()
            for key in [key for key, feed in self._feeds.items() if not feed.followers]:
                del self._feeds[key]
            await asyncio.sleep(EVERY)

    def _look_at_clock(self) -> None:
        """Read again what nobody may have told of."""
        cut_off = self.is_cut_off()
        if time.monotonic() - self._refreshed_at > (ALONE_SECONDS if cut_off else REFRESH_SECONDS):
            self._refreshed_at = time.monotonic()
            for feed in self._feeds.values():
                feed.stale = feed.stale or cut_off or feed.topic in PUBLIC

    def _look_who_is_here(self) -> None:
        """See who of all friends is here; whoever's friends have come or gone is sent that."""
        lists = {key: feed.value for key, feed in self._feeds.items() if isinstance(feed.value, FriendLists)}
        wanted = {one.id for each in lists.values() for one in each.friends}
        here = self.values.presence(wanted) if wanted else {}
        for key, each in lists.items():
            feed, mine = self._feeds[key], {one.id: here[one.id] for one in each.friends if one.id in here}
            if mine != feed.here:
                feed.here, feed.undelivered = mine, True

    async def send_news(self) -> None:
        """Read what has changed, and send it to all who follow it."""
        self._take_changes()
        due = [feed for feed in self._feeds.values() if (feed.stale or feed.undelivered) and feed.followers]
        failed = [error for error in await asyncio.gather(*map(self._news_of, due)) if error is not None]
        if failed:
            _LOG.warning("%s lists could not be read: %s", len(failed), failed[0])
            self._wake.set()  # they are read again in a moment

    async def _news_of(self, feed: _Feed) -> Exception | None:
        try:
            await self._read(feed)
            feed.deliver()
        except Exception as error:  # One list that cannot be read must not keep the others away.
            return error
        return None

    async def _read_for_newcomer(self, feed: _Feed) -> None:
        """Read a list that was not read in the last second; those who have it are sent it in their turn."""
        feed.stale = feed.stale or any(feed.concerns(*change) for change in self._changes.items())
        just_read = feed.value is not None and time.monotonic() - feed.read_at < EVERY
        await self._read(feed, stale=not just_read)
        if feed.undelivered:
            self._wake.set()

    async def _read(self, feed: _Feed, *, stale: bool = True) -> None:
        """Read a list if it may have changed. Raises MeldroomError."""
        async with feed.lock, self._reads:
            for one in tuple(feed.followers.values()):
                if one.apart is None:
                    known = one.page.known if feed.topic == "lobby" else None
                    one.apart = _NOBODY if known is None else await self._apart(known.player.id)
            if not (stale and feed.stale) or not feed.followers:
                return
            feed.stale = False
            try:
                feed.value = await self.values.read(feed.topic, feed.of, feed.known)
            except BaseException:
                feed.stale = True
                raise
            feed.read_at, feed.undelivered = time.monotonic(), True
            feed.about = about(feed.value)
            if isinstance(feed.value, FriendLists):
                feed.here = self.values.presence([one.id for one in feed.value.friends])


def _key(page: Page, topic: Topic, of: str) -> Key:
    """Which list it is: one for all, or one's own. Raises Refusal for a stranger who wants somebody's own."""
    if bool(of) != (topic == "league"):
        raise ConnectionRefusal("nothing_to_follow", "of")
    if topic in PUBLIC:
        return topic, of, ""
    if page.known is None:
        raise ConnectionRefusal("no_session", "topic")
    return topic, of, page.known.player.id
