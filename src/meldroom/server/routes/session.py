"""Who one is, over HTTP: a guest on the first visit, an account, tokens for bots."""

from __future__ import annotations

import math
from collections.abc import Awaitable

from litestar import Response, Router, delete, get, patch, post
from litestar.params import FromPath, JSONBody

from meldroom.api.errors import HttpError
from meldroom.api.schemas import ChangeMe, Credentials, Me, NewSession, NewToken
from meldroom.rooms.rate_limit import Limiter
from meldroom.server.config import Limits
from meldroom.server.container import Container
from meldroom.server.identity import IdentityError, Known
from meldroom.server.identity.schemas import TokenCard
from meldroom.server.logs import note
from meldroom.server.routes.dependencies import Asked, People, Person, Visitor, Whole, scope_of
from meldroom.server.web.asgi import address_of, headers_of, is_here, is_secure
from meldroom.server.web.cookies import session_in, set_cookie
from meldroom.server.web.problems import problems


class Gates:
    """How often sessions may be made and passwords tried."""

    def __init__(self, limits: Limits) -> None:
        self._sessions = Limiter(limits.sessions_of_address)
        self._addresses = Limiter(limits.sign_ins_of_address)
        self._accounts = Limiter(limits.sign_ins_of_account)

    def session(self, request: Asked) -> None:
        """Raises HttpError when this address makes too many guests."""
        _pass(self._sessions.wait(address_of(scope_of(request))))

    def password(self, request: Asked, account: str) -> None:
        """Raises HttpError when an address tried too many passwords, or failed too often at an account."""
        address = address_of(scope_of(request))
        _pass(max(self._addresses.wait(address), self._accounts.debt(f"{account.lower()} {address}")))

    def failed(self, request: Asked, account: str) -> None:
        """A password was wrong. Counted for the account at this address: a stranger locks nobody out."""
        self._accounts.charge(f"{account.lower()} {address_of(scope_of(request))}")


def _pass(wait: float) -> None:
    if wait:
        raise HttpError(429, "too_many", wait=wait, seconds=math.ceil(wait))


def gates_of(request: Asked) -> Gates:
    gates = request.app.state.gates
    assert isinstance(gates, Gates)
    return gates


def account_of(person: Known) -> str:
    """The name of somebody's account. Raises HttpError for a guest."""
    if person.account is None:
        raise HttpError(403, "no_account")
    return person.account


def _with_cookie(request: Asked, known: Known, secret: str, status: int) -> Response[Me]:
    cookie = set_cookie(secret, is_secure(scope_of(request)))
    return Response(known.me, status_code=status, headers={"Set-Cookie": cookie, "Cache-Control": "no-store"})


@post("/session", responses=problems(400, 401, 403, 503))
async def new_session(
    request: Asked, data: JSONBody[NewSession], identity: People, visitor: Visitor
) -> Response[Me]:
    """A first visit: become a guest. Whoever has a session keeps it."""
    if visitor is not None:
        known = await identity.change(visitor, data.name, None) if data.name is not None else visitor
        return Response(known.me, status_code=201)
    gates_of(request).session(request)
    known, secret = await identity.new_guest(data.name, data.language)
    return _with_cookie(request, known, secret, 201)


@get("/me", opt={"token": "read"}, responses=problems(401))
async def who_am_i(request: Asked, identity: People, person: Person) -> Response[Me]:
    """Who one is."""
    scope = scope_of(request)
    secret = session_in(headers_of(scope).get("cookie", ""), is_secure(scope))
    if person.session and await identity.prolong(person):
        return _with_cookie(request, person, secret, 200)
    return Response(person.me, headers={"Cache-Control": "no-store"})


@patch("/me", opt={"token": "social"}, responses=problems(400, 401, 403, 503))
async def change_me(data: JSONBody[ChangeMe], identity: People, person: Person, container: Whole) -> Me:
    """A new name to play under, another language, or another avatar."""
    changed = await identity.change(person, data.name, data.language, data.avatar)
    container.clients.renamed(changed.player)
    return changed.me


