"""Where one is signed in, over HTTP: the list, one session ended or all, another password."""

from __future__ import annotations

from collections.abc import Iterable

from litestar import Response, Router, delete, get, post, put
from litestar.params import FromPath, JSONBody

from meldroom.api.errors import HttpError
from meldroom.api.schemas import NewPassword, PasskeyOnly, PasskeyProof, Proof
from meldroom.server.container import Container
from meldroom.server.identity import IdentityError
from meldroom.server.identity.sessions import SessionCard, Sessions
from meldroom.server.logs import note
from meldroom.server.routes.dependencies import Asked, Person, Whole, scope_of
from meldroom.server.routes.session import account_of, gates_of, goodbye
from meldroom.server.web.asgi import headers_of
from meldroom.server.web.problems import problems


def _sessions(container: Container) -> Sessions:
    return Sessions(container.store, container.rooms.services.clock, container.identity.idle)


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
    """End one of one's sessions; its sockets are closed. Takes a recent proof."""
    container.identity.check_recent(person)
    ended = await _sessions(container).end(person, session)
    if not ended:
        raise HttpError(404, "no_such_session", "session")
    await _ended(container, ended)


@post("/sign-out/everywhere", status_code=204, responses=problems(401, 403, 503))
async def sign_out_everywhere(request: Asked, person: Person, container: Whole) -> Response[None]:
    """End all of one's sessions, this one too; all their sockets are closed. Tokens stay.

    Takes a recent proof.
    """
    container.identity.check_recent(person)
    note("signed_out_everywhere", player=person.player.id)
    await _ended(container, await _sessions(container).end_all(person))
    return goodbye(request)


@post("/account/password", status_code=204, responses=problems(400, 401, 403, 503))
async def change_password(
    request: Asked, data: JSONBody[NewPassword], person: Person, container: Whole
) -> None:
    """Another password; all other sessions end."""
    account, gates = account_of(person), gates_of(request)
    gates.password(request, account)
    try:
        await container.identity.change_password(person, data.old, data.new)
    except HttpError as refusal:
        if refusal.code == "wrong_password":
            gates.failed(request, account)
        raise
    note("password_changed", player=person.player.id)
    await _ended(container, await _sessions(container).end_all(person, but=person.session))


@post("/account/proof", status_code=204, responses=problems(400, 401, 403, 503))
async def prove(request: Asked, data: JSONBody[Proof], person: Person, container: Whole) -> None:
    """Show the account's password again, before changing what opens the account."""
    account, gates = account_of(person), gates_of(request)
    gates.password(request, account)
    try:
        await container.identity.prove(person, data.password)
    except HttpError as refusal:
        note("proof_failed", player=person.player.id, code=refusal.code)
        gates.failed(request, account)
        raise
    note("proved", player=person.player.id)


@post("/account/proof/passkey", status_code=204, responses=problems(400, 401, 403, 503))
async def prove_by_passkey(
    request: Asked, data: JSONBody[PasskeyProof], person: Person, container: Whole
) -> None:
    """Show a passkey of the account again; its challenge is that of signing in."""
    gates = gates_of(request)
    gates.password(request, data.credential)
    try:
        origin = headers_of(scope_of(request)).get("origin", "")
        if await container.passkeys.owner(data, origin) != person.player.id:
            raise IdentityError("bad_passkey")
    except IdentityError:
        gates.failed(request, data.credential)
        raise
    await container.identity.proved(person)
    note("proved", player=person.player.id)


@get("/account/passkey-only", responses=problems(401, 403))
async def passkey_only(person: Person, container: Whole) -> PasskeyOnly:
    """Whether one's account takes a passkey: the password alone does not open it."""
    account_of(person)
    return PasskeyOnly(await container.passkeys.is_only_way(person))


@put("/account/passkey-only", responses=problems(400, 401, 403, 409, 503))
async def set_passkey_only(data: JSONBody[PasskeyOnly], person: Person, container: Whole) -> PasskeyOnly:
    """Take a passkey for every sign-in from now on, or the password too. Takes a recent proof.

    Switching it on ends all other sessions.
    """
    account_of(person)
    container.identity.check_recent(person)
    await container.passkeys.be_only_way(person, data.on)
    note("passkey_only" if data.on else "password_allowed", player=person.player.id)
    if data.on:
        await _ended(container, await _sessions(container).end_all(person, but=person.session))
    return data


router = Router(
    path="/",
    route_handlers=[
        list_sessions,
        end_session,
        sign_out_everywhere,
        change_password,
        prove,
        prove_by_passkey,
        passkey_only,
        set_passkey_only,
    ],
    tags=["people"],
)
