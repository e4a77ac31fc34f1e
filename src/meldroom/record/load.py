"""Reads and writes records in either form; the one place that knows which versions there are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from meldroom.game.notation.errors import NotationError
from meldroom.record import json_format, text_format
from meldroom.record.model import Record

LARGEST_FILE = 16_000_000

# A version that was once written is read for ever: a new one is added beside it, with a reader of its own.
TEXT_READERS: dict[int, Callable[[str], Record]] = {1: text_format.parse}
JSON_READERS: dict[int, Callable[[Any], Record]] = {1: json_format.parse}


def loads(data: bytes | str) -> Record:
    """The record in some text or JSON. Raises NotationError naming the place that is wrong."""
    given = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if len(given) > LARGEST_FILE:
        raise NotationError("too_large", size=len(given), largest=LARGEST_FILE)
    decoded = _decoded(given)
    if decoded.lstrip("\ufeff \t\r\n").startswith(("{", "[")):
        return _load_json(given)
    version = text_format.version_of(decoded.removeprefix("\ufeff").split("\n", 1)[0])
    return _reader(TEXT_READERS, version, line=1)(decoded)


def load(path: Path | str) -> Record:
    """The record in a file. Raises NotationError, and OSError if the file cannot be read."""
    with Path(path).open("rb") as file:
        return loads(file.read(LARGEST_FILE + 1))


def _decoded(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        raise NotationError("not_utf8", line=line, column=column, byte=f"{data[error.start]:02x}") from None


def _load_json(data: bytes) -> Record:
    try:
        found = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except RecursionError as error:
        raise NotationError.of(error) from None
    except msgspec.DecodeError as error:
        raise NotationError("bad_json", line=0, column=0, **NotationError.of(error).details) from None
    version = found.get(text_format.MAGIC) if isinstance(found, dict) else None
    if not isinstance(version, int) or isinstance(version, bool):
        raise NotationError("not_a_json_record", magic=text_format.MAGIC)
    return _reader(JSON_READERS, version, place=text_format.MAGIC)(found)


def _reader(
    readers: dict[int, Callable[[Any], Record]], version: int, *, line: int = 0, place: str = ""
) -> Callable[[Any], Record]:
    if version not in readers:
        known = ", ".join(map(str, readers))
        raise NotationError("unknown_version", place, line=line, version=str(version), known=known)
    return readers[version]