@post("/account", responses=problems(400, 401, 403, 409, 503))
async def new_account(
    request: Asked, data: JSONBody[Credentials], identity: People, person: Person, container: Whole
) -> Response[Me]:
    """Turn the guest into an account; the games they played stay theirs."""
    container.watch.switches.check("sign_up")
    made_before = await identity.tokens_of(person)
    gates_of(request).password(request, data.account)
    known, secret = await identity.new_account(person, data.account, data.password)
    container.clients.became(person.session, known)
    await container.subscriptions.session_ended(person.session, became=known)
    for token in made_before:
        container.clients.sign_out(token=token.id)
    return _with_cookie(request, known, secret, 201)


@post("/sign-in", status_code=200, responses=problems(400, 403, 503))
async def sign_in(
    request: Asked, data: JSONBody[Credentials], identity: People, visitor: Visitor, container: Whole
) -> Response[Me]:
    """Sign in; what the guest of this browser played goes to the account."""
    gates_of(request).password(request, data.account)
    guest = visitor if visitor is not None and visitor.session else None
    try:
        return await welcomed(request, container, guest, identity.sign_in(data.account, data.password, guest))
    except IdentityError as refusal:
        note("sign_in_failed", account=data.account, address=address_of(scope_of(request)), code=refusal.code)
        gates_of(request).failed(request, data.account)
        raise


async def welcomed(
    request: Asked, container: Container, guest: Known | None, signing_in: Awaitable[tuple[Known, str]]
) -> Response[Me]:
    """Sign somebody in: what they were before in this browser ends, and they get a cookie."""
    leaves = guest is not None and guest.account is None
    made_before = await container.identity.tokens_of(guest) if guest is not None and leaves else []
    known, secret = await signing_in
    note("signed_in", player=known.player.id, address=address_of(scope_of(request)))
    if guest is not None:
        container.clients.sign_out(session=guest.session)
        await container.subscriptions.session_ended(guest.session, became=known)
    for token in made_before:
        container.clients.sign_out(token=token.id)
    return _with_cookie(request, known, secret, 200)


@post("/sign-out", status_code=204, responses=problems(403, 503))
async def sign_out(request: Asked, identity: People, visitor: Visitor, container: Whole) -> Response[None]:
    """Sign out; the session is worth nothing any more."""
    if visitor is not None and visitor.session:
        await identity.end_session(visitor)
        container.clients.sign_out(session=visitor.session)
        await container.subscriptions.session_ended(visitor.session)
    return goodbye(request)


def goodbye(request: Asked) -> Response[None]:
    """Somebody has signed out: the cookie goes, and whatever the browser has cached of us.

    What the offline app keeps is no cache in this sense, and stays.
    """
    scope = scope_of(request)
    headers = {"Set-Cookie": set_cookie("", is_secure(scope))}
    if is_secure(scope) or is_here(scope):  # elsewhere browsers complain, and do nothing
        headers["Clear-Site-Data"] = '"cache"'
    return Response(None, status_code=204, headers=headers)


@get("/tokens", responses=problems(401, 403))
async def tokens(identity: People, person: Person) -> list[TokenCard]:
    """One's personal tokens, without their secrets."""
    return await identity.tokens_of(person)


@post("/tokens", responses=problems(400, 401, 403, 409, 503))
async def new_token(data: JSONBody[NewToken], identity: People, person: Person) -> TokenCard:
    """A personal token for a bot. Its secret is in this answer and nowhere else. Takes a recent proof."""
    identity.check_recent(person)
    card = await identity.new_token(person, data.label, data.scopes, data.days)
    note("token_made", player=person.player.id, token=card.id, scopes="+".join(card.scopes))
    return card


@delete("/tokens/{token:str}", responses=problems(401, 403, 404, 503))
async def revoke_token(token: FromPath[str], identity: People, person: Person, container: Whole) -> None:
    """Revoke a token; a bot that is connected with it is signed out."""
    if not await identity.revoke(person, token):
        raise HttpError(404, "no_such_token", "token")
    note("token_revoked", player=person.player.id, token=token)
    container.clients.sign_out(token=token)


router = Router(
    path="/",
    route_handlers=[
        new_session,
        who_am_i,
        change_me,
        new_account,
        sign_in,
        sign_out,
        tokens,
        new_token,
        revoke_token,
    ],
    tags=["people"],
)
