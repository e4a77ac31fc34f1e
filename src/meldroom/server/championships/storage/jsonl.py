"""A file of JSON Lines that only grows: what `append` has returned from is on the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from meldroom.championship.log.lines import append_line, keep_name
from meldroom.championship.log.lines import replace_file as replace_file


class LinesFile:
    """One such file, opened by its one writer. A torn last line, which nobody was told of, is cut off."""

    def __init__(self, path: Path) -> None:
        self._path = path
        new = not path.exists()
        self._open()
        if new:
            keep_name(path.parent)

    def _open(self) -> None:
        self._file = self._path.open("a+b", buffering=0)
        self._path.chmod(0o600)

    def read(self) -> list[bytes]:
        """All complete lines."""
        self._file.seek(0)
        data = self._file.read()
        self._end = data.rfind(b"\n") + 1
        if self._end < len(data):
            self._file.truncate(self._end)
            os.fsync(self._file.fileno())
        return data[: self._end].split(b"\n")[:-1]

    def append(self, line: bytes) -> None:
        """One line more, on the disk; if that fails, the file is as before. Raises ChampionshipError."""
        self._end = append_line(self._file, self._end, line)

    def replace(self, lines: Sequence[bytes]) -> None:
        """Other lines in place of all, at once. Raises ChampionshipError."""
        if sys.platform == "win32":
            self._file.close()  # an open file cannot be replaced there
        data = b"".join(line + b"\n" for line in lines)
        try:
            replace_file(self._path, data)
        finally:
            self._file.close()
            self._open()
            self._end = self._file.seek(0, os.SEEK_END)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
