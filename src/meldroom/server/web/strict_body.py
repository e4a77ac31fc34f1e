"""The one way a body is decoded: strictly, where the framework would take the text "3" for the number 3."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State

from meldroom.api.errors import HttpError
from meldroom.decode import decode_json
from meldroom.rooms.ports import Offload
from meldroom.server.web.asgi import PIECE

SMALL = 16_384
"""Bytes that are decoded at once; what is larger, in a thread."""
MOST_VALUES = 200_000
"""Values in a body: each takes some sixty bytes of memory, however short it is written."""
OFFLOAD = "offload"
"""In the application's state: where large bodies are decoded."""


class StrictRequest(Request[Any, Any, State]):
    """A request whose JSON is decoded into what its route declares; configured once, for all routes."""

    async def json(self) -> Any:
        """The body as the route's own type. Raises DecodeError and HttpError."""
        field = self.route_handler.parsed_data_field
        kind: Any = field.annotation if field is not None else Any
        body = await self.body()
        offload: Offload | None = self.app.state.get(OFFLOAD)
        if len(body) <= SMALL or offload is None:
            return decode_json(body, kind)
        return await offload(_decoded, body, kind)


def _decoded(body: bytes, kind: Any) -> Any:
    """A large body, if it does not hold more values than anybody has to say. Raises HttpError."""
    values = 0
    for start in range(0, len(body), PIECE):  # between two pieces the tables have their turn
        piece = body[start : start + PIECE]
        values += piece.count(b",") + piece.count(b"[") + piece.count(b"{")
        if values > MOST_VALUES:
            raise HttpError(413, "too_many_values", most=MOST_VALUES)
    return decode_json(body, kind)
