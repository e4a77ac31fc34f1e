"""The rooms' store over a store of JavaScript, which keeps bytes in IndexedDB."""

from __future__ import annotations

import logging
from collections.abc import Awaitable
from typing import Any, Protocol, TypeVar

import msgspec

from meldroom.browser.crossing import all_bytes, as_bytes, as_text, to_javascript
from meldroom.browser.errors import DeviceStorageError
from meldroom.rooms.errors import ConflictError
from meldroom.rooms.ports import FinishedGame, RoomCard
from meldroom.rooms.protocol.settings import Stage

CONFLICT = "conflict"
QUOTA = "QuotaExceededError"
ALIVE = "alive"

Kept = TypeVar("Kept")
_LOG = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode
_CARD = msgspec.json.Decoder(RoomCard)
_GAME = msgspec.json.Decoder(FinishedGame)


class JsStore(Protocol):
    """The store of JavaScript: each call is one transaction and gives a promise.

    `append` gives "ok", or "conflict" unless `seq` follows the last event of the room.
    """

    def append(
        self, room: str, seq: int, event: Any, card: Any, finished_id: str | None, finished: Any, /
    ) -> Awaitable[Any]: ...
    def events(self, room: str, after: int, /) -> Awaitable[Any]: ...
    def cards(self) -> Awaitable[Any]: ...
    def finished(self, game: str, /) -> Awaitable[Any]: ...
    def finishedList(self) -> Awaitable[Any]: ...  # noqa: N802 - as JavaScript writes it
    def get(self, key: str, /) -> Awaitable[Any]: ...
    def set(self, key: str, value: str, /) -> Awaitable[Any]: ...
    def keepGame(self, game: str, finished: Any, /) -> Awaitable[Any]: ...  # noqa: N802
    def deleteRoom(self, room: str, /) -> Awaitable[Any]: ...  # noqa: N802
    def deleteGame(self, game: str, /) -> Awaitable[Any]: ...  # noqa: N802
    def clear(self) -> Awaitable[Any]: ...
    def usage(self) -> Awaitable[Any]: ...


class DeviceStore:
    """A Store of ports.py for one device, and what else is kept there. Every call may raise StorageError."""

    def __init__(self, js: JsStore) -> None:
        self._js = js

    # The Store of ports.py.

    async def append(
        self, room: str, seq: int, event: bytes, card: RoomCard, finished: FinishedGame | None = None
    ) -> None:
        """Write event number `seq` of a room, with its card; see ports.Store."""
        said = await _done(
            self._js.append(
                room,
                seq,
                to_javascript(event),
                to_javascript(_encode(card)),
                None if finished is None else finished.id,
                None if finished is None else to_javascript(_encode(finished)),
            )
        )
        if as_text(said) == CONFLICT:
            raise ConflictError(room, seq)

    async def events(self, room: str, after: int = 0) -> list[bytes]:
        """The events of a room in order, after a number."""
        return all_bytes(await _done(self._js.events(room, after)))

    async def cards(self, stage: Stage | None = None, *, player: str | None = None) -> list[RoomCard]:
        """Cards of rooms, newest change first."""
        cards = _decoded(_CARD, await _done(self._js.cards()))
        found = [
            card
            for card in cards
            if stage in (None, card.stage) and (player is None or player in card.players)
        ]
        return sorted(found, key=lambda card: -card.changed_at)

    async def finished(self, game: str) -> FinishedGame | None:
        """A finished game by id."""
        data = as_bytes(await _done(self._js.finished(game)))
        return None if data is None else next(iter(_decoded(_GAME, [data])), None)

    async def finished_of(self, player: str, limit: int | None = None) -> list[FinishedGame]:
        """What was finished on this device or opened from a file, newest first, with the records."""
        games = _decoded(_GAME, await _done(self._js.finishedList()))
        return sorted(games, key=lambda game: -game.ended_at)[:limit]

    async def alive(self, now: int) -> None:
        """Note that a clock was running at this time."""
        await self.put(ALIVE, str(now))

    async def last_alive(self) -> int | None:
        """The last time noted."""
        noted = await self.get(ALIVE)
        return int(noted) if noted is not None and noted.isdecimal() else None

    # What only a device has.

    async def get(self, key: str) -> str | None:
        """A value of the device."""
        return as_text(await _done(self._js.get(key)))

    async def put(self, key: str, value: str) -> None:
        """Keep a value of the device."""
        await _done(self._js.set(key, value))

    async def keep_game(self, game: FinishedGame) -> None:
        """Keep a game that was played elsewhere."""
        await _done(self._js.keepGame(game.id, to_javascript(_encode(game))))

    async def card(self, room: str) -> RoomCard | None:
        """The card of one room."""
        return next((card for card in await self.cards() if card.room == room), None)

    async def delete_room(self, room: str) -> None:
        """Delete a room with its log."""
        await _done(self._js.deleteRoom(room))

    async def delete_game(self, game: str) -> None:
        """Delete a finished game."""
        await _done(self._js.deleteGame(game))

    async def clear(self) -> None:
        """Delete everything."""
        await _done(self._js.clear())

    async def usage(self) -> int:
        """How many bytes are kept, as far as the browser knows."""
        used = await _done(self._js.usage())
        return int(used) if isinstance(used, int | float) else 0


async def _done(promise: Awaitable[Any]) -> Any:
    """What a promise gives. Raises DeviceStorageError for one that is rejected."""
    try:
        return await promise
    except Exception as error:
        name = str(getattr(error, "name", ""))
        code = "disk_full" if QUOTA in (name, type(error).__name__) else "failed"
        raise DeviceStorageError(code, reason=f"{name or type(error).__name__}: {error}") from error


def _decoded(decoder: msgspec.json.Decoder[Kept], values: Any) -> list[Kept]:
    """What was kept; one thing that cannot be read must not hide the others."""
    found: list[Kept] = []
    for data in all_bytes(values):
        try:
            found.append(decoder.decode(data))
        except msgspec.MsgspecError:
            _LOG.exception("something in the store cannot be read")
    return found
