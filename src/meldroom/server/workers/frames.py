"""Messages over a pipe: four bytes that say how long, and then so many."""

from __future__ import annotations

import asyncio
from typing import BinaryIO

_LENGTH = 4


def frame(data: bytes) -> bytes:
    """A message as it goes over a pipe."""
    return len(data).to_bytes(_LENGTH, "big") + data


def read_frame(pipe: BinaryIO) -> bytes | None:
    """The next message, None at the end."""
    head = pipe.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    length = int.from_bytes(head, "big")
    data = pipe.read(length)
    return data if len(data) == length else None


def write_frame(pipe: BinaryIO, data: bytes) -> None:
    """Send a message at once."""
    pipe.write(frame(data))
    pipe.flush()


async def receive_frame(stream: asyncio.StreamReader) -> bytes:
    """The next message of a stream. Raises IncompleteReadError at its end."""
    head = await stream.readexactly(_LENGTH)
    return await stream.readexactly(int.from_bytes(head, "big"))
