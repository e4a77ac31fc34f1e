"""A championship played online over HTTP and sockets: rooms, personal links, a restart of the server."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx

from tests.server.api.near import Near, with_server
from tests.server.championships.online_hall import FORMAT, NAMES

ROOT = "/api/v1/championships"


class Desk:
    """The organiser, who is the director too."""

    def __init__(self, browser: httpx.AsyncClient, code: str = "", key: str = "") -> None:
        self.browser, self.code, self.key = browser, code, key
        self.commands = 0

    async def ask(self, method: str, path: str, status: int = 200, **more: Any) -> Any:
        """A request with the key."""
        headers = {"X-Championship-Key": self.key} if self.key else {}
        answer = await self.browser.request(method, f"{ROOT}/{self.code}{path}", headers=headers, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    async def command(self, do: str, status: int = 200, **command: Any) -> Any:
        """Do something."""
        self.commands += 1
        asked = {"id": f"desk-{self.commands:04d}-{do}", "command": {"do": do, **command}}
        return await self.ask("POST", "/commands", status, json=asked)

    async def seated(self) -> None:
        """A new championship whose players have drawn their seats."""
        new = {"name": "Online Open", "by": "Olga", "date": "2026-11-15", "format_toml": FORMAT}
        made = (await self.browser.post(ROOT, json=new)).json()
        self.code, self.key = made["code"], made["key"]
        director = await self.ask("POST", "/keys", 201, json={"role": "director", "label": "Dana"})
        await self.command("import_entrants", entrants=[{"name": name} for name in NAMES])
        for number in range(1, len(NAMES) + 1):
            await self.command("check_in", number=number)
        self.key = director["key"]
        await self.command("announce_draw", seed="an example")
        await self.command("reveal")


def test_personal_links_lead_to_kept_chairs_and_a_restart_keeps_them(tmp_path: Path) -> None:
    kept: dict[str, Any] = {}

    async def first(near: Near) -> None:
        desk = Desk(near.browser())
        await desk.seated()
        before = await desk.ask("GET", "/people/1")
        assert before["appointments"][0]["room"] == ""
        opened = await desk.command("open_rooms", stage="evening", sitting=1)
        room = opened["action"]["rooms"]["1"]
        page = await desk.ask("GET", "/tables/1")
        assert (page["room"], page["sheet"]["room"]) == (room, room)
        public = await desk.ask("GET", "")
        tables = public["stages"][0]["seated"][0]["tables"]
        assert tables[0]["room"] == room
        links = {link["number"]: link for link in await desk.ask("GET", "/links")}
        assert links[1]["path"] == f"/championship/{desk.code}/p/1#key={links[1]['key']}"
        assert len({link["key"] for link in links.values()}) == len(NAMES)
        for number in tables[0]["players"]:
            assert (await desk.ask("GET", f"/people/{number}"))["appointments"][0]["room"] == room
        async with AsyncExitStack() as stack:
            for seat, number in enumerate(tables[0]["players"]):
                guest = await near.guest("Somebody")
                talk = await stack.enter_async_context(near.socket(guest))
                await talk.hello()
                await talk.ask("enter", room=room)
                if seat == 0:
                    refused = await talk.ask("claim", room=room, key=links[tables[1]["players"][0]]["key"])
                    assert refused["error"]["code"] == "wrong_key"
                done = await talk.ask("claim", room=room, key=links[number]["key"])
                assert done["type"] == "done"
                view = [message for message in talk.heard if message["type"] == "update"][-1]["view"]
                assert view["me"] == seat
                assert view["championship"] == {
                    "championship": desk.code,
                    "stage": "evening",
                    "sitting": 1,
                    "number": 1,
                }
            card = (await near.browser().get(f"/api/v1/rooms/{room}")).json()
            assert card["stage"] == "playing"
        kept.update(code=desk.code, key=desk.key, room=room, other=opened["action"]["rooms"]["2"])
        kept.update(link=links[tables[1]["players"][0]]["key"])

    async def again(near: Near) -> None:
        card = (await near.browser().get(f"/api/v1/rooms/{kept['room']}")).json()
        assert card["stage"] == "playing"
        guest = await near.guest("Somebody")
        async with near.socket(guest) as talk:
            await talk.hello()
            assert (await talk.ask("claim", room=kept["other"], key=kept["link"]))["type"] == "done"
        desk = Desk(near.browser(), kept["code"], kept["key"])
        renewed = await desk.ask("POST", "/links/1/renew")
        assert renewed["key"] != kept["link"]
        await desk.ask("POST", "/links/99/renew", 404)

    with_server(tmp_path, first)
    with_server(tmp_path, again)
