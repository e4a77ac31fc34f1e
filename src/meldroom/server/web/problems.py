"""Errors over HTTP: one public shape, the right status, a sentence in the language of whoever asked."""

from __future__ import annotations

import logging
import math
from datetime import datetime
from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import (
    HTTPException,
    MethodNotAllowedException,
    NotFoundException,
    ValidationException,
)
from litestar.openapi.datastructures import ResponseSpec
from litestar.types import ExceptionHandlersMap

from meldroom.championship.results import GameResult
from meldroom.decode import DecodeError
from meldroom.rooms.errors import Refusal
from meldroom.server.identity import IdentityError
from meldroom.server.messages import say
from meldroom.server.storage import StorageError
from meldroom.server.web.language import language_of

log = logging.getLogger("meldroom.server")
LARGEST_BODY = 65_536

Asked = Request[Any, Any, Any]


class Trouble(msgspec.Struct, frozen=True):
    """Why a request was refused: a code for programs, a sentence for people, the field it is about."""

    code: str
    message: str
    place: str = ""


class Signature(msgspec.Struct, frozen=True):
    """Who signed a sheet as referee, and who refused to."""

    referee: str
    refused: tuple[int, ...] = ()


class Version(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of two versions that meet; which fields it has depends on what they are versions of."""

    result: GameResult | None = None
    number: int | None = None
    version: int | None = None
    author: str = ""
    time: datetime | None = None
    signed: bool | Signature | None = None
    referee: str = ""
    refused: tuple[int, ...] = ()
    game: int | None = None
    games: tuple[Version, ...] = ()
    """Of a sheet: its results."""
    label: str = ""
    device: str = ""
    since: datetime | None = None
    by: str = ""
    answered_by: str = ""
    settled_by: str = ""
    paused: str = ""


OneVersion = Annotated[
    dict[str, Any], msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/Version"})
]
"""Published as a Version; there may be further fields."""


class Conflict(msgspec.Struct, frozen=True):
    """What was sent, and what somebody else had written already."""

    mine: OneVersion
    theirs: OneVersion


class BadLine(msgspec.Struct, frozen=True):
    """A line of a list of entrants that cannot be taken."""

    line: int
    code: str
    message: str


class Problem(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer to a request that was refused; nothing has changed."""

    error: Trouble
    conflict: Conflict | None = None
    lines: tuple[BadLine, ...] = ()


class RefusedRequest(HTTPException):
    """A request that is refused; the code is also the key of its sentence."""

    def __init__(
        self, status: int, code: str, place: str = "", *, wait: float = 0.0, **details: str | int
    ) -> None:
        super().__init__(detail=code, status_code=status)
        self.code = code
        self.place = place
        self.wait = wait
        self.details = details


_STATUS_OF_IDENTITY = {
    "has_account": 409,
    "account_taken": 409,
    "wrong_password": 403,
    "too_many_tokens": 409,
}
_STATUS_OF_REFUSAL = {"no_such_room": 404}
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


def answer(status: int, code: str, message: str, place: str = "", *, wait: float = 0.0) -> Response[Problem]:
    """A refusal as a response."""
    headers = {"Retry-After": str(max(1, math.ceil(wait)))} if wait else {}
    return Response(
        Problem(Trouble(code, message, place)),
        status_code=status,
        headers=headers,
        media_type="application/json",
    )


def _refused(request: Asked, error: RefusedRequest) -> Response[Problem]:
    details = dict(error.details)
    if error.wait:
        details["seconds"] = max(1, math.ceil(error.wait))
    message = say(error.code, language_of(request), **details)
    return answer(error.status_code, error.code, message, error.place, wait=error.wait)


def _identity(request: Asked, error: IdentityError) -> Response[Problem]:
    message = say(error.code, language_of(request), **error.details)
    return answer(_STATUS_OF_IDENTITY.get(error.code, 400), error.code, message, error.place)


def _room(request: Asked, refusal: Refusal) -> Response[Problem]:
    told = refusal.error(language_of(request))
    status = 429 if refusal.retry_ms else _STATUS_OF_REFUSAL.get(refusal.code, 400)
    return answer(status, told.code, told.message, told.place, wait=(refusal.retry_ms or 0) / 1000)


def _storage(request: Asked, error: StorageError) -> Response[Problem]:
    log.error("%s", error)
    return answer(503, error.public_code, say(error.public_code, language_of(request)), wait=5)


def _invalid(request: Asked, error: ValidationException) -> Response[Problem]:
    """A parameter of the wrong shape: the first fault, with its place."""
    faults = error.extra if isinstance(error.extra, list) else []
    first: dict[str, Any] = faults[0] if faults and isinstance(faults[0], dict) else {}
    told = str(first.get("message") or error.detail)
    return _undecodable(request, DecodeError.of_text(told, str(first.get("key") or "")))


def _undecodable(request: Asked, error: DecodeError) -> Response[Problem]:
    language = language_of(request)
    message = say("bad_request", language, reason=error.message(language))
    return answer(400, "bad_request", message, error.where)


def _http(request: Asked, error: HTTPException) -> Response[Problem]:
    """Whatever the framework refused by itself."""
    language = language_of(request)
    if isinstance(error, NotFoundException) or error.status_code == 404:
        return answer(404, "not_found", say("not_found", language))
    if isinstance(error, MethodNotAllowedException):
        refused = answer(
            405, "method_not_allowed", say("method_not_allowed", language, method=request.method)
        )
        refused.headers.update(error.headers or {})
        return refused
    if error.status_code == 413:
        return answer(413, "too_large", say("too_large", language, most=LARGEST_BODY))
    if error.status_code == 415:
        return answer(415, "unsupported_media_type", say("unsupported_media_type", language))
    if error.status_code >= 500:
        return _accident(request, error)
    return _undecodable(request, DecodeError.of_text(error.detail))


def _accident(request: Asked, error: Exception) -> Response[Problem]:
    """A fault of ours: the log gets everything, the client a sentence."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return answer(500, "server_error", say("server_error", language_of(request)))


HANDLERS: ExceptionHandlersMap = {
    RefusedRequest: _refused,
    IdentityError: _identity,
    Refusal: _room,
    StorageError: _storage,
    ValidationException: _invalid,
    DecodeError: _undecodable,
    HTTPException: _http,
    Exception: _accident,
}
