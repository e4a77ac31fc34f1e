"""Passkeys over HTTP: add, list and remove one's own, and sign in with one."""

from __future__ import annotations

from litestar import Response, Router, delete, get, post
from litestar.params import FromPath, JSONBody

from meldroom.api.errors import HttpError
from meldroom.api.schemas import Me, NewPasskey, PasskeyChallenge, PasskeyProof
from meldroom.server.identity import IdentityError
from meldroom.server.identity.passkeys import PasskeyCard
from meldroom.server.identity.webauthn import encode
from meldroom.server.logs import note
from meldroom.server.routes.dependencies import Asked, Person, Visitor, Whole, scope_of
from meldroom.server.routes.session import account_of, gates_of, welcomed
from meldroom.server.web.asgi import headers_of
from meldroom.server.web.problems import problems


def _origin(request: Asked) -> str:
    """Where the page is that asks; the gateway has checked that it is ours."""
    return headers_of(scope_of(request)).get("origin", "")


@get("/passkeys", responses=problems(401))
async def my_passkeys(person: Person, container: Whole) -> list[PasskeyCard]:
    """One's passkeys."""
    return await container.passkeys.of(person)


@post("/passkeys/challenge", status_code=200, responses=problems(401, 503))
async def passkey_to_add(person: Person, container: Whole) -> PasskeyChallenge:
    """What a device needs to make a passkey for one's account. Takes a recent proof."""
    account = account_of(person)
    container.identity.check_recent(person)
    challenge = await container.passkeys.challenge("webauthn.create", person.player.id)
    there = await container.passkeys.credentials_of(person)
    return PasskeyChallenge(challenge, encode(person.player.id.encode()), account, there)


@post("/passkeys", responses=problems(401, 409, 503))
async def add_passkey(
    request: Asked, data: JSONBody[NewPasskey], person: Person, container: Whole
) -> PasskeyCard:
    """Keep a passkey that a device has made. Takes a recent proof."""
    account_of(person)
    container.identity.check_recent(person)
    card = await container.passkeys.register(person, data, _origin(request))
    note("passkey_added", player=person.player.id, passkey=card.id)
    return card


@delete("/passkeys/{passkey:str}", responses=problems(401, 404, 409, 503))
async def remove_passkey(passkey: FromPath[str], person: Person, container: Whole) -> None:
    """Forget a passkey: nobody signs in with it any more. Takes a recent proof.

    The last one of an account that only a passkey opens stays.
    """
    container.identity.check_recent(person)
    if not await container.passkeys.remove(person, passkey):
        raise HttpError(404, "no_such_passkey", "passkey")


@post("/sign-in/passkey/challenge", status_code=200, responses=problems(503))
async def passkey_wanted(container: Whole) -> PasskeyChallenge:
    """What a device needs to sign in with a passkey."""
    return PasskeyChallenge(await container.passkeys.challenge("webauthn.get"))


@post("/sign-in/passkey", status_code=200, responses=problems(503))
async def sign_in_with_passkey(
    request: Asked, data: JSONBody[PasskeyProof], visitor: Visitor, container: Whole
) -> Response[Me]:
    """Sign in with a passkey; what the guest of this browser played goes to the account."""
    gates, tried = gates_of(request), data.credential
    gates.password(request, tried)
    try:
        player = await container.passkeys.owner(data, _origin(request))
    except IdentityError:
        gates.failed(request, tried)
        raise
    guest = visitor if visitor is not None and visitor.session else None
    return await welcomed(request, container, guest, container.identity.sign_in_as(player, guest))


router = Router(
    path="/",
    route_handlers=[
        my_passkeys,
        passkey_to_add,
        add_passkey,
        remove_passkey,
        passkey_wanted,
        sign_in_with_passkey,
    ],
    tags=["people"],
)
