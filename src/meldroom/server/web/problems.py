"""Errors over HTTP: one public shape, the right status, a sentence in the language of whoever asked."""

from __future__ import annotations

import logging
import re
from typing import Any

from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    ValidationException,
)
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ExceptionHandlersMap

from meldroom.api.errors import HttpError, Problem
from meldroom.api.problems import LARGEST_BODY, failure_of
from meldroom.decode import DecodeError
from meldroom.errors import MeldroomError
from meldroom.server.logs import note
from meldroom.server.web.language import ARGUMENT, PARAMETER, language_of

log = logging.getLogger("meldroom.server")

Asked = Request[Any, Any, Any]
_MISSING = re.compile(r"Missing required \w+ parameter '(?P<field>[^']*)'")
"""How the framework says it."""


MEANINGS = {
    400: "The request cannot be read, or asks for something that does not exist.",
    401: "Nobody is signed in: there is no session, or the token is not valid.",
    403: "The request is not allowed: wrong password, or it comes from another site.",
    404: "There is no such thing.",
    405: "The address does not answer to this method.",
    409: "It cannot be done as things are.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    429: "Too much at once; Retry-After says when to come back.",
    500: "A fault of the server.",
    503: "Nothing can be saved or computed at the moment.",
}


def problems(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route may answer with, for the OpenAPI document."""
    return {
        status: ResponseSpec(Problem, description=MEANINGS[status], generate_examples=False)
        for status in (*statuses, 429)
    }


def _refused(request: Asked, error: MeldroomError) -> Response[Problem]:
    """Whatever we refuse ourselves."""
    failure = failure_of(error, language_of(request))
    if failure.status in (401, 403):
        note("refused", code=error.code, method=request.method, path=request.url.path[:100])
    return Response(
        failure.problem, status_code=failure.status, headers=failure.headers, media_type="application/json"
    )


def _invalid(request: Asked, error: ValidationException) -> Response[Problem]:
    """A parameter of the wrong shape: the first fault, with its place."""
    faults = error.extra if isinstance(error.extra, list) else []
    first: dict[str, Any] = faults[0] if faults and isinstance(faults[0], dict) else {}
    told = str(first.get("message") or error.detail)
    key = str(first.get("key") or "")
    if missing := _MISSING.match(told):
        return _refused(request, DecodeError("missing", field=missing["field"]))
    return _refused(request, DecodeError.of_text(told, PARAMETER if key == ARGUMENT else key))


def _http(request: Asked, error: HTTPException) -> Response[Problem]:
    """Whatever the framework refuses by itself."""
    match error.status_code:
        case 404:
            return _refused(request, HttpError(404, "not_found"))
        case 405:
            refused = _refused(request, HttpError(405, "method_not_allowed", method=request.method))
            refused.headers.update(error.headers or {})
            return refused
        case 413:
            return _refused(request, HttpError(413, "too_large", most=LARGEST_BODY))
        case 415:
            return _refused(request, HttpError(415, "unsupported_media_type"))
        case status if status >= 500:
            return _accident(request, error)
        case _:
            return _refused(request, DecodeError.of_text(error.detail))


def _accident(request: Asked, error: Exception) -> Response[Problem]:
    """A fault of ours: the log gets everything, the client a message."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    problem = HttpError(500, "server_error").problem(language_of(request))
    return Response(problem, status_code=500, media_type="application/json")


HANDLERS: ExceptionHandlersMap = {
    MeldroomError: _refused,
    ValidationException: _invalid,
    HTTPException: _http,
    Exception: _accident,
}
