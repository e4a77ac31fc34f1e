"""A test as one evening in a house: an event loop, its rooms, and the doors closed afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from tests.rooms.house import House


def evening(test: Callable[[House], Awaitable[None]]) -> Callable[[], None]:
    """Run an asynchronous test with a fresh house."""

    async def whole() -> None:
        house = House()
        await house.rooms.start()
        try:
            await test(house)
        finally:
            await house.rooms.close()

    def run() -> None:
        asyncio.run(whole())

    run.__name__ = getattr(test, "__name__", "evening")
    run.__doc__ = test.__doc__
    return run
