"""Championships on the server: logs, halls, keys, pages, and the routes to them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meldroom.server.championships.routes.router import router
    from meldroom.server.championships.storage.archive import Championships

__all__ = ["Championships", "router"]


def __getattr__(name: str) -> Any:
    """The parts when they are asked for: logic and tests need no web framework."""
    if name == "router":
        from meldroom.server.championships.routes.router import router

        return router
    if name == "Championships":
        from meldroom.server.championships.storage.archive import Championships

        return Championships
    raise AttributeError(name)
