"""Everybody at every route of the published document: who is let in, held against what it promises.

Routes that need a championship's key have a matrix of their own.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx

from tests.server import published
from tests.server.api.near import Near, with_server

SCOPES = ("read", "play", "social")
DOORS = {"no_session", "token_not_enough", "token_scope", "bad_token", "token_expired"}
"""Refusals that are about who asks."""

# What takes more than any session, by who may.
ACCOUNTS = {
    ("post", "/account/password"),
    ("post", "/account/proof"),
    ("get", "/account/passkey-only"),
    ("put", "/account/passkey-only"),
    ("post", "/passkeys"),
    ("post", "/passkeys/challenge"),
}
ONLY_SESSIONS = {
    ("get", "/tokens"),
    ("post", "/tokens"),
    ("delete", "/tokens/{token}"),
    ("get", "/sessions"),
    ("delete", "/sessions/{session}"),
    ("post", "/sign-out/everywhere"),
    ("post", "/account"),
    ("post", "/account/password"),
    ("post", "/account/proof"),
    ("post", "/account/proof/passkey"),
    ("get", "/account/passkey-only"),
    ("put", "/account/passkey-only"),
    ("get", "/passkeys"),
    ("post", "/passkeys"),
    ("post", "/passkeys/challenge"),
    ("delete", "/passkeys/{passkey}"),
    ("post", "/push/subscriptions"),
    ("get", "/push/subscriptions"),
    ("delete", "/push/subscriptions/{subscription}"),
}
"""No token opens these, whatever it was made for: named here so that nobody opens one unseen."""
PASSKEY = dict.fromkeys(("label", "credential", "client_data", "authenticator_data", "public_key"), "YQ")
PROOF = dict.fromkeys(("credential", "client_data", "authenticator_data", "signature"), "YQ")
BODIES: dict[str, dict[str, Any]] = {
    "/tokens": {"label": "one more"},
    "/account": {"account": "eve", "password": "correct horse"},
    "/account/password": {"old": "correct horse", "new": "battery staple"},
    "/account/proof": {"password": "correct horse"},
    "/account/proof/passkey": PROOF,
    "/account/passkey-only": {"on": True},
    "/passkeys": PASSKEY,
    "/friends": {"person": "~none"},
    "/blocks": {"person": "~none"},
    "/rooms": {"settings": {"book": "none"}, "chairs": ["me"]},
    "/rooms/{room}/invitations": {"person": "~none"},
    "/push/subscriptions": {
        "endpoint": "https://push.example/x",
        "keys": {"p256dh": "YQ" * 20, "auth": "YQ" * 8},
    },
}
"""Bodies that can be read, where an empty one cannot; what they ask for need not be possible."""
DESTRUCTIVE = {
    ("post", "/sign-out"),
    ("post", "/sign-out/everywhere"),
    ("post", "/sign-in"),
    ("post", "/account"),
}
"""These end the session that asks, or its tokens: somebody else tries them."""


def operations() -> dict[tuple[str, str], dict[str, Any]]:
    """Every operation without a championship's key, by method and path below /api/v1."""
    found = {}
    for path, item in published.document()["paths"].items():
        for method, operation in item.items():
            if all("championship_key" not in way for way in operation["security"]):
                found[method, path.removeprefix("/api/v1")] = operation
    return found


def ways(operation: dict[str, Any]) -> tuple[bool, bool, set[str]]:
    """Whether nobody in particular may ask, whether a session may, and the scopes of tokens that may."""
    security = operation["security"]
    scopes = {scope for way in security for scope in way.get("token", ())}
    # Who plays may also look.
    return (not security or {} in security, True, scopes | ({"play"} if "read" in scopes else set()))


def code_of(answer: httpx.Response) -> str:
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    body = answer.json() if is_json and answer.content else None
    return str(body["error"]["code"]) if isinstance(body, dict) and "error" in body else ""


def test_no_token_opens_what_belongs_to_its_owner() -> None:
    closed = {
        where
        for where, operation in operations().items()
        if operation["security"] and {} not in operation["security"] and not ways(operation)[2]
    }
    assert closed >= ONLY_SESSIONS
    # Whatever else is closed to tokens is about an account's own progress.
    assert all(path.startswith("/puzzles/") for _, path in closed - ONLY_SESSIONS), closed - ONLY_SESSIONS


def test_everybody_at_every_route(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        secrets = {}
        for scope in SCOPES:
            made = await owner.post("/api/v1/tokens", json={"label": scope, "scopes": [scope]})
            secrets[scope] = made.json()["secret"]
        asking: dict[str, httpx.AsyncClient] = {
            "nobody": near.browser(),
            "guest": owner,
            "forged": near.browser(authorization="Bearer meld_forged"),
            **{scope: near.browser(authorization=f"Bearer {secrets[scope]}") for scope in SCOPES},
        }
        tried = 0
        for (method, path), operation in operations().items():
            anybody, _, scopes = ways(operation)
            asks_who = bool(operation["security"])
            address = "/api/v1" + path.replace("{room}", "zzzzzz").replace("{", "").replace("}", "")
            sent: dict[str, Any] = {"json": BODIES.get(path, {})} if "requestBody" in operation else {}
            for role, client in asking.items():
                if role == "guest" and (method, path) in DESTRUCTIVE:
                    client = await near.guest("Eve")
                if role == "nobody":
                    client.cookies.clear()
                answer = await client.request(method, address, **sent)
                door = code_of(answer) if code_of(answer) in DOORS else ""
                place = (role, method, path, answer.status_code, answer.text[:150])
                # Where nobody need sign in, a body that cannot be read is refused before the token is.
                unread = anybody and answer.status_code == 400
                if role == "nobody":
                    assert anybody or (answer.status_code, door) == (401, "no_session"), place
                    assert not anybody or not door, place
                elif role == "guest":
                    assert not door, place
                elif role == "forged":
                    assert not asks_who or unread or (answer.status_code, door) == (401, "bad_token"), place
                elif not asks_who or role in scopes:
                    assert not door, place
                else:
                    wanted = "token_scope" if scopes else "token_not_enough"
                    assert unread or (answer.status_code, door) == (403, wanted), place
                tried += 1
        assert tried == len(operations()) * len(asking) > 300
        guest = await near.guest("Bob")
        for method, path in ACCOUNTS:
            answer = await guest.request(method, f"/api/v1{path}", json=BODIES.get(path))
            assert (answer.status_code, code_of(answer)) == (403, "no_account"), path

    with_server(tmp_path, test, trusted_load=True)
