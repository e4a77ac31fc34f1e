"""Where the files of one championship are kept: the interface, and the folder that is the usual place."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.lines import LogFile, LogLines
from meldroom.server.championships.storage.jsonl import LinesFile, replace_file

LOG = "log.jsonl"
HALL = "hall.jsonl"
IDS = "ids.jsonl"
LINES = (LOG, HALL, IDS)
"""Files that only grow, line by line."""
ACCESS = "access.json"
ADDED = "added-keys.json"
"""Keys made by `meldroom admin`: whoever writes ACCESS takes them over, and never writes here."""
SEEDS = "seeds.json"
PERSONAL = "players.json"
PHOTOS = "photos"


class EventFiles(Protocol):
    """Everything that is kept of a championship, for its one writer. All may raise ChampionshipError."""

    code: str

    def lines(self, name: str) -> LogLines:
        """One of the files of lines; made if it is not there."""
        ...

    def ready(self) -> None:
        """Everything was read and is sound."""
        ...

    def get(self, name: str) -> bytes | None:
        """The content of any other file; None if there is no such file."""
        ...

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        ...

    def put(self, name: str, data: bytes) -> None:
        """The whole content of any other file, replaced at once."""
        ...

    def close(self) -> None:
        """Let others write."""
        ...


class FolderFiles:
    """A folder on the disk. What was written is durable at once."""

    def __init__(self, folder: Path) -> None:
        self.code = folder.name
        self._folder = folder
        self._open: dict[str, LogFile | LinesFile] = {}

    def lines(self, name: str) -> LogLines:
        """See EventFiles."""
        if name not in self._open:
            path = self._folder / name
            self._open[name] = _log(path) if name == LOG else LinesFile(path)
        return self._open[name]

    def ready(self) -> None:
        """See EventFiles: a torn last line of the log, which nobody was told of, is cut off."""
        log = self._open.get(LOG)
        if isinstance(log, LogFile):
            log.cut()

    def get(self, name: str) -> bytes | None:
        """See EventFiles."""
        path = self._folder / name
        return path.read_bytes() if path.is_file() else None

    def has(self, name: str) -> bool:
        """See EventFiles."""
        return (self._folder / name).is_file()

    def put(self, name: str, data: bytes) -> None:
        """See EventFiles."""
        path = self._folder / name
        try:
            path.parent.mkdir(exist_ok=True)
        except OSError as error:
            raise ChampionshipError("not_written", why=error.strerror or str(error)) from None
        replace_file(path, data)

    def close(self) -> None:
        """See EventFiles."""
        for file in self._open.values():
            file.close()
        self._open.clear()


def _log(path: Path) -> LogFile:
    return LogFile.open(path) if path.exists() else LogFile.create(path)
