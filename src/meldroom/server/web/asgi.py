"""Small pieces of ASGI: reading a scope, answering without a framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any

import msgspec

from meldroom.i18n import Value, message, negotiate

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]
PIECE = 65_536
"""Bytes of a body that are handed over at once."""


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers of a request by lower-case name; several cookies are one."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        joined = "; " if name == "cookie" else ", "
        found[name] = found[name] + joined + value if name in found else value
    return found


def address_of(scope: Scope) -> str:
    """Where somebody comes from, as limits count it: an address, or the network of one subscriber."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else "unknown"


def is_near(scope: Scope) -> bool:
    """Whether somebody asks from this machine or from a private network."""
    found = _client(scope)
    return found is not None and (found.is_loopback or found.is_private)


def is_here(scope: Scope) -> bool:
    """Whether somebody asks from this machine itself."""
    found = _client(scope)
    return found is not None and found.is_loopback


def _client(scope: Scope) -> IPv4Address | IPv6Address | None:
    client = scope.get("client")
    try:
        return ip_address(str(client[0]).partition("%")[0] if client else "")
    except ValueError:
        return None


@lru_cache(4096)
def network_of(address: str) -> str:
    """An IPv4 address as it is; of an IPv6 address its /64, since a subscriber has all of those."""
    if ":" not in address:
        return address
    try:
        found = IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(found.ipv4_mapped or IPv6Network((int(found) >> 64 << 64, 64)))


def is_secure(scope: Scope) -> bool:
    """Whether the request came by https, be it through a proxy."""
    return scope.get("scheme") in ("https", "wss")


async def respond(send: Send, status: int, body: bytes, headers: Headers, *, head: bool = False) -> None:
    """Send a whole response; without its body for HEAD."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    # In pieces: each waits until the client has read enough, so that no file is in memory for each reader.
    for start in range(0, 0 if head else len(body) - PIECE, PIECE):
        await send({"type": "http.response.body", "body": body[start : start + PIECE], "more_body": True})
    rest = max(0, (len(body) - 1) // PIECE * PIECE)
    await send({"type": "http.response.body", "body": b"" if head else body[rest:]})


async def refuse(
    scope: Scope, send: Send, status: int, code: str, *, wait: float = 0.0, **details: Value
) -> None:
    """Send a refusal in the public shape, outside the framework."""
    language = negotiate(headers_of(scope).get("accept-language", ""))
    error = {"code": code, "message": message(f"server.{code}", language, **details), "place": ""}
    headers = [(b"content-type", b"application/json")]
    if wait:
        headers.append((b"retry-after", str(max(1, round(wait + 0.5))).encode()))
    await respond(send, status, msgspec.json.encode({"error": error}), headers)
