"""The front door: security headers on everything, who may ask and how often, and which part answers."""

from __future__ import annotations

import asyncio

from meldroom.api.errors import HttpError
from meldroom.rooms.rate_limit import Limiter
from meldroom.server.config import Limits
from meldroom.server.counters import Counters
from meldroom.server.logs import new_request
from meldroom.server.web.asgi import (
    Application,
    Message,
    Receive,
    Scope,
    Send,
    address_of,
    headers_of,
    is_here,
    is_secure,
    refuse,
)
from meldroom.server.web.bounded import Places, note_asking
from meldroom.server.web.content_policy import PAGE_POLICY
from meldroom.server.web.cookies import session_in
from meldroom.server.web.origin import SAFE_METHODS, is_own

API = "/api/"
LIVE = "/api/v1/live"
SIGNS_OF_LIFE = ("/healthz", "/readyz", "/metrics")
SECURITY = (
    PAGE_POLICY,
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)


GUESSED = ("/api/v1/rooms/", "/api/v1/games/", "/api/v1/championships/")
"""Where a code is all it takes to look in."""
TRANSPORT = (b"strict-transport-security", b"max-age=31536000")
"""Over https: the browser asks for nothing over plain http any more, for a year."""
TRANSPORT_BELOW = (TRANSPORT[0], TRANSPORT[1] + b"; includeSubDomains")
UNKEPT = (b"cache-control", b"no-store")
"""For answers of the API that do not say how long they hold: no cache keeps what somebody may see."""
LARGE_BODY = 65_536
"""Bytes; what does not say how many it has counts as large."""
LARGE_BODIES, LARGE_BODIES_OF_ADDRESS = 8, 4
"""Large bodies in memory at once."""
LARGE_BODY_PACE = 8_000_000
"""Bytes a second of a large body: more than most uplinks have, and little work for the event loop."""


def _is_large(headers: dict[str, str]) -> bool:
    length = headers.get("content-length", "0")
    return "transfer-encoding" in headers or not length.isdecimal() or int(length[:12]) > LARGE_BODY


class _LargeBody:
    """A request with a large body: read at its pace, and not at all once it is answered."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive = receive
        self._send = send
        self._whole = False

    async def receive(self) -> Message:
        """The next part of the body, no sooner than its pace allows."""
        message = await self._receive()
        self._whole = not message.get("more_body", False)
        await asyncio.sleep(len(message.get("body", b"")) / LARGE_BODY_PACE)
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the answer; one that does not need the rest of the body ends the connection."""
        if message["type"] == "http.response.start" and not self._whole:
            message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
        await self._send(message)


class Site:
    """One ASGI application: the API, the socket and the pages behind one door."""

    def __init__(
        self,
        api: Application,
        live: Application,
        pages: Application,
        *,
        limits: Limits,
        origins: tuple[str, ...],
        counters: Counters,
        misses: Limiter,
        always_https: bool = True,
        require_https: bool = False,
        hsts_subdomains: bool = False,
    ) -> None:
        self._api = api
        self._live = live
        self._pages = pages
        self._origins = origins
        self._counters = counters
        self._misses = misses
        self._transport = [TRANSPORT_BELOW if hsts_subdomains else TRANSPORT] if always_https else []
        self._require_https = require_https
        self._of_address = Limiter(limits.requests_of_address)
        self._of_session = Limiter(limits.requests_of_session)
        self._pages_of_address = Limiter(limits.pages_of_address)
        self._large_bodies = Places(LARGE_BODIES, LARGE_BODIES_OF_ADDRESS)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer whatever the server hands in."""
        if scope["type"] == "http":
            usual = [*SECURITY, (b"x-request-id", new_request().encode())]
            usual += self._transport if is_secure(scope) else []
            usual += [UNKEPT] if scope["path"].startswith(API) else []
            await self._answer(scope, receive, self._guarded(send, usual))
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, headers, address = scope["path"], headers_of(scope), address_of(scope)
        note_asking(address)
        if path in SIGNS_OF_LIFE:
            await self._in_time(self._api, self._pages_of_address.wait(address), scope, receive, send)
            return
        if self._is_plain(scope):
            self._counters.refuse("https_needed")
            await refuse(scope, send, 403, "https_needed")
            return
        if scope["method"] not in SAFE_METHODS and not is_own(headers, scope["scheme"], self._origins):
            self._counters.refuse("wrong_origin")
            await refuse(scope, send, 403, "wrong_origin", origin=headers.get("origin", "?")[:80])
            return
        if not path.startswith(API):
            await self._in_time(self._pages, self._pages_of_address.wait(address), scope, receive, send)
            return
        wait = self._of_address.wait(address)
        session = session_in(headers.get("cookie", ""), is_secure(scope))[:100]
        if session and not wait:  # Refused anyway, a request makes no entry under whatever it calls itself.
            wait = self._of_session.wait(session)
        if path.startswith(GUESSED):
            wait = wait or self._misses.debt(address)
            send = self._noting_misses(send, address)
        if not _is_large(headers):
            await self._in_time(self._api, wait, scope, receive, send)
            return
        large = _LargeBody(receive, send)
        try:
            with self._large_bodies.place(address):
                await self._in_time(self._api, wait, scope, large.receive, large.send)
        except HttpError as refusal:
            await self._refuse(scope, large.send, refusal.status, refusal.code, refusal.wait)

    async def _in_time(
        self, part: Application, wait: float, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Let a part of the site answer, unless whoever asks must wait."""
        if wait:
            await self._refuse(scope, send, 429, "too_many", wait)
        else:
            await part(scope, receive, send)

    async def _refuse(self, scope: Scope, send: Send, status: int, code: str, wait: float) -> None:
        self._counters.refuse(code)
        await refuse(scope, send, status, code, wait=wait, seconds=max(1, round(wait + 0.5)))

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = headers_of(scope)
        scheme = "https" if is_secure(scope) else "http"
        plain = self._is_plain(scope)
        if scope["path"] == LIVE and not plain and is_own(headers, scheme, self._origins):
            await self._live(scope, receive, send)
            return
        if scope["path"] == LIVE:
            self._counters.refuse("https_needed" if plain else "wrong_origin")
        await receive()
        await send({"type": "websocket.close", "code": 1008})

    def _is_plain(self, scope: Scope) -> bool:
        """Whether others could read along though that is not allowed: no https, and beyond this machine."""
        return self._require_https and not is_secure(scope) and not is_here(scope)

    def _noting_misses(self, send: Send, address: str) -> Send:
        """The same, counting what is not there."""

        async def noting(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] == 404:
                self._misses.charge(address)
            await send(message)

        return noting

    def _guarded(self, send: Send, usual: list[tuple[bytes, bytes]]) -> Send:
        """The same with the usual headers, where a part has not set its own."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = list(message.get("headers", ()))
                there = {name.lower() for name, _ in headers}
                headers += [pair for pair in usual if pair[0] not in there]
                message["headers"] = headers
                self._counters.answered(message["status"])
            await send(message)

        return guarded
