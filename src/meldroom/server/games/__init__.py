"""What comes after a game: its steps, record, verification and analysis, and positions for themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from meldroom.server.api.games import router

__all__ = ["router"]


def __getattr__(name: str) -> Any:
    """The router when it is asked for: the worker processes need this package without a web framework."""
    if name == "router":
        from meldroom.server.api.games import router

        return router
    raise AttributeError(name)
