"""Under which address other machines reach this server, as far as it can know."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from meldroom.server.config import Config

EVERYWHERE = ("0.0.0.0", "::")

Alone = Literal["only_here", "no_network"]


class ForOthers(msgspec.Struct, frozen=True):
    """The address that others can open; without one, `alone` says why this machine is the only one."""

    address: str = ""
    alone: Alone | None = None


def network_addresses() -> list[str]:
    """The addresses under which other machines reach this one; nothing is sent to find out."""
    found: list[str] = []
    # Asking for a route names the address that packets would leave from.
    for target in ("192.0.2.1", "10.255.255.255", "192.168.255.255"):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect((target, 9))
                found.append(probe.getsockname()[0])
            except OSError:
                continue
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not _is_loopback(one)]


def in_url(host: str) -> str:
    """A host as it stands in an address: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def only_here(address: str) -> bool:
    """Whether an address means "this computer" wherever it is opened."""
    host = urlsplit(address).hostname or "localhost"
    return host == "localhost" or _is_loopback(host)


def for_others(opened: str, config: Config) -> ForOthers:
    """The address for others, from the one at which a page was opened (`http://192.168.1.5:8000`).

    An address that works elsewhere is right. Else it is the public one that was named for a proxy, or one of
    this machine in its network, if the server listens there. It may look names up: call it in a thread.
    """
    hall = config.hall_port
    if not only_here(opened):
        host = in_url(urlsplit(opened).hostname or "")
        return ForOthers(opened if hall is None else f"http://{host}:{hall}")
    if config.origins:
        return ForOthers(config.origins[0])
    host, port = config.listening or ("127.0.0.1", 0)
    if host not in EVERYWHERE:
        addresses = [] if _is_loopback(host) else [host]
    elif not (addresses := network_addresses()):
        return ForOthers(alone="no_network")
    if not addresses:
        return ForOthers(alone="only_here")
    if hall is not None:  # The plain address leads on to https once a device trusts it.
        return ForOthers(f"http://{in_url(addresses[0])}:{hall}")
    return ForOthers(f"{'http' if config.certificate is None else 'https'}://{in_url(addresses[0])}:{port}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
