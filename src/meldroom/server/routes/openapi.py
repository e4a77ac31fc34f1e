"""The OpenAPI document: routes from the framework; shapes, refusals and who may ask from us."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response, Router, get
from litestar.handlers import HTTPRouteHandler

from meldroom.api.errors import Problem
from meldroom.api.profiles.schemas import Presence, Standing
from meldroom.api.versions import Version
from meldroom.championship.actions import Action, How
from meldroom.championship.formats.format import Criterion
from meldroom.championship.roles import Role
from meldroom.championship.seating.raffle import ApartIn
from meldroom.championship.standings import DecidedBy
from meldroom.championship.state import Status
from meldroom.referee.penalties import PenaltyKind
from meldroom.rooms.protocol.settings import Spectators, Stage
from meldroom.rules.scoring import Ending, GoingOut
from meldroom.server.championships.commands.requests import Command
from meldroom.server.championships.hall.commands import CallAbout, HallAction, InPublic, StandingsMode
from meldroom.server.championships.pages.rulings import Question
from meldroom.server.routes.dependencies import TOKEN
from meldroom.server.routes.json_schema import REFERENCES, Schema, Shapes
from meldroom.server.web.cookies import NAME
from meldroom.server.web.language import DESCRIPTION, PARAMETER, PATTERN
from meldroom.server.web.problems import MEANINGS

JSON = "application/json"
KEY_HEADER = "X-Championship-Key"
NAMED: dict[str, Any] = {
    "Role": Role,
    "Status": Status,
    "StandingsMode": StandingsMode,
    "DecidedBy": DecidedBy,
    "Criterion": Criterion,
    "CallAbout": CallAbout,
    "InPublic": InPublic,
    "ApartIn": ApartIn,
    "Ending": Ending,
    "GoingOut": GoingOut,
    "How": How,
    "PenaltyKind": PenaltyKind,
    "Spectators": Spectators,
    "RoomStage": Stage,
    "Presence": Presence,
    "Standing": Standing,
    "Command": Command,
    "Action": Action,
    "HallAction": HallAction,
    "WrittenAction": Action | HallAction,
    "Question": Question,
}
"""Unions and enumerations that generated clients should find under a name."""
_SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": NAME,
        "description": "The cookie that POST /api/v1/session sets (over https with the prefix __Host-).",
    },
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "A personal token of POST /api/v1/tokens, with the scope named by the operation.",
    },
    "championship_key": {
        "type": "apiKey",
        "in": "header",
        "name": KEY_HEADER,
        "description": "A key to one championship, which says in which role its holder acts.",
    },
}
_SESSION: list[dict[str, list[str]]] = [{"session": []}]
_STAFF: list[dict[str, list[str]]] = [{"championship_key": []}]
_OR_NOT: list[dict[str, list[str]]] = [{}]
_BINARY = {"type": "string", "format": "binary"}
_LANGUAGE = {
    "name": PARAMETER,
    "in": "query",
    "description": DESCRIPTION,
    "required": False,
    "schema": {"type": "string", "pattern": PATTERN},
}


class _Route(NamedTuple):
    path: str
    method: str
    handler: HTTPRouteHandler
    operation: Schema


def document(app: Litestar) -> Schema:
    """The document of an application."""
    made: Schema = app.openapi_schema.to_schema()
    routes = list(_routes(app, made))
    answers = [_answer(route.handler) for route in routes]
    bodies = [_body(route.handler) for route in routes]
    json = [kind for kind in answers if kind not in (None, bytes, str)]
    shapes = Shapes([kind for kind in bodies if kind is not None], [*json, Problem, Version], NAMED)
    for route, body, answer in zip(routes, bodies, answers, strict=True):
        _complete(route, body, answer, shapes)
    made["components"] = {"schemas": shapes.components, "securitySchemes": _SCHEMES}
    return made


def _routes(app: Litestar, made: Schema) -> Iterator[_Route]:
    for route in app.routes:
        item = made["paths"].get(route.path_format, {})
        for handler in getattr(route, "route_handlers", ()):
            for method in map(str.lower, handler.http_methods):
                if method in item and isinstance(handler, HTTPRouteHandler):
                    yield _Route(route.path_format, method, handler, item[method])


def _body(handler: HTTPRouteHandler) -> Any:
    """The type of a request's body; None without one."""
    field = handler.parsed_data_field
    return handler.opt.get("body", field.annotation if field is not None else None)


