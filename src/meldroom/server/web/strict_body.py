"""The one way a body is decoded: strictly, where the framework would take the text "3" for the number 3."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.datastructures import State

from meldroom.decode import decode_json


class StrictRequest(Request[Any, Any, State]):
    """A request whose JSON is decoded into what its route declares; configured once, for all routes."""

    async def json(self) -> Any:
        """The body as the route's own type. Raises DecodeError."""
        field = self.route_handler.parsed_data_field
        return decode_json(await self.body(), field.annotation if field is not None else Any)
