"""Routes that are refused while something is switched off."""

from __future__ import annotations

from typing import Any

from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from meldroom.server.control.switches import Switch, Switches

STATE = "switches"


def only_while_on(name: Switch) -> Guard:
    """A guard of routes that are refused while something is switched off."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        switches: Switches | None = connection.app.state.get(STATE)
        if switches is not None:
            switches.check(name)

    return guard
