"""The profile on a device: the server's statistics, counted a few games at a time and each of them once."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from meldroom.api.profiles.statistics import counted, judged
from meldroom.browser.workers import LocalWorkers
from meldroom.record import loads
from tests.browser_home.tab import Tab
from tests.server.games.recorded import finished


def test_games_that_are_kept_are_counted_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    run_here = LocalWorkers.run

    async def run_and_note(self: LocalWorkers, function: str, payload: bytes) -> bytes:
        asked.append(function)
        return await run_here(self, function, payload)

    monkeypatch.setattr(LocalWorkers, "run", run_and_note)

    async def run() -> None:
        tab = await Tab.guest()
        me = (await tab.ask("GET", "/me"))[1]
        status, empty = await tab.ask("GET", "/profile")
        assert (status, empty["statistics"]["games"], empty["pending"]) == (200, 0, 0)
        game = finished("tml")
        for number in range(4):
            mine = replace(game, id=f"mine-{number}", people=(me["id"], ""), ended_at=number)
            await tab.home.device.store.keep_game(mine)
        await tab.home.device.store.keep_game(replace(game, id="from a file", people=("", "")))
        pending = [(await tab.ask("GET", "/profile"))[1]["pending"] for _ in range(2)]
        assert pending == [1, 0]
        done = len(asked)
        found = (await tab.ask("GET", "/profile"))[1]
        assert len(asked) == done == 8, "each game is counted once, and compared once"
        record = loads(game.record)
        looked, own = judged(record, 0), counted(record)[0]
        figures = found["statistics"]
        assert (figures["games"], figures["wins"]) == (4, 4 * own.won)
        assert figures["missed"] == round(looked.missed / looked.judged, 2)
        assert figures["opened"] == own.opened
        assert figures["books"][0]["score"] == own.score
        assert found["person"]["profile"] == me["profile"]
        await tab.close()

    asyncio.run(run())


def test_a_record_that_cannot_be_read_does_not_count() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        me = (await tab.ask("GET", "/me"))[1]["id"]
        broken = replace(finished("tml"), people=(me, ""), record="no record")
        await tab.home.device.store.keep_game(broken)
        for _ in range(2):
            found = (await tab.ask("GET", "/profile"))[1]
            assert (found["statistics"]["games"], found["pending"]) == (0, 0)
        await tab.close()

    asyncio.run(run())


def test_an_avatar_is_kept_on_the_device() -> None:
    async def run() -> None:
        tab = await Tab.guest()
        first = (await tab.ask("GET", "/me"))[1]["avatar"]
        assert (await tab.ask("PATCH", "/me", {"avatar": "R7 B7 *"}))[1]["avatar"] == "R7 B7 *"
        status, refused = await tab.ask("PATCH", "/me", {"avatar": "R99"})
        assert (status, refused["error"]["code"]) == (400, "bad_avatar")
        again = await Tab.open(tab.store)
        assert (await again.ask("GET", "/me"))[1]["avatar"] == "R7 B7 *"
        assert (await again.ask("PATCH", "/me", {"avatar": ""}))[1]["avatar"] == first
        await again.close()
        await tab.close()

    asyncio.run(run())
