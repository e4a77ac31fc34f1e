"""Values on their way between Python and JavaScript. Outside a browser they are Python's already."""

from __future__ import annotations

import sys
from typing import Any


def to_javascript(data: bytes) -> Any:
    """Bytes as JavaScript takes them: a Uint8Array of its own."""
    if sys.platform == "emscripten":
        from pyodide.ffi import to_js

        return to_js(data)
    return data


def as_bytes(value: Any) -> bytes | None:
    """A Uint8Array or bytes as bytes; None for null, undefined and whatever holds no bytes."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, bytearray | memoryview):
        return bytes(value)
    copy = getattr(value, "to_bytes", None)
    if copy is None or isinstance(value, int):
        return None
    data: bytes = copy()
    return data


def as_text(value: Any) -> str | None:
    """A string; None for null, undefined and everything else."""
    return value if isinstance(value, str) else None


def all_bytes(values: Any) -> list[bytes]:
    """An array of Uint8Arrays as a list of bytes."""
    return [data for value in values if (data := as_bytes(value)) is not None]
