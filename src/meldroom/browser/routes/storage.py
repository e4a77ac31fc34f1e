"""What is kept on the device."""

from __future__ import annotations

import msgspec

from meldroom.api.answers import Answer
from meldroom.browser.router import Asked, Route


class StorageUse(msgspec.Struct, frozen=True):
    """Unfinished tables, finished games, and the bytes of everything."""

    rooms: int
    games: int
    bytes: int


async def storage_use(asked: Asked) -> Answer:
    """How much is kept."""
    store = asked.device.store
    running = [card for card in await store.cards() if card.stage != "over"]
    games = await store.finished_of("")
    return Answer.of(StorageUse(len(running), len(games), await store.usage()))


async def clear(asked: Asked) -> Answer:
    """Delete everything: tables, games, and who plays here."""
    device = asked.device
    for room in tuple(device.rooms.in_memory):
        await device.rooms.discard(room)
    await device.store.clear()
    device.player.forget()
    device.house_books.forget()
    device.forget_games()
    return Answer(b"", status=204)


ROUTES = (Route("GET", "/storage", storage_use), Route("DELETE", "/storage", clear))
