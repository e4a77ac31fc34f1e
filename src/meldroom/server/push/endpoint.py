"""Where push messages may go: https on a public address. Whoever names an endpoint must not reach inside."""

from __future__ import annotations

import ipaddress
import socket
from urllib.parse import SplitResult, urlsplit

from meldroom.server.config import PushPolicy

HTTPS_PORT = 443
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_PORTS = {"https": HTTPS_PORT, "http": 80}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class EndpointError(ValueError):
    """No push service may be at this address."""


def parse_endpoint(endpoint: str, policy: PushPolicy) -> SplitResult:
    """The endpoint in its parts, checked as far as it can be without asking for its address.

    Raises EndpointError.
    """
    try:
        parts = urlsplit(endpoint)
        port = port_of(parts)
    except ValueError:
        raise EndpointError from None
    if not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        raise EndpointError
    if parts.scheme != "https" and not (policy.plain_http and parts.scheme == "http"):
        raise EndpointError
    if not parts.hostname or parts.username is not None or parts.password is not None or parts.fragment:
        raise EndpointError
    if port != HTTPS_PORT and not policy.private_addresses:
        raise EndpointError
    address = _literal(parts.hostname)
    if address is not None and not _is_allowed(address, policy):
        raise EndpointError
    return parts


def port_of(parts: SplitResult) -> int:
    """The port to connect to. Raises ValueError for one that is none."""
    return parts.port or _PORTS.get(parts.scheme, HTTPS_PORT)


def addresses_of(parts: SplitResult, policy: PushPolicy) -> list[str]:
    """The addresses of an endpoint's host, all of them public. Blocks.

    A connection is made to one of these and not to the name, which might mean another address a moment later.
    Raises EndpointError, and OSError where the name is not known.
    """
    found = socket.getaddrinfo(parts.hostname, port_of(parts), type=socket.SOCK_STREAM)
    addresses = list(dict.fromkeys(str(each[4][0]) for each in found))
    if not all(_is_allowed(ipaddress.ip_address(each.partition("%")[0]), policy) for each in addresses):
        raise EndpointError
    return addresses


def _literal(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _is_allowed(address: Address, policy: PushPolicy) -> bool:
    if policy.private_addresses:
        return True
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return _is_public(inner)
        if address in _NAT64:
            return False
    return _is_public(address)


def _is_public(address: Address) -> bool:
    return address.is_global and not (address.is_multicast or address.is_reserved)