def _answer(handler: HTTPRouteHandler) -> Any:
    """The type of a good answer; None for an empty one."""
    named = [spec.data_container for status, spec in _specs(handler).items() if status < 300]
    kind = named[0] if named else handler.parsed_fn_signature.return_type.annotation
    kind = get_args(kind)[0] if get_origin(kind) is Response else kind
    return None if kind in (None, type(None)) else kind


def _specs(handler: HTTPRouteHandler) -> dict[int, Any]:
    return dict(handler.responses or {})


def _complete(route: _Route, body: Any, answer: Any, shapes: Shapes) -> None:
    """One operation with its shapes, its refusals and who may ask."""
    operation = route.operation
    named = handler_parameters(route.handler)
    kept = [each for each in operation.get("parameters", []) if each["name"] not in (KEY_HEADER, PARAMETER)]
    operation["parameters"] = [*kept, _LANGUAGE]
    operation["security"] = _security(route.handler, named)
    if body is not None:
        content = {JSON: {"schema": shapes.of(body)}}
        operation["requestBody"] = {"content": content, "required": True}
    responses = operation["responses"]
    for status in [status for status in responses if status.startswith("2")]:
        if answer is None:
            responses[status].pop("content", None)
            continue
        for kind, media in responses[status]["content"].items():
            if kind == JSON and answer not in (bytes, str):
                media["schema"] = shapes.of(answer)
            elif kind == JSON:
                media["schema"] = {"type": "object"}
            else:
                media["schema"] = {"type": "string"} if answer is str else _BINARY
        for also in route.handler.opt.get("also", ()):
            responses[status]["content"][also] = {"schema": {} if also == JSON else _BINARY}
    for status in _refusals(route, bool(operation["security"])):
        schema = {"$ref": f"{REFERENCES}Problem"}
        responses[str(status)] = {
            "description": MEANINGS[status],
            "content": {JSON: {"schema": schema}},
        }


def handler_parameters(handler: HTTPRouteHandler) -> set[str]:
    """What a route asks for by name."""
    return set(handler.parsed_fn_signature.parameters)


def _security(handler: HTTPRouteHandler, named: set[str]) -> list[dict[str, list[str]]]:
    """Who may ask, by what the route itself asks for."""
    scope = handler.opt.get(TOKEN)
    signed_in = [*_SESSION, {"token": [scope]}] if scope else _SESSION
    if "person" in named:
        return signed_in
    if named & {"visitor", "me"}:
        return [*_OR_NOT, *signed_in]
    if "staff_key" in named:
        return [*_OR_NOT, *_STAFF] if handler.opt.get("key") == "optional" else _STAFF
    return []


def _refusals(route: _Route, secured: bool) -> list[int]:
    """The statuses of refusals that such an operation can answer with, beside those it names itself."""
    operation = route.operation
    named = [int(status) for status in operation["responses"] if status.isdigit() and int(status) >= 400]
    found = {400, 429, 500, 503, *named}
    if secured:
        found |= {401, 403}
    if "{" in route.path:
        found.add(404)
    if route.method != "get":
        found.add(403)
    if "requestBody" in operation:
        found |= {413, 415}
    return sorted(found)


@get("/openapi.json", include_in_schema=False, sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The document, made once."""
    state = request.app.state
    made: bytes | None = state.get("openapi_document")
    if made is None:
        made = state["openapi_document"] = msgspec.json.encode(document(request.app))
    return Response(made, media_type="application/json")


router = Router(path="/", route_handlers=[openapi_document])
