"""What the routes share: their parameters, and how they answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Request, Response
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, HeaderParameter, SkipValidation

from meldroom.server.background.printing import Printing
from meldroom.server.championships.runtime.live import Championships, LiveChampionship
from meldroom.server.championships.storage.running import RunningChampionship, Snapshot
from meldroom.server.web.problems import problems

JSON = "application/json"
LARGEST_BODY = 2_000_000

Asked = Request[Any, Any, Any]
All = NamedDependency[SkipValidation[Championships]]
Printer = NamedDependency[SkipValidation[Printing]]
HallPort = NamedDependency[SkipValidation[int | None]]
"""Where devices learn to trust a hall's certificate."""
Code = FromPath[str]
StaffKey = Annotated[
    str,
    HeaderParameter(
        name="X-Championship-Key", max_length=200, description="A key of the championship, or of the league."
    ),
]


def address_for_devices(request: Asked, hall_port: int | None) -> str:
    """The address in QR codes: in a hall the plain one, which leads on to https once a device trusts it."""
    if hall_port is None:
        return str(request.base_url).rstrip("/")
    host = request.base_url.hostname or "localhost"
    return f"http://{f'[{host}]' if ':' in host else host}:{hall_port}"


def shape(kind: Any, *statuses: int, media_type: str = JSON) -> dict[int, ResponseSpec]:
    """What a route answers with, for the OpenAPI document: the bytes themselves are made in a thread."""
    right = ResponseSpec(data_container=kind, media_type=media_type, generate_examples=False)
    return {200: right, **problems(*statuses)}


async def computed(
    championship: LiveChampionship, work: Callable[[RunningChampionship, Snapshot], Any]
) -> Response[bytes]:
    """A page as JSON, made and encoded in a thread while the championship may go on. Raises HallError."""
    return encoded(await championship.read(lambda running, now: msgspec.json.encode(work(running, now))))


def encoded(value: Any) -> Response[bytes]:
    """A value as JSON, encoded already where it was computed."""
    body = value if isinstance(value, bytes) else msgspec.json.encode(value)
    return Response(body, media_type=JSON, headers={"Cache-Control": "no-store"})


def download(data: bytes, name: str, media_type: str) -> Response[bytes]:
    """A file to keep."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return Response(data, media_type=media_type, headers=headers)
