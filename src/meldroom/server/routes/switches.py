"""What is switched off on this server, and routes that are refused then."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Router, get
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler
from litestar.types import Guard

from meldroom.server.control.switches import Switch, Switches
from meldroom.server.routes.dependencies import Whole
from meldroom.server.web.problems import problems

STATE = "switches"


class SwitchedOff(msgspec.Struct, frozen=True):
    """What whoever runs this server has switched off for now; mostly nothing."""

    off: tuple[str, ...]


def only_while_on(name: Switch) -> Guard:
    """A guard of routes that are refused while something is switched off."""

    def guard(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
        switches: Switches | None = connection.app.state.get(STATE)
        if switches is not None:
            switches.check(name)

    return guard


@get("/switches", responses=problems())
async def switches(container: Whole) -> SwitchedOff:
    """What is switched off on this server for now."""
    return SwitchedOff(tuple(sorted(container.watch.switches.off)))


router = Router(path="/", route_handlers=[switches], tags=["server"])
