"""All routes of events as one router, to be mounted under the API; `events` is given by the application."""

from __future__ import annotations

from litestar import Router

from meldroom.server.events import (
    routes_downloads,
    routes_online,
    routes_public,
    routes_staff,
    routes_tables,
)
from meldroom.server.events.asking import refused
from meldroom.server.events.refusal import EventRefusal

router = Router(
    path="/events",
    route_handlers=[
        *routes_public.ROUTES,
        *routes_staff.ROUTES,
        *routes_tables.ROUTES,
        *routes_online.ROUTES,
        *routes_downloads.ROUTES,
    ],
    exception_handlers={EventRefusal: refused},
    tags=["events"],
)
