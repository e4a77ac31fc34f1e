"""All routes of championships as one router."""

from __future__ import annotations

from litestar import Router

from meldroom.server.championships.routes import downloads as routes_downloads
from meldroom.server.championships.routes import online as routes_online
from meldroom.server.championships.routes import public as routes_public
from meldroom.server.championships.routes import staff as routes_staff
from meldroom.server.championships.routes import tables as routes_tables
from meldroom.server.web.language import DEPENDENCIES

router = Router(
    path="/championships",
    route_handlers=[
        *routes_public.ROUTES,
        *routes_staff.ROUTES,
        *routes_tables.ROUTES,
        *routes_online.ROUTES,
        *routes_downloads.ROUTES,
    ],
    dependencies=DEPENDENCIES,
    tags=["championships"],
)
