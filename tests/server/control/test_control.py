"""What whoever runs the server decides: games end with a reason, and features are switched off."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from meldroom.server.control import watch
from meldroom.server.storage.copying import reading
from meldroom.server.storage.replay_check import check_logs
from tests.server.api.near import Near, with_server
from tests.server.conftest import ON_POSTGRES
from tests.server.identity.test_moderation import admin, ran
from tests.server.identity.test_signed_in import CREDENTIALS
from tests.server.live.test_rooms_over_sockets import begun, entered, opened

pytestmark = pytest.mark.skipif(ON_POSTGRES, reason="it chooses the databases itself")
WHY = "The hall closes at ten."


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SECONDS", 0.05)


@pytest.mark.parametrize("on_postgres", [False, True])
def test_a_game_is_ended_while_the_server_runs_and_its_players_read_why(
    tmp_path: Path, on_postgres: bool, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("database_url") if on_postgres else ""

    async def test(near: Near) -> None:
        host, guest = await near.guest("Ada"), await near.guest("Bo")
        room = await opened(host)
        async with near.socket(host) as ada, near.socket(guest) as bo:
            await begun(ada, bo, room)
            shown = await admin(near, "inspect", room)
            assert "Ada" in shown
            assert "to move" in shown
            rack = (await admin(near, "inspect", room, "--racks")).splitlines()
            assert len(rack) == len(shown.splitlines()) + 2
            assert (await ran(near, "end-game", room)).exit_code == 1
            assert WHY in await admin(near, "end-game", room, "--reason", WHY)
            for talk in (ada, bo):
                update: dict[str, Any] = {"view": {"stage": ""}}
                while update["view"]["stage"] != "over":
                    update = await talk.until("update")
                assert update["view"]["ended_because"] == WHY
                assert update["view"]["game"]["result"]["end"] == "abandoned"
            again = await ran(near, "end-game", room, "--reason", WHY)
            assert (again.exit_code, "was not ended" in again.output) == (1, True)
        nobody = await ran(near, "end-game", "zzzzzz", "--reason", WHY)
        assert nobody.exit_code == 1

    with_server(tmp_path, test, database=url)


@pytest.mark.parametrize("on_postgres", [False, True])
def test_a_game_is_ended_while_no_server_runs(
    tmp_path: Path, on_postgres: bool, request: pytest.FixtureRequest
) -> None:
    url = request.getfixturevalue("database_url") if on_postgres else ""
    rooms: list[str] = []
    kept: list[Near] = []
    cookies: dict[str, str] = {}

    async def begin(near: Near) -> None:
        kept.append(near)
        host, guest = await near.guest("Ada"), await near.guest("Bo")
        cookies.update(host.cookies)
        rooms.append(await opened(host))
        async with near.socket(host) as ada, near.socket(guest) as bo:
            await begun(ada, bo, rooms[0])

    async def look(near: Near) -> None:
        back = near.browser()
        back.cookies.update(cookies)
        async with near.socket(back) as ada:
            view = (await entered(ada, rooms[0]))["view"]
            assert (view["stage"], view["ended_because"]) == ("over", WHY)

    with_server(tmp_path, begin, database=url)
    assert WHY in asyncio.run(admin(kept[0], "end-game", rooms[0], "--reason", WHY))
    verdict = reading(url or tmp_path / "data" / "meldroom.db", check_logs)
    assert (verdict.faults, verdict.finished) == ((), 1)
    with_server(tmp_path, look, database=url)


def test_what_is_switched_off_is_refused_in_words_until_it_is_on_again(tmp_path: Path) -> None:
    async def test(near: Near) -> None:
        ada, bo = await near.guest("Ada"), await near.guest("Bo")
        room = await opened(ada)

        async def set_to(state: str, *names: str) -> None:
            for name in names:
                await admin(near, "switch", name, state)
            wanted = [name.replace("-", "_") for name in names] if state == "off" else []
            async with asyncio.timeout(10):
                while (await bo.get("/api/v1/switches")).json()["off"] != sorted(wanted):
                    await asyncio.sleep(0.02)

        async def tried(
            path: str, body: dict[str, Any] | None = None, language: str = "en"
        ) -> tuple[int, str]:
            method = "GET" if body is None else "POST"
            headers = {"Accept-Language": language}
            answer = await bo.request(method, f"/api/v1{path}", json=body, headers=headers)
            return answer.status_code, answer.json().get("error", {}).get("message", "") if body else ""

        league = {"toml": 'name = "x"'}
        table = {"settings": {"book": "wrc11"}, "chairs": ["me", "open"]}
        await set_to("off", "sign-up", "new-rooms", "puzzles", "championships", "chat")
        assert await tried("/account", CREDENTIALS) == (
            403,
            "New accounts are switched off on this server for now.",
        )
        assert await tried("/account", CREDENTIALS, "fr") == (
            403,
            "La création de comptes est désactivée pour l’instant sur ce serveur.",
        )
        for path, body in (("/rooms", table), ("/puzzles", None), ("/championships/leagues", league)):
            assert (await tried(path, body))[0] == 403
        async with near.socket(ada) as talk:
            await entered(talk, room)
            refused = await talk.ask("say", room=room, text="hello")
            assert refused["error"]["code"] == "switched_off"
            await set_to("on", "sign-up", "new-rooms", "puzzles", "championships", "chat")
            assert (await talk.ask("say", room=room, text="hello"))["type"] == "done"
        assert (await tried("/rooms", table))[0] == 201
        assert (await tried("/puzzles"))[0] == 200
        await set_to("off", "guest-games")
        assert (await tried("/rooms", table))[0] == 403
        async with near.socket(bo) as talk:
            await entered(talk, room)
            assert (await talk.ask("sit", room=room, seat=1))["error"]["code"] == "switched_off"
        assert (await tried("/account", CREDENTIALS))[0] == 201
        assert (await tried("/rooms", table))[0] == 201
        assert "guest-games: off" in await admin(near, "switch")
        assert (await ran(near, "switch", "moonlight", "off")).exit_code == 1

    with_server(tmp_path, test)
