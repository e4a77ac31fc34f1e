"""Routes of the tables: devices, what they need, piles of paper sheets, the referee's questions, photos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import msgspec
from litestar import Response, get, post
from litestar.openapi.spec import OpenAPIFormat, OpenAPIMediaType, OpenAPIType, Operation, RequestBody, Schema
from litestar.params import FromPath, JSONBody, QueryParameter

from meldroom.server.championships.commands.answers import Done, Preview
from meldroom.server.championships.commands.paper_piles import Pile, PileAnswer, compare
from meldroom.server.championships.commands.perform import perform
from meldroom.server.championships.commands.requests import CommandId, CommandRequest
from meldroom.server.championships.errors import HallError
from meldroom.server.championships.hall.commands import BindTable, Device, Line
from meldroom.server.championships.pages.rulings import Question, Ruled, ruled
from meldroom.server.championships.pages.table import TablePage, table_page
from meldroom.server.championships.routes.request_context import (
    LARGEST_BODY,
    All,
    Asked,
    Code,
    StaffKey,
    computed,
    shape,
)
from meldroom.server.web.language import Spoken
from meldroom.server.web.problems import problems

LARGEST_PHOTO = 4_000_000


class Bind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A device that wants to work for a table."""

    id: CommandId
    device: Device
    label: Line = ""
    take_over: bool = False
    by: Line = ""


class PhotoKept(msgspec.Struct, frozen=True):
    """A photo that was sent; a command `note_photo` names it."""

    photo: str


@dataclass
class PictureOperation(Operation):
    """The OpenAPI entry of a route whose body is a picture."""

    def __post_init__(self) -> None:
        picture = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY))
        kinds = {f"image/{kind}": picture for kind in ("jpeg", "png", "webp")}
        self.request_body = RequestBody(content=kinds, required=True)


@post("/{code:str}/tables/{table:int}/bind", status_code=200, responses=problems(400, 401, 403, 409, 503))
async def bind(
    code: Code,
    table: FromPath[int],
    data: JSONBody[Bind],
    championships: All,
    language: Spoken,
    staff_key: StaffKey = "",
) -> Done | Preview:
    """Let a device work for a table. Another device's table is given only with `take_over`."""
    championship, key = await championships.entrusted(code, staff_key)
    if not 1 <= table <= 10_000:
        raise HallError(404, "no_such_table", "table", table=table, sitting=1)
    wanted = BindTable(table, data.device, data.label, data.take_over)
    full = CommandRequest(data.id, wanted, by=data.by, device=data.device)
    return await championship.change(lambda running: perform(running, key, full, language))


@get("/{code:str}/tables/{table:int}", responses=shape(TablePage, 401, 403))
async def table_of(
    code: Code,
    table: FromPath[int],
    championships: All,
    stage: Annotated[str, QueryParameter(max_length=80)] = "",
    sitting: Annotated[int, QueryParameter(ge=0, le=1000)] = 0,
    staff_key: StaffKey = "",
) -> Response[bytes]:
    """What a table's device needs for the whole sitting: book, seats, games, sheet, clock, penalties."""
    championship, key = await championships.entrusted(code, staff_key, "see_table")
    if key.table is not None and key.table != table:
        raise HallError(403, "other_table", "table", table=key.table)
    return await computed(championship, lambda running, now: table_page(running, now, table, stage, sitting))


@post(
    "/{code:str}/piles",
    status_code=200,
    responses=shape(PileAnswer, 400, 401, 403),
    request_max_body_size=LARGEST_BODY,
)
async def pile(
    code: Code,
    data: JSONBody[Pile],
    championships: All,
    language: Spoken,
    staff_key: StaffKey = "",
) -> Response[bytes]:
    """Compare two typings of paper sheets. Nothing is written: agreed games come back as commands."""
    championship, _ = await championships.entrusted(code, staff_key, "enter_result", whole=True)
    return await computed(championship, lambda _, now: compare(now.state, data, language, now.version))


@post("/{code:str}/rulings", status_code=200, responses=problems(400, 401, 403))
async def ruling(
    code: Code,
    data: JSONBody[Question],
    championships: All,
    language: Spoken,
    staff_key: StaffKey = "",
) -> Ruled:
    """A referee's question, answered by the championship's rule book with its clause. Nothing is written."""
    championship, _ = await championships.entrusted(code, staff_key, "see_table")
    return await championship.read(lambda _, now: ruled(now.state.format, data, language))


@post(
    "/{code:str}/photos",
    status_code=200,
    responses=problems(400, 401, 403, 503),
    request_max_body_size=LARGEST_PHOTO,
    operation_class=PictureOperation,
)
async def send_photo(request: Asked, code: Code, championships: All, staff_key: StaffKey = "") -> PhotoKept:
    """Send a photo of a table: the body is the JPEG, PNG or WebP itself. Sent twice, it is kept once."""
    championship, _ = await championships.entrusted(code, staff_key, "note_photo")
    data = await request.body()
    if photo_kind(data) is None:
        raise HallError(400, "bad_photo", most=LARGEST_PHOTO // 1_000_000)
    return PhotoKept(await championship.change(lambda running: running.keep_photo(data)))


@get(
    "/{code:str}/photos/{photo:str}",
    responses=shape(bytes, 401, 403, media_type="image/jpeg"),
    opt={"also": ("image/png", "image/webp")},
)
async def photo(
    code: Code, photo: FromPath[str], championships: All, staff_key: StaffKey = ""
) -> Response[bytes]:
    """A photo of a table."""
    championship, key = await championships.entrusted(code, staff_key, "see_photos")
    right = len(photo) == 64 and set(photo) <= set("0123456789abcdef")
    if key.table is not None:
        own = (one.photo for one in championship.now.hall.photos if one.table == key.table)
        right = right and photo in own
    data = await championship.photo(photo) if right else None
    if data is None:
        raise HallError(404, "no_such_photo", "photo")
    headers = {"Cache-Control": "private, max-age=86400", "Content-Security-Policy": "sandbox"}
    return Response(data, media_type=photo_kind(data) or "application/octet-stream", headers=headers)


def photo_kind(data: bytes) -> Literal["image/jpeg", "image/png", "image/webp"] | None:
    """What kind of picture the bytes are; None if they are none that a browser may be given."""
    if data.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    return "image/webp" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else None


ROUTES = [bind, table_of, pile, ruling, send_photo, photo]
