"""One server per data folder: a lock that the system releases when the process ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from meldroom.file_lock import try_lock
from meldroom.server.storage.errors import DataFolderError

LOCK = "meldroom.lock"


class FolderLock:
    """Held from `take` until `free`, or until the process is gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None

    @property
    def path(self) -> Path:
        """The file that is locked."""
        return self._folder / LOCK

    def take(self) -> None:
        """Lock the folder. Raises DataFolderError if another server has it or it is read-only."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataFolderError(
                "unusable", path=str(self._folder), reason=error.strerror or str(error)
            ) from None
        if not try_lock(file):
            os.close(file)
            raise DataFolderError("in_use", path=str(self._folder))
        self._file = file

    @property
    def noted(self) -> int:
        """How many commits were acknowledged in this folder; 0 if nobody has noted it."""
        if self._file is None or sys.platform == "win32":
            return 0
        text = os.pread(self._file, 30, 0).strip()
        return int(text) if text.isdigit() else 0

    def note(self, commits: int) -> None:
        """Note how many commits were acknowledged; after a power cut it may say fewer, never more."""
        if self._file is not None and sys.platform != "win32":
            os.pwrite(self._file, b"%020d\n" % commits, 0)

    def free(self) -> None:
        """Give the folder back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
