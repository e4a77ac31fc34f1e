"""A stolen session is not enough to change what opens an account: a password or passkey is shown again."""

from __future__ import annotations

from pathlib import Path

import httpx
from sqlalchemy import update

from meldroom.server.identity.people import PROOF_MS
from meldroom.server.storage.tables import sessions
from tests.server.api.near import Near, with_server
from tests.server.identity.test_passkeys import Device, added, page
from tests.server.identity.test_signed_in import CREDENTIALS, owner_of

TOKEN = {"label": "bot"}


async def long_ago(near: Near) -> None:
    """Everybody proved who they are a little too long ago."""
    earlier = sessions.c.created_at - PROOF_MS - 1
    await near.container.store.change(update(sessions).values(created_at=earlier, proved_at=None))


async def refusals(browser: httpx.AsyncClient) -> set[tuple[int, str]]:
    """What everything that changes who gets in is answered with."""
    tried = [
        await browser.post("/api/v1/tokens", json=TOKEN),
        await browser.post("/api/v1/passkeys/challenge"),
        await browser.delete("/api/v1/passkeys/0123456789abcdef"),
        await browser.delete("/api/v1/sessions/0123456789abcdef"),
        await browser.put("/api/v1/account/passkey-only", json={"on": True}),
        await browser.post("/api/v1/sign-out/everywhere"),
    ]
    return {(answer.status_code, answer.json()["error"]["code"]) for answer in tried}


async def shown(browser: httpx.AsyncClient, device: Device) -> httpx.Response:
    """A passkey shown again."""
    wanted = (await browser.post("/api/v1/sign-in/passkey/challenge")).json()
    return await browser.post("/api/v1/account/proof/passkey", json=device.proof(wanted["challenge"]))


def test_a_session_alone_changes_nothing_that_opens_the_account(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada = await owner_of(near)
        assert (await ada.post("/api/v1/tokens", json=TOKEN)).status_code == 201
        await long_ago(near)
        assert await refusals(ada) == {(403, "prove_again")}
        wrong = await ada.post("/api/v1/account/proof", json={"password": "not the right one"})
        assert (wrong.status_code, wrong.json()["error"]["code"]) == (403, "wrong_password")
        assert await refusals(ada) == {(403, "prove_again")}
        right = await ada.post("/api/v1/account/proof", json={"password": CREDENTIALS["password"]})
        assert right.status_code == 204
        assert (await ada.post("/api/v1/tokens", json=TOKEN)).status_code == 201
        assert (await ada.post("/api/v1/passkeys/challenge")).status_code == 200
        assert (await ada.post("/api/v1/sign-out/everywhere")).status_code == 204

    with_server(tmp_path, test)


def test_a_passkey_of_the_account_proves_it_too_and_no_other(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, device = page(near, await owner_of(near)), Device(near.url)
        assert (await added(ada, device)).status_code == 201
        other = page(near, await near.guest("Eve"))
        made = await other.post("/api/v1/account", json={"account": "Eve", "password": "a quiet meadow"})
        assert made.status_code == 201
        await long_ago(near)
        assert (await shown(other, device)).status_code == 403
        assert (await other.post("/api/v1/tokens", json=TOKEN)).json()["error"]["code"] == "prove_again"
        assert (await shown(ada, device)).status_code == 204
        assert (await ada.post("/api/v1/tokens", json=TOKEN)).status_code == 201

    with_server(tmp_path, test)


def test_a_guest_has_nothing_else_to_show(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        guest = await near.guest("Bo")
        await long_ago(near)
        assert (await guest.post("/api/v1/tokens", json=TOKEN)).status_code == 201
        refused = await guest.post("/api/v1/account/proof", json={"password": "whatever it is"})
        assert refused.json()["error"]["code"] == "no_account"

    with_server(tmp_path, test)


def test_metrics_are_for_this_machine_and_private_networks(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        for address, status in (("10.0.0.9", 200), ("::1", 200), ("8.8.8.8", 404), ("2001:4860::8", 404)):
            answer = await near.browser(**{"X-Forwarded-For": address}).get("/metrics")
            assert answer.status_code == status, address

    with_server(tmp_path, test)
