"""`meldroom admin` on the database of a server that runs: bans, sessions, tokens and games."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from typer.testing import CliRunner

from meldroom.cli.app import app
from meldroom.server.live import clients
from meldroom.server.storage.tables import bans
from testkit.server.postgres import database_of
from tests.server.api.near import Near, with_server
from tests.server.identity.test_signed_in import CREDENTIALS, farewell, owner_of

COMMANDS = app(["admin", "sbom"])


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "SWEEP_SECONDS", 0.05)
    monkeypatch.setattr(clients, "BANS_SECONDS", 0.0)


async def admin(near: Near, *words: str) -> str:
    """What the command says, run beside the server."""
    done = await ran(near, *words)
    assert done.exit_code == 0, done.output
    return str(done.output)


async def ran(near: Near, *words: str) -> Any:
    """The command, run to its end on the server's database."""
    config = near.container.config
    database = config.database or await asyncio.to_thread(database_of, config.data)
    place = ["--data", str(config.data), "--database", database]
    return await asyncio.to_thread(CliRunner().invoke, COMMANDS, ["admin", *words, *place])


def test_who_is_banned_is_out_at_once_and_comes_back(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        eve, other = await owner_of(near), await near.guest("Bob")
        made = (await eve.post("/api/v1/tokens", json={"label": "bot"})).json()
        shown = await admin(near, "show", "ADA")
        assert "1 session" in shown
        assert made["id"] in shown
        assert made["secret"] not in shown
        async with near.socket(eve) as talk, near.socket() as bot, near.socket(other) as neighbour:
            await talk.hello()
            await bot.hello(token=made["secret"])
            await neighbour.hello()
            assert "kept out" in await admin(near, "ban", "ada", "--days", "3", "--reason", "insults")
            assert [await farewell(talk), await farewell(bot)] == ["signed_out"] * 2
            assert (await neighbour.ask("ping"))["type"] == "done"
        assert (await eve.get("/api/v1/me")).status_code == 401
        refused = await near.browser().post("/api/v1/sign-in", json=CREDENTIALS)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "banned")
        assert "insults" in refused.json()["error"]["message"]
        assert "insults" in await admin(near, "show", "ada")
        assert "may come in again" in await admin(near, "unban", "ada")
        assert "wasn't kept out" in await admin(near, "unban", "ada")
        assert (await near.browser().post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200

    with_server(tmp_path, test)


def test_a_guest_is_banned_for_good_by_their_profile_and_a_ban_that_is_over_is_none(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        guest, owner = await near.guest("Eve"), await owner_of(near)
        profile = (await guest.get("/api/v1/me")).json()["profile"]
        await admin(near, "ban", profile, "--days", "0")
        assert "for good" in await admin(near, "show", profile)
        await admin(near, "ban", "ada")
        await near.container.store.change(update(bans).where(bans.c.until > 0).values(until=1))
        assert (await near.browser().post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200
        assert (await owner.get("/api/v1/me")).status_code == 401  # the session had ended all the same

    with_server(tmp_path, test)


def test_sessions_tokens_and_games(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        owner = await owner_of(near)
        room = {"settings": {"book": "tml", "seats": 2}, "chairs": ["me", "beginner"], "begin": True}
        code = (await owner.post("/api/v1/rooms", json=room)).json()["room"]
        listed = await admin(near, "games")
        assert code in listed
        assert "1 game is being played" in listed
        made = (await owner.post("/api/v1/tokens", json={"label": "bot"})).json()
        assert "is revoked" in await admin(near, "revoke-token", made["id"])
        assert "There is no token" in await admin(near, "revoke-token", made["id"])
        assert "1 session" in await admin(near, "sign-out", "ada", "--lang", "en")
        assert (await owner.get("/api/v1/me")).status_code == 401

    with_server(tmp_path, test)


def test_nobody_of_that_name_is_said(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        done = await ran(near, "show", "nobody")
        assert done.exit_code != 0
        assert "nobody" in done.output + str(done.exception)

    with_server(tmp_path, test)
