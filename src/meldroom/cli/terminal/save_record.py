"""Where a game's record is written: never over a file that is there already."""

from __future__ import annotations

from pathlib import Path

from meldroom.record import Record, to_text

SUFFIX = ".meld"


def record_file(wanted: Path | None, book_id: str, commitment: str, number: int) -> Path:
    """A free name for the record of a game; `wanted` is for the first one, later ones get its number."""
    if wanted is None:
        return free(Path(f"meldroom-{book_id}-{commitment[:8]}{SUFFIX}"))
    return wanted if number == 1 else free(wanted.with_stem(f"{wanted.stem}-{number}"))


def free(path: Path) -> Path:
    """The path, or the first with a number added that does not exist."""
    tried, number = path, 1
    while tried.exists():
        number += 1
        tried = path.with_stem(f"{path.stem}-{number}")
    return tried


def save(record: Record, path: Path) -> None:
    """Write a record to a new file. Raises OSError, and FileExistsError where one is there."""
    with path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(to_text(record))
