"""Championships on the event loop: changes one after another, reading beside them, and waiting for news."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from meldroom.championship.errors import ChampionshipError
from meldroom.rooms.errors import StorageError
from meldroom.rooms.ports import Offload
from meldroom.rooms.rate_limit import Allowance, Limiter
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.leagues.page import Counted, LeaguePage, counted, league_page
from meldroom.server.championships.pages.public import RankBoundsCache, public_page
from meldroom.server.championships.runtime.archive import (
    Archive,
    Asked,
    ChampionshipCard,
    ChampionshipOpened,
    first_action,
)
from meldroom.server.championships.storage.files import HALL, IDS, LOG
from meldroom.server.championships.storage.keys import OUTSIDE, Key, may
from meldroom.server.championships.storage.running import RunningChampionship, Snapshot
from meldroom.server.championships.storage.stored import Committer, Contents, OvertakenError, StoredFiles
from meldroom.server.logs import note
from meldroom.server.msgspec_warmup import prepare_msgspec
from meldroom.server.web.bounded import trust

Value = TypeVar("Value")
_LOG = logging.getLogger(__name__)

LONGEST_WAIT = 25.0
IDLE_SECONDS = 600.0
"""A championship that nobody asks for is closed after so long: three open files each."""
TRIES = 20
"""So often a command is done anew because another node was faster."""
_OPENING = Allowance(20, 1 / 60)


class Shared(msgspec.Struct):
    """What a championship in the database needs, where files need nothing."""

    committer: Committer
    load: Callable[[], Awaitable[tuple[RunningChampionship, Committer]]]
    """Read everything again."""
    announce: Callable[[str], None]
    """Tell the other nodes that it has changed."""
    stale: bool = False
    """Whether what is in memory may not be so."""


def _take(championship: RunningChampionship, news: Contents) -> None:
    files = championship.files
    assert isinstance(files, StoredFiles)
    files.take(news)
    championship.follow(news.lines[LOG], news.lines[HALL], news.lines[IDS])


class LiveChampionship:
    """One championship. Files are read and written in threads; the loop never waits for a disk."""

    def __init__(
        self,
        championship: RunningChampionship,
        follow: Callable[[LiveChampionship], Awaitable[None]],
        offload: Offload = asyncio.to_thread,
        shared: Shared | None = None,
        changed: Callable[[Snapshot, Snapshot], None] = lambda before, after: None,
    ) -> None:
        self._championship = championship
        self._now = championship.now
        self._shared = shared
        self._lock = asyncio.Lock()
        self._page_lock = asyncio.Lock()
        self._changed = asyncio.Event()
        self.rank_bounds = RankBoundsCache()
        self._page = b""
        self._page_of = -1
        self._page_version = 0
        self._digest = b""
        self._leaving = False
        self._follow = follow
        self._tell = changed
        self._offload = offload
        self._users = 0
        self.used_at = time.monotonic()

    @property
    def now(self) -> Snapshot:
        """The championship as it is."""
        return self._now

    def holder(self, secret: str) -> Key:
        """Whose key this is. Raises HallError."""
        return self.now.access.holder(secret)

    async def take_added_keys(self) -> None:
        """Take over the keys that were made from outside meanwhile. Raises HallError."""
        known = {key.id for key in self.now.access.keys}
        await self.refresh()
        await self.change(lambda running: running.take_added_keys(), quietly=True)
        for key in self.now.access.keys:
            if key.id not in known and key.by == OUTSIDE:
                note("championship_key_added", championship=self.now.code, key=key.id)

    async def change(self, work: Callable[[RunningChampionship], Value], *, quietly: bool = False) -> Value:
        """Do something to the championship, alone. It is done to its end even if nobody waits for the answer.

        What follows from it elsewhere is seen to before it is answered, unless it is done `quietly`.
        Raises HallError.
        """
        with self.in_use():
            return await asyncio.shield(asyncio.ensure_future(self._whole(work, quietly)))

    async def _whole(self, work: Callable[[RunningChampionship], Value], quietly: bool) -> Value:
        before = self.now
        try:
            answer = await self._alone(work)
        finally:
            if self.now is not before:
                self._tell(before, self.now)
        if not quietly and self.now is not before:
            await self._follow(self)
        return answer

    async def _alone(self, work: Callable[[RunningChampionship], Value]) -> Value:
        async with self._lock:
            with self._noticing():
                if self._shared is None:
                    try:
                        return await asyncio.to_thread(work, self._championship)
                    except ChampionshipError as error:
                        raise HallError.from_below(error) from None
                    finally:
                        self._now = self._championship.now
                return await self._committed(work, self._shared)

    async def _committed(self, work: Callable[[RunningChampionship], Value], shared: Shared) -> Value:
        """Do something in memory, then write all of it; once more if somebody else was faster."""
        for _ in range(TRIES):
            if shared.stale:
                await self._load_again(shared)
            try:
                value = await asyncio.to_thread(work, self._championship)
                refusal = None
            except (ChampionshipError, HallError) as error:
                refusal = HallError.from_below(error) if isinstance(error, ChampionshipError) else error
            except BaseException:
                shared.stale = True
                raise
            try:
                await shared.committer.commit()
            except OvertakenError:
                shared.stale = True
                continue
            except StorageError as error:
                shared.stale = True
                _LOG.warning("championship %s could not be written: %s", self.now.code, error)
                raise HallError(503, "not_written") from None
            changed = self._now is not self._championship.now
            self._now = self._championship.now
            if changed:
                shared.announce(self.now.code)
            if refusal is not None:
                raise refusal
            return value
        raise HallError(503, "not_written")

    async def _load_again(self, shared: Shared) -> None:
        self._championship, shared.committer = await shared.load()
        self._now, shared.stale = self._championship.now, False

    async def refresh(self) -> None:
        """Take in what other nodes have written. Raises HallError."""
        shared = self._shared
        if shared is None:
            return
        try:
            if not shared.stale and await shared.committer.is_current():
                return
            async with self._lock:
                with self._noticing():
                    news = None if shared.stale else await shared.committer.news()
                    if news is None:
                        await self._load_again(shared)
                    else:
                        await asyncio.to_thread(_take, self._championship, news)
                        self._now = self._championship.now
        except StorageError:
            raise HallError(503, "unreadable") from None
        except ChampionshipError as error:
            shared.stale = True
            raise HallError.from_below(error) from None

    @contextmanager
    def _noticing(self) -> Iterator[None]:
        """Tell everybody who waits for news, if there are any afterwards."""
        before = self.now
        try:
            yield
        finally:
            if self.now is not before:
                self._changed.set()
                self._changed = asyncio.Event()

    async def photo(self, name: str) -> bytes | None:
        """A photo's bytes; None if there is none of this name. Raises HallError."""
        try:
            with self.in_use():
                return await asyncio.to_thread(self._championship.photo, name)
        except ChampionshipError as error:
            raise HallError.from_below(error) from None

    async def read(self, work: Callable[[RunningChampionship, Snapshot], Value]) -> Value:
        """Compute something from the championship as it is, while it may go on. Raises HallError."""
        try:
            with self.in_use():
                return await self._offload(work, self._championship, self.now)
        except ChampionshipError as error:
            raise HallError.from_below(error) from None

    async def public(self) -> tuple[bytes, int]:
        """The public page as JSON, made once for all who ask, and the version in which it last changed."""
        async with self._page_lock:
            snapshot = self.now
            if self._page_of != snapshot.version:
                self._page = await self._offload(self._make_page, snapshot)
                self._page_of = snapshot.version
            return self._page, self._page_version

    def _make_page(self, snapshot: Snapshot) -> bytes:
        """The page; its version is that of the last change that the public can see."""
        page = public_page(snapshot, self.rank_bounds)
        plain = msgspec.json.encode(replace(page, version=0))
        digest = hashlib.sha256(plain).digest()
        if digest != self._digest:
            self._digest, self._page_version = digest, snapshot.version
        return msgspec.json.encode(replace(page, version=self._page_version))

    async def wait(self, since: int, seconds: float, *, public: bool) -> int:
        """The version, as soon as it is later than the one that the reader has, or when time is over."""
        with self.in_use():
            return await self._news(since, seconds, public)

    async def _news(self, since: int, seconds: float, public: bool) -> int:
        loop = asyncio.get_running_loop()
        end = loop.time() + min(seconds, LONGEST_WAIT)
        while True:
            changed = self._changed
            version = (await self.public())[1] if public else self.now.version
            left = end - loop.time()
            if version > since or left <= 0 or self._leaving:
                return version
            try:
                await asyncio.wait_for(changed.wait(), left)
            except TimeoutError:
                with suppress(HallError):
                    await self.refresh()
                return (await self.public())[1] if public else self.now.version

    @property
    def is_idle(self) -> bool:
        """True if nobody would miss it: its files bring it back."""
        return not (self._users or self._lock.locked() or self._page_lock.locked())

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """Somebody waits for it: it stays open."""
        self._users += 1
        try:
            yield
        finally:
            self._users -= 1
            self.used_at = time.monotonic()

    def let_go(self) -> None:
        """Answer everybody who waits for news: the server is about to stop."""
        self._leaving = True
        self._changed.set()

    async def close(self) -> None:
        """Let others write, after whatever is being written."""
        self.let_go()
        async with self._lock:
            await asyncio.to_thread(self._championship.close)


