"""A file of JSON Lines that only grows: what `append` has returned from is on the disk."""

from __future__ import annotations

import os
from pathlib import Path

from meldroom.championship.errors import ChampionshipError
from meldroom.championship.log.file import append_line, keep_name


class LinesFile:
    """One such file, opened by its one writer. A torn last line, which nobody was told of, is cut off."""

    def __init__(self, path: Path) -> None:
        new = not path.exists()
        self._file = path.open("a+b", buffering=0)
        path.chmod(0o600)
        self._file.seek(0)
        data = self._file.read()
        self._end = data.rfind(b"\n") + 1
        self.lines = data[: self._end].split(b"\n")[:-1]
        if self._end < len(data):
            self._file.truncate(self._end)
            os.fsync(self._file.fileno())
        if new:
            keep_name(path.parent)

    def append(self, line: bytes) -> None:
        """One line more, on the disk; if that fails, the file is as before. Raises ChampionshipError."""
        self._end = append_line(self._file, self._end, line)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def replace_file(path: Path, data: bytes) -> None:
    """A small file's whole content, replaced at once: a reader sees the old or the new, never half.

    Raises ChampionshipError.
    """
    beside = path.with_name(path.name + ".new")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
        keep_name(path.parent)
    except OSError as error:
        raise ChampionshipError("not_written", why=error.strerror or str(error)) from None
