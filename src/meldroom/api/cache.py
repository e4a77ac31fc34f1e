"""A cache of expensive answers; asked for twice at once, an answer is computed once."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable

MOST_KEPT = 64


class AnswerCache:
    """The last answers by key. A failed one is not kept."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._answers: OrderedDict[Hashable, bytes] = OrderedDict()
        self._coming: dict[Hashable, asyncio.Task[bytes]] = {}

    async def answer(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        """The answer of a key; whoever stops waiting for it does not stop it for the others."""
        if key in self._answers:
            self._answers.move_to_end(key)
            return self._answers[key]
        if key not in self._coming:
            self._coming[key] = asyncio.ensure_future(self._make(key, make))
        return await asyncio.shield(self._coming[key])

    async def _make(self, key: Hashable, make: Callable[[], Awaitable[bytes]]) -> bytes:
        try:
            found = await make()
        finally:
            del self._coming[key]
        self._answers[key] = found
        if len(self._answers) > self._most:
            self._answers.popitem(last=False)
        return found
