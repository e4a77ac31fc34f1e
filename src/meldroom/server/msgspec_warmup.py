"""Everything that msgspec must know of our types, made while there is only one thread."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


def make_ready() -> None:
    """Let msgspec look at every type that is loaded, before threads read and write with them.

    Its first look at a type fills a table that other threads can see half full, and then the whole process
    ends (msgspec 0.22): two events that were read at once after a restart were enough.
    """
    for shape in set(_kinds_of(msgspec.Struct)):
        try:
            msgspec.json.Decoder(shape)
        except (TypeError, NameError):
            continue  # it holds what no message can, so it is never read


def _kinds_of(shape: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """All types under one."""
    for kind in shape.__subclasses__():
        yield kind
        yield from _kinds_of(kind)
