"""The whole server as one ASGI application, put together from its parts."""

from __future__ import annotations

from typing import cast

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import meldroom
from meldroom.server.events import router as events
from meldroom.server.games import router as games
from meldroom.server.http import life_routes, openapi, room_routes, rules_routes, session_routes
from meldroom.server.http.asgi import Application
from meldroom.server.http.pages import Pages
from meldroom.server.http.problems import HANDLERS, LARGEST_BODY
from meldroom.server.http.provide import dependencies
from meldroom.server.http.site import Site
from meldroom.server.parts import Parts

API = "/api/v1"
_ABOUT = (
    "Tile rummy by the book. Live play goes over the WebSocket at /api/v1/live, which docs/protocol.md "
    "describes; everything else is here. Refusals have one shape: a code, a sentence, the place."
)


def api_of(parts: Parts) -> Litestar:
    """The HTTP interface."""
    routes = Router(
        path=API,
        route_handlers=[
            session_routes.router,
            rules_routes.router,
            room_routes.router,
            games,
            events,
            openapi.router,
        ],
    )
    return Litestar(
        route_handlers=[routes, life_routes.router],
        dependencies=dependencies(parts),
        exception_handlers=HANDLERS,
        openapi_config=OpenAPIConfig(
            title="Meldroom",
            version=meldroom.__version__,
            description=_ABOUT,
            path=f"{API}/openapi",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        request_max_body_size=LARGEST_BODY,
        state=State({"gates": session_routes.Gates(parts.config.limits)}),
        logging_config=None,
    )


def site_of(parts: Parts) -> Site:
    """The door to everything."""
    return Site(
        cast("Application", api_of(parts)),
        parts.clients,
        Pages(parts.config.pages),
        limits=parts.config.limits,
        origins=parts.config.origins,
        figures=parts.figures,
    )
