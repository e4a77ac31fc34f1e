"""What is switched off on this server."""

from __future__ import annotations

import msgspec
from litestar import Router, get

from meldroom.server.routes.dependencies import Whole
from meldroom.server.web.problems import problems


class SwitchedOff(msgspec.Struct, frozen=True):
    """What whoever runs this server has switched off for now; mostly nothing."""

    off: tuple[str, ...]


@get("/switches", responses=problems())
async def switches(container: Whole) -> SwitchedOff:
    """What is switched off on this server for now."""
    return SwitchedOff(tuple(sorted(container.watch.switches.off)))


router = Router(path="/", route_handlers=[switches], tags=["server"])
