"""Where one is signed in, over HTTP: the list, one session ended or all, another password."""

from __future__ import annotations

from collections.abc import Iterable

from litestar import Response, Router, delete, get, post
from litestar.params import FromPath, JSONBody

from meldroom.api.errors import HttpError
from meldroom.api.schemas import NewPassword
from meldroom.server.container import Container
from meldroom.server.identity.sessions import SessionCard, Sessions
from meldroom.server.logs import note
from meldroom.server.routes.dependencies import Asked, Person, Whole, scope_of
from meldroom.server.routes.session import gates_of
from meldroom.server.web.asgi import is_secure
from meldroom.server.web.cookies import set_cookie
from meldroom.server.web.problems import problems


def _sessions(container: Container) -> Sessions:
    return Sessions(container.store, container.rooms.services.clock)


async def _ended(container: Container, sessions: Iterable[str]) -> None:
    """What hangs on sessions that are over: sockets and subscriptions."""
    for session in sessions:
        container.clients.sign_out(session=session)
        await container.subscriptions.session_ended(session)


@get("/sessions", responses=problems(401, 403))
async def list_sessions(person: Person, container: Whole) -> list[SessionCard]:
    """Where one is signed in, the newest first."""
    return await _sessions(container).of(person)


@delete("/sessions/{session:str}", responses=problems(401, 403, 404, 503))
async def end_session(session: FromPath[str], person: Person, container: Whole) -> None:
    """End one of one's sessions; its sockets are closed."""
    ended = await _sessions(container).end(person, session)
    if not ended:
        raise HttpError(404, "no_such_session", "session")
    await _ended(container, ended)


@post("/sign-out/everywhere", status_code=204, responses=problems(401, 403, 503))
async def sign_out_everywhere(request: Asked, person: Person, container: Whole) -> Response[None]:
    """End all of one's sessions, this one too; all their sockets are closed. Tokens stay."""
    note("signed_out_everywhere", player=person.player.id)
    await _ended(container, await _sessions(container).end_all(person))
    cookie = set_cookie("", is_secure(scope_of(request)))
    return Response(None, status_code=204, headers={"Set-Cookie": cookie})


@post("/account/password", status_code=204, responses=problems(400, 401, 403, 503))
async def change_password(
    request: Asked, data: JSONBody[NewPassword], person: Person, container: Whole
) -> None:
    """Another password; all other sessions end."""
    if person.account is None:
        raise HttpError(403, "no_account")
    gates = gates_of(request)
    gates.password(request, person.account)
    try:
        await container.identity.change_password(person, data.old, data.new)
    except HttpError as refusal:
        if refusal.code == "wrong_password":
            gates.failed(request, person.account)
        raise
    note("password_changed", player=person.player.id)
    await _ended(container, await _sessions(container).end_all(person, but=person.session))


router = Router(
    path="/",
    route_handlers=[list_sessions, end_session, sign_out_everywhere, change_password],
    tags=["people"],
)