class Championships:
    """The championships of a server, each loaded when somebody asks for it."""

    def __init__(
        self,
        archive: Archive,
        *,
        opening: Allowance = _OPENING,
        offload: Offload = asyncio.to_thread,
    ) -> None:
        prepare_msgspec()  # championships are read and written by threads
        self._archive = archive
        self.leagues = archive.leagues
        self.announce: Callable[[str], None] | None = None
        """Tells the other nodes that a championship has changed; None if there are none."""
        self._counted: dict[str, Counted] = {}
        self._championships: dict[str, LiveChampionship] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._openings = Limiter(opening)
        self.offload = offload
        self._sweeper: asyncio.Task[None] | None = None
        self._listing: asyncio.Task[tuple[ChampionshipCard, ...]] | None = None
        self.follow: Callable[[LiveChampionship], Awaitable[None]] = _nothing_follows
        """What is to be seen to after a change of a championship."""
        self.changed: Callable[[str, bool], None] = lambda code, listing: None
        """Called when a championship was changed here, and whether that may change the list of all."""

    async def open(self, asked: Asked, address: str = "") -> ChampionshipOpened:
        """A new championship, or one from elsewhere. Raises HallError."""
        self.check_opening(address)
        try:
            first = await self.offload(first_action, asked)
            opened = await self._archive.create(asked, first)
        except ChampionshipError as error:
            raise HallError.from_below(error) from None
        except OSError as error:
            reason = ChampionshipError("not_written", why=error.strerror or str(error))
            raise HallError.from_below(reason) from None
        self.changed(opened.code, True)
        return opened

    def check_opening(self, address: str) -> None:
        """Refuse who makes too many championships and leagues. Raises HallError."""
        wait = self._openings.wait(address)
        if wait:
            raise HallError(429, "too_many_championships", seconds=round(wait + 0.5))

    async def league(self, code: str, class_id: str = "") -> LeaguePage:
        """A league as it stands, or one class of it. Raises HallError."""
        kept = await asyncio.to_thread(self.leagues.load, code)
        events = [await self._count(event) for event in kept.events]
        there = tuple(each for each in events if each is not None)
        return await self.offload(lambda: league_page(code, kept.toml, kept.league(), there, class_id))

    async def _count(self, code: str) -> Counted | None:
        """What a championship is worth to a league, counted again only if it has changed."""
        try:
            championship = await self.championship(code)
        except HallError:
            return None  # it was deleted, or cannot be read now
        known = self._counted.get(code)
        if known is None or known.version != championship.now.version:
            known = self._counted[code] = await championship.read(lambda _, now: counted(now))
        return known

    async def championship(self, code: str) -> LiveChampionship:
        """A championship by its code. Raises HallError."""
        found = self._championships.get(code)
        if found is not None:
            found.used_at = time.monotonic()
            if self.announce is not None:
                await found.refresh()
            return found
        if self._sweeper is None:
            self._sweeper = asyncio.create_task(self._sweep(), name="sweep-of-championships")
        async with self._loading.setdefault(code, asyncio.Lock()):
            if code not in self._championships:
                try:
                    loaded, committer = await self._archive.load(code)
                finally:
                    self._loading.pop(code, None)
                shared = None if committer is None else self._shared(code, committer)
                self._championships[code] = LiveChampionship(
                    loaded, self.follow, self.offload, shared, self._changed
                )
        return self._championships[code]

    def _changed(self, before: Snapshot, after: Snapshot) -> None:
        listing = (before.hall.listed, before.hall.language) != (after.hall.listed, after.hall.language)
        self.changed(after.code, listing)

    def _shared(self, code: str, committer: Committer) -> Shared:
        async def load() -> tuple[RunningChampionship, Committer]:
            running, again = await self._archive.load(code)
            assert again is not None
            return running, again

        return Shared(committer, load, self.announce or (lambda _: None))

    async def changed_elsewhere(self, code: str = "") -> None:
        """Another node has changed a championship; any of them, if none is named."""
        for known, one in tuple(self._championships.items()):
            if code in ("", known):
                with suppress(HallError):  # whoever asks next is told
                    await one.refresh()

    async def entrusted(
        self, code: str, secret: str, what: str = "", *, whole: bool = False
    ) -> tuple[LiveChampionship, Key]:
        """A championship and the key to it, for somebody who may do or see `what`. Raises HallError.

        With `whole`, a table's key is not enough: its device sees its own table only.
        """
        championship = await self.championship(code)
        try:
            key = championship.holder(secret)
        except HallError as refusal:
            if refusal.code != "wrong_key":
                raise
            await championship.take_added_keys()
            key = championship.holder(secret)
        if not key.id:
            raise HallError(401, "key_needed")
        if what and not may(key.role, what):
            raise HallError(403, "not_allowed_here")
        if whole and key.table is not None:
            raise HallError(403, "other_table", table=key.table)
        trust()
        return championship, key

    async def listed(self) -> tuple[ChampionshipCard, ...]:
        """Championships that want to be listed, the latest first."""
        if self._listing is None or self._listing.done():
            self._listing = asyncio.ensure_future(self._archive.listed())
        return await asyncio.shield(self._listing)

    async def with_rooms(self) -> tuple[str, ...]:
        """The codes of championships that have had tables played online."""
        return await self._archive.with_rooms()

    async def is_any(self) -> bool:
        """Whether there is a championship at all."""
        return await self._archive.is_any()

    def let_go(self) -> None:
        """Answer everybody who waits for news, so that a stop need not wait for them."""
        for championship in self._championships.values():
            championship.let_go()

    @property
    def open_count(self) -> int:
        """How many championships have their files open."""
        return len(self._championships)

    async def close_idle(self, seconds: float = IDLE_SECONDS) -> None:
        """Close what nobody has used for so long; whoever asks for it opens it again."""
        now = time.monotonic()
        for code, one in tuple(self._championships.items()):
            if one.is_idle and now - one.used_at >= seconds:
                del self._championships[code]
                # Whoever asks for it meanwhile waits: a second writer must not open the files before.
                async with self._loading.setdefault(code, asyncio.Lock()):
                    await one.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(IDLE_SECONDS / 10)
            await self.close_idle()

    async def close(self) -> None:
        """Close every championship; what was acknowledged is on the disk."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            await asyncio.gather(self._sweeper, return_exceptions=True)
            self._sweeper = None
        for championship in self._championships.values():
            await championship.close()
        self._championships.clear()


async def _nothing_follows(_: LiveChampionship) -> None:
    """A championship without online tables changes nothing elsewhere."""
