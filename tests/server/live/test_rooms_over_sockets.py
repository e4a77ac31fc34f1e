"""Rooms through the real door: other people's seats, stale and repeated commands, guests who signed in."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection

from meldroom.rooms.runtime.rooms import Rooms
from meldroom.server.storage import StorageError
from tests.server.api.near import Near, Talk, with_server

ROOM = {"settings": {"book": "wrc11", "clock": {"kind": "off"}}, "chairs": ["me", "open"]}


async def opened(host: httpx.AsyncClient, **changes: Any) -> str:
    """The code of a room that a host has opened."""
    answer = await host.post("/api/v1/rooms", json={**ROOM, **changes})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["room"])


async def entered(talk: Talk, room: str) -> dict[str, Any]:
    """What a client sees on entering."""
    await talk.hello()
    assert (await talk.ask("enter", room=room))["type"] == "done"
    updates = [one for one in talk.heard if one["type"] == "update"]
    return updates[-1] if updates else await talk.until("update")


async def begun(ada: Talk, bo: Talk, room: str) -> dict[str, Any]:
    """Two people at a table, the game begun; the first view that Ada has of it."""
    await entered(ada, room)
    await entered(bo, room)
    assert (await bo.ask("sit", room=room, seat=1))["type"] == "done"
    assert (await ada.ask("begin", room=room))["type"] == "done"
    while True:
        updates = [one for one in ada.heard if one["type"] == "update" and one["view"]["stage"] == "playing"]
        if updates:
            return updates[-1]
        await ada.hear()


def test_another_seats_command_is_refused(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host, guest, stranger = [await near.guest(name) for name in ("Ada", "Bo", "Eve")]
        room = await opened(host)
        async with near.socket(host) as ada, near.socket(guest) as bo, near.socket(stranger) as eve:
            update = await begun(ada, bo, room)
            await eve.hello()
            view = update["view"]
            draw = {"action": "draw", "seat": view["game"]["seat"]}
            waiting = bo if view["game"]["seat"] == 0 else ada
            for talk in (waiting, eve):
                refused = await talk.ask("act", room=room, rev=view["rev"], action=draw)
                assert refused["type"] == "refused"
                assert refused["error"]["message"]

    with_server(tmp_path, test)


def test_stale_and_repeated_commands(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host, guest = await near.guest("Ada"), await near.guest("Bo")
        room = await opened(host)
        async with near.socket(host) as ada, near.socket(guest) as bo:
            update = await begun(ada, bo, room)
            view = update["view"]
            seat = view["game"]["seat"]
            mover = (ada, bo)[seat]
            draw = {"action": "draw", "seat": seat}
            stale = await mover.ask("act", room=room, rev=view["rev"] - 1, action=draw)
            assert (stale["type"], stale["error"]["rev"]) == ("refused", view["rev"])
            first = await mover.ask("act", room=room, rev=view["rev"], action=draw, id="once")
            again = await mover.ask("act", room=room, rev=view["rev"], action=draw, id="once")
            assert first["type"] == again["type"] == "done"
            assert first["rev"] == again["rev"] > view["rev"]

    with_server(tmp_path, test)


def test_a_guest_who_signs_in_keeps_their_seat(tmp_path: Path) -> None:
    credentials = {"account": "ada", "password": "correct horse"}

    async def test(near: Near) -> None:
        owner = await near.guest("Ada")
        await owner.post("/api/v1/account", json=credentials)
        guest = await near.guest("Somebody")
        room = await opened(guest)
        me = (await guest.post("/api/v1/sign-in", json=credentials)).json()["id"]
        mine = (await guest.get("/api/v1/rooms/mine")).json()["running"]
        assert [(one["room"], one["host"], one["players"]) for one in mine] == [(room, me, [me, ""])]
        async with near.socket(guest) as talk:
            update = await entered(talk, room)
            assert (update["view"]["me"], update["view"]["host"]) == (0, True)
            assert (await talk.ask("seat_bot", room=room, seat=1, level="beginner"))["type"] == "done"
            assert (await talk.ask("begin", room=room))["type"] == "done"
        async with asyncio.timeout(20):
            while near.container.rooms.counts().clients:
                await asyncio.sleep(0.01)

    with_server(tmp_path, test)


def test_a_new_name_is_used_at_once(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        host, guest = await near.guest("Ada"), await near.guest("Bo")
        room = await opened(host)
        async with near.socket(guest) as bo:
            await entered(bo, room)
            await guest.patch("/api/v1/me", json={"name": "<b>Bob</b>"})
            await bo.ask("sit", room=room, seat=1)
            update = [one for one in bo.heard if one["type"] == "update"][-1]
            names = [seat["name"] for seat in update["view"]["seats"]]
            assert names == ["Ada", "<b>Bob</b>"]

    with_server(tmp_path, test)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (StorageError("disk_full", path="x"), "disk_full"),
        (StorageError("locked", path="x"), "storage"),
        (KeyError("x"), "server_error"),
    ],
)
def test_a_failure_inside_is_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    async def fails(*_: object) -> None:
        raise error

    async def test(near: Near) -> None:
        async with near.socket(await near.guest()) as talk:
            await talk.hello()
            monkeypatch.setattr(Rooms, "handle", fails)
            refused = await talk.ask("enter", room="abcdef")
            assert (refused["type"], refused["error"]["code"]) == ("refused", code)
            assert (await talk.ask("ping"))["type"] == "done"

    with_server(tmp_path, test)


def test_a_full_disk_is_reported_as_a_full_disk(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(near: Near) -> None:
        host = await near.guest("Ada")
        room = await opened(host)

        def limit(pages: int) -> Callable[[Connection], None]:
            def work(connection: Connection) -> None:
                connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

            return work

        async with near.socket(host) as ada:
            await entered(ada, room)
            await near.container.store.write(limit(1))
            for number in range(500):  # The last pages still have some room.
                last = {"room": room, "seat": 0, "word": f"{number:x>60}", "id": f"full {number}"}
                answer = await ada.ask("sit", **last)
                if answer["type"] == "refused":
                    break
            assert answer["error"]["code"] == "disk_full"
            assert "disk is full" in answer["error"]["message"]
            # After a failure the writer connects anew, and there is room again.
            assert (await ada.ask("sit", **last))["type"] == "done"
        await near.container.store.write(limit(1))
        for _ in range(100):
            over_http = await near.browser().post("/api/v1/session", json={"name": "Bo"})
            if over_http.status_code != 201:
                break
        assert (over_http.status_code, over_http.json()["error"]["code"]) == (503, "disk_full")

    with_server(tmp_path, test, trusted_load=True)
    assert "is full; nothing was saved" in caplog.text
