"""Many records in one compressed file: each begins with the line that every record begins with."""

from __future__ import annotations

import gzip
import io
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

from meldroom.record import Record, loads

_FIRST = "meldroom-record "
LEVEL = 9
ALLOWED = "puzzles"
"""The tag of a game whose table allows puzzles to be made of it."""


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


def allowed_in(database: Path) -> Iterator[str]:
    """The texts of all games in a server's SQLite database whose table allows puzzles, in order.

    Raises OSError for a file that is no such database.
    """
    try:
        with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as opened:
            for (text,) in opened.execute("SELECT record FROM finished_games ORDER BY ended_at, id"):
                if loads(text).headers.tags.get(ALLOWED) == "yes":
                    yield text
    except sqlite3.Error as error:
        raise OSError(f"{database}: {error}") from None


def read_records(path: Path | str) -> Iterator[Record]:
    """All records in a file of a corpus, in order. Raises NotationError, OSError, EOFError."""
    for text in texts_in(Path(path)):
        yield loads(text)
