"""Tells the player to move at a slow table, and whoever is invited to one.

Off the event loop, again after failures, never of old turns.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from meldroom.i18n import message
from meldroom.rooms.domain.state import Room
from meldroom.rooms.ports import Clock
from meldroom.server.config import PushPolicy
from meldroom.server.counters import Counters
from meldroom.server.push.delivery import Reply, deliver
from meldroom.server.push.encryption import BrowserKeys, SigningKey, encrypt
from meldroom.server.push.endpoint import EndpointError
from meldroom.server.push.schemas import TurnMessage
from meldroom.server.push.subscriptions import Subscription, Subscriptions

THREADS = 4
GONE = (404, 410)
AGAIN = (429, 500, 502, 503, 504)
INVITED_FOR = 2 * 24 * 3600 * 1000
"""Milliseconds after which an invitation is no longer news."""
LONGEST_LIFE = 28 * 24 * 3600
"""Seconds that push services keep a message at most."""

_LOG = logging.getLogger(__name__)


class Pace(msgspec.Struct, frozen=True):
    """When to send, in seconds: after how long to those who are at the table, and again after failures."""

    at_the_table: float = 120.0
    again: tuple[float, ...] = (5.0, 60.0, 600.0)


class _News(msgspec.Struct, frozen=True):
    """What is to be told about a room, by the name of its text; of no use after `until`, in ms."""

    room: str
    text: Literal["turn", "invitation"]
    until: int | None
    by: str = ""


class TurnPushes:
    """One task for each slow table whose player is being told; the next turn ends it.

    Invitations have tasks of their own.
    """

    def __init__(
        self,
        subscriptions: Subscriptions,
        clock: Clock,
        policy: PushPolicy,
        counters: Counters,
        pace: Pace | None = None,
    ) -> None:
        self._subscriptions = subscriptions
        self._clock = clock
        self._policy = policy
        self._counters = counters
        self._pace = pace or Pace()
        self._threads = ThreadPoolExecutor(THREADS, "push")
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._inviting: set[asyncio.Task[None]] = set()

    async def close(self) -> None:
        """Send nothing more."""
        tasks = (*self._tasks.values(), *self._inviting)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)

    def turned(self, room: Room, new_turn: bool, present: Collection[str]) -> None:
        """Something was played in a room. `present` are the players who are connected to it."""
        before = self._tasks.pop(room.code, None)
        if before is not None:
            before.cancel()
        player = player_to_tell(room) if new_turn else None
        if player is None:
            return
        wait = self._pace.at_the_table if player in present else 0.0
        news = _News(room.code, "turn", room.deadline)
        task = asyncio.create_task(self._tell(news, player, wait), name=f"push-{room.code}")
        self._tasks[room.code] = task
        task.add_done_callback(lambda done: self._done(room.code, done))

    def _done(self, code: str, task: asyncio.Task[None]) -> None:
        if self._tasks.get(code) is task:
            del self._tasks[code]
        error = None if task.cancelled() else task.exception()
        if error is not None:
            _LOG.error("nobody could be told of a turn in room %s: %s", code, type(error).__name__)

    def invited(self, player: str, room: str, inviter: str) -> None:
        """Somebody asks a player to a table."""
        news = _News(room, "invitation", self._clock() + INVITED_FOR, inviter)
        task = asyncio.create_task(self._tell(news, player, 0.0), name=f"push-{room}-{player}")
        self._inviting.add(task)
        task.add_done_callback(self._inviting.discard)
        task.add_done_callback(lambda done: self._done(room, done))

    async def _tell(self, news: _News, player: str, wait: float) -> None:
        await asyncio.sleep(wait)
        found = await self._subscriptions.for_player(player)
        told = await asyncio.gather(*(self._send(news, each) for each in found), return_exceptions=True)
        for failure in told:
            if failure is not None:
                raise failure

    async def _send(self, news: _News, subscription: Subscription) -> None:
        """Send a message to one browser, again after failures that may pass."""
        for pause in (*self._pace.again, None):
            outcome, wait = await self._attempt(news, subscription)
            self._counters.pushed(outcome)
            if outcome == "gone":
                await self._subscriptions.drop(subscription.id)
            if outcome != "failed" or pause is None:
                return
            await asyncio.sleep(max(pause, wait))

    async def _attempt(self, news: _News, subscription: Subscription) -> tuple[str, float]:
        """What became of it (sent, gone, refused or failed), and how long the service wants us to wait."""
        now = self._clock()
        left = LONGEST_LIFE if news.until is None else max(0, news.until - now) // 1000
        loop = asyncio.get_running_loop()
        key = self._subscriptions.key
        try:
            reply = await loop.run_in_executor(
                self._threads, _push, news, subscription, key, now // 1000, left, self._policy
            )
        except (EndpointError, ssl.SSLCertVerificationError):
            return "refused", 0.0
        except OSError:
            return "failed", 0.0
        if 200 <= reply.status < 300:
            return "sent", 0.0
        if reply.status in GONE:
            return "gone", 0.0
        return ("failed" if reply.status in AGAIN else "refused"), reply.wait


def player_to_tell(room: Room) -> str | None:
    """Who is to move at a table with hours for a move; None for bots and where a stand-in plays."""
    if room.to_act is None or room.settings.clock.kind != "hours" or room.bot_to_act is not None:
        return None
    return room.chairs[room.to_act].player or None


def turn_message(room: str, subscription: Subscription) -> TurnMessage:
    """What the player to move reads, in their language."""
    return _message(_News(room, "turn", None), subscription)


def _message(news: _News, subscription: Subscription) -> TurnMessage:
    language, values = subscription.language, {"room": news.room, "name": news.by}
    return TurnMessage(
        room=news.room,
        title=message(f"server.push.{news.text}_title", language, **values),
        body=message(f"server.push.{news.text}_body", language, **values),
        kind=news.text,
    )


def _push(
    news: _News, subscription: Subscription, key: SigningKey, now: int, left: int, policy: PushPolicy
) -> Reply:
    """Encrypt, sign and send one message: in a thread."""
    parts = urlsplit(subscription.endpoint)
    body = encrypt(
        msgspec.json.encode(_message(news, subscription)),
        BrowserKeys.parse(subscription.p256dh, subscription.auth),
    )
    headers = {
        "Authorization": key.authorization(
            f"{parts.scheme}://{parts.netloc}", _contact(subscription.site), now
        ),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(min(left, LONGEST_LIFE)),
        "Urgency": "high",
        "Topic": news.room,
    }
    return deliver(subscription.endpoint, headers, body, policy)


def _contact(site: str) -> str:
    """Whom a push service may turn to: the site itself, which must be an https or a mail address."""
    return (
        site if site.startswith("https://") else f"mailto:postmaster@{urlsplit(site).hostname or 'localhost'}"
    )
