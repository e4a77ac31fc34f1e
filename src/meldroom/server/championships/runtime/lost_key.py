"""A new key for a championship whose keys are lost, made beside a server that may be running."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import Connection

from meldroom.championship.log.file import now
from meldroom.server.championships.runtime.archive import CODE
from meldroom.server.championships.storage.files import LOG, EventFiles, FolderFiles
from meldroom.server.championships.storage.keys import Key, add_from_outside, key_from_outside
from meldroom.server.championships.storage.stored import OvertakenError, change_beside

Made = tuple[str, Key]
InDatabase = Callable[[Callable[[Connection], bool]], bool]
"""Does some work in a transaction on the server's database."""
TRIES = 20


def make_key(events: Path, code: str, in_database: InDatabase | None) -> Made | None:
    """A new key to a championship, wherever it is kept: its secret and what is kept of it; None if nowhere.

    Raises ChampionshipError and OSError.
    """
    if not CODE.match(code):
        return None
    made: list[Made] = []

    def add(files: EventFiles) -> None:
        """The same key in both places, where a championship was copied from one to the other."""
        if not made:
            made.append(key_from_outside(files, now()))
        add_from_outside(files, made[0][1])

    if (events / code / LOG).is_file():
        add(FolderFiles(events / code))
    if in_database is not None:
        _again(lambda: in_database(lambda connection: change_beside(connection, code, add)))
    return made[0] if made else None


def _again(work: Callable[[], bool]) -> bool:
    """Do some work, anew where a server was faster. Raises OvertakenError."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except OvertakenError:
            continue
    return work()
