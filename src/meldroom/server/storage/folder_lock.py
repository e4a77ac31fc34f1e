"""One server per data folder: a lock that the system releases when the process ends, however it ends."""

from __future__ import annotations

import os
from pathlib import Path

from meldroom.file_lock import try_lock
from meldroom.server.storage.errors import DataFolderError

LOCK = "meldroom.lock"


class FolderLock:
    """Held from `take` until `free`, or until the process is gone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._file: int | None = None

    def take(self) -> None:
        """Lock the folder. Raises DataFolderError if another server has it or it is read-only."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            file = os.open(self._folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise DataFolderError(
                "unusable", path=str(self._folder), reason=error.strerror or str(error)
            ) from None
        if not try_lock(file):
            os.close(file)
            raise DataFolderError("in_use", path=str(self._folder))
        self._file = file

    def free(self) -> None:
        """Give the folder back."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
