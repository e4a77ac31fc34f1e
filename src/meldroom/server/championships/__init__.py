"""Championships on the server: an event's log, its hall, its keys, its views, and the routes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meldroom.server.championships.routes.router import router
    from meldroom.server.championships.storage.archive import Events

__all__ = ["Events", "router"]


def __getattr__(name: str) -> Any:
    """The parts when they are asked for: logic and tests need no web framework."""
    if name == "router":
        from meldroom.server.championships.routes.router import router

        return router
    if name == "Events":
        from meldroom.server.championships.storage.archive import Events

        return Events
    raise AttributeError(name)
