"""A tab under test: a home on a store, with requests, a live connection, and a person who plays."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from itertools import count
from typing import Any
from urllib.parse import urlencode

import msgspec

from meldroom.browser import Home, open_home
from meldroom.rooms.protocol.answers import Message, Update
from meldroom.rooms.protocol.commands import VERSION
from meldroom.rules.library import BookLike
from testkit.server.chooser import Chooser
from tests.browser_home.js_store import MemoryJsStore
from tests.server.published_protocol import check_message

SECONDS = 300.0  # The first bot may have to wait for its kernels to be compiled.
_MESSAGE = msgspec.json.Decoder(Message)


class Tab:
    """One tab with its home. `close` is what a closed tab does at best, `kill` what it may do at worst."""

    ids = count(1)

    def __init__(self, home: Home, store: MemoryJsStore) -> None:
        self.home = home
        self.store = store
        self.frames: list[str] = []
        self.view: dict[str, Any] = {}
        self._heard = asyncio.Event()
        self.connection = home.connect(self._hear)

    @classmethod
    async def open(
        cls,
        store: MemoryJsStore | None = None,
        now: Callable[[], int] | None = None,
        bot_pace: int = 0,
        start_phase: int = 0,
    ) -> Tab:
        """A tab on a store, on a new one if none is given."""
        store = store or MemoryJsStore()
        return cls(await open_home(store, now, bot_pace=bot_pace, start_phase=start_phase), store)

    @classmethod
    async def again(cls, store: MemoryJsStore, room: str, **more: Any) -> Tab:
        """A tab that comes back to a room."""
        tab = await cls.open(store, **more)
        await tab.do("hello", version=VERSION)
        await tab.do("enter", room=room)
        return tab

    @classmethod
    async def guest(cls, store: MemoryJsStore | None = None, name: str = "Ada", **more: Any) -> Tab:
        """A tab whose player has a session and has said hello."""
        tab = await cls.open(store, **more)
        assert (await tab.ask("POST", "/session", {"name": name}))[0] == 201
        await tab.do("hello", version=VERSION)
        return tab

    # Requests

    async def raw(
        self, method: str, path: str, body: bytes | None = None, **query: Any
    ) -> tuple[int, dict[str, str], bytes]:
        """A request as it is."""
        return await self.home.request(method, path, urlencode(query), body)

    async def ask(self, method: str, path: str, body: Any = None, **query: Any) -> tuple[int, Any]:
        """A request with a JSON body; the status and the answer, decoded if it is JSON."""
        sent = None if body is None else json.dumps(body).encode()
        status, headers, answer = await self.raw(method, path, sent, **query)
        is_json = headers.get("Content-Type") == "application/json"
        return status, json.loads(answer) if is_json else answer

    # The live connection

    def _hear(self, text: str) -> None:
        message = json.loads(text)
        check_message(message)
        self.frames.append(text)
        if message["type"] == "update":
            self.view = message["view"]
        self._heard.set()

    async def next(self, found: Callable[[], Any]) -> Any:
        """Wait until something is so."""
        async with asyncio.timeout(SECONDS):
            while not (result := found()):
                self._heard.clear()
                await self._heard.wait()
        return result

    def answer_to(self, id: str) -> dict[str, Any] | None:
        """The answer to a command, if it has come."""
        for text in self.frames:
            message: dict[str, Any] = json.loads(text)
            if message.get("id") == id:
                return message
        return None

    async def do(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a command; its answer."""
        name = fields.pop("id", f"tab-{next(Tab.ids)}")
        self.connection.receive(json.dumps({"do": do, "id": name, **fields}))
        answer: dict[str, Any] = await self.next(lambda: self.answer_to(name))
        return answer

    async def play(
        self, book: str = "wrc11", level: str = "beginner", seats: int = 2, **settings: Any
    ) -> str:
        """A table against bots, entered; its code."""
        body = {
            "settings": {"book": book, "seats": seats, "clock": {"kind": "off"}, **settings},
            "chairs": ["me", *[level] * (seats - 1)],
            "begin": True,
        }
        status, answer = await self.ask("POST", "/rooms", body)
        assert status == 201, answer
        room = str(answer["room"])
        await self.do("enter", room=room)
        return room

    @property
    def my_turn(self) -> bool:
        """True when the player is to move, or the game is over."""
        view = self.view
        return bool(view) and (view["stage"] == "over" or view["game"]["seat"] == view["me"])

    async def move(self, room: str, chooser: Chooser) -> dict[str, Any]:
        """Wait for the player's turn, and do what a bot would do; the answer."""
        await self.next(lambda: self.my_turn)
        update = next(
            found
            for text in reversed(self.frames)
            if isinstance(found := _MESSAGE.decode(text.encode()), Update)
        )
        if update.view.stage == "over":
            return {}
        assert update.view.game is not None
        action = msgspec.to_builtins(chooser.choose(update.view.game))
        return await self.do("act", room=room, rev=update.view.rev, action=action)

    async def finish(self, room: str, book: BookLike, level: str = "beginner") -> None:
        """Play on until the score sheet is there."""
        chooser = Chooser(book, level)
        while self.view["stage"] != "over":
            answer = await self.move(room, chooser)
            assert answer.get("type", "done") == "done", answer
        assert self.view["sheet"]

    async def close(self) -> None:
        """Close the tab."""
        await self.home.close()

    def kill(self) -> MemoryJsStore:
        """Kill the tab at this moment; what it leaves behind."""
        return self.store.copy()
