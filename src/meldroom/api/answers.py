"""An answer in bytes: what a route sends, with its type and headers."""

from __future__ import annotations

import msgspec

JSON = "application/json"
SVG = "image/svg+xml"
PNG = "image/png"
TEXT = "text/plain; charset=utf-8"


class Answer(msgspec.Struct, frozen=True):
    """What a request is answered with."""

    body: bytes
    media_type: str = JSON
    headers: dict[str, str] = {}
    status: int = 200

    @classmethod
    def of(cls, value: object, status: int = 200, headers: dict[str, str] | None = None) -> Answer:
        """A value as JSON."""
        return cls(msgspec.json.encode(value), headers=headers or {}, status=status)
