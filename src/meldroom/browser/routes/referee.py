"""The referee's tools: position check, counting, charges, leftovers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module

from meldroom.api.answers import Answer
from meldroom.browser.router import Asked, Route

TOOLS = ("book", "position", "count", "charge", "leftovers")


def _tool(name: str) -> Callable[[Asked], Awaitable[Answer]]:
    async def answer(asked: Asked) -> Answer:
        tools = import_module("meldroom.api.referee")  # Nobody needs it before they ask.
        house = {each.id: each for each in asked.device.house_books.books}
        return Answer(tools.TOOLS[name](asked.data(), asked.language, house))

    return answer


ROUTES = tuple(Route("POST", f"/referee/{name}", _tool(name)) for name in TOOLS)
