"""The whole server as one ASGI application, put together from its parts."""

from __future__ import annotations

import sys
from typing import cast

import msgspec
from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

import meldroom
from meldroom.api.problems import LARGEST_BODY
from meldroom.rooms.rate_limit import Limiter
from meldroom.server.championships.routes import router as championships
from meldroom.server.config import Limits
from meldroom.server.container import Container
from meldroom.server.control.guard import STATE as SWITCHES
from meldroom.server.routes import health, openapi, passkeys, profiles, push, signed_in, switches
from meldroom.server.routes import rooms as room_routes
from meldroom.server.routes import rules as rules_routes
from meldroom.server.routes import session as session_routes
from meldroom.server.routes.dependencies import dependencies
from meldroom.server.routes.games import router as games
from meldroom.server.routes.previews import Previews
from meldroom.server.routes.puzzles import router as puzzles
from meldroom.server.routes.referee import router as referee
from meldroom.server.web.asgi import Application
from meldroom.server.web.gateway import Site
from meldroom.server.web.pages import Pages
from meldroom.server.web.problems import HANDLERS
from meldroom.server.web.strict_body import OFFLOAD, StrictRequest

API = "/api/v1"
_ABOUT = (
    "Tile rummy by the book. Live play goes over the WebSocket at /api/v1/live, which docs/protocol.md "
    "describes; everything else is here. Refusals have one shape: a code, a message, the place."
)


def api_of(container: Container) -> Litestar:
    """The HTTP interface."""
    return _api(container, container.config.limits)


def api_for_document() -> Litestar:
    """The HTTP interface with nothing behind it, to describe it."""
    return _api(None, Limits())


def _api(container: Container | None, limits: Limits) -> Litestar:
    routes = Router(
        path=API,
        route_handlers=[
            session_routes.router,
            signed_in.router,
            passkeys.router,
            push.router,
            profiles.router,
            rules_routes.router,
            room_routes.router,
            games,
            referee,
            puzzles,
            switches.router,
            championships,
            openapi.router,
        ],
    )
    return Litestar(
        route_handlers=[routes, health.router],
        dependencies=dependencies(container),
        exception_handlers=HANDLERS,
        request_class=StrictRequest,
        openapi_config=OpenAPIConfig(
            title="Meldroom",
            version=meldroom.__version__,
            description=_ABOUT,
            path=f"{API}/openapi",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        request_max_body_size=LARGEST_BODY,
        state=State(
            {
                "gates": session_routes.Gates(limits),
                "subscription_gate": Limiter(limits.subscriptions_of_player),
                health.READINESS: None if container is None else health.Readiness(container.store),
                OFFLOAD: None if container is None else container.computing,
                SWITCHES: None if container is None else container.watch.switches,
                "social_gate": Limiter(limits.social_of_player),
            }
        ),
        logging_config=None,
    )


def site_of(container: Container) -> Site:
    """The whole site: pages, HTTP and sockets."""
    return Site(
        cast("Application", api_of(container)),
        container.clients,
        Pages(
            container.config.pages, Previews(container.store).head, next(iter(container.config.origins), "")
        ),
        limits=container.config.limits,
        origins=container.config.origins,
        counters=container.counters,
        misses=container.misses,
        # A hall's certificate lasts a day, and its page about it is plain http at the same name.
        always_https=container.config.hall_port is None,
        require_https=container.config.require_https,
        hsts_subdomains=container.config.hsts_subdomains,
    )


def main() -> None:
    """Print the OpenAPI document, as docs/openapi.json holds it."""
    text = msgspec.json.encode(openapi.document(api_for_document()), order="sorted")
    sys.stdout.write(msgspec.json.format(text, indent=1).decode() + "\n")


if __name__ == "__main__":
    main()
