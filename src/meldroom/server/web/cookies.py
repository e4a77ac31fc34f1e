"""The session cookie: its name, its flags, and how it is found again."""

from __future__ import annotations

from http.cookies import SimpleCookie

from meldroom.server.config import DAY, SESSION_DAYS

NAME = "meldroom_session"
SECURE_NAME = "__Host-meldroom_session"
"""Over https: the prefix keeps other hosts of the same domain from planting one."""


def cookie_name(secure: bool) -> str:
    """What the cookie is called."""
    return SECURE_NAME if secure else NAME


def session_in(header: str, secure: bool) -> str:
    """The session's secret in a Cookie header; empty if there is none."""
    wanted = cookie_name(secure)
    for part in header.split(";"):
        name, _, value = part.strip().partition("=")
        if name == wanted:
            return value
    return ""


def set_cookie(secret: str, secure: bool) -> str:
    """A Set-Cookie header that keeps a session; an empty secret forgets it."""
    name = cookie_name(secure)
    jar: SimpleCookie = SimpleCookie()
    jar[name] = secret
    morsel = jar[name]
    morsel["path"] = "/"
    morsel["httponly"] = True
    morsel["samesite"] = "Lax"
    morsel["secure"] = secure
    morsel["max-age"] = SESSION_DAYS * DAY // 1000 if secret else 0
    return morsel.OutputString()
