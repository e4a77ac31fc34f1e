"""`meldroom admin championship-key`: a key is lost, and whoever runs the server makes another one."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import pytest

from tests.server.api.near import Near, with_server
from tests.server.championships.at_hall import ROOT
from tests.server.conftest import ON_POSTGRES
from tests.server.identity.test_moderation import admin, ran

pytestmark = pytest.mark.skipif(ON_POSTGRES, reason="it chooses the databases itself")
NIGHT = {"name": "Tuesday", "by": "Host", "names": "Ada, Ben, Chi, Dev", "date": "2026-11-17"}


async def key_made(near: Near, code: str) -> str:
    """What the command shows after the #."""
    return (await admin(near, "championship-key", code)).partition("#key=")[2].strip()


async def desk(near: Near, code: str, key: str, status: int = 200) -> Any:
    answer = await near.browser().get(f"{ROOT}/{code}/desk", headers={"X-Championship-Key": key})
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.parametrize(
    ("kept", "on_postgres"), [("folder", False), ("database", False), ("folder", True), ("database", True)]
)
def test_a_lost_key_is_replaced_while_the_server_runs_and_while_it_does_not(
    kept: str, on_postgres: bool, tmp_path: Path, request: pytest.FixtureRequest, caplog: Any
) -> None:
    url = request.getfixturevalue("database_url") if on_postgres else ""
    config: dict[str, Any] = {"database": url, "championships": kept}
    nears: list[Near] = []
    secrets: list[str] = []
    codes: list[str] = []
    caplog.set_level(logging.INFO, "meldroom.security")

    async def first(near: Near) -> None:
        nears.append(near)
        made = (await near.browser().post(f"{ROOT}/club-night", json=NIGHT)).json()
        code, lost = made["code"], made["key"]
        codes.append(code)
        await desk(near, code, "guessed", 401)
        new = await key_made(near, code)
        assert new != lost
        page = await desk(near, code, new)
        assert (page["role"], page["label"]) == ("host", "Host")
        assert "championship_key_added" in caplog.text
        assert new not in caplog.text
        # The old one goes on until it is revoked, and what the server writes afterwards loses no key.
        headers = {"X-Championship-Key": new}
        cards = (await desk(near, code, lost))["keys"]
        assert [card["by"] for card in cards] == ["Host", "meldroom admin"]
        gone = await near.browser().delete(f"{ROOT}/{code}/keys/{cards[0]['id']}", headers=headers)
        assert gone.status_code == 204
        await desk(near, code, lost, 401)
        again = await key_made(near, code)
        for key in (new, again):
            await desk(near, code, key)
        secrets.extend((new, again))
        nobody = await ran(near, "championship-key", "zzzzzz")
        assert nobody.exit_code == 1
        assert "there is no championship zzzzzz" in nobody.output

    async def later(near: Near) -> None:
        for key in secrets:
            page = await desk(near, codes[0], key)
        assert len(page["keys"]) == 4

    with_server(tmp_path, first, **config)
    secrets.append(asyncio.run(key_made(nears[0], codes[0])))
    with_server(tmp_path, later, **config)
