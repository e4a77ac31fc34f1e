"""Hands one message to a push service, within a time limit. Blocks: it is called in a thread."""

from __future__ import annotations

import socket
import ssl
import time
from functools import cache
from pathlib import Path
from urllib.parse import SplitResult

import msgspec

from meldroom.server.config import PushPolicy
from meldroom.server.push.endpoint import addresses_of, parse_endpoint, port_of

SECONDS = 10.0
MOST_ADDRESSES = 2
LONGEST_HEAD = 16_384
LONGEST_WAIT = 3600.0


class Reply(msgspec.Struct, frozen=True):
    """What a push service answered; `wait` is how many seconds it wants us to wait."""

    status: int
    wait: float = 0.0


def deliver(
    endpoint: str, headers: dict[str, str], body: bytes, policy: PushPolicy, seconds: float = SECONDS
) -> Reply:
    """POST a message. Redirects are not followed.

    Raises EndpointError for an address that is not public, OSError where the service cannot be reached in
    time or does not answer with HTTP.
    """
    parts = parse_endpoint(endpoint, policy)
    until = time.monotonic() + seconds
    failed: OSError = TimeoutError()
    for address in addresses_of(parts, policy)[:MOST_ADDRESSES]:
        try:
            with _connected(parts, address, policy, until) as connection:
                connection.settimeout(_left(until))
                connection.sendall(_request(parts, headers, body))
                return _reply(_head(connection, until))
        except OSError as error:
            failed = error
    raise failed


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _connected(parts: SplitResult, address: str, policy: PushPolicy, until: float) -> socket.socket:
    plain = socket.create_connection((address, port_of(parts)), timeout=_left(until))
    if parts.scheme == "http":
        return plain
    try:
        return _context(policy.certificate).wrap_socket(plain, server_hostname=parts.hostname)
    except BaseException:
        plain.close()
        raise


@cache
def _context(certificate: Path | None) -> ssl.SSLContext:
    """Verifies certificates and names, by the system's authorities unless a test names its own."""
    return ssl.create_default_context(cafile=certificate)


def _request(parts: SplitResult, headers: dict[str, str], body: bytes) -> bytes:
    path = f"{parts.path or '/'}{'?' + parts.query if parts.query else ''}"
    named = {"Host": parts.netloc, "Content-Length": str(len(body)), "Connection": "close", **headers}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in named.items()), "", ""]
    return "\r\n".join(lines).encode("ascii") + body


def _head(connection: socket.socket, until: float) -> bytes:
    """The status and headers of the answer; nobody reads its body."""
    head = b""
    while b"\r\n\r\n" not in head and len(head) <= LONGEST_HEAD:
        connection.settimeout(_left(until))
        more = connection.recv(4096)
        if not more:
            break
        head += more
    return head.partition(b"\r\n\r\n")[0]


def _reply(head: bytes) -> Reply:
    first, *lines = head.decode("latin-1").split("\r\n")
    version, _, rest = first.partition(" ")
    if not version.startswith("HTTP/1.") or not rest[:3].isdecimal():
        raise OSError("not an HTTP answer")
    headers = {
        name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
    }
    after = headers.get("retry-after", "")
    return Reply(int(rest[:3]), min(float(after), LONGEST_WAIT) if after.isdecimal() else 0.0)
