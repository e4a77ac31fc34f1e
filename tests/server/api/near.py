"""A real server in the test's own loop, with HTTP clients and sockets that talk to it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import websockets
from websockets.asyncio.client import ClientConnection

from meldroom.rooms.protocol.commands import VERSION
from meldroom.server.config import Config
from meldroom.server.container import Container
from meldroom.server.run import serving
from tests.server import published
from tests.server.published_protocol import check_command, check_message

SECONDS = 20.0


class Near:
    """One running server."""

    def __init__(self, url: str, container: Container) -> None:
        self.url = url
        self.container = container
        self._clients: list[httpx.AsyncClient] = []

    def browser(self, **headers: str) -> httpx.AsyncClient:
        """A client with cookies of its own."""
        client = httpx.AsyncClient(
            base_url=self.url, timeout=SECONDS, headers=headers, event_hooks={"response": [_published]}
        )
        self._clients.append(client)
        return client

    async def guest(self, name: str = "Ada") -> httpx.AsyncClient:
        """A client that is a guest already."""
        client = self.browser()
        answer = await client.post("/api/v1/session", json={"name": name})
        assert answer.status_code == 201, answer.text
        return client

    @asynccontextmanager
    async def socket(self, browser: httpx.AsyncClient | None = None, **headers: str) -> AsyncIterator[Talk]:
        """An open socket; with a browser's cookies, if one is given."""
        if browser is not None:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        address = self.url.replace("http", "ws", 1) + "/api/v1/live"
        async with websockets.connect(address, additional_headers=headers, max_size=None) as connection:
            yield Talk(connection)

    async def close(self) -> None:
        """Close every client."""
        for client in self._clients:
            await client.aclose()


async def _published(answer: httpx.Response) -> None:
    if answer.headers.get("content-type") == "application/json" and "openapi" not in answer.request.url.path:
        await answer.aread()
        published.check(answer)


class Talk:
    """A socket that asks and waits for the answer with the same id."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection
        self.heard: list[dict[str, Any]] = []
        self._number = 0

    async def say(self, text: str | bytes) -> None:
        """Send a frame as it is."""
        await self.connection.send(text)

    async def hear(self) -> dict[str, Any]:
        """The next message."""
        async with asyncio.timeout(SECONDS):
            message: dict[str, Any] = json.loads(await self.connection.recv())
        check_message(message)
        self.heard.append(message)
        return message

    async def until(self, kind: str) -> dict[str, Any]:
        """The next message of a type."""
        while True:
            message = await self.hear()
            if message["type"] == kind:
                return message

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """The answer to a command; what comes before it is in `heard`."""
        self._number += 1
        name = fields.pop("id", f"q{self._number}")
        await self.say(json.dumps({"do": do, "id": name, **fields}))
        while True:
            message = await self.hear()
            if message.get("id") == name:
                if message["type"] != "refused":
                    check_command({"do": do, "id": name, **fields})
                return message

    async def hello(self, **fields: Any) -> dict[str, Any]:
        """Say hello; the answer."""
        return await self.ask("hello", **{"version": VERSION, **fields})


def with_server(
    folder: Path, test: Callable[[Near], Awaitable[None]], *, pages: Path | None = None, **config: Any
) -> None:
    """Run a test against a server of its own."""

    async def run() -> None:
        chosen = Config(
            data=folder / "data", pages=pages or folder / "pages", bot_pace=0, **{"start_phase": 0, **config}
        )
        async with serving(chosen) as (url, container):
            near = Near(url, container)
            try:
                await test(near)
            finally:
                await near.close()

    asyncio.run(run())
