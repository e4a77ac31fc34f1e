"""A body exactly as its shape says: the framework would take the text "3" for the number 3."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from litestar import Request

Shape = TypeVar("Shape")


async def exactly(request: Request[Any, Any, Any], kind: type[Shape]) -> Shape:
    """The body of a request, decoded strictly. Raises msgspec.DecodeError."""
    return msgspec.json.decode(await request.body(), type=kind)
