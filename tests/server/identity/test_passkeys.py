"""Passkeys over HTTP with devices made of software: what signs in, and everything that must not."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from meldroom.server.identity import passkeys
from meldroom.server.identity.webauthn import PasskeyError, decode, encode
from tests.server.api.near import Near, with_server
from tests.server.identity.test_signed_in import CREDENTIALS, owner_of

KINDS: dict[str, Callable[[], Any]] = {
    "ES256": lambda: ec.generate_private_key(ec.SECP256R1()),
    "EdDSA": ed25519.Ed25519PrivateKey.generate,
    "RS256": lambda: rsa.generate_private_key(65537, 2048),
}


class Device:
    """An authenticator. What it says can be bent in every way an attacker might."""

    def __init__(self, origin: str, kind: str = "ES256") -> None:
        self.key = KINDS[kind]()
        self.credential = os.urandom(32)
        self.uses = 0
        self.bend: dict[str, Any] = {"origin": origin, "site": "127.0.0.1", "flags": 0x05}

    def client_data(self, ceremony: str, challenge: str) -> bytes:
        said = {"type": ceremony, "challenge": challenge, "origin": self.bend["origin"], "crossOrigin": False}
        return json.dumps({**said, **self.bend.get("client", {})}).encode()

    def data(self, more: bytes = b"", flags: int = 0) -> bytes:
        self.uses += self.bend.get("step", 1)
        site = hashlib.sha256(self.bend["site"].encode()).digest()
        return site + bytes([self.bend["flags"] | flags]) + self.uses.to_bytes(4) + more

    def new(self, challenge: str, label: str = "phone") -> dict[str, str]:
        spki = self.key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        attested = bytes(16) + len(self.credential).to_bytes(2) + self.credential
        return {
            "label": label,
            "credential": encode(self.bend.get("credential", self.credential)),
            "client_data": encode(self.client_data("webauthn.create", challenge)),
            "authenticator_data": encode(self.data(attested, 0x40)),
            "public_key": encode(self.bend.get("spki", spki)),
        }

    def proof(self, challenge: str) -> dict[str, str]:
        client_data, data = self.client_data("webauthn.get", challenge), self.data()
        signed = data + hashlib.sha256(client_data).digest()
        if isinstance(self.key, ec.EllipticCurvePrivateKey):
            signature = self.key.sign(signed, ec.ECDSA(SHA256()))
        elif isinstance(self.key, rsa.RSAPrivateKey):
            signature = self.key.sign(signed, padding.PKCS1v15(), SHA256())
        else:
            signature = self.key.sign(signed)
        return {
            "credential": encode(self.credential),
            "client_data": encode(client_data),
            "authenticator_data": encode(data),
            "signature": encode(signature),
        }


def page(near: Near, client: httpx.AsyncClient) -> httpx.AsyncClient:
    """A browser names the origin of its page."""
    client.headers["origin"] = near.url
    return client


async def added(client: httpx.AsyncClient, device: Device) -> httpx.Response:
    wanted = (await client.post("/api/v1/passkeys/challenge")).json()
    return await client.post("/api/v1/passkeys", json=device.new(wanted["challenge"]))


async def signed_in(client: httpx.AsyncClient, device: Device) -> httpx.Response:
    wanted = (await client.post("/api/v1/sign-in/passkey/challenge")).json()
    return await client.post("/api/v1/sign-in/passkey", json=device.proof(wanted["challenge"]))


@pytest.mark.parametrize("kind", KINDS)
def test_a_passkey_signs_in_until_it_is_removed(tmp_path: Path, kind: str) -> None:
    async def test(near: Near) -> None:
        owner, device = page(near, await owner_of(near)), Device(near.url, kind)
        assert (await added(owner, device)).status_code == 201
        (card,) = (await owner.get("/api/v1/passkeys")).json()
        assert card["label"] == "phone"
        guest = page(near, await near.guest("Guest"))
        answer = await signed_in(guest, device)
        assert (answer.status_code, answer.json()["account"]) == (200, "ada")
        assert (await guest.get("/api/v1/me")).json()["account"] == "ada"
        assert (await owner.get("/api/v1/passkeys")).json()[0]["used_at"]
        stranger = page(near, await near.guest("Eve"))
        assert (await stranger.delete(f"/api/v1/passkeys/{card['id']}")).status_code == 404
        assert (await owner.delete(f"/api/v1/passkeys/{card['id']}")).status_code == 204
        assert (await signed_in(page(near, near.browser()), device)).status_code == 403

    with_server(tmp_path, test)


def test_an_account_can_demand_its_passkey(tmp_path: Path) -> None:
    """Then the password neither signs in nor proves anything, and the last passkey stays."""

    async def test(near: Near) -> None:
        def code(answer: httpx.Response) -> tuple[int, str]:
            return answer.status_code, answer.json()["error"]["code"]

        owner, device = page(near, await owner_of(near)), Device(near.url)
        only = "/api/v1/account/passkey-only"
        assert code(await owner.put(only, json={"on": True})) == (409, "no_passkey")
        assert (await owner.get(only)).json() == {"on": False}
        passkey = (await added(owner, device)).json()["id"]
        elsewhere = page(near, near.browser())
        assert (await elsewhere.post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200
        assert (await owner.put(only, json={"on": True})).json() == {"on": True}
        assert (await owner.get(only)).json() == {"on": True}
        assert (await elsewhere.get("/api/v1/me")).status_code == 401  # it was opened by the password
        assert code(await elsewhere.post("/api/v1/sign-in", json=CREDENTIALS)) == (403, "passkey_needed")
        guessed = {**CREDENTIALS, "password": "another horse"}
        assert code(await elsewhere.post("/api/v1/sign-in", json=guessed)) == (403, "wrong_password")
        right = {"password": CREDENTIALS["password"]}
        assert code(await owner.post("/api/v1/account/proof", json=right)) == (403, "passkey_needed")
        assert code(await owner.delete(f"/api/v1/passkeys/{passkey}")) == (409, "last_passkey")
        assert (await signed_in(elsewhere, device)).status_code == 200
        assert (await elsewhere.put(only, json={"on": False})).json() == {"on": False}
        assert (await near.browser().post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200
        assert (await owner.delete(f"/api/v1/passkeys/{passkey}")).status_code == 204

    with_server(tmp_path, test)


BENT: dict[str, dict[str, Any]] = {
    "another origin": {"origin": "https://evil.example"},
    "another site": {"site": "evil.example"},
    "nobody was there": {"flags": 0x04},
    "nobody was recognised": {"flags": 0x01},
    "a frame": {"client": {"crossOrigin": True}},
    "another ceremony": {"client": {"type": "payment.get"}},
    "another challenge": {"client": {"challenge": encode(bytes(56))}},
}


def test_no_bent_answer_is_believed(tmp_path: Path) -> None:
    """Neither when a passkey is made nor when it is used; and the good device still works afterwards."""

    async def test(near: Near) -> None:
        owner, device = page(near, await owner_of(near)), Device(near.url)
        small = rsa.generate_private_key(65537, 1024).public_key()
        weak = small.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        for bend in (*BENT.values(), {"credential": b"other"}, {"spki": weak}, {"spki": b"junk"}):
            bent = Device(near.url)
            bent.bend.update(bend)
            answer = await added(owner, bent)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "bad_passkey"), bend
        assert (await owner.get("/api/v1/passkeys")).json() == []
        assert (await added(owner, device)).status_code == 201
        assert (await added(owner, device)).status_code == 403  # the same credential twice
        good, browser = dict(device.bend), page(near, near.browser())
        for bend in (*BENT.values(), {"step": 0}):
            device.uses, device.bend = 1, {**good, **bend}
            answer = await signed_in(browser, device)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "bad_passkey"), bend
        device.bend = good
        thief = Device(near.url)
        thief.credential, thief.uses = device.credential, 100
        assert (await signed_in(browser, thief)).status_code == 403
        assert "set-cookie" not in answer.headers
        assert (await signed_in(browser, device)).status_code == 200

    with_server(tmp_path, test, trusted_load=True)


def test_a_challenge_is_answered_once_in_time_and_by_whom_it_was_made_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(near: Near) -> None:
        owner, device = page(near, await owner_of(near)), Device(near.url)
        other = page(near, await near.guest("Bob"))
        await other.post("/api/v1/account", json={"account": "bob", "password": "correct horse"})
        mine = (await owner.post("/api/v1/passkeys/challenge")).json()["challenge"]
        assert (await other.post("/api/v1/passkeys", json=device.new(mine))).status_code == 403
        assert (await owner.post("/api/v1/passkeys", json=device.new(mine))).status_code == 201
        again = Device(near.url)
        assert (await owner.post("/api/v1/passkeys", json=again.new(mine))).status_code == 403
        anybody = (await owner.post("/api/v1/sign-in/passkey/challenge")).json()["challenge"]
        assert (await owner.post("/api/v1/passkeys", json=again.new(anybody))).status_code == 403
        monkeypatch.setattr(passkeys, "CHALLENGE_MS", -1)
        assert (await signed_in(page(near, near.browser()), device)).status_code == 403
        monkeypatch.undo()
        assert (await signed_in(page(near, near.browser()), device)).status_code == 200

    with_server(tmp_path, test)


def test_guests_and_tokens_have_no_passkeys_and_an_account_not_too_many(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        guest = page(near, await near.guest("Eve"))
        assert (await guest.post("/api/v1/passkeys/challenge")).json()["error"]["code"] == "no_account"
        owner = page(near, await owner_of(near))
        made = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()
        bot = near.browser(authorization=f"Bearer {made['secret']}", origin=near.url)
        assert (await bot.get("/api/v1/passkeys")).json()["error"]["code"] == "token_not_enough"
        for _ in range(passkeys.MOST_PASSKEYS):
            assert (await added(owner, Device(near.url))).status_code == 201
        assert (await added(owner, Device(near.url))).json()["error"]["code"] == "too_many_passkeys"

    with_server(tmp_path, test)


@pytest.mark.parametrize("text", ["", "a", "a=", "YQ==", "a b", "é", "Z+/="])
def test_only_base64url_as_browsers_write_it(text: str) -> None:
    if text:
        with pytest.raises(PasskeyError):
            decode(text)
    assert decode(encode(b"any")) == b"any"
