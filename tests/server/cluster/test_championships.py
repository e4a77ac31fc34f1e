"""A championship in the database of two nodes: its pages are the same on both, and news travel at once."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx

from meldroom.server.cluster import ClusterRooms
from meldroom.server.config import Config
from meldroom.server.run import serving
from testkit.server.nats import Nats

ROOT = "/api/v1/championships"
NIGHT = {"name": "Tuesday", "by": "Hana", "names": "Ada, Ben, Chi, Dev", "date": "2026-11-15", "listed": True}


def test_a_club_night_is_led_from_either_node(tmp_path: Path, database_url: str) -> None:
    bus = Nats()

    def node(name: str) -> Config:
        return Config(
            tmp_path / name,
            tmp_path,
            database=database_url,
            bus=bus.url,
            championships="database",
            bot_pace=0,
            start_phase=0,
        )

    async def run() -> None:
        async with serving(node("a")) as (first, a), serving(node("b")) as (second, b):
            async with asyncio.timeout(20):
                while not all(isinstance(x.rooms, ClusterRooms) and x.rooms.bus_connected for x in (a, b)):
                    await asyncio.sleep(0.02)
            async with httpx.AsyncClient(base_url=first) as one, httpx.AsyncClient(base_url=second) as two:
                made = (await one.post(f"{ROOT}/club-night", json=NIGHT)).json()
                path, key = f"{ROOT}/{made['code']}", {"X-Championship-Key": made["key"]}
                pages = [(await client.get(path)).json() for client in (one, two)]
                assert pages[0] == pages[1]
                assert [card["code"] for card in (await two.get(ROOT)).json()] == [made["code"]]

                def waiting(client: httpx.AsyncClient, since: int) -> asyncio.Task[httpx.Response]:
                    asked = {"since": since, "wait": 20}
                    return asyncio.create_task(
                        client.get(f"{path}/changes", params=asked, headers=key, timeout=30)
                    )

                async def notice(client: httpx.AsyncClient, text: str) -> dict[str, Any]:
                    command = {"id": f"notice-{text}", "command": {"do": "set_notice", "text": text}}
                    answer = await client.post(f"{path}/commands", json=command, headers=key)
                    assert answer.status_code == 200, answer.text
                    done: dict[str, Any] = answer.json()
                    return done

                version = (await one.get(f"{path}/changes", params={"wait": 0}, headers=key)).json()[
                    "version"
                ]
                for here, there, text in ((one, two, "here"), (two, one, "there")):
                    news = waiting(there, version)
                    done = await notice(here, text)
                    assert await notice(there, text) == done  # the same id is never done twice
                    told = (await news).json()
                    assert (told["version"], told["changed"]) == (version + 1, True)
                    version += 1
                    assert (await there.get(path)).json()["notice"] == text

    try:
        asyncio.run(run())
    finally:
        bus.close()
