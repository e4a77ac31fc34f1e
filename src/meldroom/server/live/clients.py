"""All open sockets: who is connected, from where, and the sweep that closes idle ones."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from functools import partial

import msgspec

from meldroom.api.profiles.schemas import Presence
from meldroom.i18n import negotiate
from meldroom.rooms.ports import Player
from meldroom.rooms.rate_limit import Limiter
from meldroom.rooms.runtime.rooms import Rooms, now_ms
from meldroom.server.cluster.presence import merged
from meldroom.server.config import Limits
from meldroom.server.control.switches import Switches
from meldroom.server.counters import Counters
from meldroom.server.identity import Identity, IdentityError, Known, Relations
from meldroom.server.live.connection import SECONDS_TO_SAY_BYE, Connection, FormerGuest
from meldroom.server.live.socket import FindVisitor, Socket
from meldroom.server.storage import SqlStore, StorageError
from meldroom.server.topics.hub import NAMES, Topics
from meldroom.server.web.asgi import Receive, Scope, Send, address_of, headers_of, is_secure
from meldroom.server.web.cookies import session_in
from meldroom.server.web.http_protocol import ABORT, WRITE

HELLO_SECONDS = 10
IDLE_MINUTES = 15
SWEEP_SECONDS = 2.0
BANS_SECONDS = 10.0
SEEN_SECONDS = 60.0
"""So long after their last request somebody counts as online."""
MOST_SEEN = 20_000


class LiveClients:
    """The ASGI application of /api/v1/live, and everybody it serves."""

    def __init__(
        self,
        rooms: Rooms,
        identity: Identity,
        relations: Relations,
        store: SqlStore,
        limits: Limits,
        counters: Counters,
        misses: Limiter,
        topics: Topics,
    ) -> None:
        self._rooms = rooms
        self._identity = identity
        self._relations = relations
        self._store = store
        self._limits = limits
        self._limiter = Limiter(limits.messages_of_client, time.monotonic)
        self._counters = counters
        self._misses = misses
        self.topics = topics
        self._handshakes = Limiter(limits.handshakes_of_address)
        self._open: set[Connection] = set()
        self._addresses: Counter[str] = Counter()
        self._seen: dict[str, float] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._asked_at = 0.0
        self.announce_sign_out: Callable[[str, str], None] = lambda session, token: None
        """Tells other nodes, where there are any."""
        self.switches = Switches()
        """What is switched off."""
        self.elsewhere: Callable[[Iterable[str]], dict[str, Presence]] = lambda players: {}
        """Who is on other nodes."""

    @property
    def count(self) -> int:
        """How many sockets are open."""
        return len(self._open)

    def start(self) -> None:
        """Begin to look after silent clients."""
        self._sweeper = asyncio.create_task(self._sweep(), name="sweep-of-clients")

    async def close(self) -> None:
        """Say goodbye to everybody and wait until it is out."""
        if self._sweeper is not None:
            self._sweeper.cancel()
            self._sweeper = None
        for connection in tuple(self._open):
            connection.end("shutting_down")
        patience = time.monotonic() + SECONDS_TO_SAY_BYE + 1
        while self._open and time.monotonic() < patience:
            await asyncio.sleep(0.02)

    def renamed(self, player: Player) -> None:
        """Somebody goes by another name from now on."""
        for connection in self._open:
            if connection.player.id == player.id:
                connection.player = msgspec.structs.replace(player, blocked=connection.player.blocked)
        self.topics.changed(NAMES, (player.id,))

    def seen(self, player: str) -> None:
        """Somebody has just asked for something over HTTP."""
        now = time.monotonic()
        if len(self._seen) >= MOST_SEEN:
            self._seen = {one: at for one, at in self._seen.items() if now - at < SEEN_SECONDS}
        self._seen[player] = now

    def people(self, wanted: Collection[str] | None = None) -> dict[str, Presence]:
        """Everybody who is here, or those of them who are `wanted`, and whether they play."""
        since = time.monotonic() - SEEN_SECONDS
        asked = self._seen if wanted is None else wanted
        found: dict[str, Presence] = {one: "online" for one in asked if self._seen.get(one, since) > since}
        for connection in self._open:
            player = connection.player.id
            if player and (wanted is None or player in wanted) and found.get(player) != "playing":
                found[player] = "playing" if self._rooms.is_playing(connection) else "online"
        return found

    def presence(self, players: Iterable[str]) -> dict[str, Presence]:
        """Which of some players are here or on another node, and whether they play."""
        wanted = set(players)
        return merged(self.people(wanted), self.elsewhere(wanted))

    async def blocks_changed(self, player: str) -> None:
        """Somebody has blocked another, or let them be: their tables are shown to them anew."""
        hidden = await self._relations.hidden_from(player)
        for connection in tuple(self._open):
            if connection.known is not None and connection.known.player.id == player:
                clients: list[Connection | FormerGuest] = [connection, *connection.guests]
                for client in clients:
                    client.player = msgspec.structs.replace(client.player, blocked=hidden)
                    self._rooms.show_again(client)

    def became(self, session: str, known: Known) -> None:
        """A session was replaced by another; its connections go on."""
        for connection in self._open:
            if connection.known is not None and connection.known.session == session:
                blocked = connection.player.blocked
                connection.known = known
                connection.player = msgspec.structs.replace(known.player, blocked=blocked)

    def sign_out(self, *, session: str = "", token: str = "") -> None:
        """Close the connections of a session or a token that is no longer valid, on every node."""
        self.announce_sign_out(session, token)
        self.signed_out(session, token)

    def signed_out(self, session: str, token: str) -> None:
        """Close the connections here of a session or a token that is no longer valid."""
        for connection in tuple(self._open):
            known = connection.known
            if known is not None and (
                (session and known.session == session) or (token and known.token == token)
            ):
                connection.end("signed_out")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one socket from its handshake to its end."""
        await receive()
        address, headers = address_of(scope), headers_of(scope)
        crowded = self._addresses[address] >= self._limits.clients_of_address
        crowded = crowded or bool(self._handshakes.wait(address))
        if crowded or len(self._open) >= self._limits.clients:
            self._counters.refuse("too_many_connections")
            await send({"type": "websocket.close", "code": 1013})
            return
        abort: Callable[[], None] = scope.get("state", {}).get(ABORT, lambda: None)
        language = negotiate(headers.get("accept-language", ""))
        write: Callable[[bytes], bool] = scope.get("state", {}).get(WRITE, lambda data: False)
        connection = Connection(send, abort, self._counters, language, address, write)
        connection.opened_at = connection.heard_at = time.monotonic()
        self._addresses[address] += 1
        self._open.add(connection)
        self._counters.connections += 1
        try:
            await send({"type": "websocket.accept"})
            await self._talk(connection, partial(self._visitor, headers, is_secure(scope)), receive)
        finally:
            self._open.discard(connection)
            self._addresses[address] -= 1
            if not self._addresses[address]:
                del self._addresses[address]

    async def _visitor(self, headers: dict[str, str], secure: bool) -> Known | None:
        """Who the cookie or token of the handshake belongs to; None if nobody. Raises StorageError."""
        try:
            scheme, _, secret = headers.get("authorization", "").partition(" ")
            if scheme.lower() == "bearer":
                return await self._identity.by_token(secret.strip())
            session = session_in(headers.get("cookie", ""), secure)
            return await self._identity.by_session(session) if session else None
        except IdentityError:
            return None

    async def _talk(self, connection: Connection, visitor: FindVisitor, receive: Receive) -> None:
        """Read and write side by side until one of them ends; then tell the rooms."""
        socket = Socket(
            connection,
            visitor,
            self._rooms,
            self._identity,
            self._relations,
            self._store,
            self._limiter,
            self._counters,
            self._misses,
            self.switches,
            self.topics,
        )
        reading = asyncio.create_task(socket.listen(receive))
        writing = asyncio.create_task(connection.write())
        ended = asyncio.create_task(connection.ended.wait())
        try:
            await asyncio.wait({reading, writing, ended}, return_when=asyncio.FIRST_COMPLETED)
            if connection.is_ending:
                await asyncio.wait({writing}, timeout=SECONDS_TO_SAY_BYE)
                if not writing.done():
                    connection.abort()
        finally:
            tasks = (reading, writing, ended)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            socket.leave()

    async def _banned(self, now: float) -> frozenset[str]:
        """Who is kept out, asked once in a while: somebody else may have decided it."""
        if now - self._asked_at < BANS_SECONDS:
            return frozenset()
        self._asked_at = now
        try:
            return await self._identity.banned()
        except StorageError:
            return frozenset()

    async def _sweep(self) -> None:
        """Every two seconds: close those that never said hello, are idle, or whose secret has expired."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            now, ends = time.monotonic(), now_ms()
            banned = await self._banned(now)
            for connection in tuple(self._open):
                known = connection.known
                if known is not None and (0 < known.ends_at <= ends or banned.intersection(known.ids)):
                    connection.end("signed_out")
                elif (
                    known is None
                    and not connection.is_stranger
                    and now - connection.opened_at > HELLO_SECONDS
                ):
                    connection.end("hello_late", count=HELLO_SECONDS)
                elif now - connection.heard_at > IDLE_MINUTES * 60:
                    connection.end("idle", count=IDLE_MINUTES)
