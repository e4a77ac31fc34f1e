"""What routes may ask for by name, and who is asking."""

from __future__ import annotations

from typing import Any, cast

from litestar import Request
from litestar.di import NamedDependency, Provide
from litestar.params import SkipValidation

from meldroom.api.errors import HttpError
from meldroom.api.schemas import TokenScope
from meldroom.rooms.ports import Player
from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.container import Container
from meldroom.server.identity import Identity, Known
from meldroom.server.storage import SqlStore
from meldroom.server.web.asgi import Scope, headers_of, is_secure
from meldroom.server.web.cookies import session_in

Asked = Request[Any, Any, Any]
Visitor = NamedDependency[SkipValidation[Known | None]]
Person = NamedDependency[SkipValidation[Known]]
Stored = NamedDependency[SkipValidation[SqlStore]]
LiveRooms = NamedDependency[SkipValidation[Rooms]]
People = NamedDependency[SkipValidation[Identity]]
Whole = NamedDependency[SkipValidation[Container]]


TOKEN = "token"
"""The option of a route that tokens may ask: the scope they need."""


def scope_of(request: Asked) -> Scope:
    """The scope of a request as our own small pieces read it."""
    return cast("Scope", request.scope)


async def known_in(headers: dict[str, str], secure: bool, identity: Identity) -> Known | None:
    """Whoever the headers prove: by a token, or by the cookie. Raises HttpError for a bad token."""
    scheme, _, secret = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        known = await identity.by_token(secret.strip())
        if known is None:
            raise HttpError(401, "bad_token")
        return known
    session = session_in(headers.get("cookie", ""), secure)
    return await identity.by_session(session) if session else None


async def visitor(request: Asked, container: Whole) -> Known | None:
    """Who is asking; None for somebody without a session.

    A token is taken by routes that name the scope it needs (`opt={"token": "play"}`), and by no others.
    Raises HttpError.
    """
    known = await known_in(headers_of(scope_of(request)), is_secure(scope_of(request)), container.identity)
    if known is not None:
        _check_scope(known, request.route_handler.opt.get(TOKEN))
        container.clients.seen(known.player.id)
    return known


def _check_scope(known: Known, scope: TokenScope | None) -> None:
    if known.token and scope is None:
        raise HttpError(403, "token_not_enough")
    if scope is not None and not known.may(scope):
        raise HttpError(403, "token_scope", scope=scope)


async def person(visitor: Visitor) -> Known:
    """Who is asking. Raises HttpError for somebody without a session."""
    if visitor is None:
        raise HttpError(401, "no_session")
    return visitor


async def me(visitor: Visitor) -> Player | None:
    """The player who is asking; None for somebody without a session."""
    return None if visitor is None else visitor.player


_PARTS = ("store", "rooms", "games", "identity", "championships", "printing", "subscriptions", "profiles")
_COMPUTED = {"visitor": Provide(visitor), "person": Provide(person), "me": Provide(me)}


def dependencies(container: Container | None) -> dict[str, Provide]:
    """Everything routes may ask for; without a container nothing answers, but all can be described."""

    def provided(part: object) -> Provide:
        return Provide(lambda: part, sync_to_thread=False)

    parts = {name: provided(getattr(container, name, None)) for name in _PARTS}
    hall = provided(container.config.hall_port if container is not None else None)
    return {"container": provided(container), "hall_port": hall, **parts, **_COMPUTED}
