"""Leaving games again and again: the cool-down survives a restart, and signing in."""

from __future__ import annotations

from http.cookiejar import Cookie
from pathlib import Path
from typing import Any

import httpx

from meldroom.rooms.runtime.walkouts import REMEMBERED, cool_down
from tests.server.api.near import Near, with_server

MINUTE = 60_000
CREDENTIALS = {"account": "eve", "password": "correct horse"}
PUBLIC = {"settings": {"book": "wrc11", "public": True}, "chairs": ["me", "open"]}
PRIVATE = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}


def test_the_wait_grows_with_every_walkout_and_passes() -> None:
    assert cool_down([], 0) == 0
    assert cool_down([0, 0], 0) == 0
    assert round(cool_down([0, 0, 0], 0)) == 15 * 60
    assert round(cool_down([0, 0, 0, 0], 0)) == 30 * 60
    assert cool_down([0, 0, 0], 16 * MINUTE) == 0
    assert round(cool_down([0, MINUTE, 2 * MINUTE], 2 * MINUTE)) == 13 * 60
    assert cool_down([0] * 3, REMEMBERED) == 0


async def _opens(browser: httpx.AsyncClient, body: dict[str, Any]) -> str:
    answer = await browser.post("/api/v1/rooms", json=body)
    return "" if answer.is_success else str(answer.json()["error"]["code"])


def test_a_restart_and_signing_in_forgive_nobody(tmp_path: Path) -> None:
    kept: list[Cookie] = []

    async def leave(near: Near) -> None:
        owner = await near.guest("Eve")
        await owner.post("/api/v1/account", json=CREDENTIALS)
        guest, other = await near.guest("Eve"), await near.guest("Bob")
        walkouts = near.container.rooms.services.walkouts
        left = (await guest.get("/api/v1/me")).json()["id"]
        for room in ("aaaaaa", "bbbbbb", "bbbbbb", "cccccc"):
            assert await _opens(guest, PRIVATE) == ""
            await walkouts.note(left, room)
        assert await walkouts.wait(left) > 0
        assert await _opens(guest, PUBLIC) == "cool_down"
        assert await _opens(guest, PRIVATE) == ""
        assert await _opens(other, PUBLIC) == ""
        kept.extend(guest.cookies.jar)

    async def come_back(near: Near) -> None:
        guest = near.browser()
        for cookie in kept:
            guest.cookies.jar.set_cookie(cookie)
        assert await _opens(guest, PUBLIC) == "cool_down"
        assert (await guest.post("/api/v1/sign-in", json=CREDENTIALS)).status_code == 200
        assert await _opens(guest, PUBLIC) == "cool_down"

    with_server(tmp_path, leave)
    with_server(tmp_path, come_back)
