"""A device as JavaScript talks to it: requests, live connections, and its end."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from meldroom.api.answers import Answer
from meldroom.api.problems import failure_of
from meldroom.browser.connection import Connection
from meldroom.browser.crossing import as_bytes, as_text
from meldroom.browser.device import Device
from meldroom.browser.errors import DeviceError
from meldroom.browser.router import Asked, Router
from meldroom.browser.routes import games, people, profile, puzzles, referee, rooms, rules, storage
from meldroom.browser.store import JsStore
from meldroom.errors import MeldroomError
from meldroom.rooms.ports import Clock
from meldroom.rooms.runtime.rooms import BOT_PACE, START_PHASE, now_ms

Response = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""

_LOG = logging.getLogger(__name__)


class Home:
    """The rooms and the HTTP interface of one device. Made by `open_home`."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self._connections: set[Connection] = set()
        resources = (people, profile, rules, rooms, games, storage, referee, puzzles)
        self._router = Router([route for one in resources for route in one.ROUTES])

    async def request(self, method: str, path: str, query: str = "", body: Any = None) -> Response:
        """The answer to a request; `path` is the server's without /api/v1. Never raises."""
        asked = Asked(self.device, as_text(query) or "", as_bytes(body))
        answer = await self._answer(asked, str(method).upper(), str(path))
        headers = {"Content-Type": answer.media_type, **answer.headers} if answer.body else answer.headers
        return answer.status, headers, answer.body

    async def _answer(self, asked: Asked, method: str, path: str) -> Answer:
        try:
            return await self._router.answer(asked, method, path)
        except MeldroomError as error:
            return failure_of(error, asked.language_of_refusal).answer
        except Exception:
            _LOG.exception("%s %s failed", method, path)
            return failure_of(DeviceError(500, "accident"), asked.language_of_refusal).answer

    def connect(self, send: Callable[[str], object]) -> Connection:
        """A live connection: what it sends goes to `send`, as JSON text."""
        connection = Connection(self.device, send, self._connections.discard)
        self._connections.add(connection)
        return connection

    async def close(self) -> None:
        """Close every connection and accept nothing more."""
        for connection in tuple(self._connections):
            connection.close()
        await self.device.close()


async def open_home(
    store: JsStore, now: Clock | None = None, *, bot_pace: int = BOT_PACE, start_phase: int = START_PHASE
) -> Home:
    """The home on a store, as it was left. `now` gives the time in ms. Raises StorageError.

    Unfinished games go on when somebody enters their room: clocks have the time they had left, and the bot
    to move plays.
    """
    device = Device(store, now or now_ms, bot_pace, start_phase)
    await device.start()
    return Home(device)
