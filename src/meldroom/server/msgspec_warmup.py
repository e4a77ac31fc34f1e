"""Prepares msgspec for all our types while there is only one thread."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec


def prepare_msgspec() -> None:
    """Let msgspec see every type that is loaded, before several threads use them.

    Its first sight of a type fills a table that other threads can see half full, and then the whole process
    crashes (msgspec 0.22): decoding two events at once after a restart was enough.
    """
    for shape in set(_kinds_of(msgspec.Struct)):
        try:
            msgspec.json.Decoder(shape)
        except (TypeError, NameError):
            continue  # it holds what no message can, so it is never decoded


def _kinds_of(shape: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    """All types under one."""
    for kind in shape.__subclasses__():
        yield kind
        yield from _kinds_of(kind)
