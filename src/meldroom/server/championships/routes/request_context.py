"""What the routes share: finding the championship, checking the key, answering and refusing."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, SkipValidation

from meldroom.server.championships.errors import HallError
from meldroom.server.championships.runtime.archive import Championships
from meldroom.server.championships.runtime.live import LiveChampionship
from meldroom.server.championships.storage.keys import Key, may
from meldroom.server.web.problems import problems

JSON = "application/json"
LARGEST_BODY = 2_000_000

Asked = Request[Any, Any, Any]
All = NamedDependency[SkipValidation[Championships]]
Code = FromPath[str]
StaffKey = Annotated[
    str, HeaderParameter(name="X-Championship-Key", max_length=200, description="A key of the championship.")
]
Refusals = dict[int, ResponseSpec]


def shape(kind: Any, *statuses: int, media_type: str = JSON) -> Refusals:
    """What a route answers with, for the OpenAPI document: the bytes themselves are made in a thread."""
    right = ResponseSpec(data_container=kind, media_type=media_type, generate_examples=False)
    return {200: right, **refusals(*statuses)}


def refusals(*statuses: int) -> Refusals:
    """The refusals that a route may answer with, for the OpenAPI document, which adds 404 to all."""
    return problems(*statuses)


def encoded(value: Any) -> Response[bytes]:
    """A value as JSON, encoded already where it was computed."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, media_type=JSON, headers={"Cache-Control": "no-store"})


def download(data: bytes, name: str, media_type: str) -> Response[bytes]:
    """A file to keep."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, media_type=media_type, headers=headers)


async def entrusted(
    championships: Championships, code: str, secret: str, what: str
) -> tuple[LiveChampionship, Key]:
    """A championship, for somebody who may do or see this. Raises HallError."""
    championship = await championships.championship(code)
    key = championship.holder(secret)
    if not may(key.role, what):
        if not key.id:
            raise HallError(401, "key_needed")
        raise HallError(403, "not_allowed_here")
    return championship, key


async def staff(championships: Championships, code: str, secret: str) -> tuple[LiveChampionship, Key]:
    """A championship and the key to it. Raises HallError without a key."""
    championship = await championships.championship(code)
    key = championship.holder(secret)
    if not key.id:
        raise HallError(401, "key_needed")
    return championship, key
