"""Many records in one compressed file: each begins with the line that every record begins with."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterable, Iterator
from pathlib import Path

from meldroom.record import Record, loads

_FIRST = "meldroom-record "
LEVEL = 9


def compressed(texts: Iterable[str]) -> bytes:
    """Records one after the other, compressed; the same records give the same bytes."""
    sink = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=sink, mtime=0) as file:
        for text in texts:
            file.write(text.encode())
            if not text.endswith("\n"):
                file.write(b"\n")
    return sink.getvalue()


def texts_in(path: Path) -> Iterator[str]:
    """The texts of all records in a file, in order. Raises OSError, and EOFError for a file cut off."""
    lines: list[str] = []
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            if line.startswith(_FIRST) and lines:
                yield "".join(lines)
                lines = []
            lines.append(line)
    if lines:
        yield "".join(lines)


def read_records(path: Path | str) -> Iterator[Record]:
    """All records in a file of a corpus, in order. Raises NotationError, OSError, EOFError."""
    for text in texts_in(Path(path)):
        yield loads(text)
