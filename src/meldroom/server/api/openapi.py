"""The OpenAPI document: what the framework derives, completed with refusals and with who may ask."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request, Response, Router, get

from meldroom.server.web.problems import MEANINGS

_PROBLEM = {"$ref": "#/components/schemas/Problem"}
_ANYBODY: dict[str, list[str]] = {}
_SCHEMES = {
    "session": {
        "type": "apiKey",
        "in": "cookie",
        "name": "meldroom_session",
        "description": "The cookie that POST /api/v1/session sets (over https with the prefix __Host-).",
    },
    "token": {"type": "http", "scheme": "bearer", "description": "A personal token of POST /api/v1/tokens."},
}


def complete(document: dict[str, Any]) -> dict[str, Any]:
    """Every operation with every refusal it may answer with, in the one public shape."""
    document.setdefault("components", {})["securitySchemes"] = _SCHEMES
    document["components"].setdefault("schemas", {}).update(_problem_schemas())
    for path, item in document.get("paths", {}).items():
        for method, operation in item.items():
            if not isinstance(operation, dict):
                continue
            operation["security"] = [_ANYBODY, {"session": []}, {"token": []}]
            responses = operation.setdefault("responses", {})
            for status in _refusals(path, method, operation):
                responses[str(status)] = _refusal(status)
            if "204" in responses:  # an empty answer has no type
                responses["204"].pop("content", None)
    return document


def _refusals(path: str, method: str, operation: dict[str, Any]) -> list[int]:
    """The statuses of refusals that any such operation can answer with, beside those it names itself."""
    named = [int(status) for status in operation["responses"] if status.isdigit() and int(status) >= 400]
    found = {401, 429, 500, 503, *named}
    if operation.get("parameters") or "requestBody" in operation:
        found.add(400)
    if "{" in path:
        found.add(404)
    if method != "get":
        found.add(403)
    if "requestBody" in operation:
        found |= {413, 415}
    return sorted(found)


def _refusal(status: int) -> dict[str, Any]:
    return {"description": MEANINGS[status], "content": {"application/json": {"schema": _PROBLEM}}}


def _problem_schemas() -> dict[str, Any]:
    text = {"type": "string"}
    trouble = {
        "type": "object",
        "title": "Trouble",
        "properties": {"code": text, "message": text, "place": text},
        "required": ["code", "message", "place"],
    }
    problem = {
        "type": "object",
        "title": "Problem",
        "description": "Why a request was refused; nothing has changed.",
        "properties": {"error": {"$ref": "#/components/schemas/Trouble"}},
        "required": ["error"],
    }
    return {"Trouble": trouble, "Problem": problem}


@get("/openapi.json", include_in_schema=False, sync_to_thread=False)
def openapi_document(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The document, made once."""
    state = request.app.state
    made: bytes | None = state.get("openapi_document")
    if made is None:
        made = msgspec.json.encode(complete(request.app.openapi_schema.to_schema()))
        state["openapi_document"] = made
    return Response(made, media_type="application/json")


router = Router(path="/", route_handlers=[openapi_document])
