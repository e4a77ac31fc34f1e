"""HTTP routes of championships, one module per kind of user, as one router."""

from __future__ import annotations

from litestar import Router

from meldroom.server.championships.routes import downloads, formats, leagues, pins, public, staff, tables
from meldroom.server.web.language import DEPENDENCIES

router = Router(
    path="/championships",
    route_handlers=[
        *public.ROUTES,
        *formats.ROUTES,
        *leagues.ROUTES,
        *staff.ROUTES,
        *pins.ROUTES,
        *tables.ROUTES,
        *downloads.ROUTES,
    ],
    dependencies=DEPENDENCIES,
    tags=["championships"],
)
