"""Small pieces of ASGI: reading a scope, answering without a framework."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any

import msgspec

from meldroom.i18n import Value, message, negotiate

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]
Headers = Sequence[tuple[bytes, bytes]]


def headers_of(scope: Scope) -> dict[str, str]:
    """The headers of a request by lower-case name; several cookies are one."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        joined = "; " if name == "cookie" else ", "
        found[name] = found[name] + joined + value if name in found else value
    return found


def address_of(scope: Scope) -> str:
    """The address somebody comes from."""
    client = scope.get("client")
    return str(client[0]) if client else "unknown"


def is_secure(scope: Scope) -> bool:
    """Whether the request came by https, be it through a proxy."""
    return scope.get("scheme") in ("https", "wss")


async def respond(send: Send, status: int, body: bytes, headers: Headers, *, head: bool = False) -> None:
    """Send a whole response; without its body for HEAD."""
    length = (b"content-length", str(len(body)).encode())
    await send({"type": "http.response.start", "status": status, "headers": [*headers, length]})
    await send({"type": "http.response.body", "body": b"" if head else body})


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
