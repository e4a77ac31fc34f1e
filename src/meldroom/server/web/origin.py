"""Same origin only: a page of another site may neither change anything nor open a socket in one's name."""

from __future__ import annotations

from urllib.parse import urlsplit

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_DEFAULT_PORTS = {"http": 80, "https": 443}


def is_own(headers: dict[str, str], scheme: str, allowed: tuple[str, ...]) -> bool:
    """Whether a request comes from our own pages, or from a program that is no browser.

    Browsers name the Origin with every unsafe request and every socket; programs name none.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    if origin.rstrip("/") in allowed:
        return True
    try:
        named = urlsplit(origin)
        own = urlsplit(f"{scheme}://{headers.get('host', '')}")
        if "@" in named.netloc or named.path or named.query or named.fragment:
            return False  # No browser writes an origin so.
        return bool(named.hostname) and (named.scheme, named.hostname, _port(named.scheme, named.port)) == (
            own.scheme,
            own.hostname,
            _port(own.scheme, own.port),
        )
    except ValueError:
        return False


def _port(scheme: str, port: int | None) -> int | None:
    return port if port is not None else _DEFAULT_PORTS.get(scheme)
